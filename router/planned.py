"""Searching each plan of chains in turn, with one best answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from router.found import Best
from router.plans import Plan


class Search(Protocol):
    """A search that keeps the best sets and a bound."""

    best: Best

    def run(self) -> Best:
        """Search until the proof is complete."""
        ...


class PlannedSearch:
    """Runs one search per plan; each begins with the best sets of those before.

    Parameters
    ----------
    begin
        Returns the search of a plan that reports its bounds to the given function.
    bounded
        Called with each better bound of all plans.
    """

    def __init__(
        self,
        plans: Sequence[Plan],
        begin: Callable[[Plan, Callable[[int], None]], Search],
        bounded: Callable[[int], None],
    ) -> None:
        self._bounds = [1 << 60] * len(plans)
        self._bounded = bounded
        self._searches = [begin(plan, self._report(at)) for at, plan in enumerate(plans)]
        self.best = Best(list(self._searches[0].best.sets))

    def _report(self, at: int) -> Callable[[int], None]:
        def report(bound: int) -> None:
            self._bounds[at] = bound
            self._bound_by(max(*self._bounds, self.best.value))

        return report

    def _bound_by(self, bound: int) -> None:
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)

    def run(self) -> Best:
        """Search every plan until the proof is complete.

        Raises
        ------
        Interrupted
            If the stop criterion is reached; ``best`` holds what is known.
        """
        for at in range(len(self._bounds)):
            # what is done is let go: it refers to this search in turn, and would wait for the collector
            search = self._searches.pop(0)
            search.best.sets = list(self.best.sets)
            try:
                search.run()
            finally:
                self.best.sets = search.best.sets
            self._bounds[at] = 0
            self._bound_by(max(*self._bounds, self.best.value))
        return self.best


def best_first(plans: Sequence[Plan]) -> list[Plan]:
    """Return the plans in the order of what their chains can bring at most, the greatest first."""

    def most(plan: Plan) -> int:
        return sum(
            slot.count * int(slot.pool.value.max(initial=0)) for slot in plan.slots if slot.pool is not None
        )

    return sorted(plans, key=lambda plan: -most(plan))
