"""From walked routes to candidates: rows that pay once, and links."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.choices import choices, payments
from router.graph import Ints, Words, to_words, unit_words
from router.model import Model
from router.problem import MustRun
from router.profile import Profile


def columns(model: Model, profile: Profile, walked: Candidates) -> Candidates:
    """Complete walked routes: rows that pay once, links, and one candidate per choice of paying stops.

    The value of a walked route does not yet hold what rows bring.
    """
    if not model.words and not model.node_link.shape[1] and len(model.blocks) == 1:
        return walked
    graph, rows, count = model.graph, profile.coverage, len(walked)
    chained = len(profile.chain.node) > 0
    node_rows = rows.visited
    chosen: tuple[Words, Ints | None, Ints] | None = None
    if not chained and model.words:
        node_rows = [
            paid | visited if flag & k.MUST else visited
            for paid, visited, flag in zip(rows.paid, node_rows, profile.flags.tolist(), strict=True)
        ]
        if model.counts_once:
            chosen = choices(model, profile, walked)
            if chosen[1] is None:
                walked.value = chosen[2]
    if not model.blocks:
        walked.mask = np.empty((count, 0), dtype=np.uint64)
    mask = np.zeros((count, model.track_words + model.words), dtype=np.uint64)
    walked.link = np.empty((count, model.node_link.shape[1]), dtype=np.uint64)
    k.complete_routes(
        walked.start,
        walked.path,
        graph.seg_a,
        graph.seg_b,
        model.node_link,
        _words(node_rows, model.words),
        _words(rows.inside, model.words),
        model.worth,
        walked.mask,
        model.block(profile.train),
        walked.value,
        mask,
        walked.link,
    )
    walked.mask = mask
    if model.marks:
        _mark(model, profile, walked)
    if chained:
        return _chained(model, profile, walked)
    walked.ends = np.zeros((count, model.end_words), dtype=np.uint64)
    if chosen is not None:
        paid, index, besides = chosen
        if index is None:
            return walked
        walked = walked.take(index)
        walked.value = _with_rows(model, walked, paid, besides)
    return walked


def add_links(model: Model, profile: Profile, walked: Candidates) -> None:
    """Complete walked routes by their links alone."""
    graph, width = model.graph, model.node_link.shape[1]
    walked.link = np.zeros((len(walked), width), dtype=np.uint64)
    none = np.zeros((len(graph.segment_ids), width), dtype=np.uint64)
    k.trace_words(walked.start, walked.path, graph.seg_a, graph.seg_b, model.node_link, none, walked.link)
    if model.marks:
        _mark(model, profile, walked)


def _words(bits: Sequence[int], width: int) -> Words:
    if not width or not any(bits):
        return np.zeros((len(bits), width), dtype=np.uint64)
    return to_words(bits, 64 * width)


def _with_rows(model: Model, walked: Candidates, paid: Words, besides: Ints) -> Ints:
    """Add the rows ``paid`` to the masks; return the values, of what comes ``besides`` and all rows."""
    total = besides.copy()
    k.add_rows(walked.mask, paid, model.worth, total)
    return total


def _chained(model: Model, profile: Profile, walked: Candidates) -> Candidates:
    """Complete routes that pay at the ends of a chain."""
    chain, graph = profile.chain, model.graph
    first, a, last, b = path_ends(model, profile, walked).T
    paid, _, worth = payments(model, profile, walked, at_ends=True)
    most = chain.most[a, b]
    value = most + worth
    if not model.counts_once:
        value += profile.value[first] + profile.value[last]
    walked.value = _with_rows(model, walked, paid, value)
    at_stop = unit_words(len(graph.node_ids), 64 * model.end_words)
    walked.excess = most - chain.alone[a, b]
    walked.ends = at_stop[first] | at_stop[last]
    return walked


def path_ends(model: Model, profile: Profile, walked: Candidates) -> Ints:
    """Return the first node of each route of a chain, its end point, and the last node with its own."""
    ends = np.empty((len(walked), 4), dtype=np.int64)
    graph = model.graph
    k.path_ends(walked.start, walked.path, graph.seg_a, graph.seg_b, profile.chain.seg_end, ends)
    return ends


def _mark(model: Model, profile: Profile, walked: Candidates) -> None:
    """Set the bits of the conditions that each route meets by itself."""
    path, starts = walked.path.tolist(), walked.start.tolist()
    for condition, name, bit in model.marks:
        if profile.train.track_class != name:
            continue
        flag = np.uint64(1 << bit % 64)
        if isinstance(condition, MustRun):
            walked.link[:, bit // 64] |= flag
            continue
        within_all = condition.hexes.issuperset
        inside = {
            s: segment.hexes for s, segment in enumerate(model.graph.segments) if within_all(segment.hexes)
        }
        if condition.hexes.difference(*inside.values()):
            continue
        within = set(inside)
        for i, (first, last) in enumerate(starts):
            if path[first + 1] not in within:
                continue
            run = path[first + 1 : last]
            if within.issuperset(run) and not condition.hexes.difference(*[inside[s] for s in run]):
                walked.link[i, bit // 64] |= flag
