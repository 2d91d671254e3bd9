"""Audits of the recorded reference games: stored money, and the same optima as for the recorded positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.audit.job import audit_bytes
from engine.position import Position
from engine.rules import PLAYABLE
from engine.solving import solve_position
from support import read_jsonl, shared_root

HAS_RUN = {"1861/random-4p_6140/554", "1861/random-6p_column_market_6061/652"}
"""Runs of the state railway with trains that have run in this round for a company that it took over.

They cannot run again (``1861 R10.33``), which a position alone does not tell.
"""


def records() -> Iterator[Path]:
    root = shared_root()
    if root is not None:
        for game in PLAYABLE:
            yield from sorted((root / "games" / game).glob("*.json"))


@cache
def recorded(root: Path, game: str) -> dict[str, Any]:
    files = (f"{game}.jsonl", f"random-{game}.jsonl.gz")
    return {line["id"]: line for file in files for line in read_jsonl(root / "positions" / file)}


@pytest.mark.slow
@pytest.mark.parametrize("path", list(records()), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_game(shared: Path, path: Path) -> None:
    game = path.parent.name
    found = audit_bytes(path.read_bytes())
    assert (found.header.state, found.header.finished, found.header.proved) == ("done", True, True)
    lines = recorded(shared, game)
    for item in found.runs:
        name = f"{game}/{path.stem}/{item.run.action}"
        assert item.confirmed, name
        assert item.revenue == lines[name]["repriced"]["revenue"], name
        position = Position.from_json(lines[name]["position"])
        if name in HAS_RUN:
            assert len(item.run.position.trains) < len(position.trains)
        else:
            assert item.best_revenue == solve_position(position).revenue, name
    lost = [item.lost for item in found.runs if item.lost]
    print(f"\n{game}/{path.stem}: {len(found.runs)} runs, {len(lost)} below the best, {sum(lost)} lost")
