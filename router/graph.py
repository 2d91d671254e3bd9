"""The network of a route problem as arrays: adjacency and track masks.

Nodes and segments are numbered in the order of their ids, so the numbers (and with them every answer) do
not depend on the order in which a problem lists them. Track pieces that always occur together share one
bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from router.problem import Node, RouteProblem, TrackBonus

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
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


def build_graph(problem: RouteProblem) -> Graph:
    """Lay out adjacency and masks."""
    nodes = sorted(problem.nodes, key=_id)
    segments = sorted(problem.segments, key=_id)
    n = len(nodes)
    index = {node.id: i for i, node in enumerate(nodes)}
    hexes: dict[str, int] = {}
    groups: dict[str, int] = {}
    node_hex = np.array([hexes.setdefault(node.hex, len(hexes)) for node in nodes], dtype=np.int64)
    group_bits = [0] * n
    for i, node in enumerate(nodes):
        for group in node.groups:
            group_bits[i] |= 1 << groups.setdefault(group, len(groups))

    users: dict[str, int] = {}
    bit = 1
    for segment in segments:
        for name in segment.track:
            users[name] = users[name] | bit if name in users else bit
        bit <<= 1
    classes: dict[int, int] = {}
    seg_bits = []
    for s, segment in enumerate(segments):
        bits = 0
        for user in dict.fromkeys(map(users.__getitem__, segment.track)):
            bits |= 1 << classes.setdefault(user, len(classes))
        seg_bits.append(bits or 1 << classes.setdefault(-1 - s, len(classes)))

    set_bits = [0] * n
    for at, members in enumerate(problem.end_sets):
        for name in members:
            set_bits[index[name]] |= 1 << at

    marks = [term for term in problem.terms if isinstance(term, TrackBonus)]
    seg_mark = np.zeros(len(segments), dtype=np.int64)
    if marks:
        for s, segment in enumerate(segments):
            for m, term in enumerate(marks):
                if term.mark in segment.marks:
                    seg_mark[s] |= 1 << m

    ends = [(index[segment.a], index[segment.b]) for segment in segments]
    segs_at: list[list[int]] = [[] for _ in range(n)]
    nodes_at: list[list[int]] = [[] for _ in range(n)]
    for s, (a, b) in enumerate(ends):
        segs_at[a].append(s)
        nodes_at[a].append(b)
        segs_at[b].append(s)
        nodes_at[b].append(a)
    return Graph(
        nodes=nodes,
        node_ids=[node.id for node in nodes],
        segment_ids=[segment.id for segment in segments],
        adj_ptr=np.array([0, *accumulate(map(len, segs_at))], dtype=np.int64),
        adj_seg=np.array([*chain.from_iterable(segs_at)], dtype=np.int64),
        adj_node=np.array([*chain.from_iterable(nodes_at)], dtype=np.int64),
        seg_mask=to_words(seg_bits, len(classes)),
        seg_len=np.array([len(segment.hexes) - 1 for segment in segments], dtype=np.int64),
        node_hex=node_hex,
        node_group=to_words(group_bits, len(groups)) if groups else np.zeros((n, 0), dtype=np.uint64),
        end_sets=np.array(set_bits, dtype=np.uint64),
        hex_count=len(hexes),
        seg_mark=seg_mark,
        marks=marks,
        seg_ends=ends,
        seg_a=np.array([a for a, _ in ends], dtype=np.int64),
        seg_b=np.array([b for _, b in ends], dtype=np.int64),
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


def _id(item: object) -> str:
    return item.id  # type: ignore[attr-defined, no-any-return]


def distances(q: Sequence[int], r: Sequence[int]) -> Ints:
    """Return the hex steps between all places given in axial coordinates."""
    qs, rs = np.array(q, dtype=np.int64), np.array(r, dtype=np.int64)
    dq, dr = qs[:, None] - qs[None, :], rs[:, None] - rs[None, :]
    steps: Ints = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    return steps
