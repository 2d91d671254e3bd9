"""The search with proof: branch and bound over candidate routes, with prices on the track.

1. Walk the routes of each profile, best first in the sense that the threshold rises when too many are found.
2. If all were kept, pack them: a complete search.
3. Otherwise put prices on the track (Lagrange multipliers of "each piece once"), so that the bound comes
close to the
   best set known; then only routes whose reduced value is within the gap can be in a better set. Walk
   those, pack them.

Each bound is a whole number computed from whole-number prices, so the proof does not depend on rounding.
``docs/solver.md`` gives the mathematics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from router import kernels as k
from router.dominate import undominated
from router.enumerate import Candidates, Walker
from router.found import Best, Found, Slot
from router.graph import Graph, Ints, Words
from router.prices import SCALE, Priced, best_prices, reduced_values, top_money, within_gap
from router.relax import sharpen
from router.select import select_best
from router.work import Work

FIRST = 300
"""Candidates per profile kept in the first walk."""
SECOND = 4_000
"""Candidates per profile kept in the second walk."""
QUICK_PACK = 30_000
"""Candidates tried when packing before prices are sought."""
LONG_PACK = 150_000
"""Candidates tried when packing before cuts are sought."""
LAST_PACK = 3_000_000
"""Candidates tried when packing before CP-SAT is asked."""
CUT_ROUNDS = 10
"""Rounds of cuts at most."""
NEW = 1_500
"""Candidates per profile that one round of pricing adds."""
ROUNDS = 12
"""Rounds of pricing at most."""
STEPS = 220
"""Subgradient steps per round."""
LAST = 400_000
"""Candidates per profile kept in the last walk."""


class ExactSearch:
    """Finds the best sets of routes for slots that compete for track.

    Parameters
    ----------
    in_use
        Track that is taken already.
    unit
        All money is a multiple of this.
    keep
        How many sets are wanted.
    improved, bounded
        Called with each better set and each better bound.
    """

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
        self.keep = keep
        self.best = Best([])
        self._improved = improved
        self._bounded = bounded
        self._counts = [slot.count for slot in slots]

    @property
    def _target(self) -> int:
        """Least money of a set that is still wanted."""
        sets = self.best.sets
        return (sets[-1].value if len(sets) >= self.keep else 0) + self.unit

    def run(self) -> Best:
        """Search until the proof is complete.

        Raises
        ------
        Interrupted
            If the stop criterion is reached; ``best`` holds what is known.
        """
        pools = [self._walk(slot, 1, FIRST) for slot in self.slots]
        tops = [top_money(pool.value, slot.count) for pool, slot in zip(pools, self.slots, strict=True)]
        self._bound_by(sum(map(sum, tops)))
        for _ in range(2):
            done = self._pack([undominated(pool) for pool in pools], None, 1, QUICK_PACK)
            gap = sum(map(sum, tops)) - self._target
            needs = [max(1, top[-1] - gap) for top in tops]
            if gap < 0 or (done and all(pool.floor <= need for pool, need in zip(pools, needs, strict=True))):
                return self._proved()
            if not done:
                break
            pools = [
                pool if pool.floor <= need else self._walk(slot, need, SECOND)
                for pool, slot, need in zip(pools, self.slots, needs, strict=True)
            ]
        self._search_with_prices(pools)
        return self.best

    def _walk(self, slot: Slot, threshold: int, most: int) -> Candidates:
        if sum(self._counts) == 1:
            most = 8 * self.keep
        found = Walker(self.graph, slot.profile, self.in_use).routes(threshold, most, self.work)
        self.work.count("candidates", len(found))
        return found

    def _search_with_prices(self, pools: list[Candidates]) -> None:
        price = np.zeros(self.graph.words * 64, dtype=np.int64)
        best: Priced | None = None
        for _ in range(ROUNDS):
            self.work.count("rounds")
            priced = best_prices(pools, self._counts, price, self._target * SCALE, STEPS)
            pools, priced, grown = self._price_out(pools, priced)
            if best is None or priced.bound < best.bound:
                best = priced
                self._bound_by(priced.bound // SCALE)
            if best.bound < self._target * SCALE:
                break
            self._pack(self._promising(pools, priced.price), priced.price, SCALE, QUICK_PACK)
            if not grown:
                break
            price = priced.price
        if best is not None:
            self._finish(pools, best)

    def _price_out(self, pools: list[Candidates], priced: Priced) -> tuple[list[Candidates], Priced, bool]:
        """Look for routes worth more at these prices than those known, and correct the bound by them."""
        grown = False
        pools = list(pools)
        tops = []
        for i, slot in enumerate(self.slots):
            pool = pools[i]
            if pool.floor > 1:
                known = reduced_values(pool, priced.price)
                threshold = 1 + (top_money(known, slot.count)[-1] if len(known) >= slot.count else 0)
                walker = Walker(self.graph, slot.profile, self.in_use, priced.price, SCALE)
                fresh = _not_in(walker.routes(threshold, NEW, self.work), pool)
                if len(fresh):
                    grown = True
                    pools[i] = pool = pool.join(fresh)
            tops.append(top_money(reduced_values(pool, priced.price), slot.count))
        bound = int(priced.price.sum()) + sum(map(sum, tops))
        return pools, replace(priced, bound=bound, tops=tops), grown

    def _promising(self, pools: list[Candidates], price: Ints) -> list[Candidates]:
        """Return the candidates of largest reduced value, enough for a good set."""
        out = []
        for pool in pools:
            reduced = reduced_values(pool, price)
            keep = np.sort(np.lexsort((np.arange(len(pool)), -reduced))[:600])
            out.append(undominated(pool.take(keep)))
        return out

    def _finish(self, pools: list[Candidates], priced: Priced) -> None:
        """Walk every route that can be in a better set, and pack them."""
        while True:
            target = self._target
            gap = priced.bound - target * SCALE
            if gap < 0:
                self._proved()
                return
            full = True
            last = []
            for slot, pool, top in zip(self.slots, pools, priced.tops, strict=True):
                need = top[-1] - gap
                if pool.floor <= 1:
                    found = pool.take(np.flatnonzero(reduced_values(pool, priced.price) >= need))
                else:
                    walker = Walker(self.graph, slot.profile, self.in_use, priced.price, SCALE)
                    found = walker.routes(need, LAST, self.work)
                    full = full and found.floor <= need
                self.work.count("candidates", len(found))
                last.append(undominated(found))
            done = self._pack(last, priced.price, SCALE, LONG_PACK) or self._pack_with_triples(last, priced)
            if done and full:
                self._proved()
                return
            if self._target == target:
                return

    def _pack_with_triples(self, pools: list[Candidates], priced: Priced) -> bool:
        """Sharpen the bound by the linear relaxation with triples, then pack what is left."""
        target = self._target * SCALE
        pools = within_gap(pools, priced, target)
        relaxed = sharpen(pools, self._counts, priced, target, work=self.work, rounds=CUT_ROUNDS)
        if relaxed.priced.bound < target:
            return True
        pools, price = relaxed.pools, relaxed.priced.price
        if self._pack(pools, price, SCALE, None if self.keep > 1 else LAST_PACK):
            return True
        better = select_best(pools, self._counts, self._target, self.work)
        if better is not None:
            self._add(better)
        return True

    def _proved(self) -> Best:
        self._bound_by(self.best.value)
        return self.best

    def _pack(self, pools: list[Candidates], price: Ints | None, scale: int, budget: int | None) -> bool:
        """Pack candidates better than the best known; return whether the search was complete."""
        reduced = []
        ordered = []
        for pool in pools:
            worth = pool.value if price is None else reduced_values(pool, price)
            bits = np.bitwise_count(pool.mask).sum(axis=1)
            order = np.lexsort((bits, -worth))
            ordered.append(pool.take(order))
            reduced.append(worth[order])
        counts = self._counts
        width = sum(counts) + 1
        slot_profile = np.repeat(np.arange(len(pools)), counts)
        next_slot = np.repeat(np.cumsum(counts), counts)
        start = np.cumsum([0, *(len(pool) for pool in pools)])
        total = int(start[-1])
        value = np.concatenate([pool.value for pool in ordered])
        money = np.concatenate(reduced)
        mask = np.concatenate([pool.mask for pool in ordered])
        state = np.zeros(k.K_SIZE, dtype=np.int64)
        state[k.K_TARGET] = self._target * scale
        cursor = np.zeros(4 * width, dtype=np.int64)
        list_start = np.zeros((width, len(pools) + 1), dtype=np.int64)
        lists = np.empty((width, total), dtype=np.int64)
        choice = np.full(width, -1, dtype=np.int64)
        price_sum = 0 if price is None else int(price.sum())
        left = budget
        while True:
            slice_ = self.work.SLICE if left is None else max(1, min(left, self.work.SLICE))
            before = int(state[k.K_NODES])
            code = k.pack_routes(
                value,
                money,
                mask,
                start,
                slot_profile,
                next_slot,
                price_sum,
                scale,
                slice_,
                state,
                cursor,
                list_start,
                lists,
                choice,
            )
            spent = int(state[k.K_NODES]) - before
            self.work.count("packed", spent)
            if code == k.FOUND:
                self._keep(int(state[k.K_BEST]), choice, slot_profile, start, ordered)
                state[k.K_TARGET] = self._target * scale
            self.work.done(spent)
            if code == k.DONE:
                return True
            if left is not None:
                left -= spent
                if left <= 0 and code != k.FOUND:
                    return False

    def _keep(
        self, value: int, choice: Ints, slot_profile: Ints, start: Ints, pools: list[Candidates]
    ) -> None:
        routes = []
        for t, c in enumerate(choice[: slot_profile.shape[0]].tolist()):
            if c >= 0:
                p = int(slot_profile[t])
                routes.append((p, tuple(pools[p].route(c - int(start[p])))))
        self._add(Found(value, tuple(routes)))

    def _add(self, found: Found) -> None:
        value, routes = found.value, found.routes
        if any(known.value == value and set(known.routes) == set(routes) for known in self.best.sets):
            return
        better = value > self.best.value
        self.best.sets = sorted([*self.best.sets, found], key=lambda known: -known.value)[: self.keep]
        if better:
            self._improved(found)

    def _bound_by(self, bound: int) -> None:
        bound = bound // self.unit * self.unit
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)


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
