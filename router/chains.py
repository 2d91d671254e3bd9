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

from router.graph import Ints
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
    seg_end = np.zeros((len(graph.segment_ids), 3), dtype=np.int64)
    seg_end[:, 2] = graph.seg_b
    none = np.zeros((0, 0), dtype=np.int64)
    term = chain_term(model, train)
    if term is None:
        return ChainEnds(seg_end, np.zeros(0, dtype=np.int64), none, none, none)
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
    count = len(points)
    most = np.zeros((count, count), dtype=np.int64)
    alone = np.zeros((count, count), dtype=np.int64)
    bonus = np.zeros((count, count), dtype=np.int64)
    others = sum(1 if t.routes is None else t.routes for t in problem.trains if t.kind in term.trains)
    far_near = any(name in graph.node_index for name in term.far)
    for (a, hex_a, moved_a), i in points.items():
        for (b, hex_b, moved_b), j in points.items():
            apart = problem.hex_by_id[hex_a].distance(problem.hex_by_id[hex_b])
            far = graph.node_ids[a] in term.far or graph.node_ids[b] in term.far
            rate = term.far_per_hex if far else term.per_hex
            best_rate = max(rate, term.far_per_hex if far_near else rate, term.per_hex)
            alone[i, j] = rate * max(0, apart - 1 + moved_a + moved_b) * model.factor
            linked = best_rate * (apart + moved_a + moved_b) * model.factor
            most[i, j] = max(alone[i, j], linked) if others > 1 else alone[i, j]
            here = {graph.node_ids[a], graph.node_ids[b]}
            bonus[i, j] = sum(
                b.amount
                for b in model.bonuses(train)
                if b.amount > 0 and (b.visit or all(not members.isdisjoint(here) for members in b.sets))
            )
    return ChainEnds(seg_end, np.array([a for a, _, _ in points], dtype=np.int64), most, alone, bonus)


def chain_term(model: Model, train: Train) -> ChainBonus | None:
    """Return the term that makes routes of ``train`` chains."""
    for term in model.problem.terms:
        if isinstance(term, ChainBonus) and train.kind in term.trains:
            return term
    return None
