"""The best run of a position, and the verdict on a run that somebody proposes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from engine.answer import (
    Answers,
    PositionRouteSet,
    PositionSolution,
    PositionVerdict,
    PositionViolation,
)
from engine.compile import Compiled, compile_board
from engine.encoding import Codec, SiteRoute, Unreadable
from engine.position import Position
from router.callbacks import Callbacks
from router.check import check
from router.errors import Fault, InvalidRoutes
from router.problem import RouteProblem
from router.solution import Route, Solution, Violation
from router.stop import AnyOf, Deadline, Never, Stop

Objective: TypeAlias = Literal["revenue", "total"]


class Solver(Protocol):
    """The signature of ``router.solve``, which a client of the service has too."""

    def __call__(
        self,
        problem: RouteProblem,
        *,
        fixed: Sequence[Route] = (),
        objective: Objective = "revenue",
        alternatives: int = 0,
        stop: Stop = ...,
        callbacks: Callbacks | None = None,
    ) -> Solution:
        """Return the best routes."""
        ...


@dataclass(frozen=True, slots=True)
class PositionCallbacks:
    """Functions that a search calls with its news; see :class:`router.callbacks.Callbacks`."""

    on_incumbent: Callable[[PositionRouteSet], object] | None = None
    on_bound: Callable[[int], object] | None = None
    on_status: Callable[[str], object] | None = None


def solve_position(
    position: Position,
    *,
    fixed_routes: Sequence[SiteRoute] = (),
    objective: Objective = "revenue",
    time_limit: float | None = None,
    stop: Stop | None = None,
    alternatives: int = 0,
    callbacks: PositionCallbacks | None = None,
    solver: Solver | None = None,
    id: str = "",
) -> PositionSolution:
    """Return the routes that bring the company most.

    Parameters
    ----------
    fixed_routes
        Routes that are kept as given; the rest is optimised.
    time_limit
        Seconds from now; ``stop`` holds besides.
    alternatives
        How many next best sets to list.
    solver
        A function like ``router.solve``; by default the one of this process.
    id
        Echoed in the answer.

    Raises
    ------
    InvalidRoutes
        If the fixed routes are no legal run.
    Unsupported
        If the position cannot be compiled.
    """
    search = PositionSearch(position, fixed_routes)
    return search.solve(
        objective=objective,
        alternatives=alternatives,
        stop=_stop(time_limit, stop),
        callbacks=callbacks,
        solver=solver,
        id=id,
    )


class PositionSearch:
    """A position made ready to be searched, and the words of its board for answers.

    Parameters
    ----------
    fixed_routes
        Routes that are kept as given; the rest is optimised.

    Attributes
    ----------
    problem
        The route problem that is searched.

    Raises
    ------
    InvalidRoutes
        If the fixed routes are no legal run.
    Unsupported
        If the position cannot be compiled.
    """

    def __init__(self, position: Position, fixed_routes: Sequence[SiteRoute] = ()) -> None:
        compiled = compile_board(position, names={route.train for route in fixed_routes})
        self.problem: RouteProblem = compiled.problem
        self._answers = Answers(compiled, Codec(compiled))
        self._fixed = _fixed(compiled, fixed_routes) if fixed_routes else ()

    def solve(
        self,
        *,
        objective: Objective = "revenue",
        alternatives: int = 0,
        stop: Stop = Never(),  # noqa: B008  # immutable
        callbacks: PositionCallbacks | None = None,
        solver: Solver | None = None,
        id: str = "",
    ) -> PositionSolution:
        """Return the routes that bring the company most; see :func:`solve_position`."""
        solution = (solver or _local())(
            self.problem,
            fixed=self._fixed,
            objective=objective,
            alternatives=alternatives,
            stop=stop,
            callbacks=_heard(self._answers, callbacks) if callbacks is not None else None,
        )
        return self.written(solution, id)

    def written(self, solution: Solution, id: str = "") -> PositionSolution:
        """Return an answer of the router in the words of the board."""
        return self._answers.solution(solution, id)


def check_position(position: Position, routes: Sequence[SiteRoute], *, id: str = "") -> PositionVerdict:
    """Judge and price routes that are to run together; every broken rule is named.

    Raises
    ------
    Unsupported
        If the position cannot be compiled.
    """
    return _Check(_whole(position, routes), routes).verdict(id)


def compare_position(
    position: Position,
    routes: Sequence[SiteRoute],
    *,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> tuple[PositionVerdict, PositionSolution]:
    """Return what the referee says of routes, as :func:`check_position` does, and the routes that bring most.

    Legal routes lie where a search looks for routes, so they are judged on the part of the board that is
    compiled for it; only where something is wrong the whole board is looked at.

    Raises
    ------
    Unsupported
        If the position cannot be compiled.
    """
    compiled = compile_board(position)
    codec = Codec(compiled)
    answers = Answers(compiled, codec)
    solution = (solver or _local())(compiled.problem, stop=_stop(time_limit, None))
    verdict = _Check(compiled, routes, codec, answers).verdict("")
    if not verdict.legal:
        verdict = check_position(position, routes)
    return verdict, answers.solution(solution, "")


def _whole(position: Position, routes: Sequence[SiteRoute]) -> Compiled:
    return compile_board(position, whole_board=True, names={route.train for route in routes})


class _Check:
    """Routes that somebody proposes, read and judged on a board."""

    def __init__(
        self,
        compiled: Compiled,
        routes: Sequence[SiteRoute],
        codec: Codec | None = None,
        answers: Answers | None = None,
    ) -> None:
        codec = codec or Codec(compiled)
        self._answers = answers or Answers(compiled, codec)
        self._trains = [route.train for route in routes]
        self._read = codec.decode(routes)
        self._verdict = check(compiled.problem, self.routes)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes that could be read."""
        return tuple(route for route in self._read if isinstance(route, Route))

    @property
    def violations(self) -> tuple[PositionViolation, ...]:
        """Everything that is wrong; if a route could not be read, nothing is said of the whole set."""
        verdict = self._verdict
        unreadable = [
            PositionViolation(route.code, index, route.why)
            for index, route in enumerate(self._read)
            if isinstance(route, Unreadable)
        ]
        if not unreadable:
            return tuple(self._said(item, item.route) for item in verdict.violations)
        places = [index for index, route in enumerate(self._read) if isinstance(route, Route)]
        single = [
            self._said(item, places[item.route]) for item in verdict.violations if item.route is not None
        ]
        return tuple(sorted((*unreadable, *single), key=lambda item: item.route or 0))

    def _said(self, violation: Violation, route: int | None) -> PositionViolation:
        """Return a broken rule in words of the board; ``route`` is its place among all routes."""
        return self._answers.violation(violation, route, "" if route is None else self._trains[route])

    def verdict(self, id: str) -> PositionVerdict:
        """Return the public verdict."""
        violations = self.violations
        if violations:
            return PositionVerdict(False, 0, 0, (), violations, id)
        verdict = self._verdict
        return PositionVerdict(
            True, verdict.revenue, verdict.subsidy, self._answers.routes(verdict.routes), (), id
        )


def _fixed(compiled: Compiled, routes: Sequence[SiteRoute]) -> tuple[Route, ...]:
    """Return routes to keep, if nothing is wrong with them that further routes could not mend.

    Such a route lies in the part of the board that is compiled for a search.
    """
    checked = _Check(_whole(compiled.position, routes), routes)
    faults = [
        Fault(f"fixedRoutes[{item.route}]", f"{item.why} ({item.code})")
        for item in checked.violations
        if item.route is not None
    ]
    if faults:
        raise InvalidRoutes(faults)
    return checked.routes


def _stop(time_limit: float | None, stop: Stop | None) -> Stop:
    if time_limit is None:
        return stop or Never()
    deadline = Deadline(time_limit)
    return deadline if stop is None else AnyOf((deadline, stop))


def _heard(answers: Answers, callbacks: PositionCallbacks) -> Callbacks:
    """Return the callbacks for the router."""
    tell = callbacks.on_incumbent
    return Callbacks(
        on_incumbent=None if tell is None else lambda routes: tell(answers.route_set(routes)),
        on_bound=callbacks.on_bound,
        on_status=callbacks.on_status,
    )


def _local() -> Solver:
    from router.client import local

    solver: Solver = local()
    return solver
