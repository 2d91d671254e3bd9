"""The second method: a CP-SAT model that selects among candidate routes.

One Boolean per candidate; at most as many of a profile as it has routes to run; each piece of track at most
once; the sum of the values is maximised. Nothing is shared with the packing of :mod:`router.exact` but the
walk itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from router.enumerate import Candidates, Walker
from router.exact import Best, Found, Slot
from router.graph import Graph, Words
from router.work import Interrupted, Work

FIRST = 500
LAST = 60_000
"""Candidates per profile that the model takes at most."""
STEP_SECONDS = 0.5
"""The stop criterion is looked at about this often."""


class SelectSearch:
    """Finds the best set with CP-SAT; the interface is that of :class:`router.exact.ExactSearch`."""

    def __init__(
        self,
        graph: Graph,
        slots: list[Slot],
        in_use: Words,
        unit: int,
        work: Work,
        *,
        keep: int = 1,
        improved: Callable[[Found], None] = lambda _: None,
        bounded: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.graph = graph
        self.slots = slots
        self.in_use = in_use
        self.unit = max(1, unit)
        self.work = work
        self.best = Best([])
        self._improved = improved
        self._bounded = bounded

    def run(self) -> Best:
        """Select among the best candidates, then among all that can be in a better set.

        Raises
        ------
        Interrupted
            If the stop criterion is reached, or more candidates than the model takes would be needed.
        """
        pools = [self._walk(slot, 1, FIRST) for slot in self.slots]
        tops = []
        for pool, slot in zip(pools, self.slots, strict=True):
            best = np.sort(pool.value)[::-1][: slot.count].tolist()
            tops.append([*best, *[0] * (slot.count - len(best))])
        roof = sum(map(sum, tops))
        self._bound_by(roof)
        while True:
            self._select(pools)
            gap = roof - self.best.value - self.unit
            needs = [max(1, top[-1] - gap) for top in tops]
            if gap < 0 or all(pool.floor <= need for pool, need in zip(pools, needs, strict=True)):
                self._bound_by(self.best.value)
                return self.best
            pools = [
                pool if pool.floor <= need else self._walk(slot, need, LAST)
                for pool, slot, need in zip(pools, self.slots, needs, strict=True)
            ]
            if any(pool.floor > need for pool, need in zip(pools, needs, strict=True)):
                self._select(pools)
                raise Interrupted(f"more than {LAST} candidate routes")

    def _walk(self, slot: Slot, threshold: int, most: int) -> Candidates:
        found = Walker(self.graph, slot.profile, self.in_use).routes(threshold, most, self.work)
        self.work.count("candidates", len(found))
        return found

    def _select(self, pools: list[Candidates]) -> None:
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        chosen = [[model.new_bool_var("") for _ in range(len(pool))] for pool in pools]
        users: dict[int, list[cp_model.IntVar]] = {}
        for pool, slot, row in zip(pools, self.slots, chosen, strict=True):
            model.add(sum(row) <= slot.count)
            bits = np.unpackbits(pool.mask.view(np.uint8).reshape(len(pool), -1), axis=1, bitorder="little")
            for i, key in np.argwhere(bits).tolist():
                users.setdefault(key, []).append(row[i])
        for _, variables in sorted(users.items()):
            if len(variables) > 1:
                model.add_at_most_one(variables)
        flat = [variable for row in chosen for variable in row]
        money = [value for pool in pools for value in pool.value.tolist()]
        model.maximize(cp_model.LinearExpr.weighted_sum(flat, money))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.relative_gap_limit = 0.0
        solver.parameters.absolute_gap_limit = 0.0

        work = self.work

        class _Watch(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                if work.stop.reached(work.expansions):
                    self.stop_search()

        left = getattr(work.stop, "remaining", None)
        if left is not None:
            solver.parameters.max_time_in_seconds = max(0.01, left)
        status = solver.solve(model, _Watch())
        self.work.count("branches", int(solver.num_branches))
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            routes = tuple(
                (p, tuple(pool.route(i)))
                for p, (pool, row) in enumerate(zip(pools, chosen, strict=True))
                for i, variable in enumerate(row)
                if solver.boolean_value(variable)
            )
            value = round(solver.objective_value)
            if value > self.best.value:
                self.best.sets = [Found(value, routes)]
                self._improved(self.best.sets[0])
        self.work.look()
        if status != cp_model.OPTIMAL:
            raise Interrupted("CP-SAT stopped early")

    def _bound_by(self, bound: int) -> None:
        bound = bound // self.unit * self.unit
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)
