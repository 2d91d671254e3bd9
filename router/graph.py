"""A route problem as arrays: adjacency, track masks, and one profile per kind of train.

Nodes and segments are numbered in the order of their ids, so the numbers (and with them every answer) do
not depend on the order in which a problem lists them. Track pieces that always occur together share one
bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from router import kernels as k
from router.problem import (
    DistanceBonus,
    Limit,
    RouteProblem,
    StopBonus,
    TrackBonus,
    Train,
)

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

_HEX_MODE = {"free": 0, "once": 1, "consecutive": 2}
_NO_INTS: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Graph:
    """The network of a problem. ``W`` words hold one bit per class of track pieces."""

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
    seg_bits: list[int]
    node_index: dict[str, int]

    @property
    def words(self) -> int:
        """Words per track mask."""
        return int(self.seg_mask.shape[1])


@dataclass(frozen=True, slots=True)
class Profile:
    """What the kernel must know of one kind of train."""

    flags: Ints
    value: Ints
    ahead: Ints
    """Upper bound of what each stop adds to a route (bonuses folded in)."""
    visit_inc: Ints
    visit_cap: Ints
    pay_inc: Ints
    pay_cap: Ints
    bound_inc: Ints
    bound_cap: Ints
    bound_all: Ints
    hops: Ints
    single: Ints
    """Class of stops of which a route can visit only one (-1: none)."""
    end_class: Ints
    """Class of stops that can only be ends (-1: can be passed)."""
    bonus_amount: Ints
    set_ptr: Ints
    set_of: Bytes
    mark_amount: Ints
    distance: Ints
    params: Ints
    roots: Ints


def build_graph(problem: RouteProblem) -> Graph:
    """Lay out adjacency and masks."""
    nodes = sorted(problem.nodes, key=_id)
    segments = sorted(problem.segments, key=_id)
    n = len(nodes)
    index = {node.id: i for i, node in enumerate(nodes)}
    hexes: dict[str, int] = {}
    groups: dict[str, int] = {}
    node_hex = np.fromiter((hexes.setdefault(node.hex, len(hexes)) for node in nodes), np.int64, n)
    group_bits = [0] * n
    for i, node in enumerate(nodes):
        for group in node.groups:
            group_bits[i] |= 1 << groups.setdefault(group, len(groups))

    users: dict[str, int] = {}
    for s, segment in enumerate(segments):
        bit = 1 << s
        for name in segment.track:
            users[name] = users.get(name, 0) | bit
    classes: dict[int, int] = {}
    seg_bits = [0] * len(segments)
    for s, segment in enumerate(segments):
        bits = 0
        for name in segment.track:
            bits |= 1 << classes.setdefault(users[name], len(classes))
        if not bits:
            bits = 1 << classes.setdefault(-1 - s, len(classes))
        seg_bits[s] = bits

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
    around: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for s, (a, b) in enumerate(ends):
        around[a].append((s, b))
        around[b].append((s, a))
    ptr = [0]
    flat_seg: list[int] = []
    flat_node: list[int] = []
    for row in around:
        for s, other in row:
            flat_seg.append(s)
            flat_node.append(other)
        ptr.append(len(flat_seg))
    return Graph(
        node_ids=[node.id for node in nodes],
        segment_ids=[segment.id for segment in segments],
        adj_ptr=np.array(ptr, dtype=np.int64),
        adj_seg=np.array(flat_seg, dtype=np.int64),
        adj_node=np.array(flat_node, dtype=np.int64),
        seg_mask=to_words(seg_bits, len(classes)),
        seg_len=np.array([segment.length for segment in segments], dtype=np.int64),
        node_hex=node_hex,
        node_group=to_words(group_bits, len(groups)) if groups else np.zeros((n, 0), dtype=np.uint64),
        end_sets=to_words(set_bits, 1)[:, 0].copy() if n else np.zeros(0, dtype=np.uint64),
        hex_count=len(hexes),
        seg_mark=seg_mark,
        marks=marks,
        seg_ends=ends,
        seg_bits=seg_bits,
        node_index=index,
    )


def build_profile(problem: RouteProblem, graph: Graph, train: Train) -> Profile:
    """Lay out what ``train`` may do and earn."""
    nodes = [problem.node_by_id[name] for name in graph.node_ids]
    n = len(nodes)
    must = train.always_pays
    flags = [0] * n
    value = [0] * n
    ends, through, stops, between = train.ends, train.through, train.stops, _between(problem, train)
    for i, node in enumerate(nodes):
        flag = 0
        if stops is None or node.id in stops:
            flag |= k.ALLOWED
        if ends is None or node.id in ends:
            flag |= k.END
        if not node.end_only and (through is None or node.id in through):
            flag |= k.THROUGH
        if node.kind in must:
            flag |= k.MUST
        elif node.kind in train.paying:
            flag |= k.OPTIONAL
        if node.token:
            flag |= k.TOKEN
        if node.kind in between:
            flag |= k.BETWEEN
        flags[i] = flag
        value[i] = node.worth(train.kind) * train.multiplier

    kinds = [node.kind for node in nodes]
    visit_inc, visit_cap = _limits(train.visit, kinds)
    pay_inc, pay_cap = _limits(train.pay, kinds)
    bound = _bound_limits(train)
    bound_inc, bound_cap = _limits([limit for limit, _ in bound], kinds)
    bonuses = [term for term in problem.terms if isinstance(term, StopBonus)]
    ahead = list(value)
    set_ptr = [0]
    rows: list[list[int]] = []
    for bonus in bonuses:
        for members in bonus.all_of:
            rows.append([1 if name in members else 0 for name in graph.node_ids])
        set_ptr.append(len(rows))
        amount = bonus.worth(train.kind)
        if amount > 0:
            for name in min(bonus.all_of, key=lambda members: (len(members), sorted(members))):
                ahead[graph.node_index[name]] += amount
    flag_array = np.array(flags, dtype=np.int64)
    params = np.zeros(k.P_SIZE, dtype=np.int64)
    params[k.P_HEX_MODE] = _HEX_MODE[train.hex_visits]
    params[k.P_HEX_PAYS_ONCE] = train.hex_pays_once
    params[k.P_MAX_EDGES] = -1 if train.max_edges is None else train.max_edges
    params[k.P_TOKEN_PAYS] = train.token_pays
    widest = max(range(len(train.visit)), key=lambda j: len(train.visit[j].kinds), default=-1)
    params[k.P_DIST_LIMIT] = widest
    optional = any(flag & k.OPTIONAL for flag in flags)
    params[k.P_PLAIN] = not (optional or bonuses or train.hex_pays_once or train.pay or train.token_pays)
    params[k.P_SCALE] = 1
    hops = np.zeros((n, n), dtype=np.int64)
    if widest >= 0:
        k.hop_matrix(graph.adj_ptr, graph.adj_node, flag_array, visit_inc, widest, hops)
    single, end_class = _classes(problem, graph, train, flags, bound)
    roots = [i for i, node in enumerate(nodes) if node.token or not train.needs_token]
    return Profile(
        flags=flag_array,
        value=np.array(value, dtype=np.int64),
        ahead=np.array(ahead, dtype=np.int64),
        visit_inc=visit_inc,
        visit_cap=visit_cap,
        pay_inc=pay_inc,
        pay_cap=pay_cap,
        bound_inc=bound_inc,
        bound_cap=bound_cap,
        bound_all=np.array([binds for _, binds in bound], dtype=np.int64),
        hops=hops,
        single=single,
        end_class=end_class,
        bonus_amount=np.array([bonus.worth(train.kind) for bonus in bonuses], dtype=np.int64),
        set_ptr=np.array(set_ptr, dtype=np.int64),
        set_of=np.array(rows, dtype=np.uint8) if rows else np.zeros((0, n), dtype=np.uint8),
        mark_amount=np.array([mark.amount for mark in graph.marks], dtype=np.int64),
        distance=_distances(problem, graph, train),
        params=params,
        roots=np.array(roots, dtype=np.int64),
    )


def to_words(bits: Sequence[int], count: int) -> Words:
    """Spread Python integers over rows of 64-bit words."""
    width = max(1, (count + 63) // 64)
    low = (1 << 64) - 1
    return np.array([[(b >> (64 * w)) & low for w in range(width)] for b in bits], dtype=np.uint64).reshape(
        -1, width
    )


def _id(item: object) -> str:
    return item.id  # type: ignore[attr-defined, no-any-return]


def _limits(limits: Sequence[Limit], kinds: Sequence[str]) -> tuple[Ints, Ints]:
    inc = np.array([[kind in limit.kinds for limit in limits] for kind in kinds], dtype=np.int64)
    return inc.reshape(len(kinds), len(limits)), np.array([limit.most for limit in limits], dtype=np.int64)


def _bound_limits(train: Train) -> list[tuple[Limit, int]]:
    """Choose limits that together are laminar, so that taking stops by falling gain is a true bound.

    Leaving a limit out only loosens the bound. The second item says whether the limit also binds visited
    stops that may still pay (a pay limit does, a visit limit does not).
    """
    chosen: list[tuple[Limit, int]] = []
    must = train.always_pays
    found = [(limit, 1) for limit in train.pay] + [(limit, 0) for limit in train.visit]
    for limit, binds in sorted(found, key=lambda item: -len(item[0].kinds)):
        fits = True
        for other, other_binds in chosen:
            if not limit.kinds & other.kinds or limit.kinds == other.kinds:
                continue
            crosses = binds and not other_binds and limit.kinds - must
            if crosses or not limit.kinds < other.kinds:
                fits = False
        if fits:
            chosen.append((limit, binds))
    return chosen


def _classes(
    problem: RouteProblem,
    graph: Graph,
    train: Train,
    flags: Sequence[int],
    bound: Sequence[tuple[Limit, int]],
) -> tuple[Ints, Ints]:
    """Sort stops into classes that, with the bound's limits, still form a laminar family.

    Stops of a group, or in one hex that a route may visit once, exclude each other; a route has two ends at
    most. Both kinds of classes are split where a limit of the bound would cut across them.
    """
    singles: dict[object, int] = {}
    ends: dict[object, int] = {}
    single = []
    end_class = []
    for name, flag in zip(graph.node_ids, flags, strict=True):
        node = problem.node_by_id[name]
        signature = tuple(node.kind in limit.kinds for limit, _ in bound)
        end_only = not flag & k.THROUGH
        family: object = None
        if node.groups:
            family = ("group", node.groups[0], signature, end_only)
        elif train.hex_visits == "once":
            family = ("hex", node.hex, signature, end_only)
        single.append(-1 if family is None else singles.setdefault(family, len(singles)))
        end_class.append(ends.setdefault(signature, len(ends)) if end_only else -1)
    return np.array(single, dtype=np.int64), np.array(end_class, dtype=np.int64)


def _between(problem: RouteProblem, train: Train) -> frozenset[str]:
    kinds: frozenset[str] = frozenset()
    for term in problem.terms:
        if isinstance(term, DistanceBonus) and train.kind in term.trains:
            kinds |= term.between
    return kinds


def _distances(problem: RouteProblem, graph: Graph, train: Train) -> Ints:
    terms = [term for term in problem.terms if isinstance(term, DistanceBonus) and train.kind in term.trains]
    n = len(graph.node_ids)
    out = np.zeros((n if terms else 0, n), dtype=np.int64)
    if terms:
        rate = sum(term.per_hex for term in terms)
        places = [problem.hex_by_id[problem.node_by_id[name].hex] for name in graph.node_ids]
        for i, here in enumerate(places):
            for j, there in enumerate(places):
                out[i, j] = rate * here.distance(there)
    return out
