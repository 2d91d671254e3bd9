"""Replaying recorded games: their states one by one, compared with a trace if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.actions import Action
from engine.game import Game
from engine.record import Record
from engine.refusal import UnreadableRecord
from engine.trace import difference, trace_state


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference between a replay and a trace.

    Attributes
    ----------
    action
        Id of the action after which it shows, ``None`` for the set-up.
    """

    action: int | None
    key: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        place = "after set-up" if self.action is None else f"after action {self.action}"
        return f"{place}: {self.key} is {self.got!r}; expected {self.expected!r}"


@dataclass(frozen=True, slots=True)
class Verification:
    """How a replay compares with a trace.

    Attributes
    ----------
    actions, values
        How many actions were carried out, and how many values were compared.
    """

    actions: int
    values: int
    divergence: Divergence | None


def replay(record: Record, *, until: int | None = None, trusting: bool = True, judging: bool = False) -> Game:
    """Return the game of a record after its actions.

    Parameters
    ----------
    until
        Id of the last action to carry out.
    trusting
        Believe old records as the reference does; see :attr:`engine.game.Game.leniencies`.
    judging
        Judge and price every recorded run besides, and note the differences there.

    Raises
    ------
    IllegalAction
        If an action is not allowed.
    UnreadableRecord
        If the game is not played with so many players, or such options.
    """
    game = begin(record, trusting=trusting, judging=judging)
    for action in record.actions():
        game.apply(action)
        if until is not None and action.id == until:
            break
    return game


def load_game(path: Path | str) -> Game:
    """Return the game of a recorded file after all its actions."""
    return replay(Record.load(path))


def begin(record: Record, *, trusting: bool = True, judging: bool = False) -> Game:
    """Return the game of a record before its first action.

    Raises
    ------
    UnreadableRecord
        If the game is not played with so many players, or such options.
    """
    try:
        return Game.from_record(record, trusting=trusting, judging=judging)
    except ValueError as error:
        raise UnreadableRecord(str(error)) from error


def states(record: Record, *, trusting: bool = True) -> Iterator[tuple[Action | None, Game]]:
    """Yield the game after set-up and after every surviving action; it is the same object each time."""
    game = begin(record, trusting=trusting)
    yield None, game
    for action in record.actions():
        game.apply(action)
        yield action, game


def trace_lines(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the trace of a record."""
    old: dict[str, Any] = {}
    for action, game in states(record):
        new = trace_state(game)
        yield {
            "action": None if action is None else action.id,
            "type": "setup" if action is None else action.type,
            "diff": difference(old, new),
        }
        old = new


def verify(record: Record, trace: Iterable[Mapping[str, Any]]) -> Verification:
    """Compare a replay with a trace, up to the first difference."""
    expected: dict[str, Any] = {}
    values = actions = 0
    lines = iter(trace)
    for action, game in states(record):
        line = next(lines, None)
        number = None if action is None else action.id
        if line is None or line["action"] != number:
            told = None if line is None else line["action"]
            return Verification(actions, values, Divergence(number, "action", told, number))
        for key, value in line["diff"].items():
            expected[key] = value
        expected = {key: value for key, value in expected.items() if value is not None}
        got = trace_state(game)
        for key in sorted(expected.keys() | got.keys()):
            values += 1
            if expected.get(key) != got.get(key):
                return Verification(actions, values, Divergence(number, key, expected.get(key), got.get(key)))
        actions += action is not None
    rest = next(lines, None)
    if rest is not None:
        return Verification(actions, values, Divergence(rest["action"], "action", rest["action"], None))
    return Verification(actions, values, None)
