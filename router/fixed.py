"""What routes that are fixed earn, and the track that they take from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from router.graph import Graph, Words, to_words
from router.listings import best_listing
from router.problem import RouteProblem, Train
from router.solution import Route


def fixed_score(problem: RouteProblem, fixed: Sequence[Route], weight: int) -> int:
    """Return what fixed routes earn at most by themselves, whatever conditions the run must meet."""
    if not fixed:
        return 0
    alone = replace(problem, conditions=())
    found, _ = best_listing(alone, list(fixed), fixed=len(fixed), weight=weight)
    return 0 if found is None else weight * found.revenue + found.subsidy


def taken(problem: RouteProblem, graph: Graph, fixed: Sequence[Route], train: Train) -> Words:
    """Return the track that fixed routes take from ``train``, as words."""
    bits = 0
    if problem.track_scope != "route":
        owner = {name: other for other in problem.trains for name in (other.id, *other.route_ids)}
        bits_of = dict(zip(graph.segment_ids, graph.seg_bits, strict=True))
        for route in fixed:
            if problem.track_scope == "all" or owner[route.train].track_class == train.track_class:
                for name in route.segments:
                    bits |= bits_of[name]
    words: Words = to_words([bits], 64 * graph.words)[0]
    return words
