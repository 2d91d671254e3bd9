"""The jobs of ``RouterService``: bytes of a request in, bytes of the answer out. They run in the workers.

Importing this module loads and warms the solver; the fork server does so once for all workers.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from router import convert
from router.callbacks import Callbacks
from router.client import local
from router.convert.names import METHODS, Faults
from router.errors import InvalidInput, InvalidProblem
from router.problem import RouteProblem
from router.service.limits import Sizes, sizes_of
from router.service.requests import Options, below, judge_time, parse, refuse, time_limit
from router.service.searching import Search, settled
from router.service.worker import Answer, Call
from router.solution import Route, RouteSet, Solution
from router.v1 import router_service_pb2 as pb
from router.warm import warm

warm()
# Seconds that would otherwise be spent in every worker, by the first call that needs them.
importlib.import_module("ortools.sat.python.cp_model")
importlib.import_module("ortools.linear_solver.pywraplp")
ROUTER = local()

FIELDS = {
    "hexes": "problem.hexes",
    "nodes": "problem.nodes",
    "segments": "problem.segments",
    "trains": "problem.trains",
}


@dataclass(frozen=True, slots=True)
class _Work:
    """A request to solve, read."""

    problem: RouteProblem
    fixed: tuple[Route, ...]
    method: Any
    expansions: int | None
    options: Options


def _read(request: Any, call: Call) -> _Work:
    judge_message(request.problem, call.terms.sizes)
    options = Options(request)
    problem, error = _problem(request)
    method = options.faults.name(METHODS, request.method, "method", "auto")
    _judge_budget(request, options.faults)
    if method == "select" and options.alternatives:
        options.faults.add("alternatives", "cannot be listed by the method select")
    refuse(options.faults, error)
    judge_time(options.time_limit, call.terms.max_time_limit)
    assert problem is not None
    return _Work(
        problem, convert.routes_from_proto(request.fixed), method, request.expansion_limit or None, options
    )


def judge_message(problem: Any, sizes: Sizes) -> None:
    """Refuse a problem that is too large before anything else is looked at.

    Raises
    ------
    TooLarge
        With every limit that is exceeded.
    """
    sizes.judge({name: len(getattr(problem, name)) for name in FIELDS}, FIELDS)


def _judge_budget(request: Any, faults: Faults) -> None:
    if request.expansion_limit < 0:
        faults.add("expansion_limit", f"must not be negative, not {request.expansion_limit}")


def _problem(request: Any) -> tuple[RouteProblem | None, InvalidInput | None]:
    try:
        return convert.problem_from_proto(request.problem), None
    except InvalidProblem as error:
        return None, below("problem", error)


def _answer(solution: Solution, search: Search, *, final: bool = True) -> Answer:
    body = convert.solution_to_proto(solution).SerializeToString(deterministic=True)
    return Answer(body, solution.status, final and settled(solution), search.notes(solution))


def _solve(work: _Work, call: Call, callbacks: Callbacks | None = None) -> Answer:
    search = Search(call.terms.sizes, FIELDS)

    def draft() -> Answer | None:
        known = search.draft()
        return None if known is None else _answer(known, search, final=False)

    call.draft(work.options.time_limit, draft)
    solution = search(
        work.problem,
        fixed=work.fixed,
        objective=work.options.objective,
        alternatives=work.options.alternatives,
        stop=call.stop(work.options.time_limit, work.expansions),
        callbacks=callbacks,
        method=work.method,
    )
    return _answer(solution, search)


def solve_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``SolveRoutes`` with a ``Solution``."""
    return _solve(_read(parse(pb.SolveRoutesRequest, payload), call), call)


def stream_solve_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``StreamSolveRoutes``: events, then a ``Solution``."""

    def emit(**event: Any) -> None:
        call.emit(pb.StreamSolveRoutesResponse(**event).SerializeToString(deterministic=True))

    def on_incumbent(routes: RouteSet) -> None:
        emit(incumbent=convert.route_set_to_proto(routes))

    callbacks = Callbacks(
        on_incumbent=on_incumbent,
        on_bound=lambda bound: emit(bound=bound),
        on_status=lambda status: emit(status=status),
    )
    return _solve(_read(parse(pb.StreamSolveRoutesRequest, payload), call), call, callbacks)


def check_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``CheckRoutes``."""
    request = parse(pb.CheckRoutesRequest, payload)
    judge_message(request.problem, call.terms.sizes)
    problem, error = _problem(request)
    if problem is None:
        assert error is not None
        raise error
    verdict = ROUTER.check(problem, convert.routes_from_proto(request.routes))
    response = pb.CheckRoutesResponse(verdict=convert.verdict_to_proto(verdict))
    notes: dict[str, str | int] = {**sizes_of(problem), "revenue": verdict.revenue}
    label = "LEGAL" if verdict.legal else "ILLEGAL"
    return Answer(response.SerializeToString(deterministic=True), label, True, notes)


def count_routes(payload: bytes, call: Call) -> Answer:
    """Answer ``CountRoutes``."""
    request = parse(pb.CountRoutesRequest, payload)
    judge_message(request.problem, call.terms.sizes)
    problem, error = _problem(request)
    faults = Faults()
    limit = time_limit(request, faults)
    _judge_budget(request, faults)
    if problem is not None and request.train not in problem.train_by_id:
        faults.add("train", f"the problem has no train {request.train!r}")
    refuse(faults, error)
    judge_time(limit, call.terms.max_time_limit)
    assert problem is not None
    counts = ROUTER.count(problem, request.train, stop=call.stop(limit, request.expansion_limit or None))
    response = pb.CountRoutesResponse(total=sum(counts.values()), by_stops=counts)
    notes: dict[str, str | int] = {**sizes_of(problem), "routes": response.total}
    return Answer(response.SerializeToString(deterministic=True), "COUNTED", True, notes)
