"""The jobs of ``GameService``: bytes of a request in, bytes of the answer out. They run in the workers.

Importing this module loads the games; the fork server does so once for all workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import convert
from engine.answer import PositionSolution
from engine.encoding import SiteRoute
from engine.position import Position
from engine.registry import GAMES, find_game
from engine.solving import PositionCallbacks, PositionSearch, check_position
from engine.v1 import game_service_pb2 as pb
from router.errors import InvalidInput
from router.service.requests import Options, below, judge_time, parse, refuse
from router.service.searching import Search, settled
from router.service.worker import Answer, Call
from router.solution import Solution

for _name in GAMES:
    find_game(_name).facts()


FIELDS = {
    "hexes": "position.tiles",
    "nodes": "position.tiles",
    "segments": "position.tiles",
    "trains": "position.trains",
}


@dataclass(frozen=True, slots=True)
class _Work:
    """A request to solve, read."""

    position: Position
    fixed: tuple[SiteRoute, ...]
    options: Options


def _read(request: Any, call: Call) -> _Work:
    _judge_message(request.position, call)
    options = Options(request, "timeLimit")
    position, no_position = _position(request)
    fixed, no_routes = _routes(request.fixed_routes, "fixedRoutes")
    refuse(options.faults, no_position, no_routes)
    judge_time(options.time_limit, call.terms.max_time_limit, "timeLimit")
    assert position is not None
    return _Work(position, fixed, options)


def _judge_message(position: Any, call: Call) -> None:
    """Refuse a position that is too large before anything else is looked at."""
    call.terms.sizes.judge({"hexes": len(position.tiles), "trains": len(position.trains)}, FIELDS)


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


def _solve(work: _Work, call: Call, callbacks: PositionCallbacks | None = None) -> Answer:
    prepared = PositionSearch(work.position, work.fixed)
    search = Search(call.terms.sizes, FIELDS)

    def answer(solution: PositionSolution, final: bool) -> Answer:
        body = convert.solution_to_proto(solution).SerializeToString(deterministic=True)
        notes = {"game": work.position.game, **search.notes(solution)}
        return Answer(body, solution.status, final and settled(solution), notes)

    def draft() -> Answer | None:
        known: Solution | None = search.draft()
        return None if known is None else answer(prepared.written(known), False)

    call.draft(work.options.time_limit, draft)
    solution = prepared.solve(
        objective=work.options.objective,
        stop=call.stop(work.options.time_limit),
        alternatives=work.options.alternatives,
        callbacks=callbacks,
        solver=search,
    )
    return answer(solution, True)


def solve(payload: bytes, call: Call) -> Answer:
    """Answer ``SolvePosition`` with a ``PositionSolution``."""
    return _solve(_read(parse(pb.SolvePositionRequest, payload), call), call)


def stream_solve(payload: bytes, call: Call) -> Answer:
    """Answer ``StreamSolvePosition``: events, then a ``PositionSolution``."""
    work = _read(parse(pb.StreamSolvePositionRequest, payload), call)

    def emit(**event: Any) -> None:
        call.emit(pb.StreamSolvePositionResponse(**event).SerializeToString(deterministic=True))

    callbacks = PositionCallbacks(
        on_incumbent=lambda routes: emit(incumbent=convert.route_set_to_proto(routes)),
        on_bound=lambda bound: emit(bound=bound),
        on_status=lambda status: emit(status=status),
    )
    return _solve(work, call, callbacks)


def check(payload: bytes, call: Call) -> Answer:
    """Answer ``CheckPosition``."""
    request = parse(pb.CheckPositionRequest, payload)
    _judge_message(request.position, call)
    position, no_position = _position(request)
    routes, no_routes = _routes(request.routes, "routes")
    refuse(None, no_position, no_routes)
    assert position is not None
    verdict = check_position(position, routes)
    response = convert.verdict_to_proto(verdict)
    notes: dict[str, str | int] = {"game": position.game, "revenue": verdict.revenue}
    label = "LEGAL" if verdict.legal else "ILLEGAL"
    return Answer(response.SerializeToString(deterministic=True), label, True, notes)
