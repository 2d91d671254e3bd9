"""The list of legal actions: what was played is in it, and what is in it can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.choices import Choice, Default, Free, OneOf, Range, SomeOf
from engine.game import Game
from engine.record import Record
from engine.rules import PLAYABLE
from support import shared_root

RECORDS = {
    "1861": ("29683", "random-5p_column_market_6051"),
    "18NewEngland": ("73885", "random-3p_2023"),
}
CASES = [(game, name) for game, names in RECORDS.items() for name in names]


def test_every_playable_game_is_tested() -> None:
    assert set(PLAYABLE) <= RECORDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), CASES)
def test_recorded_actions_are_listed(shared: Path, game: str, name: str) -> None:
    record = Record.load(shared / "games" / game / f"{name}.json")
    table = Game.from_record(record, trusting=True)
    listed = 0
    for action in record.actions():
        if not action.type.startswith("program_") and action.type != "message":
            choices = table.legal_actions()
            listed += len(choices)
            assert any(choice.covers(action) for choice in choices), action
        table.apply(action)
    assert table.legal_actions() == []
    print(f"\n{game}/{name}: {listed} choices listed")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), CASES)
def test_listed_actions_are_accepted(shared: Path, game: str, name: str) -> None:
    record = Record.load(shared / "games" / game / f"{name}.json")
    table = Game.from_record(record, trusting=True)
    tried = 0
    for number, action in enumerate(record.actions()):
        if number % 13 == 0:
            table.trusting = False
            for choice in table.legal_actions():
                for one in _ends(choice):
                    with table.trial():
                        table.apply(one)
                    tried += 1
            table.trusting = True
        table.apply(action)
    print(f"\n{game}/{name}: {tried} actions tried")


def _ends(choice: Choice):  # type: ignore[no-untyped-def]
    """Yield the action with the smallest and with the largest values."""
    yield choice.action()
    ranges = {name: value.most for name, value in choice.fields.items() if isinstance(value, Range)}
    last = {name: value.values[-1] for name, value in choice.fields.items() if isinstance(value, OneOf)}
    if ranges or last:
        yield choice.action(**ranges, **last)


@pytest.mark.parametrize(
    ("value", "good", "bad"),
    [
        (Range(5, 20, 5), 15, 17),
        (OneOf(("a", "b")), "b", "c"),
        (SomeOf(("a", "b", "c"), 2, ("p",)), ["c", "p", "a"], ["a", "b"]),
        (SomeOf(("a", "b"), 1), ("b",), ["c"]),
        (Free("x"), 7, None),
        (Default(10), None, 20),
        ("x", "x", "y"),
        (["x"], ["x"], ["y"]),
    ],
)
def test_open_values(value: object, good: object, bad: object) -> None:
    choice = Choice("pass", 1, "player", {"field": value})
    assert choice.covers(choice.action())
    assert choice.covers(choice.action(field=good))
    if not isinstance(value, Free):
        assert not choice.covers(choice.action(field=bad))
    assert choice.to_json()["type"] == "pass"


def test_reference_data_are_where_the_cases_are() -> None:
    root = shared_root()
    if root is None:
        pytest.skip("no reference data")
    for game, name in CASES:
        assert (root / "games" / game / f"{name}.json").exists()
