"""What is asked: the recorded positions of all games, and the boards under pressure."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import ParseDict

from benchmarks.material import GAMES, recorded, under_pressure
from engine.v1 import game_service_pb2 as pb

SEED = 1
LIMIT = 1.0
"""Time limit of a request, in seconds."""


@dataclass(frozen=True, slots=True)
class Case:
    """A request; ``message`` has no id."""

    game: str
    position: dict[str, Any]
    message: pb.SolvePositionRequest

    def payload(self, id: str) -> bytes:
        """Return the bytes of the request under an id."""
        self.message.id = id
        return self.message.SerializeToString()


def case(game: str, position: dict[str, Any], limit: float | None = LIMIT) -> Case:
    """Return the request of a position."""
    message = ParseDict({"position": position}, pb.SolvePositionRequest())
    if limit is not None:
        message.time_limit.FromNanoseconds(round(limit * 1e9))
    return Case(game, position, message)


def mix(number: int | None = None, limit: float | None = LIMIT) -> list[Case]:
    """Return recorded positions in random order, each game as often as it was recorded."""
    found = [(game, position) for game in GAMES for position in recorded(game)]
    random.Random(SEED).shuffle(found)
    return [case(game, position, limit) for game, position in found[:number]]


def stress(limit: float | None = None) -> list[Case]:
    """Return the boards under pressure, in random order."""
    found = [(game, position) for game in GAMES for _, position in under_pressure(game)]
    random.Random(SEED).shuffle(found)
    return [case(game, position, limit) for game, position in found]
