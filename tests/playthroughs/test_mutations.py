"""Changed records: a changed action is legal by the rules, or refused with a rule and without a trace."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from playthroughs.mutants import mutants, picture

from engine.game import Game
from engine.record import Record
from engine.refusal import IllegalAction
from engine.rules import PLAYABLE

RECORDS = {
    "1861": ("29683", "random-2p_6020"),
    "18NewEngland": ("73885", "random-4p_2044"),
}


def test_every_playable_game_is_tested() -> None:
    assert set(PLAYABLE) <= RECORDS.keys()


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, names in RECORDS.items() for name in names]
)
def test_changed_actions(shared: Path, game: str, name: str) -> None:
    record = Record.load(shared / "games" / game / f"{name}.json")
    dice = random.Random(name)
    table = Game.from_record(record, trusting=True)
    told: Counter[str] = Counter()
    for number, action in enumerate(record.actions()):
        if number % 9 == 0:
            told.update(_try(table, action, dice))
        table.apply(action)
    print(
        f"\n{game}/{name}: {told.total()} changed actions, {told['refused']} refused, {told['legal']} legal"
    )
    assert told.total() >= 300
    assert told["refused"] > told["legal"]


def _try(table: Game, action: object, dice: random.Random) -> Counter[str]:
    told: Counter[str] = Counter()
    table.trusting = False
    before = picture(table)
    choices = table.legal_actions()
    for what, mutant in mutants(table, action, dice):  # type: ignore[arg-type]
        try:
            with table.trial():
                table.apply(mutant)
                told["legal"] += 1
                harmless = mutant.type == "run_routes" or any(choice.covers(mutant) for choice in choices)
                assert harmless, f"{what}: {mutant} was accepted, but is not listed"
        except IllegalAction as refusal:
            told["refused"] += 1
            assert refusal.rule.split()[0] in (table.rules.game, "00-common"), refusal.rule
            assert refusal.why
        assert picture(table) == before, f"{what}: {mutant} left a trace"
    table.trusting = True
    return told
