"""From walked routes to candidates: rows that pay once, and links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.choices import choices, payments
from router.graph import Ints, Words, to_words
from router.model import Model
from router.problem import MustRun
from router.profile import Profile


def columns(model: Model, profile: Profile, walked: Candidates) -> Candidates:
    """Complete walked routes: rows that pay once, links, and one candidate per choice of paying stops.

    The value of a walked route does not yet hold what rows bring.
    """
    if len(model.blocks) != 1:
        mask = np.zeros((len(walked), model.track_words), dtype=np.uint64)
        if model.blocks:
            first = model.block(profile.train)
            mask[:, first : first + model.graph.words] = walked.mask
        walked = replace(walked, mask=mask)
    if not model.words and not model.node_link.shape[1]:
        return walked
    graph = model.graph

    def trace(nodes: Words, segments: Words) -> Words:
        out = np.zeros((len(walked), nodes.shape[1]), dtype=np.uint64)
        k.trace_words(walked.start, walked.path, graph.seg_a, graph.seg_b, nodes, segments, out)
        return out

    link = trace(model.node_link, np.zeros((len(graph.seg_ends), model.node_link.shape[1]), dtype=np.uint64))
    _mark(model, profile, walked, link)
    rows = profile.coverage
    if not model.words and not len(profile.chain.node):
        return replace(walked, link=link, ends=np.zeros((len(walked), model.end_words), dtype=np.uint64))
    count = 64 * model.words
    inside = np.zeros((0, model.words), dtype=np.uint64)
    if rows.inside:
        inside = to_words(rows.inside, count)[:, : model.words]
    if len(profile.chain.node):
        on_the_way = trace(to_words(rows.visited, count)[:, : model.words], inside)
        return _chained(model, profile, walked, link, on_the_way)
    must = [
        bits if flag & k.MUST else 0 for bits, flag in zip(rows.paid, profile.flags.tolist(), strict=True)
    ]
    covered = trace(to_words([a | b for a, b in zip(must, rows.visited, strict=True)], count), inside)
    if not model.counts_once:
        index, besides = None, walked.value
    else:
        chosen, index, besides = choices(model, profile, walked)
    if index is not None:
        walked, link, covered = walked.take(index), link[index], covered[index] | chosen
    total = np.zeros(len(walked), dtype=np.int64)
    k.reduced_values(besides, covered, -model.worth, total)
    return replace(
        walked,
        value=total,
        mask=np.concatenate((walked.mask, covered), axis=1),
        link=link,
        ends=np.zeros((len(walked), model.end_words), dtype=np.uint64),
    )


def _chained(
    model: Model, profile: Profile, walked: Candidates, link: Words, on_the_way: Words
) -> Candidates:
    """Complete routes that pay at the ends of a chain."""
    chain, graph = profile.chain, model.graph
    ends = path_ends(model, profile, walked)
    first, a, last, b = ends.T
    paid, _, worth = payments(model, profile, walked, at_ends=True)
    most = chain.most[a, b]
    value = most + worth
    if not model.counts_once:
        value += profile.value[first] + profile.value[last]
    covered = paid | on_the_way
    total = np.empty(len(walked), dtype=np.int64)
    k.reduced_values(value, covered, -model.worth, total)
    at_stop = to_words([1 << i for i in range(len(graph.node_ids))], 64 * model.end_words)
    return replace(
        walked,
        value=total,
        mask=np.concatenate((walked.mask, covered), axis=1),
        link=link,
        excess=most - chain.alone[a, b],
        ends=at_stop[first] | at_stop[last],
    )


def path_ends(model: Model, profile: Profile, walked: Candidates) -> Ints:
    """Return the first node of each route of a chain, its end point, and the last node with its own."""
    ends = np.empty((len(walked), 4), dtype=np.int64)
    graph = model.graph
    k.path_ends(walked.start, walked.path, graph.seg_a, graph.seg_b, profile.chain.seg_end, ends)
    return ends


def _mark(model: Model, profile: Profile, walked: Candidates, link: Words) -> None:
    """Set the bits of the conditions that each route meets by itself."""
    segments = [model.problem.segment_by_id[name] for name in model.graph.segment_ids] if model.marks else []
    for condition, name, bit in model.marks:
        if profile.train.track_class != name:
            continue
        flag = np.uint64(1 << bit % 64)
        if isinstance(condition, MustRun):
            link[:, bit // 64] |= flag
            continue
        for i in range(len(walked)):
            hexes: set[str] = set()
            for s in walked.route(i)[1:]:
                hexes.update(segments[s].hexes)
            if hexes == condition.hexes:
                link[i, bit // 64] |= flag
