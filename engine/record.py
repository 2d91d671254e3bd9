"""Recorded games in the export format of 18xx.games (``00-common`` section 1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.actions import Action, PlayerId
from engine.refusal import UnreadableRecord

TITLES: Mapping[str, str] = {"Harzbahn 1873": "1873"}
"""Games whose title in records is not their name."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as the record names him; the key is the id, or the name if there is no id (R1.2)."""

    id: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game.

    Attributes
    ----------
    game
        Name of the game.
    players
        In the order of their seats.
    log
        Every entry, undone ones and ``undo`` and ``redo`` themselves included.
    result
        Final scores by the id of the player as text; empty if the record tells none.
    other
        The rest of the file.
    """

    id: int | str
    game: str
    players: tuple[Seat, ...]
    optional_rules: tuple[str, ...] = ()
    seed: int | str | None = None
    log: tuple[Action, ...] = ()
    result: Mapping[str, int] = field(default_factory=dict)
    end_reason: str | None = None
    other: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def load(path: Path | str) -> Record:
        """Read a file.

        Raises
        ------
        UnreadableRecord
            If it is no recorded game.
        """
        try:
            value = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UnreadableRecord(f"{path}: {error}") from error
        return Record.from_json(value)

    @staticmethod
    def from_bytes(data: bytes) -> Record:
        """Read the content of a file; nothing in it is believed.

        Raises
        ------
        UnreadableRecord
            If it is no recorded game; the message is one line and says what is wrong where.
        """
        if not data.strip():
            raise UnreadableRecord("is empty; expected a recorded game")
        try:
            value = json.loads(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            byte = f"byte {data[error.start]:#04x} at byte {error.start + 1}"
            raise UnreadableRecord(f"is no UTF-8 text: {byte}; expected a recorded game") from None
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise UnreadableRecord(f"is no JSON at {where}; expected a recorded game") from None
        except (RecursionError, ValueError) as error:
            why = "is nested too deeply" if isinstance(error, RecursionError) else f"cannot be read: {error}"
            raise UnreadableRecord(f"{why}; expected a recorded game") from None
        return Record.from_json(value)

    @staticmethod
    def from_json(value: object) -> Record:
        """Read the object of a file; see :meth:`load`."""
        if not isinstance(value, dict):
            raise UnreadableRecord("a recorded game is one JSON object")
        title, players, log = value.get("title"), value.get("players"), value.get("actions")
        if not isinstance(title, str):
            raise UnreadableRecord("title is missing; expected the name of a game")
        if not isinstance(players, list) or not players:
            raise UnreadableRecord("players is missing; expected the list of the seats")
        if not isinstance(log, list):
            raise UnreadableRecord("actions is missing; expected the list of the actions")
        settings = value.get("settings") or {}
        rules = settings.get("optional_rules") or [] if isinstance(settings, dict) else []
        seed = settings.get("seed") if isinstance(settings, dict) else None
        result = value.get("result")
        return Record(
            id=value.get("id", 0),
            game=TITLES.get(title, title),
            players=tuple(_seat(item, index) for index, item in enumerate(players)),
            optional_rules=tuple(str(rule) for rule in rules),
            seed=None if seed == "" else seed,
            log=tuple(Action.from_json(item, f"actions[{index}]") for index, item in enumerate(log)),
            result=dict(result) if isinstance(result, dict) else {},
            end_reason=value.get("game_end_reason"),
            other={name: item for name, item in value.items() if name not in _KNOWN},
        )

    def to_json(self) -> dict[str, Any]:
        """Return the object of a file."""
        titles = {game: title for title, game in TITLES.items()}
        found: dict[str, Any] = {
            **self.other,
            "id": self.id,
            "title": titles.get(self.game, self.game),
            "players": [{"id": seat.id, "name": seat.name} for seat in self.players],
            "settings": {"optional_rules": list(self.optional_rules)},
            "actions": [action.to_json() for action in self.log],
            "result": dict(self.result),
        }
        if self.seed is not None:
            found["settings"]["seed"] = self.seed
        if self.end_reason is not None:
            found["game_end_reason"] = self.end_reason
        return found

    @property
    def start_number(self) -> int:
        """The number from which random draws start (``00-common R3.2``)."""
        source = self.id if self.seed is None else self.seed
        digits = re.search(r"\d+", str(source))
        return int(digits.group()) % 2**31 if digits else 0

    def actions(self) -> tuple[Action, ...]:
        """Return the actions that survive undo and redo, in the order of the file."""
        return surviving(self.log)


_KNOWN = frozenset({"id", "title", "players", "settings", "actions", "result", "game_end_reason"})


def _seat(value: object, index: int) -> Seat:
    name = value.get("name") if isinstance(value, dict) else None
    player = value.get("id", name) if isinstance(value, dict) else None
    if isinstance(player, bool) or not isinstance(player, int | str):
        raise UnreadableRecord(f"players[{index}] has neither id nor name")
    return Seat(player, name if isinstance(name, str) else str(player))


def surviving(log: Iterable[Action]) -> tuple[Action, ...]:
    """Return the actions of a log that no ``undo`` took back for good (``00-common R1.11``)."""
    entries = list(log)
    live = [False] * len(entries)
    undone: list[list[int]] = []
    for place, action in enumerate(entries):
        if action.type == "undo":
            group = _taken_back(entries, live, place, action.fields.get("action_id"))
            for number in group:
                live[number] = False
            if group:
                undone.append(group)
        elif action.type == "redo":
            for number in undone.pop() if undone else ():
                live[number] = True
        else:
            live[place] = True
            if action.type != "message":
                undone.clear()
    return tuple(action for action, alive in zip(entries, live, strict=True) if alive)


def _taken_back(entries: list[Action], live: list[bool], place: int, last_kept: object) -> list[int]:
    """Return the places of the entries that an ``undo`` takes back."""
    counted = [n for n in range(place) if live[n] and entries[n].type != "message"]
    if last_kept is None:
        return counted[-1:]
    if last_kept == 0:
        return counted
    kept = next((n for n in range(place - 1, -1, -1) if entries[n].id == last_kept), None)
    return [] if kept is None else [n for n in counted if n > kept]
