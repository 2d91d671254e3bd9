"""The search with proof: branch and bound over candidate routes, with prices on the rows.

1. Walk the routes of each profile; the threshold rises when too many are found.
2. Pack what was kept. If no route below the thresholds can be in a better set, that is the proof.
3. Otherwise put prices on the rows (Lagrange multipliers of "each piece of track once", "each stop paid
   once"), so that the bound comes close to the best set known; then only routes whose reduced value is
   within the gap can be in a better set. Walk those and pack them; where routes must hang together, sweep
   over them; else sharpen the bound by the linear relaxation, and pack what is left.

Each bound is a whole number computed from whole-number prices, so the proof does not depend on rounding.
``docs/solver.md`` gives the mathematics.
"""

from __future__ import annotations

from functools import cached_property
from operator import lt

import numpy as np

from router import kernels as k
from router import limits
from router.candidates import Candidates
from router.ceiling import complete_bound
from router.dominate import thinned
from router.enumerate import NO_END, Walker
from router.few import best_alone, first_tops, pack_few
from router.found import Best, Slot
from router.graph import Ints
from router.linking import settled
from router.prices import (
    SCALE,
    Priced,
    best_of,
    best_prices,
    closer_prices,
    promising,
    reduced_values,
    top_money,
    within_gap,
)
from router.race import Race
from router.relax import Relaxed, sharpen
from router.seeker import Seeker
from router.sweep import Sweep, has_room
from router.work import Interrupted


class ExactSearch(Seeker):
    """Finds the best sets by branch and bound."""

    _alone = False
    """Whether one route may run, the best of which is the answer unless the referee objects."""
    _refused = False
    """Whether a set found by sweeping cannot be run, so that of others of its state nothing is proved."""

    @cached_property
    def _cap(self) -> Ints:
        """What each row is worth at most, scaled."""
        free = np.full(64 * self.model.track_words, 1 << 60, dtype=np.int64)
        return np.concatenate((free, self.model.worth * SCALE))

    def run(self) -> Best:
        """Search until the proof is complete.

        Raises
        ------
        Interrupted
            If the stop criterion is reached; ``best`` holds what is known.
        """
        self._alone = sum(self._counts) == 1 and not self._linker and (not self._settle or self.keep == 1)
        alone = self._alone and self.keep == 1
        most, end = limits.FIRST, limits.BROKEN_OFF
        if alone and self._settle is None:
            end = NO_END
        elif alone:
            most = limits.ALONE_SETTLED
        pools = [self._walk(slot, self._least, most, end) for slot in self.slots]
        if alone:
            if self._take_best(pools[0]):
                return self._proved()
            self._alone = False
        met = self.best.value > 0
        if self._pack_at_once(pools):
            return self._proved()
        if any(pool.floor == NO_END for pool in pools):
            self._pack_first(pools)
            self._search_with_prices(pools)
            return self.best
        tops = [
            first_tops(pool, slot.count, self._least, again=self._again)
            for pool, slot in zip(pools, self.slots, strict=True)
        ]
        self._bound_by(sum(map(sum, tops)))
        if sum(map(sum, tops)) < self._target:
            return self._proved()
        for _ in range(2):
            # better sets than those of another plan are seldom found before there are prices
            others = None if met and self._again else self._pack_first(pools)
            gap = sum(map(sum, tops)) - self._target
            needs = [max(self._least, top[-1] - gap) for top in tops]
            done = others is not None and all(map(lt, others, needs))
            if gap < 0 or (done and all(pool.floor <= need for pool, need in zip(pools, needs, strict=True))):
                return self._proved()
            if not done:
                break
            pools = [
                pool if pool.floor <= need else self._walk(slot, need, limits.SECOND)
                for pool, slot, need in zip(pools, self.slots, needs, strict=True)
            ]
        self._search_with_prices(pools)
        return self.best

    def _pack_first(self, pools: list[Candidates]) -> list[int] | None:
        """Pack without prices; return what others are worth at most, ``None`` if not done."""
        most = limits.PROMISING if self._again else max(map(len, pools))
        some = [best_of(pool, pool.value, most) for pool in pools]
        few = self._undominated([best for best, _ in some])
        tried = limits.FIRST_PACK
        if self._again:  # where track is free, the longer the lists, the fewer candidates are tried
            tried = limits.FIRST_PACK_FREE * limits.FIRST // max(limits.FIRST, sum(map(len, few)))
        return [other for _, other in some] if self._pack(few, None, 1, max(1, tried)) else None

    @property
    def _quick(self) -> int:
        return limits.QUICK_PACK_FREE if self._again else limits.QUICK_PACK

    @property
    def _long(self) -> int:
        return limits.LONG_PACK_FREE if self._again else limits.LONG_PACK

    def _walk(self, slot: Slot, threshold: int, most: int, budget: int = NO_END) -> Candidates:
        if slot.pool is not None:
            return slot.pool
        if self._alone and self._settle is None:
            most = limits.ALONE * self.keep
        most = max(most, 2 * slot.count)
        key = (threshold, most, budget)
        if key not in slot.walks:
            found = Walker(self.model, slot.profile, slot.taken).routes(threshold, most, self.work, budget)
            self.work.count("candidates", len(found))
            slot.walks[key] = found
        return slot.walks[key]

    def _undominated(self, pools: list[Candidates]) -> list[Candidates]:
        pairs = zip(self.slots, pools, strict=True)
        return pools if self.keep > 1 else [thinned(self.model, slot, pool) for slot, pool in pairs]

    def _take_best(self, pool: Candidates) -> bool:
        """Take the best route of the only slot, with which nothing competes; return whether it is proved."""
        at = best_alone(self.model, pool, self._least)
        if at is None:
            return False
        value = int(pool.value[at]) if at >= 0 else 0
        if at < 0 or value < self._target:
            return True
        self.work.count("packed")
        self.work.done(1)
        self._keep([(0, pool, at)], value)
        return bool(self.best.sets) and self.best.sets[0].value == value

    def _pack_at_once(self, pools: list[Candidates]) -> bool:
        """Pack few candidates of which all are known; return whether the best set of all is found."""
        if self._linker or self.keep > 1 or self._slack or any(pool.floor > self._least for pool in pools):
            return False
        packed = pack_few(self.model, self.slots, pools, self._target, again=self._again)
        self.work.count("packed", packed.tried)
        if packed.value >= 0:
            self._keep(packed.picked, packed.value)
            if not self.best.sets or self.best.sets[0].value != packed.value:
                return False
        self.work.done(packed.tried)
        return packed.complete

    def _search_with_prices(self, pools: list[Candidates]) -> None:
        price = np.zeros(self._cap.shape[0], dtype=np.int64)
        best: Priced | None = None
        for _ in range(limits.ROUNDS):
            self.work.count("rounds")
            target, steps = self._target * SCALE, limits.STEPS
            priced = best_prices(
                pools, self._counts, price, cap=self._cap, target=target, steps=steps, again=self._again
            )
            pools, priced, grown = self._price_out(pools, priced)
            if best is None or priced.bound < best.bound:
                best = priced
                self._bound_by(priced.bound // SCALE)
            if best.bound < self._target * SCALE:
                break
            few, others = promising(pools, priced.reduced, limits.PROMISING, self._least)
            done = self._pack(self._undominated(few), priced.price, SCALE, self._quick)
            gap = priced.bound - self._target * SCALE
            if done and all(most < top[-1] - gap for most, top in zip(others, priced.tops, strict=True)):
                self._proved()
                return
            if not grown:
                break
            price = priced.price
        if best is not None:
            self._finish(pools, best)

    def _price_out(self, pools: list[Candidates], priced: Priced) -> tuple[list[Candidates], Priced, bool]:
        """Look for routes worth more at these prices than those known, and correct the bound by them."""
        grown = False
        pools, reduced = list(pools), list(priced.reduced)
        tops = []
        for i, slot in enumerate(self.slots):
            pool = pools[i]
            if pool.floor > self._least:
                known = reduced[i]
                threshold = 1 + (
                    top_money(known, slot.count, again=self._again)[-1] if len(known) >= slot.count else 0
                )
                walker = Walker(self.model, slot.profile, slot.taken, priced.price, SCALE)
                fresh = walker.routes(threshold, max(limits.NEW, 2 * slot.count), self.work).without(pool)
                if len(fresh):
                    grown = True
                    pools[i] = pool.join(fresh)
                    reduced[i] = np.concatenate((known, reduced_values(fresh, priced.price)))
            tops.append(top_money(reduced[i], slot.count, again=self._again))
        bound = int(priced.price.sum()) + sum(map(sum, tops))
        return pools, Priced(priced.price, bound, tops, reduced), grown

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
                if pool.floor <= self._least:
                    found = pool.take((reduced_values(pool, priced.price) >= need).nonzero()[0])
                else:
                    walker = Walker(self.model, slot.profile, slot.taken, priced.price, SCALE)
                    found = walker.all_routes(need, self.work)
                    full = full and found.floor <= need
                self.work.count("candidates", len(found))
                last.append(found)
            last = self._undominated(last)
            closer = priced
            if self.model.words:
                closer = self._closer(last, priced)
                last = within_gap(last, closer, target * SCALE)
            done = self._pack(last, closer.price, SCALE, self._long)
            done = done or self._sweep(last, closer)
            done = done or self._pack_sharpened(last, closer)
            if done and full:
                self._proved()
                return
            if self._target == target:
                raise Interrupted(f"more than {limits.LAST} candidate routes")

    def _closer(self, pools: list[Candidates], priced: Priced) -> Priced:
        """Take further steps from these prices, looking at these candidates only."""
        target = self._target * SCALE
        return closer_prices(pools, self._counts, priced, self._cap, target, again=self._again)

    def _sharpen(self, pools: list[Candidates], priced: Priced) -> Relaxed:
        target = self._target * SCALE
        return sharpen(
            within_gap(pools, priced, target),
            self._counts,
            priced,
            target,
            work=self.work,
            rounds=limits.CUT_ROUNDS,
            cap=self._cap,
            triples=self.model.words == 0,
            again=self._again,
        )

    def _pack_sharpened(self, pools: list[Candidates], priced: Priced) -> bool:
        """Sharpen the bound by the linear relaxation, then pack what is left."""
        relaxed = self._sharpen(pools, priced)
        if relaxed.priced.bound < self._target * SCALE:
            return True
        if self.keep > 1:
            # of equal sets all are wanted where the next best are: then nothing is selected
            return self._pack_within(relaxed, priced, None)
        return self._pack_within(relaxed, priced, limits.LAST_PACK) or self._select(relaxed.pools)

    def _pack_within(self, relaxed: Relaxed, priced: Priced, budget: int | None) -> bool:
        """Pack what can be in a better set."""
        target = self._target * SCALE
        if relaxed.priced.bound < target:
            return True
        pools, price = within_gap(relaxed.pools, relaxed.priced, target), relaxed.priced.price
        if self.model.words:
            # what the program proposes lies at a corner; prices from within are often the better bound below
            closer = self._closer(pools, priced)
            gap = closer.bound - target
            if gap < 0:
                return True
            if 10 * gap <= 11 * (relaxed.priced.bound - target):
                pools, price = within_gap(pools, closer, target), closer.price
        return self._pack(pools, price, SCALE, budget)

    def _sweep(self, pools: list[Candidates], priced: Priced) -> bool:
        """Sweep over the candidates, where routes must hang together; return whether that was the proof."""
        asks = self._settle is not None and not (self._trust and self._cannot_link(pools))
        plain = self.model.touch and self.keep == 1 and not (self._slack or asks or self._refused)
        if not plain:
            return False
        for width in (limits.NARROW, limits.MIDDLING, limits.WIDE):
            target = self._target * SCALE
            if priced.bound < target:
                return True
            left = within_gap(pools, priced, target)
            if not has_room(self.model, self.slots, left):
                return False
            most = limits.FINE if width < limits.WIDE else limits.COARSE
            sweep = Sweep(
                self.model, self.slots, left, priced.price, SCALE, again=self._again, width=width, most=most
            )
            if not self._run(sweep, limits.SWEPT):
                return False
            if not sweep.cut:
                return True
        return False

    def _cannot_link(self, pools: list[Candidates]) -> bool:
        """Tell whether no two routes can be linked end to end but by the linker."""
        if self._linker is not None:
            return True
        return sum(slot.count for slot, pool in zip(self.slots, pools, strict=True) if pool.ends.any()) <= 1

    def _pack(self, pools: list[Candidates], price: Ints | None, scale: int, budget: int | None) -> bool:
        """Pack candidates better than the best known; return whether the search was complete."""
        runners = 1
        if (self.model.words or self.model.touch) and (budget is None or budget > self._quick):
            runners = limits.RUNNERS if budget is None or budget > self._long else 2
        race = Race(
            self.model,
            self.slots,
            pools,
            price,
            scale,
            again=self._again,
            runners=runners,
            lap=limits.TURN,
            rise=self.model.unit if self.keep == 1 and (self._settle is None or self._trust) else 0,
        )
        return self._run(race, budget)

    def _run(self, search: Race | Sweep, budget: int | None) -> bool:
        """Try ``budget`` sets at most, and keep what is found; return whether the search was complete."""
        left = budget
        numbers = range(len(self.slots))
        while True:
            slice_ = self.work.SLICE if left is None else max(1, min(left, self.work.SLICE))
            code, spent = search.step(self._target, slice_)
            self.work.count("packed", spent)
            if code == k.FOUND:
                self._keep(search.picked(numbers), search.found)
                kept = bool(self.best.sets) and self.best.value == search.found
                if not kept and search.refuse():
                    self._refused = True
                    return False
            self.work.done(spent)
            if code == k.DONE:
                return True
            if left is not None:
                left -= spent
                if left <= 0 and code != k.FOUND:
                    return False

    def _keep(self, picked: list[tuple[int, Candidates, int]], value: int) -> None:
        linked, ends = self._linker is not None, 0
        if self.model.end_words and not linked:
            for _, pool, i in picked:
                here = int.from_bytes(pool.ends[i].tobytes(), "little")
                linked = linked or bool(ends & here)
                ends |= here
        chosen = [(self.slots[number], pool, i) for number, pool, i in picked]
        trust = self._trust and (self._linker is not None or not linked)
        if self._settle is not None and not trust:
            if self.model.end_words and not self._slack and self._linker is None:
                bound = complete_bound(self.model, chosen, value)
                if bound is None or bound < self._target:
                    return
                value = bound
            self.work.count("settled")
        found = settled(chosen, value + self._slack, self._settle, self._linker, trust=trust)
        if found is not None:
            self._add(found)
