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

from router import kernels as k
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
    term = chain_term(model, train)
    if term is None:
        return _NO_CHAIN
    known = model.memo.get(term)
    if known is None:
        known = model.memo[term] = _lines(model, term)
    seg_end, point, names, alone, most = known
    bonus = np.zeros(alone.shape, dtype=np.int64)
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
    return ChainEnds(seg_end, point, most, alone, bonus)


def _lines(model: Model, term: ChainBonus) -> tuple[Ints, Ints, list[str], Ints, Ints]:
    """Return the end points of segments, the nodes of all and their names, and the money of distances."""
    problem, graph = model.problem, model.graph
    nodes = graph.nodes
    seg_end: list[tuple[int, int, int]] = []
    points: dict[tuple[int, str, int], int] = {}
    for segment, pair in zip(graph.segments, graph.seg_ends, strict=True):
        own = []
        for side, at in enumerate(pair):
            node = nodes[at]
            key = (at, node.hex, 0)
            if node.kind in term.from_last_hex:
                hexes = segment.hexes
                if len(hexes) > 1:
                    key = (at, hexes[-2 if side else 1], 1)
            own.append(points.setdefault(key, len(points)))
        seg_end.append((own[0], own[1], pair[1]))
    names = [graph.node_ids[a] for a, _, _ in points]
    hexes_of = [problem.hex_by_id[hex_] for _, hex_, _ in points]
    rows = [
        [a for a, _, _ in points],
        [h.q for h in hexes_of],
        [h.r for h in hexes_of],
        [moved for _, _, moved in points],
        [name in term.far for name in names],
    ]
    point = np.array(rows, dtype=np.int64)
    count = sum([1 if t.routes is None else t.routes for t in model.whole.trains if t.kind in term.trains])
    far_near = not graph.node_index.keys().isdisjoint(term.far)
    best_rate = max(term.per_hex, term.far_per_hex if far_near else 0)
    alone, most = np.empty((2, len(points), len(points)), dtype=np.int64)
    rate, far_rate = term.per_hex * model.factor, term.far_per_hex * model.factor
    linked_rate = best_rate * model.factor if count > 1 else -1
    k.chain_money(point, rate, far_rate, linked_rate, alone, most)
    return np.array(seg_end, dtype=np.int64).reshape(-1, 3), point[0], names, alone, most


_NONE = np.zeros((0, 0), dtype=np.int64)
_NO_CHAIN = ChainEnds(_NONE, np.zeros(0, dtype=np.int64), _NONE, _NONE, _NONE)


def chain_term(model: Model, train: Train) -> ChainBonus | None:
    """Return the term that makes routes of ``train`` chains."""
    if not model.end_words:
        return None
    for term in model.problem.terms:
        if isinstance(term, ChainBonus) and train.kind in term.trains:
            return term
    return None
