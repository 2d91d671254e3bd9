"""Right answers, found in this process."""

from __future__ import annotations

from benchmarks.load.mix import LIMIT, Case, mix
from engine import convert
from engine.position import Position
from engine.solving import PositionSearch, solve_position
from engine.v1 import game_service_pb2 as pb
from router.solution import Status
from router.stop import Deadline, Never

QUICK = 0.3
"""Seconds in which a position must be proved to be asked: then its right answer is known."""


def proved(calls: int) -> list[Case]:
    """Return positions whose best run is proved soon."""
    return [
        case
        for case in mix(calls, LIMIT)
        if solve_position(Position.from_json(case.position), stop=Deadline(QUICK)).status is Status.OPTIMAL
    ]


def solve_here(payload: bytes) -> bytes:
    """Answer a request in this process, from bytes to bytes."""
    request = pb.SolvePositionRequest.FromString(payload)
    search = PositionSearch(convert.position_from_proto(request.position))
    solution = search.solve(stop=Never(), id=request.id)
    response = pb.SolvePositionResponse(solution=convert.solution_to_proto(solution))
    return response.SerializeToString(deterministic=True)
