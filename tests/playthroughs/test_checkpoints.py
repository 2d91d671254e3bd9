"""Recorded games of 1861 after chosen actions, as the rules tell them (``1861`` section 14.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playthroughs.checkpoints_1861 import CHECKPOINTS

from engine.core.companies import Company
from engine.game import Game
from engine.games.g1861.state import russia
from engine.record import Record


def rows(name: str) -> Iterator[list[str]]:
    text = re.sub(r"\n {12,}", " ", CHECKPOINTS[name])
    for line in text.strip().splitlines():
        fields = [field.strip() for field in line.split("|")]
        yield [*fields, *[""] * (7 - len(fields))]


def told(company: Company) -> str:
    loans = f"/L{len(company.loans)}" if company.loans else ""
    return f"{company.sym}={company.price}/{company.cash}{loans}"


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints(shared: Path, name: str) -> None:
    record = Record.load(shared / "games" / "1861" / f"{name}.json")
    game = Game.from_record(record, trusting=True)
    wanted = {int(row[0]): row for row in rows(name)}
    for action in record.actions():
        game.apply(action)
        row = wanted.pop(action.id or 0, None)
        if row is None:
            continue
        _, round_, phase, cash, bank, national, companies = row
        if round_ == "end":
            assert game.finished
        else:
            kind, turn, number = game.round.name.split()
            assert round_ == (f"{kind} {turn}.{number}" if kind in ("OR", "MR") else f"{kind} {turn}"), row
        assert game.phase.name == phase
        assert "/".join(str(player.cash) for player in game.all_players) == cash, row
        assert str(game.bank.cash) == bank.replace("−", "-"), row
        state = russia(game).national
        money, *rest = national.split()
        assert str(state.cash) == money, row
        assert len(state.loans) == sum(int(item[1:]) for item in rest if item[0] == "L"), row
        trains = [item for item in rest if item[0] != "L"]
        assert not trains or "+".join(train.name for train in state.trains) == trains[0], row
        floated = (company for company in game.open_companies if company.floated)
        assert sorted(told(company) for company in floated) == sorted(companies.split()), row
    assert not wanted
