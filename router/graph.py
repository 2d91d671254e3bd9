"""The network of a route problem as arrays: adjacency and track masks.

Nodes and segments are numbered in the order of their ids, so the numbers (and with them every answer) do
not depend on the order in which a problem lists them. Stops without track are left out. Track pieces that
always occur together share one bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import attrgetter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from router.problem import Node, RouteProblem, TrackBonus

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

_ID = attrgetter("id")


@dataclass(slots=True, eq=False)
class Graph:
    """The network of a problem. ``W`` words hold one bit per class of track pieces."""

    nodes: list[Node]
    node_ids: list[str]
    segment_ids: list[str]
    adj_ptr: Ints
    adj_seg: Ints
    adj_node: Ints
    seg_mask: Words
    seg_len: Ints
    node_hex: Ints
    node_group: Words
    sorts: list[Sort]
    """What tells nodes apart for a train that may use them all."""
    node_sort: list[int]
    sort_of: Ints
    """The same as ``node_sort``."""
    end_sets: Words
    hex_count: int
    seg_mark: Ints
    marks: list[TrackBonus]
    seg_ends: list[tuple[int, int]]
    seg_a: Ints
    seg_b: Ints
    seg_bits: list[int]
    node_index: dict[str, int]

    @property
    def words(self) -> int:
        """Words per track mask."""
        return int(self.seg_mask.shape[1])


Sort: TypeAlias = tuple[str, bool, bool, bool]
"""Kind, token, blocked, terminal."""


def build_graph(problem: RouteProblem) -> Graph:
    """Lay out adjacency and masks."""
    segments = sorted(problem.segments, key=_ID)
    joined = {segment.a for segment in segments}.union([segment.b for segment in segments])
    nodes = sorted([node for node in problem.nodes if node.id in joined] or problem.nodes, key=_ID)
    n = len(nodes)
    node_ids = [node.id for node in nodes]
    index = dict(zip(node_ids, range(n), strict=True))
    hexes: dict[str, int] = {}
    groups: dict[str, int] = {}
    sorts: dict[Sort, int] = {}
    node_hex = []
    node_sort = []
    group_bits = [0] * n
    for i, node in enumerate(nodes):
        node_hex.append(hexes.setdefault(node.hex, len(hexes)))
        sort = (node.kind, node.token, node.blocked, node.terminal)
        node_sort.append(sorts.setdefault(sort, len(sorts)))
        if node.groups:
            for group in node.groups:
                group_bits[i] |= 1 << groups.setdefault(group, len(groups))

    users: dict[str, int] = {}
    segs_at: list[list[int]] = [[] for _ in range(n)]
    nodes_at: list[list[int]] = [[] for _ in range(n)]
    seg_a = []
    seg_b = []
    seg_len = []
    bit = 1
    for s, segment in enumerate(segments):
        for name in segment.track:
            users[name] = users[name] | bit if name in users else bit
        bit <<= 1
        a, b = index[segment.a], index[segment.b]
        seg_a.append(a)
        seg_b.append(b)
        seg_len.append(len(segment.hexes) - 1)
        segs_at[a].append(s)
        nodes_at[a].append(b)
        segs_at[b].append(s)
        nodes_at[b].append(a)
    classes: dict[int, int] = {}
    seg_bits = []
    for s, segment in enumerate(segments):
        bits = 0
        for name in segment.track:
            bits |= 1 << classes.setdefault(users[name], len(classes))
        seg_bits.append(bits or 1 << classes.setdefault(-1 - s, len(classes)))

    set_bits = [0] * n
    for at, members in enumerate(problem.end_sets):
        for name in members:
            if name in index:
                set_bits[index[name]] |= 1 << at

    marks = [term for term in problem.terms if isinstance(term, TrackBonus)]
    mark_bits = [0] * len(segments)
    if marks:
        for s, segment in enumerate(segments):
            for m, term in enumerate(marks):
                if term.mark in segment.marks:
                    mark_bits[s] |= 1 << m

    return Graph(
        nodes=nodes,
        node_ids=node_ids,
        segment_ids=[segment.id for segment in segments],
        adj_ptr=np.array([0, *accumulate(map(len, segs_at))], dtype=np.int64),
        adj_seg=np.array([*chain.from_iterable(segs_at)], dtype=np.int64),
        adj_node=np.array([*chain.from_iterable(nodes_at)], dtype=np.int64),
        seg_mask=to_words(seg_bits, len(classes)),
        seg_len=np.array(seg_len, dtype=np.int64),
        node_hex=np.array(node_hex, dtype=np.int64),
        node_group=to_words(group_bits, len(groups)) if groups else np.zeros((n, 0), dtype=np.uint64),
        sorts=list(sorts),
        node_sort=node_sort,
        sort_of=np.array(node_sort, dtype=np.int64),
        end_sets=np.array(set_bits, dtype=np.uint64),
        hex_count=len(hexes),
        seg_mark=np.array(mark_bits, dtype=np.int64),
        marks=marks,
        seg_ends=[*zip(seg_a, seg_b, strict=True)],
        seg_a=np.array(seg_a, dtype=np.int64),
        seg_b=np.array(seg_b, dtype=np.int64),
        seg_bits=seg_bits,
        node_index=index,
    )


def to_words(bits: Sequence[int], count: int) -> Words:
    """Spread Python integers over rows of 64-bit words."""
    width = max(1, (count + 63) // 64)
    if width == 1:
        return np.array(bits, dtype=np.uint64).reshape(-1, 1)
    low = (1 << 64) - 1
    return np.array([[(b >> (64 * w)) & low for w in range(width)] for b in bits], dtype=np.uint64).reshape(
        -1, width
    )


def to_ints(words: Words) -> list[int]:
    """Return rows of 64-bit words as Python integers."""
    return [int.from_bytes(row.tobytes(), "little") for row in words]


def distances(q: Sequence[int], r: Sequence[int]) -> Ints:
    """Return the hex steps between all places given in axial coordinates."""
    qs, rs = np.array(q, dtype=np.int64), np.array(r, dtype=np.int64)
    dq, dr = qs[:, None] - qs[None, :], rs[:, None] - rs[None, :]
    steps: Ints = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    return steps
