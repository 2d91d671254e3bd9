"""From walked routes to candidates: rows that pay once, and links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.choices import choices
from router.graph import Words, to_words
from router.model import Model
from router.profile import Profile


def columns(model: Model, profile: Profile, walked: Candidates) -> Candidates:
    """Complete walked routes: rows that pay once, links, and one candidate per choice of paying stops."""
    if len(model.blocks) != 1:
        mask = np.zeros((len(walked), model.track_words), dtype=np.uint64)
        if model.blocks:
            first = model.block(profile.train)
            mask[:, first : first + model.graph.words] = walked.mask
        walked = replace(walked, mask=mask)
    if not model.words and not model.node_link.shape[1]:
        return walked
    graph = model.graph
    seg_a = np.array([a for a, _ in graph.seg_ends], dtype=np.int64)
    seg_b = np.array([b for _, b in graph.seg_ends], dtype=np.int64)

    def trace(nodes: Words, segments: Words) -> Words:
        out = np.zeros((len(walked), nodes.shape[1]), dtype=np.uint64)
        k.trace_words(walked.start, walked.path, seg_a, seg_b, nodes, segments, out)
        return out

    link = trace(model.node_link, np.zeros((len(graph.seg_ends), model.node_link.shape[1]), dtype=np.uint64))
    if not model.words:
        return replace(walked, link=link)
    rows = profile.coverage
    count = 64 * model.words
    must = [
        bits if flag & k.MUST else 0 for bits, flag in zip(rows.paid, profile.flags.tolist(), strict=True)
    ]
    nodes = to_words([a | b for a, b in zip(must, rows.visited, strict=True)], count)
    covered = trace(
        nodes, to_words(rows.inside, count) if rows.inside else np.zeros((0, model.words), dtype=np.uint64)
    )
    chosen, index, extra = choices(model, profile, walked)
    if index is not None:
        walked, link, covered = walked.take(index), link[index], covered[index] | chosen
    total = np.zeros(len(walked), dtype=np.int64)
    k.reduced_values(extra, covered, -model.worth, total)
    return replace(walked, value=total, mask=np.concatenate((walked.mask, covered), axis=1), link=link)
