"""Routes that are linked end to end and pay at the ends of the chain only: what one of them can bring.

A chain of routes with ends ``A`` and ``B`` is paid for the two stops and for ``max(0, D(A, B) - 1 + r)``
hexes, ``D`` being measured from the last hex before an end of certain kinds and ``r`` the number of such
ends. By the triangle inequality that is at most the sum of ``D + r`` over its routes, so a route is valued
with ``D + r`` hexes where it may be linked to another, and with its own ``D - 1 + r`` where it is alone.
The difference is its *excess*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from router.graph import Ints, distances
from router.model import Model
from router.problem import ChainBonus, Train


@dataclass(frozen=True, slots=True)
class ChainEnds:
    """End points: an end node together with the hex from which it is measured.

    Attributes
    ----------
    seg_end
        Per segment the end point at its first and its second node, and the second node.
    node
        Node of each end point; empty if the train forms no chains.
    most, alone
        Score of the distance for each pair of end points, at most and if the route is alone.
    bonus
        Score of the bonuses of stops that the pair can earn.
    """

    seg_end: Ints
    node: Ints
    most: Ints
    alone: Ints
    bonus: Ints


def chain_ends(model: Model, train: Train) -> ChainEnds:
    """Lay out the end points of routes of ``train``."""
    problem, graph = model.problem, model.graph
    term = chain_term(model, train)
    if term is None:
        return _NO_CHAIN
    seg_end = np.zeros((len(graph.segment_ids), 3), dtype=np.int64)
    seg_end[:, 2] = graph.seg_b
    points: dict[tuple[int, str, int], int] = {}
    for s, name in enumerate(graph.segment_ids):
        segment = problem.segment_by_id[name]
        for side, node_id in enumerate((segment.a, segment.b)):
            node = problem.node_by_id[node_id]
            hex_, moved = node.hex, 0
            if node.kind in term.from_last_hex and len(segment.hexes) > 1:
                hex_, moved = (segment.hexes[1] if side == 0 else segment.hexes[-2]), 1
            key = (graph.node_index[node_id], hex_, moved)
            seg_end[s, side] = points.setdefault(key, len(points))
    names = [graph.node_ids[a] for a, _, _ in points]
    hexes = [problem.hex_by_id[hex_] for _, hex_, _ in points]
    moves = np.array([m for _, _, m in points], dtype=np.int64)
    is_far = np.array([name in term.far for name in names], dtype=bool)
    apart = distances([h.q for h in hexes], [h.r for h in hexes])
    replaced = moves[:, None] + moves[None, :]
    rate = np.where(is_far[:, None] | is_far[None, :], term.far_per_hex, term.per_hex)
    alone = rate * np.maximum(0, apart - 1 + replaced) * model.factor
    most = alone
    if sum(1 if t.routes is None else t.routes for t in model.whole.trains if t.kind in term.trains) > 1:
        far_near = any(name in graph.node_index for name in term.far)
        best_rate = np.maximum(rate, max(term.per_hex, term.far_per_hex if far_near else 0))
        most = np.maximum(alone, best_rate * (apart + replaced) * model.factor)
    bonus = np.zeros_like(alone)
    for paid in model.bonuses(train):
        if paid.amount <= 0:
            continue
        if paid.visit:
            bonus += paid.amount
            continue
        hit = np.ones_like(alone, dtype=bool)
        for members in paid.sets:
            inside = np.array([name in members for name in names], dtype=bool)
            hit &= inside[:, None] | inside[None, :]
        bonus += np.where(hit, paid.amount, 0)
    return ChainEnds(seg_end, np.array([a for a, _, _ in points], dtype=np.int64), most, alone, bonus)


_NONE = np.zeros((0, 0), dtype=np.int64)
_NO_CHAIN = ChainEnds(_NONE, np.zeros(0, dtype=np.int64), _NONE, _NONE, _NONE)


def chain_term(model: Model, train: Train) -> ChainBonus | None:
    """Return the term that makes routes of ``train`` chains."""
    for term in model.problem.terms:
        if isinstance(term, ChainBonus) and train.kind in term.trains:
            return term
    return None
