"""The jobs of ``RouterService``: bytes of a request in, bytes of the answer out. They run in the workers.

Importing this module loads and warms the solver; the fork server does so once for all workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from router import convert
from router.callbacks import Callbacks
from router.client import local
from router.convert.names import METHODS, Faults
from router.errors import InvalidInput, InvalidProblem
from router.problem import RouteProblem
from router.service.requests import Options, below, parse, refuse, time_limit
from router.service.worker import Answer, Call
from router.solution import Route, RouteSet, Solution
from router.v1 import router_service_pb2 as pb
from router.warm import warm

warm()
ROUTER = local()


@dataclass(frozen=True, slots=True)
class _Work:
    """A request to solve, read."""

    problem: RouteProblem
    fixed: tuple[Route, ...]
    method: Any
    expansions: int | None
    options: Options


def _read(request: Any) -> _Work:
    options = Options(request)
    problem, error = _problem(request)
    method = options.faults.name(METHODS, request.method, "method", "auto")
    _judge_budget(request, options.faults)
    if method == "select" and options.alternatives:
        options.faults.add("alternatives", "cannot be listed by the method select")
    refuse(options.faults, error)
    assert problem is not None
    return _Work(
        problem, convert.routes_from_proto(request.fixed), method, request.expansion_limit or None, options
    )


def _judge_budget(request: Any, faults: Faults) -> None:
    if request.expansion_limit < 0:
        faults.add("expansion_limit", f"must not be negative, not {request.expansion_limit}")


def _problem(request: Any) -> tuple[RouteProblem | None, InvalidInput | None]:
    try:
        return convert.problem_from_proto(request.problem), None
    except InvalidProblem as error:
        return None, below("problem", error)


def _solve(work: _Work, call: Call, callbacks: Callbacks | None = None) -> Solution:
    return ROUTER.solve(
        work.problem,
        fixed=work.fixed,
        objective=work.options.objective,
        alternatives=work.options.alternatives,
        stop=call.stop(work.options.time_limit, work.expansions),
        callbacks=callbacks,
        method=work.method,
    )


def solve_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``SolveRoutes``."""
    request = parse(pb.SolveRoutesRequest, payload)
    solution = _solve(_read(request), call)
    response = pb.SolveRoutesResponse(solution=convert.solution_to_proto(solution, request.id))
    return Answer(response.SerializeToString(), solution.status)


def stream_solve_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``StreamSolveRoutes``."""
    request = parse(pb.StreamSolveRoutesRequest, payload)

    def emit(**event: Any) -> None:
        call.emit(pb.StreamSolveRoutesResponse(**event).SerializeToString())

    def on_incumbent(routes: RouteSet) -> None:
        emit(incumbent=convert.route_set_to_proto(routes))

    callbacks = Callbacks(
        on_incumbent=on_incumbent,
        on_bound=lambda bound: emit(bound=bound),
        on_status=lambda status: emit(status=status),
    )
    solution = _solve(_read(request), call, callbacks)
    response = pb.StreamSolveRoutesResponse(final=convert.solution_to_proto(solution, request.id))
    return Answer(response.SerializeToString(), solution.status)


def check_routes(payload: bytes, _: Call) -> Answer:
    """Answer ``CheckRoutes``."""
    request = parse(pb.CheckRoutesRequest, payload)
    problem, error = _problem(request)
    if problem is None:
        assert error is not None
        raise error
    verdict = ROUTER.check(problem, convert.routes_from_proto(request.routes))
    response = pb.CheckRoutesResponse(id=request.id, verdict=convert.verdict_to_proto(verdict))
    return Answer(response.SerializeToString(), "LEGAL" if verdict.legal else "ILLEGAL")


def count_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``CountRoutes``."""
    request = parse(pb.CountRoutesRequest, payload)
    problem, error = _problem(request)
    faults = Faults()
    limit = time_limit(request, faults)
    _judge_budget(request, faults)
    if problem is not None and request.train not in problem.train_by_id:
        faults.add("train", f"the problem has no train {request.train!r}")
    refuse(faults, error)
    assert problem is not None
    counts = ROUTER.count(problem, request.train, stop=call.stop(limit, request.expansion_limit or None))
    response = pb.CountRoutesResponse(id=request.id, total=sum(counts.values()), by_stops=counts)
    return Answer(response.SerializeToString(), "COUNTED")
