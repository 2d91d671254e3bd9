"""What a route can still come to: bounds of distance money, and of bonuses for track and for visits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from router import kernels as k
from router.graph import Graph, Ints, Words
from router.model import NOTHING, Model, RouteBonus
from router.problem import DistanceBonus, Train

MOST = 64
"""Sets of stops and marks of track that can be told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What a walk must know of a train's distances, and of its bonuses for track and for visits.

    Attributes
    ----------
    distance
        Money between the outermost measured stops, per pair of nodes; no rows if no distance pays.
    axes
        Coordinates of the nodes; two hexes are as far apart as they differ on one of these at most.
    span
        Per node and uses of the visit limit left, the greatest and the least coordinates within reach.
        Nothing (no rows) if no amount depends on what is within reach.
    per_step
        Money per step of distance.
    of_nodes, of_segments
        What nodes and segments are worth to the bonuses, as bits.
    ahead
        The same of all that is within reach, per node and uses of the visit limit left.
    need, amount
        What earns each bonus, and how much it is.
    """

    distance: Ints
    axes: Ints
    span: Ints
    per_step: int
    of_nodes: Words
    of_segments: Words
    ahead: Words
    need: Words
    amount: Ints


_NO_OUTLOOK = Outlook(
    distance=np.zeros((0, 0), dtype=np.int64),
    axes=np.zeros((0, 0), dtype=np.int64),
    span=np.zeros((0, 0, 0), dtype=np.int64),
    per_step=0,
    of_nodes=NOTHING,
    of_segments=NOTHING,
    ahead=np.zeros((0, 0), dtype=np.uint64),
    need=NOTHING,
    amount=np.zeros(0, dtype=np.int64),
)


def build_outlook(
    model: Model, train: Train, bonuses: Sequence[RouteBonus], flags: Ints, hops: Ints, *, far: int
) -> Outlook:
    """Lay out what ``train`` can still come to from each node.

    Parameters
    ----------
    flags
        What the train may do at each node.
    hops, far
        Least use of a visit limit between each two nodes, and the greatest of these.
    """
    problem, graph = model.problem, model.graph
    terms = [term for term in problem.terms if isinstance(term, DistanceBonus) and train.kind in term.trains]
    if not (terms or bonuses or graph.marks):
        return _NO_OUTLOOK
    visits = [bonus for bonus in bonuses if bonus.visit and bonus.amount > 0]
    marks = [(1 << m, mark.amount * model.factor) for m, mark in enumerate(graph.marks) if mark.amount > 0]
    if not (terms or visits or marks):
        return _NO_OUTLOOK
    distance, axes, per_step = _NO_OUTLOOK.distance, _NO_OUTLOOK.axes, 0
    if terms:
        places = [problem.hex_by_id[node.hex] for node in graph.nodes]
        per_step = sum([term.per_hex for term in terms]) * model.factor
        axes = np.array([(place.q, place.r, place.q + place.r) for place in places], dtype=np.int64)
        distance = np.empty((len(places), len(places)), dtype=np.int64)
        k.distance_money(axes, per_step, distance)
    if len(graph.marks) + sum(len(bonus.sets) for bonus in visits) > MOST:
        return replace(_NO_OUTLOOK, distance=distance)
    of_nodes, earned = _visits(graph, visits, len(graph.marks))
    of_segments = graph.seg_mark.view(np.uint64)
    earned += marks
    n = len(graph.nodes)
    steps = 1 + far
    span = np.empty((n, steps, 2 * axes.shape[1]), dtype=np.int64)
    ahead = np.empty((n, steps), dtype=np.uint64)
    k.reach_within(hops, flags, axes, of_nodes, graph.seg_a, graph.seg_b, of_segments, span, ahead)
    need = np.array([bits for bits, _ in earned], dtype=np.uint64)
    amount = np.array([money for _, money in earned], dtype=np.int64)
    return Outlook(distance, axes, span, per_step, of_nodes, of_segments, ahead, need, amount)


def _visits(graph: Graph, bonuses: Sequence[RouteBonus], first: int) -> tuple[Words, list[tuple[int, int]]]:
    """Return the sets that each node is in, as bits from ``first`` on, and what earns each bonus."""
    found = [0] * len(graph.nodes)
    earned = []
    bit = 1 << first
    for bonus in bonuses:
        need = 0
        for members in bonus.sets:
            for name in members:
                if name in graph.node_index:
                    found[graph.node_index[name]] |= bit
            need |= bit
            bit <<= 1
        earned.append((need, bonus.amount))
    return np.array(found, dtype=np.uint64), earned
