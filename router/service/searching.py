"""A search in a worker: held to the limits of this server, and with a draft of its answer at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from router.callbacks import Callbacks
from router.check import check
from router.client import local
from router.problem import RouteProblem
from router.service.limits import Sizes, sizes_of
from router.solution import Route, RouteSet, Solution, Status
from router.stop import Never, NodeBudget, Stop

EARLY = 0.01
"""Seconds in which a search is left alone."""
SHARE = 0.1
"""Part of its time that may go into hearing of it."""
CUT_SHORT = "the time limit, or the deadline of the call, came before the search could stop"


class _Ear:
    """Hears of better sets as far as that costs little; false while it wants to hear of none.

    A search prices a set before it tells of it, and asks before it prices. That can take longer than finding
    it did, and most searches are over before a draft is wanted at all.
    """

    def __init__(self, hear: Callable[[RouteSet], object]) -> None:
        self._hear = hear
        self._begun = time.monotonic()
        self._asked = 0.0
        self._spent = 0.0

    def __bool__(self) -> bool:
        self._asked = time.monotonic()
        worked = self._asked - self._begun
        return worked >= EARLY and self._spent <= SHARE * worked

    def __call__(self, routes: RouteSet) -> None:
        self._spent += time.monotonic() - self._asked
        self._hear(routes)


class Search:
    """One search; call it as one calls ``router.solve``.

    Parameters
    ----------
    sizes
        The largest problem that is accepted.
    fields
        The field of the request that holds the hexes, nodes, segments and trains.
    """

    def __init__(self, sizes: Sizes, fields: Mapping[str, str]) -> None:
        self.found: dict[str, int] = {}
        self._sizes = sizes
        self._fields = fields
        self._asked: dict[str, Any] = {}
        self._problem: RouteProblem | None = None
        self._incumbent: RouteSet | None = None
        self._bound: int | None = None
        self._roof: int | None = None
        self._nothing: tuple[RouteSet, ...] | None = None
        self._drafted: tuple[RouteSet | None, int | None] = (None, None)

    def judge(self, problem: RouteProblem) -> None:
        """Refuse a problem that is too large.

        Raises
        ------
        TooLarge
            With every limit that is exceeded.
        """
        self.found = sizes_of(problem)
        self._sizes.judge(self.found, self._fields)

    def __call__(
        self,
        problem: RouteProblem,
        *,
        fixed: Sequence[Route] = (),
        objective: Literal["revenue", "total"] = "revenue",
        alternatives: int = 0,
        stop: Stop = Never(),  # noqa: B008  # immutable
        callbacks: Callbacks | None = None,
        method: Any = "auto",
    ) -> Solution:
        """Return the best routes; see :func:`router.solve.solve`.

        Raises
        ------
        TooLarge
            If the problem is too large.
        """
        self.judge(problem)
        self._problem = problem
        self._asked = {"fixed": fixed, "objective": objective}
        told = callbacks or Callbacks()

        def on_incumbent(routes: RouteSet) -> None:
            self._incumbent = routes
            if told.on_incumbent is not None:
                told.on_incumbent(routes)

        hear = _Ear(on_incumbent) if told.on_incumbent is None else on_incumbent

        def on_bound(bound: int) -> None:
            self._bound = bound
            if told.on_bound is not None:
                told.on_bound(bound)

        return local().solve(
            problem,
            fixed=fixed,
            objective=objective,
            alternatives=alternatives,
            stop=stop,
            callbacks=Callbacks(hear, on_bound, told.on_status),
            method=method,
        )

    def draft(self) -> Solution | None:
        """Return the best that is known, None if that is nothing new; may be called from another thread."""
        bound, problem = self._bound, self._problem
        if problem is None:
            return None
        best = self._incumbent or self._idle()
        if best is None or (best, bound) == self._drafted:
            return None
        self._drafted = best, bound
        if bound is None:
            if self._roof is None:
                self._roof = local().solve(problem, stop=NodeBudget(0), **self._asked).bound
            bound = self._roof
        return Solution(
            Status.FEASIBLE, best.revenue, best.subsidy, bound, best.routes, stats={}, why=CUT_SHORT
        )

    def _idle(self) -> RouteSet | None:
        """Return the set in which no train runs but those that are fixed, None if that is not legal."""
        if self._nothing is None:
            assert self._problem is not None
            verdict = check(self._problem, self._asked["fixed"])
            self._nothing = (
                (RouteSet(verdict.revenue, verdict.subsidy, verdict.routes),) if verdict.legal else ()
            )
        return self._nothing[0] if self._nothing else None

    def notes(self, solution: Any) -> dict[str, str | int]:
        """Return the figures of an answer for the log."""
        return {
            **self.found,
            "revenue": solution.revenue,
            "bound": solution.bound,
            "work": solution.stats.get("expansions", 0),
        }


def settled(solution: Any) -> bool:
    """Tell whether every search for the same would give the same answer, however long it had."""
    return solution.status in (Status.OPTIMAL, Status.INFEASIBLE)
