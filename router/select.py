"""The second method: a CP-SAT model that selects among candidate routes.

One Boolean per candidate; at most as many of a profile as it has routes to run; each piece of track at most
once; the sum of the values is maximised. Nothing is shared with the packing of :mod:`router.exact` but the
walk itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from router.enumerate import Candidates, Walker
from router.found import Best, Found, Slot
from router.graph import Graph, Words
from router.work import Interrupted, Work

FIRST = 500
"""Candidates per profile of the first model."""
LAST = 60_000
"""Candidates per profile that a model takes at most."""


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
        counts = [slot.count for slot in self.slots]
        tops = []
        for pool, count in zip(pools, counts, strict=True):
            best = np.sort(pool.value)[::-1][:count].tolist()
            tops.append([*best, *[0] * (count - len(best))])
        roof = sum(map(sum, tops))
        self._bound_by(roof)
        while True:
            found = select_best(pools, counts, self.best.value + self.unit, self.work)
            if found is not None:
                self.best.sets = [found]
                self._improved(found)
            gap = roof - self.best.value - self.unit
            needs = [max(1, top[-1] - gap) for top in tops]
            if gap < 0 or all(pool.floor <= need for pool, need in zip(pools, needs, strict=True)):
                self._bound_by(self.best.value)
                return self.best
            if any(pool.floor > 1 and len(pool) >= LAST for pool in pools):
                raise Interrupted(f"more than {LAST} candidate routes")
            pools = [
                pool if pool.floor <= need else self._walk(slot, need, LAST)
                for pool, slot, need in zip(pools, self.slots, needs, strict=True)
            ]

    def _walk(self, slot: Slot, threshold: int, most: int) -> Candidates:
        found = Walker(self.graph, slot.profile, self.in_use).routes(threshold, most, self.work)
        self.work.count("candidates", len(found))
        return found

    def _bound_by(self, bound: int) -> None:
        bound = bound // self.unit * self.unit
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)


def select_best(pools: list[Candidates], counts: list[int], at_least: int, work: Work) -> Found | None:
    """Return the best compatible candidates worth ``at_least`` or more, ``None`` if there are none.

    Raises
    ------
    Interrupted
        If the stop criterion is reached before the proof.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [[model.new_bool_var("") for _ in range(len(pool))] for pool in pools]
    users: dict[int, list[cp_model.IntVar]] = {}
    for pool, count, row in zip(pools, counts, chosen, strict=True):
        if not row:
            continue
        model.add(sum(row) <= count)
        bits = np.unpackbits(pool.mask.view(np.uint8).reshape(len(pool), -1), axis=1, bitorder="little")
        for i, key in np.argwhere(bits).tolist():
            users.setdefault(key, []).append(row[i])
    for _, variables in sorted(users.items()):
        if len(variables) > 1:
            model.add_at_most_one(variables)
    flat = [variable for row in chosen for variable in row]
    money = [value for pool in pools for value in pool.value.tolist()]
    if sum(money) < at_least:
        return None
    total = cp_model.LinearExpr.weighted_sum(flat, money)
    model.add(total >= at_least)
    model.maximize(total)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.relative_gap_limit = 0.0
    solver.parameters.absolute_gap_limit = 0.0
    solver.parameters.linearization_level = 2
    stopped = False

    def bound_moved(_: float) -> None:
        nonlocal stopped
        if work.stop.reached(work.expansions):
            stopped = True
            solver.stop_search()

    solver.best_bound_callback = bound_moved
    left = work.seconds_left()
    if left is not None:
        solver.parameters.max_time_in_seconds = max(0.01, left)
    status = solver.solve(model)
    work.count("branches", int(solver.num_branches))
    work.look()
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL or stopped:
        raise Interrupted("CP-SAT stopped early")
    routes = tuple(
        (p, tuple(pool.route(i)))
        for p, (pool, row) in enumerate(zip(pools, chosen, strict=True))
        for i, variable in enumerate(row)
        if solver.boolean_value(variable)
    )
    return Found(round(solver.objective_value), routes)
