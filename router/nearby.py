"""Better sets near the best one known: a few of its routes are freed and packed anew beside the others.

Where all routes must hang together, the packing meets good sets late: the routes that bring most lie apart.
A set found here is as good as any other; the proof does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, cycle
from typing import TypeAlias

import numpy as np

from router.candidates import Candidates

FREED = 3
"""Routes freed together at most."""
ATTEMPTS = 400
"""Sets of freed routes tried at most."""

Kept: TypeAlias = "list[tuple[int, Candidates]]"
"""Per route that may run the number of its slot, and the candidate; none where it does not run."""
Part: TypeAlias = "tuple[int, int, Candidates]"
"""Number of a slot, how many of its routes run, and their candidates."""


def kept_routes(counts: list[int], chosen: list[tuple[int, Candidates, int]]) -> Kept:
    """Return the routes of a set of ``chosen`` candidates (slot, pool, index), and those that do not run."""
    kept: Kept = []
    if not chosen:
        return kept
    for number, count in enumerate(counts):
        own = [pool.take(np.array([i])) for slot, pool, i in chosen if slot == number]
        nothing = chosen[0][1].take(np.zeros(0, dtype=np.int64))
        kept += [(number, one) for one in [*own, *[nothing] * (count - len(own))]]
    return kept


def search_nearby(
    known: Callable[[], Kept], pools: list[Candidates], pack: Callable[[list[Part]], bool]
) -> None:
    """Free two routes at a time, then three, until no such change is an improvement.

    Parameters
    ----------
    known
        Returns the routes of the best set.
    pack
        Packs the parts; tells whether that led to a better set.
    """
    left = ATTEMPTS
    size = 2
    while known() and size <= min(FREED, len(known()) - 1):
        groups = list(combinations(range(len(known())), size))
        stale = 0
        for free in cycle(groups):
            better = pack(_parts(known(), free, pools))
            left -= 1
            if not left:
                return
            stale = 0 if better else stale + 1
            if stale == len(groups) or (better and size > 2):
                break
        size = size + 1 if stale else 2


def _parts(kept: Kept, free: tuple[int, ...], pools: list[Candidates]) -> list[Part]:
    """Return what is packed, that which stays first."""
    parts = [(number, 1, one) for i, (number, one) in enumerate(kept) if i not in free and len(one)]
    freed = [kept[i][0] for i in free]
    return parts + [(number, freed.count(number), pools[number]) for number in sorted(set(freed))]
