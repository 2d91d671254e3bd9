"""The second method: CP-SAT selects among candidate routes.

Nothing is shared with the packing of :mod:`router.exact` but the walk and the chains of linked routes; where
that packing takes too long, it asks for a selection as well.
"""

from __future__ import annotations

from router.candidates import Candidates
from router.enumerate import Walker
from router.few import first_tops
from router.found import Best, Slot
from router.seeker import Seeker
from router.work import Interrupted

FIRST = 500
"""Candidates per profile of the first model."""
LAST = 60_000
"""Candidates per profile that a model takes at most."""


class SelectSearch(Seeker):
    """Finds the best set with CP-SAT; no next best ones."""

    def run(self) -> Best:
        """Select among the best candidates, then among all that can be in a better set.

        Raises
        ------
        Interrupted
            If the stop criterion is reached, or more candidates than the model takes would be needed.
        """
        pools = [self._walk(slot, self._least, FIRST) for slot in self.slots]
        tops = [
            first_tops(pool, slot.count, self._least, again=self._again)
            for pool, slot in zip(pools, self.slots, strict=True)
        ]
        roof = sum(map(sum, tops))
        self._bound_by(roof)
        while True:
            self._select(pools)
            gap = roof - self._target
            needs = [max(self._least, top[-1] - gap) for top in tops]
            if gap < 0 or all(pool.floor <= need for pool, need in zip(pools, needs, strict=True)):
                return self._proved()
            if any(pool.floor > self._least and len(pool) >= LAST for pool in pools):
                raise Interrupted(f"more than {LAST} candidate routes")
            pools = [
                pool if pool.floor <= need else self._walk(slot, need, LAST)
                for pool, slot, need in zip(pools, self.slots, needs, strict=True)
            ]

    def _walk(self, slot: Slot, threshold: int, most: int) -> Candidates:
        if slot.pool is not None:
            return slot.pool
        most = max(most, 2 * slot.count)
        found = Walker(self.model, slot.profile, slot.taken).routes(threshold, most, self.work)
        self.work.count("candidates", len(found))
        return found
