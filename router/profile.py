"""What the compiled walk must know of one kind of train."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from router import kernels as k
from router.chains import ChainEnds, chain_ends
from router.coverage import Coverage, coverage
from router.errors import Unsupported
from router.graph import Bytes, Graph, Ints, Words
from router.model import Model, RouteBonus
from router.outlook import Outlook, build_outlook
from router.problem import (
    DistanceBonus,
    Limit,
    RequiredRoute,
    RouteProblem,
    Train,
)

_HEX_MODE = {"free": 0, "once": 1, "consecutive": 2}


@dataclass(slots=True, eq=False)
class Profile:
    """What the kernel must know of one kind of train."""

    flags: Ints
    value: Ints
    attached: Ints
    """Bonuses folded into single stops, for the bound."""
    coverage: Coverage
    """Rows that pay once; what they bring is not in ``value``."""
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
    bonus_visit: Ints
    set_ptr: Ints
    set_of: Bytes
    seg_hexes: Words
    required: Words
    mark_amount: Ints
    params: Ints
    bonuses: list[RouteBonus]
    choosing: bool
    """Whether stops may pay that need not."""
    train: Train
    chain: ChainEnds
    outlook: Outlook


def build_profile(model: Model, train: Train) -> Profile:
    """Lay out what ``train`` may do and earn, in units of the score."""
    problem, graph = model.problem, model.graph
    nodes = graph.nodes
    n = len(nodes)
    lifts = [c.hexes for c in problem.conditions if isinstance(c, RequiredRoute)]
    by_sort = _sort_flags(problem, train, graph, lifts=bool(lifts))
    bound = _bound_limits(train)
    bounding = [limit for limit, _ in bound]
    limits, at_bound = [*train.visit, *train.pay], 0
    if bounding != [*train.visit]:
        at_bound = len(limits)
        limits += bounding
    end_bound = at_bound + len(bound)
    inside = [[sort[0] in limit.kinds for sort in graph.sorts] for limit in limits]
    ends = _alike(inside[at_bound:end_bound], len(by_sort))
    closed = [-1 if flag & k.THROUGH else end for flag, end in zip(by_sort, ends, strict=True)]
    by_hex = train.hex_visits == "once" and graph.hex_count < n
    single = ends if by_hex else [-1] * len(by_sort)
    bonuses = model.bonuses(train)
    sizes = [len(limit.kinds) for limit in train.visit]
    widest = sizes.index(max(sizes)) if sizes else -1
    choosing = any(flag & k.OPTIONAL for flag in by_sort)
    fuss = choosing or bonuses or train.hex_pays_once or train.pay or train.token_pays
    figures = [  # those of ``params`` in the order of the kernel, then the limits
        _HEX_MODE[train.hex_visits],
        train.hex_pays_once,
        -1 if train.max_edges is None else train.max_edges,
        train.token_pays,
        widest,
        not fuss,
        train.needs_token,
        *[limit.most for limit in limits],
        *[binds for _, binds in bound],
    ]
    rows = [*by_sort, *closed, *single, *chain.from_iterable(inside)]
    block = np.array([*figures, *rows], dtype=np.int64)
    caps = block[k.P_SIZE : len(figures)]
    table = block[len(figures) :].reshape(3 + len(limits), len(by_sort)).take(graph.sort_of, axis=1)
    counts = table[3:]
    if train.stops is not None or train.ends is not None or train.through is not None:
        _restrict(train, graph, by_sort, ends, table)
    flags = table[0]
    if graph.node_group.shape[1]:
        table[2] = _singles(graph, train, flags, ends)
    elif by_hex:
        table[2] = (2 * table[2] + (table[1] < 0)) * graph.hex_count + graph.node_hex
    n_visit, n_pay = len(train.visit), len(train.pay)
    if model.counts_once:
        value = np.zeros(n, dtype=np.int64)
    else:
        kind, factor = train.kind, train.multiplier * model.factor
        value = np.array([node.values.get(kind, node.value) * factor for node in nodes], dtype=np.int64)
    far = 0
    if widest >= 0:
        hops = np.empty((n, n), dtype=np.int64)
        far = k.hop_matrix(graph.adj_ptr, graph.adj_node, flags, counts[:n_visit], widest, hops)
    else:
        hops = np.zeros((n, n), dtype=np.int64)
    set_ptr, set_of, attached = _sets(graph, bonuses)
    lifting = lifts and any(flag & k.LIFTED for flag in by_sort)
    seg_hexes, required = _lifting(graph, lifts) if lifting else (_NO_WORDS, _NO_WORDS)
    return Profile(
        flags=flags,
        value=value,
        attached=attached,
        coverage=coverage(model, train),
        visit_inc=counts[:n_visit],
        visit_cap=caps[:n_visit],
        pay_inc=counts[n_visit : n_visit + n_pay],
        pay_cap=caps[n_visit : n_visit + n_pay],
        bound_inc=counts[at_bound:end_bound],
        bound_cap=caps[at_bound:end_bound],
        bound_all=caps[len(limits) :],
        hops=hops,
        single=table[2],
        end_class=table[1],
        bonus_amount=_ints([bonus.amount for bonus in bonuses]),
        bonus_visit=_ints([bonus.visit for bonus in bonuses]),
        set_ptr=set_ptr,
        set_of=set_of,
        seg_hexes=seg_hexes,
        required=required,
        mark_amount=_ints([mark.amount * model.factor for mark in graph.marks]),
        params=block[: k.P_SIZE],
        bonuses=bonuses,
        choosing=choosing,
        train=train,
        chain=chain_ends(model, train),
        outlook=build_outlook(model, train, bonuses, flags, hops, far=far),
    )


_NO_INTS = np.zeros(0, dtype=np.int64)
_NO_SETS = np.zeros(1, dtype=np.int64)
_NO_WORDS = np.zeros(0, dtype=np.uint64)


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64) if values else _NO_INTS


def _sort_flags(problem: RouteProblem, train: Train, graph: Graph, *, lifts: bool) -> list[int]:
    """Return what the train may do at nodes of each sort; ``lifts``: some routes pass blocked stops."""
    between, must, paying = _between(problem, train), train.always_pays, train.paying
    flags = []
    for kind, token, blocked, terminal in graph.sorts:
        flag = k.ALLOWED | k.END
        flag |= k.MUST if kind in must else k.OPTIONAL if kind in paying else 0
        if kind in between:
            flag |= k.BETWEEN
        if kind != "offboard" and not terminal:
            if not blocked:
                flag |= k.THROUGH
            elif lifts:
                flag |= k.THROUGH | k.LIFTED
        if token:
            flag |= k.TOKEN
        flags.append(flag)
    return flags


def _restrict(train: Train, graph: Graph, by_sort: Sequence[int], ends: Sequence[int], table: Ints) -> None:
    """Take from each node what the train may not do there, and tell the ends again, in the first two rows."""
    flags = [by_sort[sort] for sort in graph.node_sort]
    for names, flag in (
        (train.stops, k.ALLOWED),
        (train.ends, k.END),
        (train.through, k.THROUGH | k.LIFTED),
    ):
        if names is not None:
            flags = [f if name in names else f & ~flag for f, name in zip(flags, graph.node_ids, strict=True)]
    classes = [
        -1 if flag & k.THROUGH else ends[sort] for flag, sort in zip(flags, graph.node_sort, strict=True)
    ]
    table[:2] = (flags, classes)


def _bound_limits(train: Train) -> list[tuple[Limit, int]]:
    """Choose limits that together are laminar, so that taking stops by falling gain is a true bound.

    Leaving a limit out only loosens the bound. The second item says whether the limit also binds visited
    stops that may still pay (a pay limit does, a visit limit does not).
    """
    chosen: list[tuple[Limit, int]] = []
    must = train.always_pays
    found = [(limit, 1) for limit in train.pay] + [(limit, 0) for limit in train.visit]
    if len(found) < 2:
        return found
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


def _alike(inside: Sequence[Sequence[bool]], sorts: int) -> list[int]:
    """Return a number for each sort of nodes, the same for those that the same limits count."""
    numbers: dict[object, int] = {}
    counted = zip(*inside, strict=True) if inside else [()] * sorts
    return [numbers.setdefault(signature, len(numbers)) for signature in counted]


def _singles(graph: Graph, train: Train, flags: Ints, alike: Sequence[int]) -> list[int]:
    """Return classes of stops of which a route can visit only one; -1: a class of its own.

    They are stops of a group, or in one hex that a route may visit once. With the bound's limits, and with
    the classes of ends, of which a route has two at most, they still form a laminar family: so they are split
    where one of those would cut across them.
    """
    by_hex = train.hex_visits == "once"
    single = []
    singles: dict[object, int] = {}
    for node, sort, flag in zip(graph.nodes, graph.node_sort, flags.tolist(), strict=True):
        if node.groups or by_hex:
            name = ("group", node.groups[0]) if node.groups else ("hex", node.hex)
            family = (name, alike[sort], flag & k.THROUGH)
            single.append(singles.setdefault(family, len(singles)))
        else:
            single.append(-1)
    return single


def _sets(graph: Graph, bonuses: Sequence[RouteBonus]) -> tuple[Ints, Bytes, Ints]:
    """Return the sets of stops of the bonuses, and what of these is folded into single stops."""
    n, index = len(graph.nodes), graph.node_index
    if not bonuses:
        return _NO_SETS, np.empty((0, n), dtype=np.uint8), np.zeros(n, dtype=np.int64)
    attached = [0] * n
    set_ptr = [0]
    rows: list[list[int]] = []
    for bonus in bonuses:
        for members in bonus.sets:
            row = [0] * n
            for name in members:
                if name in index:
                    row[index[name]] = 1
            rows.append(row)
        set_ptr.append(len(rows))
        if bonus.amount > 0 and not bonus.visit:
            rarest = bonus.sets[0]
            if len(bonus.sets) > 1:
                rarest = min(bonus.sets, key=lambda members: (len(members), sorted(members)))
            for name in rarest:
                if name in index:
                    attached[index[name]] += bonus.amount
    set_of = np.array(rows, dtype=np.uint8).reshape(-1, n)
    return np.array(set_ptr, dtype=np.int64), set_of, np.array(attached, dtype=np.int64)


def _lifting(graph: Graph, lifts: Sequence[frozenset[str]]) -> tuple[Words, Words]:
    """Return the bits of hexes that segments run through, and of the sets that lift blockades."""
    names = sorted(set().union(*lifts))
    if len(names) > 64:
        raise Unsupported("required routes through more than 64 hexes")
    bit = {name: 1 << i for i, name in enumerate(names)}
    seg_hexes = [sum([bit[hex_] for hex_ in bit.keys() & segment.hexes]) for segment in graph.segments]
    sets = [sum([bit[hex_] for hex_ in hexes]) for hexes in lifts]
    return np.array(seg_hexes, dtype=np.uint64), np.array(sets, dtype=np.uint64)


def _between(problem: RouteProblem, train: Train) -> frozenset[str]:
    kinds: frozenset[str] = frozenset()
    for term in problem.terms:
        if isinstance(term, DistanceBonus) and train.kind in term.trains:
            kinds |= term.between
    return kinds
