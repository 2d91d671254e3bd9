"""Dropping candidates that no best set needs."""

from __future__ import annotations

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.graph import Ints
from router.model import Model

FULL_COMPARISON = 3000
"""Up to this many candidates each is compared with each; beyond, only equal track is looked for."""


def sorted_candidates(candidates: Candidates, key: Ints) -> Candidates:
    """Sort by falling ``key``; among equals less track first, then the order of the walk."""
    bits = np.bitwise_count(candidates.mask).sum(axis=1)
    return candidates.take(np.lexsort((bits, -key)))


def undominated(candidates: Candidates, model: Model) -> Candidates:
    """Drop routes that another one can replace in any set.

    The other uses no track that the dropped one does not use, covers the same rows that pay once and more,
    has the same links and more, and brings no less besides. Of equals the first stays.
    """
    count = len(candidates)
    if count < 2:
        return candidates
    best_first = sorted_candidates(candidates, candidates.value)
    besides = beside_rows(best_first, model)
    link = np.concatenate((best_first.link, best_first.ends), axis=1)
    if count > FULL_COMPARISON:
        keys = np.concatenate((best_first.mask, link), axis=1)
        order = np.lexsort((np.arange(count), -besides, *keys.T))
        rows = keys[order]
        new = np.ones(count, dtype=bool)
        new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        keep = np.sort(order[new])
        best_first, besides, link = best_first.take(keep), besides[keep], link[keep]
        if len(best_first) > FULL_COMPARISON:
            return best_first
    dominated = np.zeros(len(best_first), dtype=np.uint8)
    k.mark_dominated(besides, best_first.mask, model.track_words, link, dominated)
    return best_first.take(np.flatnonzero(dominated == 0))


def beside_rows(candidates: Candidates, model: Model) -> Ints:
    """Return what each candidate brings besides the rows that pay once."""
    if not model.words:
        return candidates.value
    out = np.empty(len(candidates), dtype=np.int64)
    mask = np.ascontiguousarray(candidates.mask[:, model.track_words :])
    k.reduced_values(candidates.value, mask, model.worth, out)
    return out
