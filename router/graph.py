"""The network of a route problem as arrays: adjacency and track masks.

Nodes and segments are numbered in the order of their ids, so the numbers (and with them every answer) do
not depend on the order in which a problem lists them. Stops without track are left out. Track pieces that
always occur together share one bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from router import kernels as k
from router.problem import Node, RouteProblem, Segment, TrackBonus

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

_ID = attrgetter("id")
_SORT = attrgetter("kind", "token", "blocked", "terminal")


@dataclass(slots=True, eq=False)
class Graph:
    """The network of a problem. ``W`` words hold one bit per class of track pieces."""

    nodes: list[Node]
    node_ids: list[str]
    segments: list[Segment]
    segment_ids: list[str]
    adj_ptr: Ints
    adj_seg: Ints
    adj_node: Ints
    seg_mask: Words
    seg_len: Ints
    """Hex edges crossed; 0 if no train counts them."""
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
    words: int
    """Words per track mask."""


Sort: TypeAlias = tuple[str, bool, bool, bool]
"""Kind, token, blocked, terminal."""


def build_graph(problem: RouteProblem) -> Graph:
    """Lay out adjacency and masks."""
    segments = sorted(problem.segments, key=_ID)
    first, last = [segment.a for segment in segments], [segment.b for segment in segments]
    joined = {*first, *last}
    nodes = sorted([node for node in problem.nodes if node.id in joined] or problem.nodes, key=_ID)
    n, m = len(nodes), len(segments)
    node_ids = [node.id for node in nodes]
    index = dict(zip(node_ids, range(n), strict=True))
    hexes: dict[str, int] = {}
    sorts: dict[Sort, int] = {}
    node_hex = [hexes.setdefault(node.hex, len(hexes)) for node in nodes]
    node_sort = [sorts.setdefault(sort, len(sorts)) for sort in map(_SORT, nodes)]
    seg_a, seg_b = [index[name] for name in first], [index[name] for name in last]
    seg_len = seg_mark = np.zeros(m, dtype=np.int64)
    if any(train.max_edges is not None for train in problem.trains):
        seg_len = np.array([len(segment.hexes) - 1 for segment in segments], dtype=np.int64)
    marks = [term for term in problem.terms if isinstance(term, TrackBonus)]
    if marks:
        seg_mark = np.array(_mark_bits(segments, marks), dtype=np.int64)
    seg_bits, seg_mask = _track_classes(segments)
    node_group, groups = _group_bits(nodes)
    ints = np.array([*seg_a, *seg_b, *node_hex, *node_sort], dtype=np.int64)
    ends_a, ends_b = ints[:m], ints[m : 2 * m]
    adj_ptr = np.empty(n + 1, dtype=np.int64)
    adj_seg = np.empty(2 * m, dtype=np.int64)
    adj_node = np.empty(2 * m, dtype=np.int64)
    k.lay_out_adjacency(ends_a, ends_b, adj_ptr, adj_seg, adj_node)
    return Graph(
        nodes=nodes,
        node_ids=node_ids,
        segments=segments,
        segment_ids=[segment.id for segment in segments],
        adj_ptr=adj_ptr,
        adj_seg=adj_seg,
        adj_node=adj_node,
        seg_mask=seg_mask,
        seg_len=seg_len,
        node_hex=ints[2 * m : 2 * m + n],
        node_group=to_words(node_group, groups) if groups else np.empty((n, 0), dtype=np.uint64),
        sorts=list(sorts),
        node_sort=node_sort,
        sort_of=ints[2 * m + n :],
        end_sets=_end_sets(problem, index),
        hex_count=len(hexes),
        seg_mark=seg_mark,
        marks=marks,
        seg_ends=list(zip(seg_a, seg_b, strict=True)),
        seg_a=ends_a,
        seg_b=ends_b,
        seg_bits=seg_bits,
        node_index=index,
        words=seg_mask.shape[1],
    )


def _mark_bits(segments: Sequence[Segment], marks: Sequence[TrackBonus]) -> list[int]:
    return [
        sum([1 << m for m, term in enumerate(marks) if term.mark in segment.marks]) for segment in segments
    ]


def _track_classes(segments: Sequence[Segment]) -> tuple[list[int], Words]:
    """Return the classes of track pieces of each segment as bits, and the same as words.

    A class are the pieces that the same segments use; one is made up for a segment without any.
    """
    tracks = [segment.track for segment in segments]
    pieces = list(chain.from_iterable(tracks))
    known = set(pieces)
    if len(known) == len(pieces):
        m = len(segments)
        return [1 << s for s in range(m)], unit_words(m, max(1, m))
    shared: set[str] = set()
    for name in pieces:
        if name in known:
            known.remove(name)
        else:
            shared.add(name)
    users: dict[str, int] = dict.fromkeys(shared, 0)
    for s, track in enumerate(tracks):
        for name in track:
            if name in shared:
                users[name] |= 1 << s
    classes: dict[int, int] = {}
    seg_bits = []
    for s, track in enumerate(tracks):
        alone = 1 << s
        if shared.isdisjoint(track):
            seg_bits.append(1 << classes.setdefault(alone, len(classes)))
            continue
        bits = 0
        for name in track:
            bits |= 1 << classes.setdefault(users.get(name, alone), len(classes))
        seg_bits.append(bits)
    return seg_bits, to_words(seg_bits, len(classes))


def _group_bits(nodes: Sequence[Node]) -> tuple[list[int], int]:
    """Return the groups of each node as bits, and how many there are."""
    groups: dict[str, int] = {}
    found = []
    for node in nodes:
        bits = 0
        for group in node.groups:
            bits |= 1 << groups.setdefault(group, len(groups))
        found.append(bits)
    return found, len(groups)


def _end_sets(problem: RouteProblem, index: dict[str, int]) -> Words:
    """Return the sets of which only one may be an end, per node as bits."""
    if not problem.end_sets:
        return np.zeros(len(index), dtype=np.uint64)
    bits = [0] * len(index)
    for at, members in enumerate(problem.end_sets):
        for name in members:
            if name in index:
                bits[index[name]] |= 1 << at
    return np.array(bits, dtype=np.uint64)


_BITS = np.array([1 << b for b in range(64)], dtype=np.uint64)


def unit_words(count: int, bits: int) -> Words:
    """Return rows of words for ``bits`` bits, of which the one of number ``i`` has bit ``i`` only."""
    if count <= bits <= 64:
        return _BITS[:count].reshape(count, 1).copy()
    words = np.zeros((count, (bits + 63) // 64), dtype=np.uint64)
    for first in range(0, count, 64):
        words[first : first + 64, first // 64] = _BITS[: count - first]
    return words


def to_words(bits: Sequence[int], count: int) -> Words:
    """Spread Python integers over rows of 64-bit words."""
    width = max(1, (count + 63) // 64)
    if width == 1:
        return np.array(bits, dtype=np.uint64).reshape(-1, 1)
    rows = b"".join([b.to_bytes(8 * width, "little") for b in bits])
    return np.frombuffer(bytearray(rows), dtype="<u8").reshape(-1, width)


def to_ints(words: Words) -> list[int]:
    """Return rows of 64-bit words as Python integers."""
    return [int.from_bytes(row.tobytes(), "little") for row in words]
