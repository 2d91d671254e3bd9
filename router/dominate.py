"""Dropping candidates that no best set needs."""

from __future__ import annotations

import numpy as np

from router import kernels as k
from router.enumerate import Candidates
from router.graph import Ints

FULL_COMPARISON = 3000
"""Up to this many candidates each is compared with each; beyond, only equal track is looked for."""


def sorted_candidates(candidates: Candidates, key: Ints) -> Candidates:
    """Sort by falling ``key``; among equals less track first, then the order of the walk."""
    bits = np.bitwise_count(candidates.mask).sum(axis=1)
    return candidates.take(np.lexsort((bits, -key)))


def undominated(candidates: Candidates) -> Candidates:
    """Drop routes that use all the track of a route that brings no less.

    Valid whenever a route binds others only by its track: the better route fits wherever the dropped one
    does. Of equals the first stays.
    """
    count = len(candidates)
    if count < 2:
        return candidates
    best_first = sorted_candidates(candidates, candidates.value)
    if count > FULL_COMPARISON:
        order = np.lexsort((np.arange(count), *best_first.mask.T))
        rows = best_first.mask[order]
        new = np.ones(count, dtype=bool)
        new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        best_first = best_first.take(np.sort(order[new]))
        if len(best_first) > FULL_COMPARISON:
            return best_first
    dominated = np.zeros(len(best_first), dtype=np.uint8)
    k.mark_dominated(best_first.value, best_first.mask, dominated)
    return best_first.take(np.flatnonzero(dominated == 0))
