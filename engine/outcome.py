"""What came of a game, for people and programs: the result table, and replaying a file as one call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.owners import Player
from engine.game import Game
from engine.record import Record
from engine.refusal import UnreadableRecord
from engine.replay import Verification, replay, trace_lines, verify


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the result table.

    Attributes
    ----------
    holdings
        Percent of each company.
    """

    id: int | str
    name: str
    score: int
    cash: int
    holdings: Mapping[str, int]
    bankrupt: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        found: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "score": self.score,
            "cash": self.cash,
            "holdings": dict(self.holdings),
        }
        if self.bankrupt:
            found["bankrupt"] = True
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a game.

    Attributes
    ----------
    round
        Where it stands: ``OR 7 2``.
    standings
        The players, the best first.
    recorded
        The final scores that the record tells, by id as text; empty if it tells none.
    """

    game: str
    id: int | str
    finished: bool
    reason: str | None
    round: str
    actions: int
    standings: tuple[Standing, ...]
    recorded: Mapping[str, int]
    leniencies: tuple[str, ...]

    @property
    def as_recorded(self) -> bool:
        """Whether a finished game has the scores of its record."""
        scores = {str(line.id): line.score for line in self.standings}
        return not self.finished or not self.recorded or scores == dict(self.recorded)

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "game": self.game,
            "id": self.id,
            "finished": self.finished,
            "reason": self.reason,
            "round": self.round,
            "actions": self.actions,
            "standings": [line.to_json() for line in self.standings],
            "recorded": dict(self.recorded),
            "leniencies": list(self.leniencies),
        }


def outcome(game: Game, recorded: Mapping[str, int] | None = None) -> Outcome:
    """Return what came of a game so far."""
    lines = sorted((_standing(game, player) for player in game.all_players), key=lambda line: -line.score)
    return Outcome(
        game=game.rules.game,
        id=game.id,
        finished=game.finished,
        reason=game.ending.reason if game.finished else None,
        round=game.round.name,
        actions=len(game.log),
        standings=tuple(lines),
        recorded=recorded or {},
        leniencies=game.leniencies,
    )


def _standing(game: Game, player: Player) -> Standing:
    held = {company.sym: company.percent_of(player) for company in game.open_companies}
    return Standing(
        player.id,
        player.name,
        game.rules.value_of(game, player),
        player.cash,
        {sym: percent for sym, percent in held.items() if percent},
        player.bankrupt,
    )


def replay_file(path: Path | str, *, to: int | None = None, judging: bool = False) -> Outcome:
    """Replay a recorded game.

    Parameters
    ----------
    to
        Id of the last action to carry out.
    judging
        Judge and price the recorded runs too.

    Raises
    ------
    UnreadableRecord
        If the file is no recorded game.
    IllegalAction
        If an action is not allowed.
    UnknownGame
        If the game cannot be played yet.
    """
    record = Record.load(path)
    return outcome(replay(record, until=to, judging=judging), record.result)


def verify_file(path: Path | str, trace: Path | str) -> Verification:
    """Compare a recorded game with a trace, a file of JSON lines."""
    return verify(Record.load(path), _read_lines(Path(trace)))


def trace_file(path: Path | str) -> Iterator[str]:
    """Yield the lines of the trace of a recorded game."""
    for line in trace_lines(Record.load(path)):
        yield json.dumps(line, separators=(",", ":"), ensure_ascii=False)


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if not text.strip():
                    continue
                line = json.loads(text)
                if (
                    not isinstance(line, dict)
                    or not isinstance(line.get("diff"), dict)
                    or "action" not in line
                ):
                    raise UnreadableRecord(f"{path}:{number}: is no line of a trace")
                yield line
    except (OSError, ValueError) as error:
        raise UnreadableRecord(f"{path}: {error}") from error
