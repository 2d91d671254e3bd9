"""Dropping candidates that no best set needs."""

from __future__ import annotations

import numpy as np

from router import kernels as k
from router.candidates import Candidates, bit_counts
from router.found import Slot
from router.graph import Ints, Words, to_words
from router.model import Model
from router.problem import LargestTrainBonus

FULL_COMPARISON = 3000
"""Up to this many candidates each is compared with each; beyond, only equal track is looked for."""


def comparable(model: Model, slot: Slot, pool: Candidates) -> bool:
    """Tell whether a candidate of more rows, links and score can take the place of another in any set.

    Not so where score and rows are bounds: which stop of a hex is paid depends on the other routes, as does
    what is chosen of stops that count as one; what a linked route brings depends on where it is linked; the
    links of a chain are those that it may have.
    """
    areas = model.areas
    odd = model.blind or (model.counts_once and slot.profile.train.hex_pays_once)
    odd = odd or (bool(areas.sides) and not areas.pairs.shape[0])
    return slot.pool is None and not odd and not pool.excess.any()


def thinned(model: Model, slot: Slot, pool: Candidates) -> Candidates:
    """Return what :func:`undominated` leaves of a pool of ``slot``; done once for what was walked for it."""
    if not comparable(model, slot, pool):
        return pool
    if id(pool) in slot.thinned:
        return slot.thinned[id(pool)]
    found = undominated(pool, model)
    if any(pool is walked for walked in slot.walks.values()):
        slot.thinned[id(pool)] = found
    return found


def sorted_candidates(candidates: Candidates, key: Ints) -> Candidates:
    """Sort by falling ``key``; among equals less track first, then the order of the walk."""
    return candidates.take(np.lexsort((bit_counts(candidates.mask), -key)))


def undominated(candidates: Candidates, model: Model) -> Candidates:
    """Drop routes that another one can replace in any set.

    The other uses no track that the dropped one does not use, covers the same rows that pay once and more,
    has the same links and more, brings no less besides, and loses no bonus that the dropped one does not
    lose. Of equals the first stays.
    """
    count = len(candidates)
    if count < 2:
        return candidates
    best_first = sorted_candidates(candidates, candidates.value)
    besides = beside_rows(best_first, model)
    link = np.concatenate((best_first.link, best_first.ends, _spared(best_first, model)), axis=1)
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
    return best_first.take((dominated == 0).nonzero()[0])


def _spared(candidates: Candidates, model: Model) -> Words:
    """Return, as bits, the stops that would lose a bonus and that each candidate does not visit."""
    lost: set[str] = set()
    for term in model.problem.terms:
        if isinstance(term, LargestTrainBonus):
            lost |= term.lost_at
    graph = model.graph
    at = sorted(graph.node_index[name] for name in lost if name in graph.node_index)
    if not at:
        return np.zeros((len(candidates), 0), dtype=np.uint64)
    width = 64 * ((len(at) + 63) // 64)
    nodes = to_words([1 << at.index(i) if i in at else 0 for i in range(len(graph.node_ids))], width)
    none = np.zeros((len(graph.segment_ids), nodes.shape[1]), dtype=np.uint64)
    out = np.zeros((len(candidates), nodes.shape[1]), dtype=np.uint64)
    k.trace_words(candidates.start, candidates.path, graph.seg_a, graph.seg_b, nodes, none, out)
    return ~out


def beside_rows(candidates: Candidates, model: Model) -> Ints:
    """Return what each candidate brings besides the rows that pay once, and what its areas may earn."""
    value = candidates.value
    if model.areas.pairs.shape[0]:
        value = value - model.areas.credit(candidates.link)
    if not model.words:
        return value
    out = np.empty(len(candidates), dtype=np.int64)
    mask = np.ascontiguousarray(candidates.mask[:, model.track_words :])
    k.reduced_values(value, mask, model.worth, out)
    return out
