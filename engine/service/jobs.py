"""The jobs of ``GameService``: bytes of a request in, bytes of the answer out. They run in the workers.

Importing this module loads the games; the fork server does so once for all workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import convert
from engine.encoding import SiteRoute
from engine.position import Position
from engine.registry import GAMES, find_game
from engine.solving import PositionCallbacks, check_position, solve_position
from engine.v1 import game_service_pb2 as pb
from router.errors import InvalidInput
from router.service.requests import Options, below, parse, refuse
from router.service.worker import Answer, Call

for _name in GAMES:
    find_game(_name).facts()


@dataclass(frozen=True, slots=True)
class _Work:
    """A request to solve, read."""

    position: Position
    fixed: tuple[SiteRoute, ...]
    options: Options


def _read(request: Any) -> _Work:
    options = Options(request, "timeLimit")
    position, no_position = _position(request)
    fixed, no_routes = _routes(request.fixed_routes, "fixedRoutes")
    refuse(options.faults, no_position, no_routes)
    assert position is not None
    return _Work(position, fixed, options)


def _position(request: Any) -> tuple[Position | None, InvalidInput | None]:
    try:
        return convert.position_from_proto(request.position), None
    except InvalidInput as error:
        return None, below("position", error)


def _routes(messages: Any, where: str) -> tuple[tuple[SiteRoute, ...], InvalidInput | None]:
    try:
        return convert.site_routes_from_proto(messages, where), None
    except InvalidInput as error:
        return (), error


def solve(payload: bytes, call: Call) -> Answer:
    """Answer ``SolvePosition``."""
    request = parse(pb.SolvePositionRequest, payload)
    work = _read(request)
    solution = solve_position(
        work.position,
        fixed_routes=work.fixed,
        objective=work.options.objective,
        stop=call.stop(work.options.time_limit),
        alternatives=work.options.alternatives,
        id=request.id,
    )
    response = pb.SolvePositionResponse(solution=convert.solution_to_proto(solution))
    return Answer(response.SerializeToString(), solution.status)


def stream_solve(payload: bytes, call: Call) -> Answer:
    """Answer ``StreamSolvePosition``."""
    request = parse(pb.StreamSolvePositionRequest, payload)
    work = _read(request)

    def emit(**event: Any) -> None:
        call.emit(pb.StreamSolvePositionResponse(**event).SerializeToString())

    callbacks = PositionCallbacks(
        on_incumbent=lambda routes: emit(incumbent=convert.route_set_to_proto(routes)),
        on_bound=lambda bound: emit(bound=bound),
        on_status=lambda status: emit(status=status),
    )
    solution = solve_position(
        work.position,
        fixed_routes=work.fixed,
        objective=work.options.objective,
        stop=call.stop(work.options.time_limit),
        alternatives=work.options.alternatives,
        callbacks=callbacks,
        id=request.id,
    )
    response = pb.StreamSolvePositionResponse(final=convert.solution_to_proto(solution))
    return Answer(response.SerializeToString(), solution.status)


def check(payload: bytes, _: Call) -> Answer:
    """Answer ``CheckPosition``."""
    request = parse(pb.CheckPositionRequest, payload)
    position, no_position = _position(request)
    routes, no_routes = _routes(request.routes, "routes")
    refuse(None, no_position, no_routes)
    assert position is not None
    verdict = check_position(position, routes, id=request.id)
    response = convert.verdict_to_proto(verdict)
    return Answer(response.SerializeToString(), "LEGAL" if verdict.legal else "ILLEGAL")
