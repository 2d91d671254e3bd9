"""Every recorded run: the position of the engine, and what the referee says of the routes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.game import Game
from engine.record import Record
from engine.replay import replay
from engine.rules import PLAYABLE
from engine.solving import check_position
from engine.steps.route import site_routes
from support import read_jsonl


def told(shared: Path, game: str) -> dict[str, Any]:
    """Return the recorded positions of a game by id."""
    files = (shared / "positions" / f"{game}.jsonl", shared / "positions" / f"random-{game}.jsonl.gz")
    return {line["id"]: line for file in files for line in read_jsonl(file)}


def sorted_lists(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position whose tiles and tokens are in a fixed order."""
    return {**position, **{name: sorted(position[name], key=str) for name in ("tiles", "tokens")}}


@pytest.mark.parametrize("game", PLAYABLE)
def test_positions_and_prices(shared: Path, game: str) -> None:
    expected = told(shared, game)
    found = 0
    for path in sorted((shared / "games" / game).glob("*.json")):
        record = Record.load(path)
        table = Game.from_record(record, trusting=True)
        for action in record.actions():
            line = expected.get(f"{game}/{path.stem}/{action.id}")
            if action.type == "run_routes" and line is not None:
                found += 1
                position = table.position()
                assert sorted_lists(position.to_json()) == sorted_lists(line["position"]), line["id"]
                verdict = check_position(position, site_routes(action.fields["routes"]))
                assert verdict.legal, line["id"]
                assert verdict.revenue == line["repriced"]["revenue"], line["id"]
            table.apply(action)
    assert found == len(expected)
    print(f"\n{game}: {found} positions and prices equal")


def test_a_judged_replay_notes_wrong_revenue(shared: Path) -> None:
    value = Record.load(shared / "games" / "18NewEngland" / "73885.json").to_json()
    run = next(entry for entry in value["actions"] if entry["type"] == "run_routes")
    run["routes"] = [{**run["routes"][0], "revenue": 50}]
    game = replay(Record.from_json(value), until=run["id"], judging=True)
    assert game.leniencies == (
        f"{run['id']}: {run['entity']}: the run brings 30 and 0, not 50 and 0 (00-common R1.17)",
    )
