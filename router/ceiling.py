"""A closer bound of complete sets with chains, cheaper than the referee.

The packing values a route of a chain with what it can bring at most. Once a set is complete, its chains are
known, and where they are plain (no three routes end at one stop, no loop) their money is exact: two stops
and one distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from router.candidates import Candidates
from router.found import Slot
from router.model import Model
from router.profile import Profile


@dataclass(frozen=True, slots=True)
class _Link:
    """A route of a chain: kind of train, nodes and end points of its two ends, and score besides rows."""

    kind: str
    nodes: tuple[int, int]
    points: tuple[int, int]
    beside: int
    most: int


def complete_bound(model: Model, chosen: Sequence[tuple[Slot, Candidates, int]], value: int) -> int | None:
    """Return an upper bound of the score of a complete set, ``None`` if its chains are no legal ones.

    Parameters
    ----------
    chosen
        Slot, pool and index of each candidate of the set.
    value
        The bound known so far.
    """
    if not model.counts_once:
        return value
    links: list[_Link] = []
    owner: list[Profile] = []
    covered = 0
    total = 0
    worth = model.worth.tolist()
    track = 8 * model.track_words
    for slot, pool, i in chosen:
        profile = slot.profile
        rows = int.from_bytes(pool.mask[i].tobytes()[track:], "little")
        beside = int(pool.value[i]) - _sum(rows, worth)
        if not len(profile.chain.node):
            covered |= rows
            total += beside
            continue
        path = pool.route(i)
        graph = model.graph
        stop = path[0]
        for s in path[1:]:
            a, b = graph.seg_ends[s]
            stop = b if stop == a else a
        first, last = path[1], path[-1]
        points = (
            int(profile.chain.seg_end[first, 1 if path[0] == graph.seg_b[first] else 0]),
            int(profile.chain.seg_end[last, 1 if stop == graph.seg_b[last] else 0]),
        )
        most = int(profile.chain.most[points])
        paid = profile.coverage.paid
        covered |= rows & ~(paid[path[0]] | paid[stop])
        links.append(_Link(profile.train.kind, (path[0], stop), points, beside - most, most))
        owner.append(profile)
    degree: dict[int, int] = {}
    for link in links:
        for node in link.nodes:
            degree[node] = degree.get(node, 0) + 1
    for part in _parts(links):
        members = [links[j] for j in part]
        total += sum(link.beside for link in members)
        ends = [
            (node, point)
            for link in members
            for node, point in zip(link.nodes, link.points, strict=True)
            if degree[node] == 1
        ]
        plain = all(degree[node] <= 2 for link in members for node in link.nodes)
        if len(ends) == 1 and plain:
            return None
        if len(ends) == 2 and plain:
            profile = owner[part[0]]
            total += int(profile.chain.alone[ends[0][1], ends[1][1]])
            for node, _ in ends:
                covered |= profile.coverage.paid[node]
            continue
        total += sum(link.most for link in members)
        for j in part:
            for node in links[j].nodes:
                covered |= owner[j].coverage.paid[node]
    return min(value, total + _sum(covered, worth))


def _parts(links: Sequence[_Link]) -> list[list[int]]:
    """Group routes that share ends."""
    left = list(range(len(links)))
    parts = []
    while left:
        part = [left.pop(0)]
        nodes = set(links[part[0]].nodes)
        grown = True
        while grown:
            grown = False
            for j in list(left):
                if not nodes.isdisjoint(links[j].nodes):
                    nodes.update(links[j].nodes)
                    part.append(j)
                    left.remove(j)
                    grown = True
        parts.append(part)
    return parts


def _sum(bits: int, amounts: Sequence[int]) -> int:
    total = 0
    while bits:
        low = bits & -bits
        total += amounts[low.bit_length() - 1]
        bits ^= low
    return total
