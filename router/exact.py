"""The search with proof: branch and bound over candidate routes, with prices on the track.

1. Walk the routes of each profile, best first in the sense that the threshold rises when too many are found.
2. If all were kept, pack them: a complete search.
3. Otherwise put prices on the track (Lagrange multipliers of "each piece once"), so that the bound comes close to the
   best set known; then only routes whose reduced value is within the gap can be in a better set. Walk those, pack them.

Each bound is a whole number computed from whole-number prices, so the proof does not depend on rounding.
``docs/solver.md`` gives the mathematics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from router import kernels as k
from router.dominate import sorted_candidates, undominated
from router.enumerate import Candidates, Walker
from router.graph import Graph, Ints, Profile, Words
from router.work import Work

SCALE = 64
"""Prices are whole multiples of 1/64 of a unit of money."""
FIRST = 4_000
"""Candidates per profile kept in the first walk."""
QUICK_PACK = 30_000
"""Candidates tried when packing before prices are sought."""
NEW = 1_500
"""Candidates per profile that one round of pricing adds."""
ROUNDS = 12
"""Rounds of pricing at most."""
STEPS = 220
"""Subgradient steps per round."""
LAST = 400_000
"""Candidates per profile kept in the last walk."""


@dataclass(slots=True)
class Slot:
    """Trains that are alike: a profile and how many routes of it may run."""

    profile: Profile
    count: int


@dataclass(slots=True)
class Best:
    """The best set known and the proved bound.

    ``routes`` holds, per route, the slot and the route as a node followed by segments.
    """

    value: int = 0
    routes: list[tuple[int, list[int]]] = field(default_factory=list)
    bound: int = 1 << 60


class ExactSearch:
    """Finds the best set of routes for slots that compete for track.

    Parameters
    ----------
    in_use
        Track that is taken already.
    unit
        All money is a multiple of this.
    improved
        Called with each better set.
    bounded
        Called with each better bound.
    """

    def __init__(
        self,
        graph: Graph,
        slots: list[Slot],
        in_use: Words,
        unit: int,
        work: Work,
        improved: Callable[[Best], None],
        bounded: Callable[[int], None],
    ) -> None:
        self.graph = graph
        self.slots = slots
        self.in_use = in_use
        self.unit = max(1, unit)
        self.work = work
        self.best = Best()
        self._improved = improved
        self._bounded = bounded
        self._counts = [slot.count for slot in slots]

    def run(self) -> Best:
        """Search until the proof is complete.

        Raises
        ------
        Interrupted
            If the stop criterion is reached; ``best`` holds what is known.
        """
        pools = self._first_walk()
        tops = [top_sum(pool.value, count) for pool, count in zip(pools, self._counts, strict=True)]
        self._bound_by(sum(tops))
        if all(pool.floor <= 1 for pool in pools) or sum(self._counts) == 1:
            pools = [undominated(pool) for pool in pools]
            if self._pack(pools, None, 1, QUICK_PACK):
                self._bound_by(self.best.value)
                return self.best
        else:
            self._pack([undominated(pool) for pool in pools], None, 1, QUICK_PACK)
        self._search_with_prices(pools)
        return self.best

    def _first_walk(self) -> list[Candidates]:
        single = sum(self._counts) == 1
        pools = []
        for slot in self.slots:
            walker = Walker(self.graph, slot.profile, self.in_use)
            pools.append(walker.routes(1, 8 if single else FIRST, self.work))
        self.work.count("candidates", sum(len(pool) for pool in pools))
        return pools

    def _search_with_prices(self, pools: list[Candidates]) -> None:
        price = np.zeros(self.graph.words * 64, dtype=np.int64)
        best_price = price.copy()
        best_bound = 1 << 62
        tops: list[list[int]] = []
        for _ in range(ROUNDS):
            self.work.count("rounds")
            trial = self._improve(pools, price)
            bound = int(trial.sum())
            grown = False
            trial_tops = []
            for i, slot in enumerate(self.slots):
                walker = Walker(self.graph, slot.profile, self.in_use, trial, SCALE)
                pool = pools[i]
                known = np.sort(walker.reduced(pool.value, pool.mask))[::-1]
                threshold = int(known[slot.count - 1]) + 1 if len(known) >= slot.count else 1
                if pool.floor > 1:
                    found = walker.routes(max(1, threshold), NEW, self.work)
                    fresh = _not_in(found, pool)
                    if len(fresh):
                        grown = True
                        pools[i] = pool = pool.join(fresh)
                        known = np.sort(walker.reduced(pool.value, pool.mask))[::-1]
                top = [max(0, int(v)) for v in known[: slot.count]]
                bound += sum(top)
                trial_tops.append(top + [0] * (slot.count - len(top)))
            if bound < best_bound:
                best_bound, best_price, tops = bound, trial.copy(), trial_tops
                self._bound_by(bound // SCALE)
            if self.best.value >= self.best.bound:
                return
            self._pack(self._promising(pools, trial), trial, SCALE, QUICK_PACK)
            if self.best.value >= self.best.bound or not grown:
                break
            price = trial
        self._finish(pools, best_price, best_bound, tops)

    def _improve(self, pools: list[Candidates], price: Ints) -> Ints:
        value = np.concatenate([pool.value for pool in pools]) * SCALE
        mask = np.concatenate([pool.mask for pool in pools])
        start = np.cumsum([0, *(len(pool) for pool in pools)])
        out = price.copy()
        target = (self.best.value + self.unit) * SCALE
        k.improve_prices(
            value, mask, start, np.array(self._counts, dtype=np.int64), price.copy(), out, target, STEPS
        )
        return out

    def _promising(self, pools: list[Candidates], price: Ints) -> list[Candidates]:
        """Return the candidates of largest reduced value, enough for a good set."""
        out = []
        for pool in pools:
            reduced = np.empty(len(pool), dtype=np.int64)
            k.reduced_values(pool.value * SCALE, pool.mask, price, reduced)
            keep = np.sort(np.lexsort((np.arange(len(pool)), -reduced))[:600])
            out.append(undominated(pool.take(keep)))
        return out

    def _finish(self, pools: list[Candidates], price: Ints, bound: int, tops: list[list[int]]) -> None:
        """Walk every route that can be in a better set, and pack them."""
        while self.best.value < self.best.bound:
            gap = bound - (self.best.value + self.unit) * SCALE
            full = True
            last = []
            for slot, pool, top in zip(self.slots, pools, tops, strict=True):
                need = top[-1] - gap
                walker = Walker(self.graph, slot.profile, self.in_use, price, SCALE)
                if pool.floor <= 1:
                    reduced = walker.reduced(pool.value, pool.mask)
                    found = pool.take(np.flatnonzero(reduced >= need))
                else:
                    found = walker.routes(need, LAST, self.work)
                    full = full and found.floor <= need
                self.work.count("candidates", len(found))
                last.append(undominated(found))
            before = self.best.value
            done = self._pack(last, price, SCALE, None)
            if done and full:
                self._bound_by(self.best.value)
                return
            if self.best.value == before:
                return

    def _pack(self, pools: list[Candidates], price: Ints | None, scale: int, budget: int | None) -> bool:
        """Pack candidates better than the best known; return whether the search was complete."""
        reduced = []
        ordered = []
        for pool in pools:
            money = pool.value
            if price is not None:
                money = np.empty(len(pool), dtype=np.int64)
                k.reduced_values(pool.value * scale, pool.mask, price, money)
            bits = np.bitwise_count(pool.mask).sum(axis=1)
            order = np.lexsort((bits, -money))
            ordered.append(pool.take(order))
            reduced.append(money[order])
        counts = self._counts
        width = sum(counts) + 1
        slot_profile = np.repeat(np.arange(len(pools)), counts)
        next_slot = np.repeat(np.cumsum(counts), counts)
        start = np.cumsum([0, *(len(pool) for pool in pools)])
        total = int(start[-1])
        value = np.concatenate([pool.value for pool in ordered])
        mask = np.concatenate([pool.mask for pool in ordered])
        state = np.zeros(k.K_SIZE, dtype=np.int64)
        state[k.K_TARGET] = (self.best.value + self.unit) * scale
        cursor = np.zeros(4 * width, dtype=np.int64)
        list_start = np.zeros((width, len(pools) + 1), dtype=np.int64)
        lists = np.empty((width, total), dtype=np.int64)
        choice = np.full(width, -1, dtype=np.int64)
        price_sum = 0 if price is None else int(price.sum())
        known = self.best.value
        left = budget
        while True:
            slice_ = self.work.SLICE if left is None else min(left, self.work.SLICE)
            before = int(state[k.K_NODES])
            code = k.pack_routes(
                value,
                np.concatenate(reduced),
                mask,
                start,
                slot_profile,
                next_slot,
                price_sum,
                scale,
                self.unit,
                slice_,
                state,
                cursor,
                list_start,
                lists,
                choice,
            )
            spent = int(state[k.K_NODES]) - before
            self.work.count("packed", spent)
            if int(state[k.K_BEST]) > known:
                known = int(state[k.K_BEST])
                self._improve_to(known, choice, slot_profile, start, ordered)
            self.work.done(spent)
            if code == k.DONE:
                return True
            if left is not None:
                left -= spent
                if left <= 0:
                    return False

    def _improve_to(
        self, value: int, choice: Ints, slot_profile: Ints, start: Ints, pools: list[Candidates]
    ) -> None:
        routes = []
        for t, c in enumerate(choice[: slot_profile.shape[0]].tolist()):
            if c >= 0:
                p = int(slot_profile[t])
                routes.append((p, pools[p].route(c - int(start[p]))))
        self.best.value = value
        self.best.routes = routes
        self._improved(self.best)

    def _bound_by(self, bound: int) -> None:
        bound = bound // self.unit * self.unit
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)


def top_sum(values: Ints, count: int) -> int:
    """Return the sum of the ``count`` largest positive values."""
    if values.shape[0] > count:
        values = np.partition(values, values.shape[0] - count)[-count:]
    return int(values[values > 0].sum())


def _not_in(found: Candidates, pool: Candidates) -> Candidates:
    """Return the routes of ``found`` whose value and track are not in ``pool``."""
    if not len(found):
        return found
    known = {(v, m.tobytes()) for v, m in zip(pool.value.tolist(), pool.mask, strict=True)}
    fresh = [
        i
        for i, (v, m) in enumerate(zip(found.value.tolist(), found.mask, strict=True))
        if (v, m.tobytes()) not in known
    ]
    return found.take(np.array(fresh, dtype=np.int64))


__all__ = ["Best", "ExactSearch", "Slot", "sorted_candidates"]
