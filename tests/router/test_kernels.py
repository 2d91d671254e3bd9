"""A slow naive twin for every compiled kernel.

The twins are plain Python over sets and brute force. All tests run interpreted and bounds-checked too
(``-m uncompiled``), then with fewer examples.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import math
import operator
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import (
    COMPILED,
    Ints,
    Search,
    Words,
    all_routes,
    call,
    examples,
    ints,
    lay_out,
    sliced,
    to_words,
)
from strategies import problems

from naive import naive_routes
from router import kernels as k
from router.candidates import Candidates
from router.canonical import travel
from router.errors import Unsupported
from router.problem import Hex, Limit, Node, RouteProblem, Segment, StopBonus, Train, kinds
from router.reach import Bits
from router.sweep import Sweep
from router.work import Work

pytestmark = pytest.mark.uncompiled

KEYS = (0, 1, 5, 62, 63, 64, 65, 100, 127)
"""Bits of two words, so that masks cross the border of a word."""

seeds = st.integers(0, 2**32 - 1)

T = TypeVar("T")
Choice: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""Score, and the candidates as profile and place."""


def words(sets: Sequence[frozenset[int]]) -> Words:
    """Return sets of bit numbers below 128 as rows of words."""
    return to_words([sum(1 << key for key in keys) for keys in sets], 128).reshape(len(sets), 2)


# --- adjacency -------------------------------------------------------------------------------------------


@examples(100, 50)
@given(st.integers(1, 7), st.integers(0, 9), seeds)
def test_lay_out_adjacency(n: int, segments: int, seed: int) -> None:
    chance = random.Random(seed)
    ends = [(chance.randrange(n), chance.randrange(n)) for _ in range(segments)]
    pointers = np.full(n + 1, 77, dtype=np.int64)
    there, leads_to = np.full((2, 2 * segments), 77, dtype=np.int64)
    call(
        k.lay_out_adjacency,
        seg_a=ints([a for a, _ in ends]),
        seg_b=ints([b for _, b in ends]),
        adj_ptr=pointers,
        adj_seg=there,
        adj_node=leads_to,
    )
    for x in range(n):
        first, last = pointers[x], pointers[x + 1]
        found = list(zip(there[first:last].tolist(), leads_to[first:last].tolist(), strict=True))
        both = [(i, b if x == a else a) for i, (a, b) in enumerate(ends) for end in (a, b) if x == end]
        assert found == both
    assert pointers[0] == 0


# --- hop_matrix -----------------------------------------------------------------------------------------


@examples(100, 50)
@given(problems(terms="single", max_nodes=9, max_segments=14, max_trains=1))
def test_hop_matrix(problem: RouteProblem) -> None:
    train = problem.trains[0]
    if not train.visit:
        return
    search = Search(problem, train)
    graph, flags = search.graph, search.profile.flags
    nodes = [problem.node_by_id[name] for name in graph.node_ids]
    inc = ints([[node.kind in limit.kinds for limit in train.visit] for node in nodes])
    n = len(nodes)
    for limit in range(len(train.visit)):
        got = np.zeros((n, n), dtype=np.int64)
        far = call(
            k.hop_matrix,
            adj_ptr=graph.adj_ptr,
            adj_node=graph.adj_node,
            flags=flags,
            visit_inc=np.ascontiguousarray(inc.T),
            limit=limit,
            out=got,
        )
        for u in range(n):
            roads: nx.DiGraph[int] = nx.DiGraph()
            roads.add_nodes_from(range(n))
            for segment in problem.segments:
                a, b = graph.node_index[segment.a], graph.node_index[segment.b]
                for x, y in ((a, b), (b, a)):
                    if flags[x] & flags[u] & k.THROUGH and flags[y] & k.ALLOWED:
                        roads.add_edge(x, y, weight=int(inc[y, limit]))
            away = nx.single_source_dijkstra_path_length(roads, u)
            assert got[u].tolist() == [away.get(v, 1 << 30) for v in range(n)]
        assert far == got[got < 1 << 30].max()


@examples(100, 50)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=6), st.integers(0, 30))
def test_distance_money(places: list[tuple[int, int]], per_step: int) -> None:
    got = np.full((len(places), len(places)), -1, dtype=np.int64)
    axes = ints([(q, r, q + r) for q, r in places]).reshape(-1, 3)
    call(k.distance_money, axes=axes, per_step=per_step, out=got)
    hexes = [Hex(str(i), q, r) for i, (q, r) in enumerate(places)]
    assert got.tolist() == [[per_step * a.distance(b) for b in hexes] for a in hexes]


# --- reach_within ---------------------------------------------------------------------------------------


@examples(150, 60)
@given(st.integers(1, 8), st.integers(0, 9), st.integers(0, 3), seeds)
def test_reach_within(n: int, segments: int, n_axes: int, seed: int) -> None:
    chance = random.Random(seed)
    hops = ints([[chance.choice([0, 1, 2, 3, k.NO_WAY]) for _ in range(n)] for _ in range(n)])
    for x in range(n):
        hops[x, x] = 0
    flags = ints([chance.choice([0, k.BETWEEN, k.BETWEEN | k.TOKEN, k.TOKEN]) for _ in range(n)])
    axes = ints([[chance.randint(-9, 9) for _ in range(n_axes)] for _ in range(n)]).reshape(n, n_axes)
    of_nodes = np.array([chance.randrange(8) for _ in range(n)], dtype=np.uint64)
    of_segments = np.array([chance.choice([0, 8, 16]) for _ in range(segments)], dtype=np.uint64)
    a = ints([chance.randrange(n) for _ in range(segments)])
    b = ints([chance.randrange(n) for _ in range(segments)])
    steps = chance.randint(1, 5)
    span = np.full((n, steps, 2 * n_axes), 77, dtype=np.int64)
    extra = np.full((n, steps), 77, dtype=np.uint64)
    call(
        k.reach_within,
        hops=hops,
        flags=flags,
        axes=axes,
        node_extra=of_nodes,
        seg_a=a,
        seg_b=b,
        seg_extra=of_segments,
        span=span,
        extra=extra,
    )
    for x, r in itertools.product(range(n), range(steps)):
        near = {y for y in range(n) if hops[x, y] <= r}
        along = {s for s in range(segments) if {int(a[s]), int(b[s])} <= near}
        bits = [*(int(of_nodes[y]) for y in near), *(int(of_segments[s]) for s in along)]
        assert int(extra[x, r]) == functools.reduce(operator.or_, bits, 0)
        measured = [y for y in near if flags[y] & k.BETWEEN]
        for f in range(n_axes):
            assert span[x, r, f] == max((axes[y, f] for y in measured), default=-k.FAR_OUT)
            assert span[x, r, n_axes + f] == min((axes[y, f] for y in measured), default=k.FAR_OUT)


# --- best_payment ---------------------------------------------------------------------------------------


@dataclass
class Payment:
    """The stops of one route and the rules by which they pay."""

    stops: list[int]
    flags: list[int]
    value: list[int]
    limits: list[tuple[frozenset[int], int]]
    bonuses: list[tuple[int, list[frozenset[int]], bool]]
    """Amount, sets, whether a visit is enough."""
    hexes: list[int]
    once: bool
    token_pays: bool
    backwards: bool

    @classmethod
    def draw(cls, chance: random.Random) -> Payment:
        n = chance.randint(1, 7)
        every = range(n)
        kinds_of = [chance.choice("ctoh") for _ in every]
        limits = []
        for family in chance.choice(["", "c", "ct", "cto", "c|t", "c|ct", "co|cto|ctoh", "c|o|co"]).split(
            "|"
        ):
            if family:
                limits.append((frozenset(i for i in every if kinds_of[i] in family), chance.randint(0, 4)))
        bonuses = []
        for _ in range(chance.choice([0, 0, 1, 2, 3])):
            sets = [
                frozenset(chance.sample(every, min(n, chance.randint(1, 3))))
                for _ in range(chance.randint(1, 2))
            ]
            bonuses.append((chance.choice([5, 10, 40, 100]), sets, chance.random() < 0.3))
        must = chance.choice(["", "", "c", "to", "ctoh"])
        flags = []
        for kind in kinds_of:
            flag = k.MUST if kind in must else chance.choice([k.OPTIONAL, k.OPTIONAL, k.OPTIONAL, 0])
            flags.append(flag | chance.choice([0, k.TOKEN]) | k.ALLOWED | k.END)
        stops = chance.sample(every, chance.randint(1, n))
        return cls(
            stops=stops,
            flags=flags,
            value=[chance.choice([0, 10, 20, 30, 50, 70, 100]) for _ in every],
            limits=limits,
            bonuses=bonuses,
            hexes=[chance.randint(0, 3) for _ in every],
            once=chance.random() < 0.4,
            token_pays=chance.random() < 0.4,
            backwards=chance.random() < 0.5,
        )

    def kernel(self) -> tuple[int, set[int]]:
        """Return what the kernel says: the money and the paying stops."""
        n = len(self.flags)
        pointers, rows = [0], []
        for _, sets, _ in self.bonuses:
            rows += [[i in members for i in range(n)] for members in sets]
            pointers.append(len(rows))
        params = np.zeros(k.P_SIZE, dtype=np.int64)
        params[k.P_HEX_PAYS_ONCE] = self.once
        params[k.P_TOKEN_PAYS] = self.token_pays
        chosen = np.full(n, -7, dtype=np.int64)
        money = call(
            k.best_payment,
            stops=ints([*self.stops, *[-1] * (n - len(self.stops))]),
            n_stops=len(self.stops),
            flags=ints(self.flags),
            value=ints(self.value),
            pay_inc=ints([[i in members for i in range(n)] for members, _ in self.limits]).reshape(-1, n),
            pay_cap=ints([most for _, most in self.limits]),
            bonus_amount=ints([amount for amount, _, _ in self.bonuses]),
            bonus_visit=ints([visit for _, _, visit in self.bonuses]),
            set_ptr=ints(pointers),
            set_of=np.array(rows, dtype=np.uint8).reshape(-1, n),
            hex_of=ints(self.hexes),
            params=params,
            chosen=chosen,
            backwards=int(self.backwards),
        )
        paying = {stop for stop, flag in zip(self.stops, chosen, strict=False) if flag == 1}
        return int(money), paying

    def allowed(self, paying: set[int]) -> bool:
        """Whether a set of stops may pay."""
        forced = {stop for stop in self.stops if self.flags[stop] & k.MUST}
        free = {stop for stop in self.stops if self.flags[stop] & k.OPTIONAL}
        if not forced <= paying <= forced | free:
            return False
        if any(len(paying & members) > most for members, most in self.limits):
            return False
        return not self.token_pays or any(self.flags[stop] & k.TOKEN for stop in paying)

    def worth(self, paying: set[int]) -> int:
        """Return what a set of paying stops brings."""
        total, seen = 0, set()
        for stop in self.stops[::-1] if self.backwards else self.stops:
            if stop in paying:
                if not (self.once and self.hexes[stop] in seen):
                    total += self.value[stop]
                seen.add(self.hexes[stop])
        for amount, sets, visit in self.bonuses:
            if all(members & (set(self.stops) if visit else paying) for members in sets):
                total += amount
        return total

    def best(self) -> int:
        """Return the most that any allowed set brings, -1 if there is none."""
        return max((self.worth(paying) for paying in subsets(self.stops) if self.allowed(paying)), default=-1)


def subsets(items: Sequence[int]) -> Iterator[set[int]]:
    for size in range(len(items) + 1):
        yield from map(set, itertools.combinations(items, size))


@examples(2000, 500)
@given(seeds)
def test_best_payment(seed: int) -> None:
    case = Payment.draw(random.Random(seed))
    money, paying = case.kernel()
    assert money == case.best()
    if money >= 0:
        assert case.allowed(paying)
        assert case.worth(paying) == money


@pytest.mark.parametrize("extra", [0, 1])
def test_too_many_stops_that_bonuses_care_for(extra: int) -> None:
    n = k.MAX_KEYS + extra if COMPILED else 17
    if not COMPILED and not extra:
        pytest.skip("2^16 combinations take too long interpreted")
    case = Payment(
        stops=list(range(n)),
        flags=[k.OPTIONAL] * n,
        value=[10] * n,
        limits=[(frozenset(range(n)), 3)],
        bonuses=[(5, [frozenset(range(n))], False)],
        hexes=list(range(n)),
        once=False,
        token_pays=False,
        backwards=False,
    )
    assert case.kernel()[0] == (-2 if extra else 35)


def test_a_walk_with_too_many_stops_that_bonuses_care_for_says_so() -> None:
    names = [f"n{i:02}" for i in range(k.MAX_KEYS + 2)]
    line = RouteProblem(
        tuple(Node(name, "city", name, 10, token=name == names[0]) for name in names),
        tuple(Segment(a, a, b, (a,), (a, b)) for a, b in itertools.pairwise(names)),
        (Train("t", "t", pay=(Limit(kinds("city"), 2),), ends=frozenset((names[0], names[-1]))),),
        terms=(StopBonus("all", 10, (frozenset(names),)),),
    )
    with pytest.raises(Unsupported, match="more than 16 stops"):
        Search(line, line.trains[0]).routes(1)


# --- enumerate_routes -----------------------------------------------------------------------------------


@examples(200, 80)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=2), st.sampled_from([1, 2, 400_000]))
def test_enumerate_all_routes_in_slices_of_any_size(problem: RouteProblem, slice_: int) -> None:
    for search in lay_out(problem):
        work, whole = sliced(slice_), Work()
        found = search.walker().routes(0, 20_000, work)
        assert found.floor == 0
        assert search.walked(found) == all_routes(problem, search.train)
        search.walker().routes(0, 20_000, whole)
        assert work.expansions == whole.expansions


@examples(200, 80)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), st.integers(0, 400))
def test_enumerate_above_a_threshold(problem: RouteProblem, threshold: int) -> None:
    for search in lay_out(problem):
        alone = all_routes(problem, search.train)
        expected = {path: money for path, money in alone.items() if money >= threshold}
        assert search.walked(search.routes(threshold)) == expected


@examples(200, 80)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), seeds, st.integers(-200, 300))
def test_enumerate_with_prices(problem: RouteProblem, seed: int, wanted: int) -> None:
    chance = random.Random(seed)
    for search in lay_out(problem):
        scale = chance.choice([1, 8, 64])
        price = ints([chance.choice([0, 0, 1, chance.randint(0, 60 * scale)]) for _ in range(search.rows)])
        threshold = wanted * scale + chance.randint(0, scale)
        work = sliced(chance.choice([1, 10**6]))
        found = search.walker(price=price, scale=scale).routes(threshold, 20_000, work)
        expected = {
            path: money
            for path, money in all_routes(problem, search.train).items()
            if money * scale - search.charges(path, price) >= threshold
        }
        assert search.walked(found) == expected


@examples(150, 60)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), st.data())
def test_enumerate_beside_track_in_use(problem: RouteProblem, data: st.DataObject) -> None:
    taken = data.draw(st.sets(st.sampled_from(problem.segments), max_size=3)) if problem.segments else set()
    pieces = {name for segment in taken for name in segment.track}
    for search in lay_out(problem):
        bits = search.bits([segment.id for segment in taken])
        expected = {
            path: money
            for path, money in all_routes(problem, search.train).items()
            if not pieces & {piece for name in path[1] for piece in problem.segment_by_id[name].track}
        }
        assert search.walked(search.routes(taken=bits)) == expected


@examples(200, 80)
@given(
    problems(terms="single", max_nodes=7, max_segments=12, max_trains=1),
    st.integers(1, 6),
    st.integers(0, 60),
    seeds,
)
def test_enumerate_into_a_room_that_is_too_small(
    problem: RouteProblem, most: int, threshold: int, seed: int
) -> None:
    """The floor tells what may be missing; nothing above it is."""
    chance = random.Random(seed)
    for search in lay_out(problem):
        scale = chance.choice([1, 64])
        price = ints([chance.randint(0, 20 * scale) if scale > 1 else 0 for _ in range(search.rows)])
        walker = search.walker(price=price, scale=scale)
        found = walker.routes(threshold, most, sliced(chance.choice([1, 3, 10**6])))
        assert found.floor >= threshold
        assert len(found) <= 2 * most + 1
        worth = {
            path: money * scale - search.charges(path, price)
            for path, money in all_routes(problem, search.train).items()
        }
        got = search.walked(found)
        assert {path for path, money in worth.items() if money >= found.floor} <= set(got)
        assert all(worth[path] >= threshold for path in got)


@examples(150, 60)
@given(problems(terms="single", max_nodes=8, max_segments=12, max_trains=1))
def test_enumerate_counts(problem: RouteProblem) -> None:
    for search in lay_out(problem):
        expected = [0] * (len(search.graph.nodes) + 2)
        for route in naive_routes(problem, search.train):
            expected[len(route.nodes)] += 1
        for slice_ in (1, 400_000):
            assert search.walker().perft(sliced(slice_)).tolist() == expected


# --- stored paths ----------------------------------------------------------------------------------------


@examples(100, 50)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), seeds)
def test_what_is_read_along_stored_paths(problem: RouteProblem, seed: int) -> None:
    chance = random.Random(seed)
    for search in lay_out(problem):
        graph, found = search.graph, search.routes()
        n, m = len(graph.node_ids), len(graph.segment_ids)
        visit = ints([chance.randint(-5, 50) for _ in range(n)])
        cost = ints([chance.randint(-5, 50) for _ in range(m)])
        bits = [frozenset(chance.sample(KEYS, 3)) for _ in range(n + m)]
        less = found.value.copy()
        reduced = np.full(len(found), -1, dtype=np.int64)
        joined = np.zeros((len(found), 2), dtype=np.uint64)
        common = {
            "start": found.start,
            "path": found.path,
            "seg_a": graph.seg_a,
            "seg_b": graph.seg_b,
            "visit": visit,
            "node_words": words(bits[:n]),
            "seg_words": words(bits[n:]),
        }
        call(k.take_visits, value=less, **common)
        call(k.trace_words, out=joined, **common)
        call(k.path_reduced, value=found.value, seg_cost=cost, out=reduced, **common)
        for i in range(len(found)):
            nodes, segments = travel(graph, found.route(i))
            on = [graph.node_index[name] for name in nodes]
            along = [graph.segment_ids.index(name) for name in segments]
            assert less[i] == int(found.value[i]) - sum(int(visit[x]) for x in on)
            assert reduced[i] == int(found.value[i]) - sum(int(cost[x]) for x in along)
            keys = frozenset().union(*(bits[x] for x in on), *(bits[n + x] for x in along))
            assert (joined[i] == words([keys])[0]).all()


# --- candidates in general ------------------------------------------------------------------------------


TRACK = frozenset(key for key in KEYS if key < 64)
"""Rows of track; the others pay once."""


def parts(links: Sequence[frozenset[int]], seen: frozenset[int]) -> int:
    """Return into how many parts candidates fall by links among ``seen``."""
    meeting: nx.Graph[int] = nx.Graph()
    meeting.add_nodes_from(range(len(links)))
    pairs = itertools.combinations(range(len(links)), 2)
    meeting.add_edges_from((a, b) for a, b in pairs if links[a] & links[b] & seen)
    return nx.number_connected_components(meeting)


def credited(pairs: Sequence[tuple[int, int, int]], areas: frozenset[int]) -> int:
    """Return with what a candidate at ``areas`` is credited."""
    return sum(
        (2 * i in areas) * share + (2 * i + 1 in areas) * (amount - share)
        for i, (amount, share, _) in enumerate(pairs)
    )


def splits(members: list[int]) -> Iterator[list[list[int]]]:
    """Yield all ways to split members into sets."""
    if not members:
        yield []
        return
    first, *rest = members
    for split in splits(rest):
        yield [[first], *split]
        for at in range(len(split)):
            yield [*split[:at], [first, *split[at]], *split[at + 1 :]]


def earned(
    pairs: Sequence[tuple[int, int, int]],
    areas: Sequence[frozenset[int]],
    links: Sequence[frozenset[int]],
    meeting: Sequence[frozenset[int]],
) -> int:
    """Return what candidates earn by pairs of areas, split in the best way."""
    total = 0
    for term, seen in enumerate(meeting):
        best = 0
        for split in splits(list(range(len(areas)))):
            if any(parts([links[i] for i in members], seen) > 1 for members in split):
                continue
            touched = [frozenset().union(*(areas[i] for i in members)) for members in split]
            money = sum(
                amount
                for here in touched
                for i, (amount, _, number) in enumerate(pairs)
                if number == term and {2 * i, 2 * i + 1} <= here
            )
            best = max(best, money)
        total += best
    return total


@dataclass
class Pool:
    """Candidates of several profiles, with prices on their rows.

    Attributes
    ----------
    value, keys, links, ends, excess
        Per profile and candidate: score, rows used (track below 64, above it rows that pay once), links, ends
        of the chain, and how much the score is too high if none shares an end.
    counts
        How many candidates of a profile a set holds at most.
    worth, price
        Per row: what it pays once, and its price.
    needs, touch
        Links of which a set needs one each; whether all must hang together by links below 64.
    islands, passable
        Per profile into how many parts its candidates may fall by these links, 0 if into any number.
    again
        Whether a candidate may be taken several times; there is no track then.
    areas
        Per profile and candidate the areas that it touches; its value holds its share of their pairs.
    pairs
        Amount, share of the first area, and term; pair ``i`` is of the areas ``2 * i`` and ``2 * i + 1``.
    meeting
        Per term the links by which a set meets.
    """

    value: list[list[int]]
    keys: list[list[frozenset[int]]]
    links: list[list[frozenset[int]]]
    ends: list[list[frozenset[int]]]
    excess: list[list[int]]
    counts: list[int]
    worth: Ints
    price: Ints
    scale: int
    needs: list[frozenset[int]]
    touch: bool
    islands: list[int]
    passable: frozenset[int]
    again: bool
    areas: list[list[frozenset[int]]]
    pairs: list[tuple[int, int, int]]
    meeting: list[frozenset[int]]

    @classmethod
    def draw(cls, chance: random.Random, most: int, *, simple: bool = False) -> Pool:
        """Draw candidates; ``simple``: nothing counts but track."""
        once = not simple and chance.random() < 0.5
        again = chance.random() < 0.2
        linked = not simple and chance.random() < 0.4
        chained = not simple and chance.random() < 0.3
        scale = chance.choice([1, 64])
        rows = [key for key in KEYS if key < 64 and not again] + [key for key in KEYS if key >= 64 and once]
        worth = np.zeros(128, dtype=np.int64)
        price = np.zeros(128, dtype=np.int64)
        for key in rows:
            if key >= 64:
                worth[key] = 10 * chance.randint(1, 8)
            top = int(worth[key]) * scale if key >= 64 else 120 * scale
            price[key] = chance.choice([0, 0, chance.randint(0, top)])
        sizes = [chance.randint(0, most) for _ in range(chance.randint(1, 3))]

        def each(draw: Callable[[], T]) -> list[list[T]]:
            return [[draw() for _ in range(size)] for size in sizes]

        def some(names: Sequence[int], least: int, top: int) -> frozenset[int]:
            top = min(top, len(names))
            return frozenset(chance.sample(names, chance.randint(min(least, top), top)))

        keys = each(lambda: some(rows, 1, 4))
        besides = each(lambda: chance.randint(0 if once else 1, 30) * 10)
        pairs: list[tuple[int, int, int]] = []
        if linked:
            for term in range(chance.choice([0, 1, 1, 2])):
                for _ in range(chance.randint(1, 2)):
                    amount = chance.choice([10, 45, 100])
                    pairs.append((amount, chance.choice([0, amount // 2, amount]), term))
        names = range(2 * len(pairs))
        areas = each(lambda: frozenset(area for area in names if chance.random() < 0.4))
        value = [
            [
                money + sum(int(worth[key]) for key in own) + credited(pairs, touched)
                for money, own, touched in zip(a, b, c, strict=True)
            ]
            for a, b, c in zip(besides, keys, areas, strict=True)
        ]
        return cls(
            value=value,
            keys=keys,
            links=each(lambda: some(KEYS, 1, 3) if linked else frozenset()),
            ends=each(lambda: some((3, 4, 5, 66), 2, 2) if chained else frozenset()),
            excess=each(lambda: chance.choice([0, 10, 20]) if chained else 0),
            counts=[chance.randint(1, 3) for _ in sizes],
            worth=worth,
            price=price,
            scale=scale,
            needs=[some(KEYS, 1, 4) for _ in range(chance.choice([0, 0, 1, 2]))] if linked else [],
            touch=linked and chance.random() < 0.5,
            islands=[chance.choice([0, 1, 2]) if linked else 0 for _ in sizes],
            passable=some(KEYS, 3, 9),
            again=again,
            areas=areas,
            pairs=pairs,
            meeting=[some(KEYS, 3, 9) for _ in range(1 + max((term for *_, term in pairs), default=-1))],
        )

    def reduced(self) -> list[list[int]]:
        """Return the scaled values less prices, per profile."""
        return [
            [money * self.scale - sum(int(self.price[key]) for key in keys) for money, keys in pairs]
            for pairs in (list(zip(v, r, strict=True)) for v, r in zip(self.value, self.keys, strict=True))
        ]

    def sets(self) -> Iterator[Choice]:
        """Yield every set that is allowed, with its score; the empty one is always allowed."""
        pick = itertools.combinations_with_replacement if self.again else itertools.combinations
        ways = [
            [
                tuple((p, i) for i in chosen)
                for size in range(count + 1)
                for chosen in pick(range(len(row)), size)
            ]
            for p, (row, count) in enumerate(zip(self.value, self.counts, strict=True))
        ]
        for parts in itertools.product(*ways):
            chosen = [one for part in parts for one in part]
            score = self.score(chosen)
            if score is not None:
                yield score, tuple(sorted(chosen))

    def ways(self) -> int:
        """Return how many sets there are."""
        pick = itertools.combinations_with_replacement if self.again else itertools.combinations
        return math.prod(
            sum(1 for size in range(count + 1) for _ in pick(row, size))
            for row, count in zip(self.value, self.counts, strict=True)
        )

    def score(self, chosen: Sequence[tuple[int, int]]) -> int | None:
        """Return the score of a set, ``None`` if it is not allowed."""
        uses = Counter(key for p, i in chosen for key in self.keys[p][i])
        if any(uses[key] > 1 for key in TRACK):
            return None
        links = [self.links[p][i] for p, i in chosen]
        if chosen and not all(any(need & link for link in links) for need in self.needs):
            return None
        if self.touch and parts(links, TRACK) > 1:
            return None
        for profile, most in enumerate(self.islands):
            own = [self.links[p][i] for p, i in chosen if p == profile]
            if most and parts(own, self.passable) > most:
                return None
        total = sum(self.value[p][i] for p, i in chosen)
        total -= sum(int(self.worth[key]) * (times - 1) for key, times in uses.items() if key not in TRACK)
        ends = [self.ends[p][i] for p, i in chosen]
        for at, (p, i) in enumerate(chosen):
            if not any(ends[at] & other for q, other in enumerate(ends) if q != at):
                total -= self.excess[p][i]
        areas = [self.areas[p][i] for p, i in chosen]
        total -= sum(credited(self.pairs, touched) for touched in areas)
        return total + earned(self.pairs, areas, links, self.meeting)

    def best(self) -> int:
        return max(score for score, _ in self.sets())

    def lagrangian(self, price: Ints) -> int:
        """Return the bound that prices prove, scaled."""
        bound = sum(int(amount) for amount in price)
        for reduced, count in zip(replace(self, price=price).reduced(), self.counts, strict=True):
            top = max([0, *reduced])
            falling = [top] * count if self.again else sorted(reduced, reverse=True)[:count]
            bound += sum(max(0, amount) for amount in falling)
        return bound


@examples(500, 200)
@given(seeds)
def test_reduced_values(seed: int) -> None:
    pool = Pool.draw(random.Random(seed), most=12)
    value = [money * pool.scale for row in pool.value for money in row]
    keys = [one for row in pool.keys for one in row]
    out = np.full(len(value), -1, dtype=np.int64)
    call(k.reduced_values, value=ints(value), mask=words(keys), price=pool.price, out=out)
    assert out.tolist() == [money for row in pool.reduced() for money in row]


@examples(300, 100)
@given(st.integers(1, 2**64 - 1), st.integers(0, 63))
def test_lowest_bit(word: int, shift: int) -> None:
    for one in (word, 1 << shift, word >> shift << shift):
        if one:
            assert call(k.lowest_bit, word=np.uint64(one)) == (one & -one).bit_length() - 1


@examples(500, 200)
@given(seeds)
def test_mark_dominated(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.choice([chance.randint(0, 15), 60])
    value = [chance.randint(0, 5) for _ in range(size)]
    keys = [frozenset(chance.sample(KEYS, chance.randint(0, 4))) for _ in range(size)]
    links = [frozenset(chance.sample(KEYS[:4], chance.choice([0, 1, 2]))) for _ in range(size)]
    track = chance.choice([0, 1, 2])
    rows = {key for key in KEYS if key < 64 * track}
    out = np.zeros(size, dtype=np.uint8)
    call(
        k.mark_dominated,
        value=ints(value),
        mask=words(keys),
        n_track=track,
        link=words(links),
        dominated=out,
    )

    def replaces(j: int, i: int) -> bool:
        less_track = keys[j] & rows <= keys[i] & rows
        return (
            value[j] >= value[i] and less_track and keys[i] - rows <= keys[j] - rows and links[i] <= links[j]
        )

    arrays = {"value": ints(value), "mask": words(keys), "link": words(links)}
    for i, j in itertools.product(range(min(size, 15)), repeat=2):
        assert call(k.can_replace, n_track=track, j=j, i=i, **arrays) == replaces(j, i)
    assert out.tolist() == [any(replaces(j, i) for j in range(i)) for i in range(size)]


@examples(500, 150)
@given(seeds)
def test_improve_prices(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance, most=5)
    start = list(itertools.accumulate((len(row) for row in pool.value), initial=0))
    keys = [one for row in pool.keys for one in row]
    out = np.full(128, -1, dtype=np.int64)
    cap = np.full(128, 1 << 60, dtype=np.int64)
    cap[64:] = pool.worth[64:] * pool.scale
    target = chance.choice([0, pool.best() * pool.scale, (pool.best() + 10) * pool.scale])
    bound = call(
        k.improve_prices,
        value=ints([money * pool.scale for row in pool.value for money in row]),
        mask=words(keys),
        start=ints(start),
        slots=ints(pool.counts),
        cap=cap,
        price=pool.price.copy(),
        best_price=out,
        target=target,
        rounds=chance.choice([1, 5, 60]),
        again=pool.again,
    )
    assert (out >= 0).all()
    assert (out <= cap).all()
    assert bound == pool.lagrangian(out)
    assert pool.best() * pool.scale <= bound <= pool.lagrangian(pool.price)


def pack(pool: Pool, target: int, slice_: int, *, rising: bool, rise: int = 0) -> list[Choice]:
    """Return the sets that the kernel finds; ``rising``: each must be better than the one before.

    With a ``rise`` that is so even within a slice, of which the last one found is returned.
    """
    order = [sorted(range(len(row)), key=lambda i, row=row: -row[i]) for row in pool.reduced()]

    def sorted_flat(rows: Sequence[Sequence[T]]) -> list[T]:
        return [row[i] for row, by in zip(rows, order, strict=True) for i in by]

    start = list(itertools.accumulate(map(len, order), initial=0))
    slots = sum(pool.counts)
    width = slots + 1
    slot_profile = np.repeat(np.arange(len(pool.counts)), pool.counts)
    once = bool(pool.worth.any())
    track = 0 if pool.again else 1
    mask = words(sorted_flat(pool.keys))[:, 1 - track : 2 if once else 1]
    size = len(mask)
    cover = 1 if once else 0
    net = pool.worth * pool.scale - pool.price
    needs = words(pool.needs)
    state = np.zeros(k.K_SIZE, dtype=np.int64)
    state[k.K_TARGET] = target
    choice = np.full(width, -1, dtype=np.int64)
    arrays = {
        "value": ints(sorted_flat(pool.value)),
        "reduced": ints(sorted_flat(pool.reduced())),
        "mask": np.ascontiguousarray(mask),
        "n_track": track,
        "start": ints(start),
        "net_worth": net[64 : 64 + 64 * cover].copy(),
        "net_table": k.byte_table(net[64 : 64 + 64 * cover].copy()),
        "worth_table": k.byte_table(pool.worth[64 : 64 + 64 * cover].copy()),
        "link": words(sorted_flat(pool.links)),
        "needs": needs,
        "n_touch": int(pool.touch),
        "most_islands": ints(pool.islands),
        "passable": words([pool.passable])[0],
        "again": pool.again,
        "excess": ints(sorted_flat(pool.excess)),
        "ends": words(sorted_flat(pool.ends)),
        "touched": ints([sum(1 << area for area in areas) for areas in sorted_flat(pool.areas)]),
        "pairs": ints(pool.pairs).reshape(len(pool.pairs), 3),
        "meeting": words(pool.meeting),
        "slot_profile": slot_profile,
        "next_profile_slot": np.repeat(np.cumsum(pool.counts), pool.counts),
        "priced": bool(pool.price.any()),
        "price_table": k.byte_table(pool.price[64 * (1 - track) : 64 * (1 + cover)].copy()),
        "scale": pool.scale,
        "rise": rise * pool.scale,
        "state": state,
        "cursor": np.zeros(8 * width, dtype=np.int64),
        "list_start": np.zeros((width, len(pool.counts) + 1), dtype=np.int64),
        "lists": np.empty((width, size), dtype=np.int64),
        "list_reduced": np.empty((width, size), dtype=np.int64),
        "used": np.zeros((width, mask.shape[1]), dtype=np.uint64),
        "best": choice,
    }
    found: list[Choice] = []
    while True:
        code = call(k.pack_routes, slice_=slice_, **arrays)
        if code == k.DONE:
            return found
        if code == k.FOUND:
            chosen = [
                (int(p), order[p][c - start[p]])
                for p, c in zip(slot_profile.tolist(), choice[:slots].tolist(), strict=True)
                if c >= 0
            ]
            found.append((int(state[k.K_BEST]), tuple(sorted(chosen))))
            if rising:
                state[k.K_TARGET] = (found[-1][0] + 1) * pool.scale


@examples(800, 200)
@given(seeds)
def test_pack_routes_finds_the_best(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance, most=5)
    sets = {chosen: score for score, chosen in pool.sets()}
    best = max(sets.values())
    least = chance.choice([0, 1, 50, best, best + 1])
    slice_, rise = chance.choice([1, 2, 5, 10**6]), chance.choice([0, 0, 1])
    found = pack(pool, least * pool.scale, slice_, rising=True, rise=rise)
    if rise and slice_ == 10**6:
        assert len(found) <= 1
    assert all(sets[chosen] == score >= least for score, chosen in found)
    scores = [score for score, _ in found]
    assert scores == sorted(set(scores))
    assert scores[-1:] == ([best] if best >= least else [])


@examples(500, 150)
@given(seeds)
def test_pack_routes_finds_every_set_that_reaches_a_target(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance, most=4)
    sets = list(pool.sets())
    least = max(1, max(sets)[0] - chance.choice([0, 10, 50, 300]))
    found = pack(pool, least * pool.scale, chance.choice([1, 3, 10**6]), rising=False)
    assert sorted(found) == sorted(one for one in sets if one[0] >= least)


@examples(300, 100)
@given(seeds)
def test_area_money_and_shift(seed: int) -> None:
    chance = random.Random(seed)
    pairs = []
    for term in range(chance.randint(1, 2)):
        for _ in range(chance.randint(1, 2)):
            amount = chance.choice([10, 45, 100])
            pairs.append((amount, chance.choice([0, amount // 2, amount]), term))
    size = 7
    areas = [frozenset(a for a in range(2 * len(pairs)) if chance.random() < 0.5) for _ in range(size)]
    links = [frozenset(chance.sample(KEYS, chance.randint(0, 3))) for _ in range(size)]
    meeting = [frozenset(chance.sample(KEYS, 5)) for _ in range(pairs[-1][2] + 1)]
    chosen = chance.sample(range(size), chance.randint(0, 4))
    touched = ints([sum(1 << area for area in own) for own in areas])
    money = call(
        k.area_money,
        choice=ints([*chosen, -1]),
        n_slots=len(chosen) + 1,
        touched=touched,
        link=words(links),
        pairs=ints(pairs),
        meeting=words(meeting),
    )
    here = [areas[i] for i in chosen]
    assert money == earned(pairs, here, [links[i] for i in chosen], meeting)

    def most(sets: Sequence[frozenset[int]]) -> int:
        """Return what is earned if everything meets."""
        counts = Counter(area for own in sets for area in own)
        return sum(amount * min(counts[2 * i], counts[2 * i + 1]) for i, (amount, *_) in enumerate(pairs))

    left = chance.randint(1, 2)
    shift = np.zeros((len(pairs), 4), dtype=np.int64)
    change = call(
        k.area_shift,
        chosen=ints([-1, *chosen]),
        first=1,
        count=len(chosen),
        left=left,
        touched=touched,
        pairs=ints(pairs),
        shift=shift,
    )

    def anew(own: frozenset[int]) -> int:
        moved = sum(int(shift[i, (2 * i in own) + 2 * (2 * i + 1 in own)]) for i in range(len(pairs)))
        return credited(pairs, own) + moved

    base = sum(credited(pairs, own) for own in here) + change
    for more in itertools.combinations(areas, left):
        bound = base + sum(map(anew, more))
        assert bound >= most([*here, *more])
        if left == 1:
            assert bound == most([*here, *more])


def test_area_money_of_many_is_a_bound() -> None:
    many = k.MAX_SPLIT + 1
    money = call(
        k.area_money,
        choice=np.arange(many),
        n_slots=many,
        touched=ints([1] * (many - 2) + [2, 2]),
        link=np.zeros((many, 1), dtype=np.uint64),
        pairs=ints([(40, 20, 0)]),
        meeting=np.ones((1, 1), dtype=np.uint64),
    )
    assert money == 80


@examples(300, 100)
@given(seeds)
def test_byte_table_and_repeated_worth(seed: int) -> None:
    chance = random.Random(seed)
    worth = ints([chance.choice([0, chance.randint(1, 90)]) for _ in range(64)])
    table = call(k.byte_table, worth=worth)
    for byte, pattern in (
        (0, 0),
        (7, 255),
        *((chance.randrange(8), chance.randrange(256)) for _ in range(20)),
    ):
        assert table[byte, pattern] == sum(
            int(worth[byte * 8 + bit]) for bit in range(8) if pattern >> bit & 1
        )
    keys = [frozenset(chance.sample(KEYS, chance.randint(0, 5))) for _ in range(4)]
    seen = [frozenset(chance.sample(KEYS, chance.randint(0, 5))) for _ in range(3)]
    for i, level in itertools.product(range(4), range(3)):
        got = call(
            k.repeated_worth, mask=words(keys), i=i, used=words(seen), level=level, n_track=1, table=table
        )
        assert got == sum(int(worth[key - 64]) for key in keys[i] & seen[level] if key >= 64)


@examples(500, 150)
@given(seeds)
def test_hangs_together(seed: int) -> None:
    chance = random.Random(seed)
    link = [frozenset(chance.sample(KEYS, chance.randint(0, 3))) for _ in range(5)]
    needs = [frozenset(chance.sample(KEYS, chance.randint(1, 4))) for _ in range(chance.choice([0, 0, 1, 2]))]
    choice = [chance.choice([-1, *range(5)]) for _ in range(chance.randint(1, 4))]
    touch = chance.choice([0, 1, 2])
    rows = frozenset(key for key in KEYS if key < 64 * touch)
    profiles = sorted(chance.randint(0, 1) for _ in choice)
    islands = [chance.choice([0, 1, 2]) for _ in range(2)]
    passable = frozenset(chance.sample(KEYS, 6))
    got = call(
        k.hangs_together,
        choice=ints(choice),
        n_slots=len(choice),
        link=words(link),
        needs=words(needs),
        n_touch=touch,
        slot_profile=ints(profiles),
        most_islands=ints(islands),
        passable=words([passable])[0],
    )
    chosen = [link[c] for c in choice if c >= 0]
    together = touch == 0 or parts(chosen, rows) < 2
    for profile, most in enumerate(islands):
        own = [link[c] for c, p in zip(choice, profiles, strict=True) if c >= 0 and p == profile]
        together = together and (not most or parts(own, passable) <= most)
    met = all(any(need & one for one in chosen) for need in needs)
    assert got == (not chosen or (together and met))


@examples(300, 60)
@given(seeds)
def test_keep_linking_keeps_every_wanted_set(seed: int) -> None:
    """Every set that reaches the target and hangs together stays, and is within the bound."""
    chance = random.Random(seed)
    touch = chance.choice([0, 1, 2])
    rows = frozenset(key for key in KEYS if key < 64 * touch)
    needs = [frozenset(chance.sample(KEYS, chance.randint(1, 4))) for _ in range(chance.choice([0, 0, 1, 2]))]
    again = chance.random() < 0.5
    profiles = sorted(chance.randint(0, 2) for _ in range(chance.randint(2, 5)))
    level = chance.randint(1, len(profiles) - 1)
    link = [frozenset(chance.sample(KEYS, chance.randint(1, 3))) for _ in range(level + 9)]
    chosen = [-1 if i < level - 1 and chance.random() < 0.2 else i for i in range(level)]
    left = profiles[level:]
    lists = {p: sorted(chance.sample(range(level, level + 9), chance.randint(0, 4))) for p in range(3)}
    money = {c: chance.randint(-20, 40) for c in range(level, level + 9)}
    flat = [c for p in range(left[0], 3) for c in lists[p]]
    start = [0] * 4
    for p in range(left[0], 3):
        start[p + 1] = start[p] + len(lists[p])
    tops = 0
    for p in set(left):
        most = sorted((max(0, money[c]) for c in lists[p]), reverse=True)
        tops += sum((most[:1] * left.count(p) if again else most)[: left.count(p)])
    room = chance.randint(0, 40)
    listed = np.full((level + 1, 20), -1, dtype=np.int64)
    reduced = np.zeros((level + 1, 20), dtype=np.int64)
    listed[level, : len(flat)] = flat
    reduced[level, : len(flat)] = [money[c] for c in flat]
    ends = ints(start)
    before = [c for c in chosen if c >= 0]

    got = call(
        k.keep_linking,
        chosen=ints(chosen),
        n_slots=len(profiles),
        link=words(link),
        needs=words(needs),
        n_touch=touch,
        slot_profile=ints(profiles),
        again=again,
        list_start=ends,
        lists=listed[level],
        list_reduced=reduced,
        bound=tops,
        room=room,
        island=np.full((len(profiles) + 2, touch), 77, dtype=np.uint64),
        marks=np.full((4, 20), 77, dtype=np.int64),
        top=np.full(len(profiles), 77, dtype=np.int64),
    )

    kept = {p: listed[level, ends[p] : ends[p + 1]].tolist() for p in range(left[0], 3)}
    for more in itertools.product(*([-1, *lists[p]] for p in left)):
        own = [c for c in more if c >= 0]
        pairs = [(p, c) for p, c in zip(left, more, strict=True) if c >= 0]
        if not again and len(set(pairs)) < len(pairs):
            continue
        total = sum(money[c] for c in own)
        links = [link[c] for c in [*before, *own]]
        if tops - total > room or (touch and parts(links, rows) > 1):
            continue
        if not all(any(need & keys for keys in links) for need in needs):
            continue
        assert got >= total
        assert all(c in kept[p] for p, c in pairs)
    for p, own in kept.items():
        assert [c for c in lists[p] if c in own] == own
        assert [reduced[level, e] for e in range(ends[p], ends[p + 1])] == [money[c] for c in own]


@examples(200, 40)
@given(seeds)
def test_extend_trails(seed: int) -> None:
    chance = random.Random(seed)
    n = chance.randint(1, 5)
    stops = [chance.randint(0, 3) for _ in range(n)]
    bits = {
        (a, b): frozenset(chance.sample(KEYS, 2)) for a in range(n) for b in range(n) if chance.random() < 0.4
    }
    routes = sorted((chance.randint(0, 3), chance.randrange(n)) for _ in range(chance.randint(0, 6)))
    links = [frozenset(chance.sample(KEYS, 1)) for _ in routes]
    wanted: dict[tuple[int, int], frozenset[int]] = {}
    for (a, b), own in bits.items():
        for (stop, end), more in zip(routes, links, strict=True):
            if stop == stops[b]:
                wanted[a, end] = wanted.get((a, end), frozenset()) | own | more
    known, longer = np.zeros((n, n), dtype=np.uint8), np.zeros((n, n), dtype=np.uint8)
    for pair in bits:
        known[pair] = 1
    longer_link = np.zeros((n * n, 2), dtype=np.uint64)
    call(
        k.extend_trails,
        known=known,
        known_link=words([bits.get((a, b), frozenset()) for a in range(n) for b in range(n)]),
        stop=ints(stops),
        ptr=ints([sum(stop < s for stop, _ in routes) for s in range(5)]),
        there=ints([end for _, end in routes]),
        link=words(links),
        longer=longer,
        longer_link=longer_link,
    )
    assert {(int(a), int(b)) for a, b in np.argwhere(longer)} == set(wanted)
    expected = words([wanted.get((a, b), frozenset()) for a in range(n) for b in range(n)])
    assert (longer_link == expected).all()


@examples(200, 40)
@given(seeds)
def test_join_routes(seed: int) -> None:
    chance = random.Random(seed)
    n, stops = chance.randint(1, 5), chance.randint(1, 3)
    stop = [chance.randrange(stops) for _ in range(n)]
    routes = [(chance.randrange(n), chance.randrange(n)) for _ in range(chance.randint(0, 6))]
    links = [frozenset(chance.sample(KEYS, 2)) for _ in routes]
    direct, onward = np.zeros((n, n), dtype=np.uint8), np.zeros((n, stops), dtype=np.uint8)
    direct_link, onward_link = (np.zeros((n * m, 2), dtype=np.uint64) for m in (n, stops))
    known = np.zeros((stops, stops), dtype=np.uint8)
    known_link = np.zeros((stops * stops, 2), dtype=np.uint64)
    call(
        k.join_routes,
        line=ints(routes).reshape(-1, 2),
        link=words(links),
        stop=ints(stop),
        direct=direct,
        direct_link=direct_link,
        onward=onward,
        onward_link=onward_link,
        known=known,
        known_link=known_link,
    )
    both = [
        *zip(routes, links, strict=True),
        *((line[::-1], link) for line, link in zip(routes, links, strict=True)),
    ]
    every = range(n)
    for ways, link, begin, end in (
        (direct, direct_link, every, every),
        (onward, onward_link, every, stop),
        (known, known_link, stop, stop),
    ):
        for a, b in np.ndindex(ways.shape):
            wanted = [own for line, own in both if begin[line[0]] == a and end[line[1]] == b]
            assert ways[a, b] == (len(wanted) > 0)
            assert (link[a * ways.shape[1] + b] == words([frozenset().union(*wanted)])[0]).all()


@examples(200, 40)
@given(seeds)
def test_join_trails(seed: int) -> None:
    chance = random.Random(seed)
    n, stops, slots, trails = (chance.randint(1, most) for most in (6, 3, 2, 3))
    stop, owner = (
        sorted(chance.randrange(stops) for _ in range(n)),
        [chance.randrange(slots) for _ in range(n)],
    )

    def pairs(count: int, other: int) -> dict[tuple[int, int], frozenset[int]]:
        every = itertools.product(range(count), range(other))
        return {pair: frozenset(chance.sample(KEYS, 1)) for pair in every if chance.random() < 0.4}

    direct, onward = pairs(n, n), pairs(n, stops)
    known = [pairs(stops, stops) for _ in range(trails)]
    between = [
        [[chance.randint(-1, trails - 1) for _ in range(2)] for _ in range(slots)] for _ in range(slots)
    ]
    alone = [chance.random() < 0.5 for _ in range(slots)]

    def chains(a: int, b: int) -> Iterator[frozenset[int]]:
        if (a, b) in direct and alone[owner[a]]:
            yield direct[a, b]
        i, j = sorted((owner[a], owner[b]))
        for r in between[i][j]:
            for (s, t), own in known[r].items() if r >= 0 else ():
                ends = (a, s), (b, t)
                if all(end in onward for end in ends):
                    yield own.union(*(onward[end] for end in ends))

    # trails run both ways
    for trail in known:
        for (s, t), own in list(trail.items()):
            trail[s, t] = trail[t, s] = own | trail.get((t, s), own)
    found = {(a, b): list(chains(a, b)) for a in range(n) for b in range(a, n)}
    found = {pair: links for pair, links in found.items() if links}
    wanted = [pair for pair in found if stop[pair[0]] != stop[pair[1]]]

    def laid(of: dict[tuple[int, int], frozenset[int]], count: int, other: int) -> tuple[Bits, Words]:
        every = list(itertools.product(range(count), range(other)))
        bits = np.array([pair in of for pair in every], dtype=np.uint8).reshape(count, other)
        return bits, words([of.get(pair, frozenset()) for pair in every])

    first, last = np.full((2, n * n), 77, dtype=np.int64)
    link, whole = np.full((n * n, 2), 77, dtype=np.uint64), np.zeros(2, dtype=np.uint64)
    trail_bits, trail_links = zip(*(laid(trail, stops, stops) for trail in known), strict=True)
    direct_bits, direct_link = laid(direct, n, n)
    onward_bits, onward_link = laid(onward, n, stops)
    count = call(
        k.join_trails,
        direct=direct_bits,
        direct_link=direct_link,
        onward=onward_bits,
        onward_link=onward_link,
        known=np.stack(trail_bits),
        known_link=np.concatenate(trail_links),
        between=np.array(between, dtype=np.int64),
        alone=np.array(alone, dtype=np.uint8),
        owner=ints(owner),
        stop=ints(stop),
        first=first,
        last=last,
        link=link,
        whole=whole,
    )
    assert list(zip(first[:count].tolist(), last[:count].tolist(), strict=True)) == wanted
    assert (link[:count] == words([frozenset().union(*found[pair]) for pair in wanted])).all()
    assert (whole == words([frozenset().union(*itertools.chain(*found.values()))])[0]).all()


@examples(200, 40)
@given(seeds)
def test_pay_chains(seed: int) -> None:
    chance = random.Random(seed)
    n, count = chance.randint(1, 4), chance.randint(0, 6)
    at_end = [chance.randint(-9, 9) for _ in range(n)]
    apart = [[chance.randint(0, 9) for _ in range(n)] for _ in range(n)]
    outer, covers = ([frozenset(chance.sample(KEYS, 2)) for _ in range(n)] for _ in range(2))
    worth = [chance.randint(0, 9) if key in KEYS else 0 for key in range(128)]
    ends = [(chance.randrange(n), chance.randrange(n)) for _ in range(count)]
    value, mask = np.full(count, 77, dtype=np.int64), np.full((count, 4), 77, dtype=np.uint64)
    call(
        k.pay_chains,
        first=ints([a for a, _ in ends]),
        last=ints([b for _, b in ends]),
        at_end=ints(at_end),
        apart=ints(apart).reshape(n, n),
        outer=words(outer),
        covers=words(covers),
        worth=ints(worth),
        value=value,
        mask=mask,
    )
    for i, (a, b) in enumerate(ends):
        rows = covers[a] | covers[b]
        assert value[i] == at_end[a] + at_end[b] + apart[a][b] + sum(worth[row] for row in rows)
        assert (mask[i] == np.concatenate((*words([outer[a] | outer[b]]), *words([rows])))).all()


@examples(200, 40)
@given(seeds)
def test_trails_ahead(seed: int) -> None:
    chance = random.Random(seed)
    stops, counts = chance.randint(1, 4), [chance.randint(1, 2) for _ in range(chance.randint(1, 3))]
    several = list(itertools.product(*(range(count + 1) for count in counts)))
    step = np.zeros((len(counts), stops, stops), dtype=np.uint8)
    for own in step:
        for s, t in itertools.combinations_with_replacement(range(stops), 2):
            own[s, t] = own[t, s] = chance.random() < 0.3
    last = chance.randrange(len(counts))
    near = [chance.random() < 0.5 for _ in range(stops)]

    def runs(stop: int, used: tuple[int, ...]) -> bool:
        if sum(used) == 1:
            return used[last] == 1 and near[stop]
        return any(
            step[j, stop, t] and runs(t, tuple(c - (i == j) for i, c in enumerate(used)))
            for j, count in enumerate(used)
            for t in range(stops if count else 0)
        )

    one = [tuple(int(i == j) for i in range(len(counts))) for j in range(len(counts))]
    found = np.zeros((len(several), stops), dtype=np.uint8)
    found[several.index(one[last])] = near
    weight = ints([several.index(each) for each in one])
    call(
        k.trails_ahead, step=step, weight=weight, several=ints(several).reshape(-1, len(counts)), found=found
    )
    assert found.tolist() == [[bool(any(used)) and runs(s, used) for s in range(stops)] for used in several]


def _trails(
    routes: Sequence[tuple[int, int, int]], stop: Sequence[int], used: Sequence[int], first: int, last: int
) -> list[tuple[int, ...]]:
    """Return the trails of so many routes per slot, slot by slot, as places in ``routes``."""
    closed = first == last
    found: list[tuple[int, ...]] = []

    def go(at: int, left: Sequence[int], taken: tuple[int, ...], meets: tuple[int, ...]) -> None:
        if not any(left):
            odd = [place for place, times in Counter(meets).items() if times == 1]
            if (closed and not odd and stop[last] in meets) or (not closed and len(odd) == 2):
                found.append(taken)
            return
        for slot, count in enumerate(left):
            for place in range(max(stop) + 1) if count else ():
                for i, (own, a, b) in enumerate(routes):
                    for near, far in ((a, b), (b, a)):
                        if own != slot or stop[near] != at or at != place:
                            continue
                        rest = [*left[:slot], count - 1, *left[slot + 1 :]]
                        if not closed and not taken and near != first:
                            continue
                        if not closed and not any(rest) and far != last:
                            continue
                        go(stop[far], rest, (*taken, i), (*meets, at, stop[far]))

    for begin in range(max(stop) + 1) if closed else [stop[first]]:
        go(begin, used, (), ())
    return found


@examples(150, 40)
@given(seeds)
def test_walk_trails(seed: int) -> None:
    chance = random.Random(seed)
    n, slots = chance.randint(2, 7), chance.randint(1, 3)
    stop = sorted(chance.choice([0, 1, 2, 63, 64, 70]) for _ in range(n))
    pairs = [(a, b) for a, b in itertools.combinations(range(n), 2) if stop[a] != stop[b]]
    routes = sorted(
        (chance.randrange(slots), *chance.choice(pairs)) for _ in range(chance.randint(1, 8) if pairs else 0)
    )
    links = [frozenset(chance.sample(KEYS, 2)) for _ in routes]
    used = chance.choice([counts for counts in itertools.product(range(3), repeat=slots) if sum(counts) < 5])
    first = chance.randrange(n)
    last = first if chance.random() < 0.3 else chance.randrange(n)
    ptr, ways = [], []
    for slot in range(slots):
        own = [
            (i, near, far)
            for i, (j, a, b) in enumerate(routes)
            for near, far in ((a, b), (b, a))
            if j == slot
        ]
        own.sort(key=lambda way: stop[way[1]])
        ptr.append([len(ways) + sum(stop[way[1]] < at for way in own) for at in range(max(stop) + 2)])
        ways += own
    weight = [3**slot for slot in range(slots)]
    ahead = np.zeros((3**slots, max(stop) + 1), dtype=np.uint8)
    for left in itertools.product(*(range(count + 1) for count in used)):
        for a in range(n):
            going = a == last or _trails(routes, stop, left, a, last) or chance.random() < 0.2
            ahead[sum(map(operator.mul, weight, left)), stop[a]] |= 1 if going else 0
    longest = sum(used) + chance.randint(0, 1)
    state = np.zeros(k.W_SIZE, dtype=np.int64)
    found: list[tuple[tuple[int, ...], list[int], list[int], int]] = []
    code = k.SLICE
    while code != k.DONE:
        room = chance.randint(1, 4)
        out_link, out_stops = np.zeros((room, 2), dtype=np.uint64), np.zeros((room, 2), dtype=np.uint64)
        out_plain, out_routes = np.zeros(room, dtype=np.uint8), np.zeros((room, longest), dtype=np.int64)
        if not found and code == k.SLICE and not state[k.W_STARTED]:
            level = np.zeros((sum(used) + 1, k.L_SIZE + slots), dtype=np.int64)
            level_bits = np.zeros((sum(used) + 1, 6), dtype=np.uint64)
        state[k.W_COUNT] = 0
        code = call(
            k.walk_trails,
            ptr=ints(ptr),
            ways=ints(ways).reshape(-1, 3),
            link=words(links),
            stop=ints(stop),
            weight=ints(weight),
            ahead=ahead,
            used=ints(used),
            first=first,
            last=last,
            slice_=chance.randint(1, 30),
            state=state,
            level=level,
            level_bits=level_bits,
            out_link=out_link,
            out_stops=out_stops,
            out_plain=out_plain,
            out_routes=out_routes,
        )
        assert code in (k.DONE, k.SLICE, k.FULL)
        for at in range(int(state[k.W_COUNT])):
            taken = out_routes[at].tolist()
            assert taken[sum(used) :] == [-1] * (longest - sum(used))
            found.append(
                (
                    tuple(taken[: sum(used)]),
                    out_link[at].tolist(),
                    out_stops[at].tolist(),
                    int(out_plain[at]),
                )
            )
    wanted = _trails(routes, stop, used, first, last) if any(used) else []
    assert Counter(taken for taken, _, _, _ in found) == Counter(wanted)
    for taken, link, stops, plain in found:
        meets = Counter(stop[end] for i in taken for end in routes[i][1:])
        assert link == words([frozenset().union(*(links[i] for i in taken))])[0].tolist()
        assert stops == words([frozenset(meets)])[0].tolist()
        assert plain == (first != last and len(meets) == len(taken) + 1)


@examples(300, 100)
@given(seeds)
def test_trails_that_are_needed(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(0, 9)
    links = [frozenset(key for key in KEYS[:5] if chance.random() < 0.5) for _ in range(size)]
    stops = [frozenset(key for key in KEYS[2:6] if chance.random() < 0.5) for _ in range(size)]
    plain = [chance.randint(0, 1) for _ in range(size)]
    outline = [(chance.randint(0, 1), chance.randint(0, 1)) for _ in range(size)]
    needs = [frozenset(chance.sample(KEYS[:5], 2)) for _ in range(chance.randint(0, 2))]
    begin, only = chance.randint(0, size), chance.random() < 0.5
    bits = np.array(plain, dtype=np.uint8)
    met = [i for i in range(begin, size) if plain[i] == only and all(need & links[i] for need in needs)]
    at = call(k.next_trail, link=words(links), plain=bits, begin=begin, needs=words(needs), only_plain=only)
    assert at == min(met, default=-1)

    def stands(a: int, b: int) -> bool:
        better = links[a] >= links[b] and stops[a] <= stops[b]
        return better and bool(plain[a] or (not plain[b] and outline[a] == outline[b]))

    kind = {
        "link": words(links),
        "stops": words(stops),
        "plain": bits,
        "outline": ints(outline).reshape(size, 2),
    }
    for a, b in itertools.product(range(size), repeat=2):
        assert call(k.replaces_trail, a=a, b=b, **kind) == stands(a, b)
    replaced = np.zeros(size, dtype=np.uint8)
    call(k.mark_replaced, replaced=replaced, **kind)
    assert replaced.tolist() == [
        any(stands(a, b) and (a < b or not stands(b, a)) for a in range(size)) for b in range(size)
    ]


@examples(500, 150)
@given(seeds)
def test_top_sum(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(0, 8)
    values = ints([[chance.randint(-5, 9) for _ in range(size)] for _ in range(2)]).reshape(2, size)
    begin = chance.randint(0, size)
    end = chance.randint(begin, size)
    take = chance.randint(0, 4)
    top = np.zeros(max(1, take), dtype=np.int64)
    falling = sorted(values[1, begin:end].tolist(), reverse=True)[:take]
    got = call(k.top_sum, values=values, row=1, begin=begin, end=end, take=take, top=top)
    assert got == sum(max(0, value) for value in falling)
    assert top[: len(falling)].tolist() == falling


@examples(300, 100)
@given(seeds)
def test_later_money(seed: int) -> None:
    chance = random.Random(seed)
    profiles = sorted(chance.randint(0, 3) for _ in range(chance.randint(1, 6)))
    level, again = chance.randrange(len(profiles)), chance.random() < 0.5
    far = chance.choice([0, 2, 1 << 60])
    lists = [[chance.randint(-9, 9) for _ in range(chance.randint(0, 4))] for _ in range(4)]
    if far == 0:
        lists = [sorted(own, reverse=True) for own in lists]
    start = list(itertools.accumulate(map(len, lists), initial=0))
    width = len(profiles)
    parts, weakest = np.full((width, 4), 77, dtype=np.int64), np.full((width, 4), 77, dtype=np.int64)
    got = call(
        k.later_money,
        slot_profile=ints(profiles),
        next_profile_slot=ints([sum(other <= own for other in profiles) for own in profiles]),
        list_start=ints([start] * width),
        list_reduced=ints([list(itertools.chain(*lists))] * width).reshape(width, -1),
        level=level,
        far=far,
        again=again,
        top=np.zeros(width, dtype=np.int64),
        parts=parts,
        weakest=weakest,
    )
    total = 0
    for own, values in enumerate(lists):
        take = profiles.count(own)
        if own <= profiles[level] or not take:
            assert parts[level, own] == weakest[level, own] == 77
            continue
        seen = sorted(values[: take + far], reverse=True)
        most = [max(0, value) for value in (seen[:1] * take if again else seen[:take])]
        assert parts[level, own] == sum(most)
        assert weakest[level, own] == (most[-1] if len(most) == take else 0)
        total += sum(most)
    assert got == total


@examples(400, 100)
@given(seeds)
def test_find_triples(seed: int) -> None:
    chance = random.Random(seed)
    rows = sorted(chance.sample(KEYS, chance.randint(0, 7)))
    keys = [frozenset(chance.sample(KEYS, chance.randint(1, 5))) for _ in range(chance.randint(1, 9))]
    weight = [chance.choice([100, 333, 500, 1000]) for _ in keys]
    room = chance.choice([1, 3, 40])
    out = np.zeros((room, 3), dtype=np.int64)
    excess = np.zeros(room, dtype=np.int64)
    found = call(
        k.find_triples,
        mask=words(keys),
        weight=ints(weight),
        total=1000,
        rows=ints(rows),
        out=out,
        excess=excess,
    )
    over = {}
    for triple in itertools.combinations(rows, 3):
        much = sum(w for keys_, w in zip(keys, weight, strict=True) if len(keys_ & set(triple)) >= 2) - 1000
        if much * 50 > 1000:
            over[triple] = much
    assert found == min(room, len(over))
    assert excess[:found].tolist() == sorted(over.values(), reverse=True)[:found]
    got = [tuple(triple) for triple in out[:found].tolist()]
    assert [over[triple] for triple in got] == excess[:found].tolist()
    assert len(got) == len(set(got))


@examples(300, 100)
@given(seeds)
def test_triple_words(seed: int) -> None:
    chance = random.Random(seed)
    keys = [frozenset(chance.sample(KEYS, chance.randint(0, 5))) for _ in range(chance.randint(0, 6))]
    triples = [tuple(chance.sample(KEYS, 3)) for _ in range(chance.choice([1, 2, 64]))]
    out = np.full(len(keys), 7, dtype=np.uint64)
    call(k.triple_words, mask=words(keys), triples=ints(triples).reshape(-1, 3), out=out)
    assert out.tolist() == [
        sum(1 << at for at, triple in enumerate(triples) if len(own & set(triple)) >= 2) for own in keys
    ]


@examples(100, 50)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), seeds)
def test_path_ends(problem: RouteProblem, seed: int) -> None:
    chance = random.Random(seed)
    for search in lay_out(problem):
        graph, found = search.graph, search.routes()
        point = ints([[chance.randint(0, 9) for _ in range(3)] for _ in graph.segment_ids]).reshape(-1, 3)
        out = np.full((len(found), 4), -1, dtype=np.int64)
        call(
            k.path_ends,
            start=found.start,
            path=found.path,
            seg_a=graph.seg_a,
            seg_b=graph.seg_b,
            seg_end=point,
            out=out,
        )
        for i, got in enumerate(out.tolist()):
            nodes, segments = travel(graph, found.route(i))
            expected = []
            for name, last in ((nodes[0], segments[0]), (nodes[-1], segments[-1])):
                segment = problem.segment_by_id[last]
                side = 0 if segment.a == name else 1
                expected += [graph.node_index[name], int(point[graph.segment_ids.index(last), side])]
            assert got == expected


@examples(300, 100)
@given(seeds, st.booleans(), st.integers(0, 12))
def test_choose_payments(seed: int, at_ends: bool, room: int) -> None:
    """Stops in a line, and routes along it."""
    chance = random.Random(seed)
    case = Payment.draw(chance)
    n = len(case.flags)
    flags = [flag | chance.choice([0, k.BETWEEN]) for flag in case.flags]
    case = replace(case, flags=flags)
    spans = [(chance.randrange(n), chance.randrange(n)) for _ in range(3)]
    spans = [(a, b) for a, b in spans if a < b]
    marks = [chance.randint(0, 3) for _ in range(n)]
    amounts = [chance.choice([-10, 5, 30]) for _ in range(2)]
    far = [[chance.randint(0, 90) for _ in range(n)] for _ in range(n)]
    measured = chance.random() < 0.5
    paid = [frozenset(chance.sample(KEYS, 2)) for _ in range(n)]
    pointers, members = [0], []
    for _, sets, _ in case.bonuses:
        members += [[i in own for i in range(n)] for own in sets]
        pointers.append(len(members))
    paths = [[a, *range(a, b)] for a, b in spans]
    rows = np.full((room, 2), 7, dtype=np.uint64)
    index, extra = np.full(room, -7, dtype=np.int64), np.full(room, -7, dtype=np.int64)
    count = call(
        k.choose_payments,
        start=ints(list(itertools.pairwise(itertools.accumulate(map(len, paths), initial=0)))).reshape(-1, 2),
        path=ints([step for one in paths for step in one]),
        seg_a=ints(list(range(n))),
        seg_b=ints([i + 1 for i in range(n)]),
        flags=ints(flags),
        pay_inc=ints([[i in own for i in range(n)] for own, _ in case.limits]).reshape(-1, n),
        pay_cap=ints([most for _, most in case.limits]),
        token_pays=case.token_pays,
        at_ends=at_ends,
        paid=words(paid),
        bonus_amount=ints([amount for amount, _, _ in case.bonuses]),
        bonus_visit=ints([visit for _, _, visit in case.bonuses]),
        set_ptr=ints(pointers),
        set_of=np.array(members, dtype=np.uint8).reshape(-1, n),
        seg_mark=ints(marks),
        mark_amount=ints(amounts),
        distance=ints(far) if measured else np.zeros((0, n), dtype=np.int64),
        rows=rows,
        index=index,
        extra=extra,
    )
    lines = []
    for i, (a, b) in enumerate(spans):
        stops = list(range(a, b + 1))
        route = replace(case, stops=stops, value=[0] * n, once=False)
        forced = set() if at_ends else {x for x in stops if flags[x] & k.MUST}
        free = [a, b] if at_ends else [x for x in stops if flags[x] & k.OPTIONAL and x not in forced]
        ways = [more for more in subsets(free) if at_ends or route.allowed(forced | more)]
        most = max(map(len, ways), default=0)
        outer = [x for x in stops if flags[x] & k.BETWEEN] if measured else []
        alike = far[outer[0]][outer[-1]] if outer else 0
        for bit, amount in enumerate(amounts):
            alike += amount if any(marks[s] >> bit & 1 for s in range(a, b)) else 0
        for more in ways:
            if len(more) == most:
                bits = frozenset().union(*(paid[x] for x in more))
                lines.append((i, words([bits])[0].tolist(), alike + route.worth(forced | more)))
    assert count == len(lines)
    got = list(zip(index.tolist(), rows.tolist(), extra.tolist(), strict=True))[:count]
    assert got == lines[:room]


@examples(200, 80)
@given(seeds)
def test_mark_covered(seed: int) -> None:
    chance = random.Random(seed)
    lines = sorted(
        (chance.randint(0, 2), i, frozenset(chance.sample(KEYS[:4], chance.randint(0, 3))))
        for i in range(chance.randint(0, 9))
    )
    covered = np.zeros(len(lines), dtype=np.uint8)
    call(
        k.mark_covered,
        group=ints([group for group, _, _ in lines]),
        link=words([link for _, _, link in lines]),
        covered=covered,
    )
    assert covered.tolist() == [
        any(group == own and link <= other for group, _, other in lines[:i])
        for i, (own, _, link) in enumerate(lines)
    ]


@examples(300, 100)
@given(seeds)
def test_best_route(seed: int) -> None:
    chance = random.Random(seed)
    keys = [frozenset(key for key in KEYS if chance.random() < 0.3) for _ in range(chance.randint(0, 6))]
    links = [frozenset(key for key in KEYS if chance.random() < 0.5) for _ in keys]
    needs = [frozenset(chance.sample(KEYS, 3)) for _ in range(chance.randint(0, 2))]
    value = [chance.randint(0, 2) for _ in keys]
    track = chance.choice([0, 1, 2])
    wanted = [i for i in range(len(keys)) if all(need & links[i] for need in needs)]

    def worst(i: int) -> tuple[int, int, int, int]:
        return -value[i], sum(key < 64 * track for key in keys[i]), len(keys[i]), i

    found = call(
        k.best_route,
        value=ints(value),
        mask=words(keys),
        n_track=track,
        link=words(links),
        needs=words(needs),
    )
    assert found == min(wanted, key=worst, default=-1)
    for i, link in enumerate(links):
        assert call(k.meets_needs, link=words(links), i=i, needs=words(needs)) == (i in wanted)
        for first in range(3):
            inside = sum(64 * first <= key < 64 * (track + first) for key in link)
            if first + track <= 2:
                assert call(k.count_bits, mask=words(links), i=i, first=first, last=first + track) == inside


@examples(300, 60)
@given(st.integers(0, 6), st.integers(0, 2), seeds)
def test_add_rows(count: int, first: int, seed: int) -> None:
    chance = random.Random(seed)
    worth = np.zeros(128, dtype=np.int64)
    for key in KEYS:
        worth[key] = chance.randint(0, 9)
    before, more = (
        [frozenset(chance.sample(KEYS, chance.randint(0, 3))) for _ in range(count)] for _ in "ab"
    )
    track = np.full((count, first), 77, dtype=np.uint64)
    mask = np.concatenate((track, words(before)), axis=1)
    value = ints([chance.randint(0, 50) for _ in range(count)])
    besides = value.tolist()
    call(k.add_rows, mask=mask, rows=words(more), worth=worth, value=value)
    both = [a | b for a, b in zip(before, more, strict=True)]
    assert (mask == np.concatenate((track, words(both)), axis=1)).all()
    brought = [sum(int(worth[key]) for key in rows) for rows in both]
    assert value.tolist() == [a + b for a, b in zip(besides, brought, strict=True)]
    assert [call(k.row_worth, mask=mask, i=i, first=first, worth=worth) for i in range(count)] == brought


@examples(300, 60)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), seeds)
def test_complete_routes(problem: RouteProblem, seed: int) -> None:
    chance = random.Random(seed)
    search = Search(problem, problem.trains[0])
    graph, found = search.graph, search.routes()

    def draw(count: int) -> list[frozenset[int]]:
        return [frozenset(chance.sample(KEYS, chance.randint(0, 3))) for _ in range(count)]

    links, rows, inside = draw(len(graph.node_ids)), draw(len(graph.node_ids)), draw(len(graph.segment_ids))
    worth = np.zeros(128, dtype=np.int64)
    for key in KEYS:
        worth[key] = chance.randint(0, 9)
    first, width = chance.randint(0, 2), graph.words
    track = found.mask[:, :width].copy()
    value = ints([chance.randint(0, 50) for _ in range(len(found))])
    before = value.tolist()
    mask = np.zeros((len(found), first + width + 2), dtype=np.uint64)
    link = np.full((len(found), 2), 99, dtype=np.uint64)
    call(
        k.complete_routes,
        start=found.start,
        path=found.path,
        seg_a=graph.seg_a,
        seg_b=graph.seg_b,
        node_link=words(links),
        node_rows=words(rows),
        seg_rows=words(inside),
        worth=worth,
        track=track,
        first=first,
        value=value,
        mask=mask,
        link=link,
    )
    for i in range(len(found)):
        path = found.route(i)
        names, _ = travel(graph, path)
        stops = [graph.node_index[name] for name in names]
        covered = frozenset().union(*(rows[at] for at in stops), *(inside[s] for s in path[1:]))
        assert (link[i] == words([frozenset().union(*(links[at] for at in stops))])[0]).all()
        assert (mask[i, -2:] == words([covered])[0]).all()
        assert (mask[i, first : first + width] == track[i]).all()
        assert not mask[i, :first].any()
        assert value[i] == before[i] + sum(int(worth[key]) for key in covered)


@examples(600, 150)
@given(seeds, st.sampled_from([0, 3, 30, 10**9]))
def test_pack_few(seed: int, budget: int) -> None:
    """The best set is the first in the order that is told; what is cut short is worth no more."""
    chance = random.Random(seed)
    pool = Pool.draw(chance, most=5)
    pool = replace(pool, pairs=[], excess=[[0] * len(row) for row in pool.excess])
    flat = [(p, i) for p, row in enumerate(pool.value) for i in range(len(row))]
    once = bool(pool.worth.any())
    track = 0 if pool.again else 1
    unit = chance.choice([1, 5])
    target = chance.choice([0, 1, chance.randint(0, 400)])
    slots = sum(pool.counts)
    choice = np.full(slots, -7, dtype=np.int64)
    done = np.full(2, -7, dtype=np.int64)
    found = call(
        k.pack_few,
        value=ints([pool.value[p][i] for p, i in flat]),
        mask=np.ascontiguousarray(words([pool.keys[p][i] for p, i in flat])[:, 1 - track : 2 if once else 1]),
        n_track=track,
        start=ints(list(itertools.accumulate(map(len, pool.value), initial=0))),
        counts=ints(pool.counts),
        worth=pool.worth[64:].copy() if once else pool.worth[:0].copy(),
        link=words([pool.links[p][i] for p, i in flat]),
        needs=words(pool.needs),
        n_touch=int(pool.touch),
        most_islands=ints(pool.islands),
        passable=words([pool.passable])[0],
        again=pool.again,
        target=target,
        unit=unit,
        budget=budget,
        choice=choice,
        done=done,
    )

    def place(p: int, i: int) -> tuple[int, int, int, int]:
        keys = pool.keys[p][i]
        return -pool.value[p][i], sum(key in TRACK for key in keys), len(keys), i

    def listed(chosen: Sequence[tuple[int, int]]) -> list[list[tuple[float, ...]]]:
        rows = [sorted(place(p, i) for p, i in chosen if p == q) for q in range(len(pool.counts))]
        return [[*row, (math.inf,)] for row in rows]

    owner = np.repeat(np.arange(len(pool.counts)), pool.counts).tolist()
    assert found < 0 or [flat[c][0] for c in choice.tolist() if c >= 0] == [
        p for p, c in zip(owner, choice.tolist(), strict=True) if c >= 0
    ]
    chosen = [flat[c] for c in choice.tolist() if c >= 0]
    if found >= 0:
        assert found >= target
        assert pool.score(chosen) == found
    if not done[0]:
        assert done[1] >= 1
        return
    wanted = [(score, own) for score, own in pool.sets() if score >= max(target, 0)]
    best = max((score for score, _ in wanted), default=-1)
    assert best - unit < found <= best
    if unit == 1 and found >= 0:
        assert listed(chosen) == min(listed(own) for score, own in wanted if score == best)


@examples(200, 60)
@given(seeds)
def test_chain_money(seed: int) -> None:
    chance = random.Random(seed)
    ends = [
        (
            chance.randint(0, 9),
            chance.randint(-4, 4),
            chance.randint(-4, 4),
            chance.randint(0, 1),
            chance.randint(0, 1),
        )
        for _ in range(chance.randint(0, 5))
    ]
    rate, far_rate, linked = chance.randint(0, 9), chance.randint(0, 9), chance.choice([-1, 0, 5, 9])
    alone, most = np.full((2, len(ends), len(ends)), -7, dtype=np.int64)
    call(
        k.chain_money,
        point=ints(ends).reshape(-1, 5).T.copy(),
        rate=rate,
        far_rate=far_rate,
        linked_rate=linked,
        alone=alone,
        most=most,
    )
    for a, one in enumerate(ends):
        for b, other in enumerate(ends):
            steps = Hex("a", one[1], one[2]).distance(Hex("b", other[1], other[2])) + one[3] + other[3]
            own = far_rate if one[4] or other[4] else rate
            assert alone[a, b] == own * max(0, steps - 1)
            assert most[a, b] == max(alone[a, b], max(own, linked) * steps if linked >= 0 else 0)


@examples(100, 50)
@given(st.integers(0, 5), seeds)
def test_end_amounts(points: int, seed: int) -> None:
    chance = random.Random(seed)
    scale = chance.choice([1, 64])
    node = [chance.randrange(4) for _ in range(points)]
    value = [chance.randint(0, 90) for _ in range(4)]
    most, bonus = (
        ints([chance.randint(0, 90) for _ in range(points**2)]).reshape(points, points) for _ in "ab"
    )
    out = np.full((points, points), -1, dtype=np.int64)
    call(k.end_amounts, most=most, bonus=bonus, node=ints(node), value=ints(value), scale=scale, out=out)
    for a, b in itertools.product(range(points), repeat=2):
        assert out[a, b] == scale * int(most[a, b] + bonus[a, b]) + value[node[a]] + value[node[b]]


@examples(300, 100)
@given(seeds)
def test_keep_routes(seed: int) -> None:
    chance = random.Random(seed)
    paths = [
        [chance.randint(0, 99) for _ in range(chance.randint(2, 5))] for _ in range(chance.randint(1, 8))
    ]
    value = ints([chance.randint(0, 500) for _ in paths])
    mask = ints([chance.randint(0, 99) for _ in range(2 * len(paths))]).reshape(-1, 2).astype(np.uint64)
    start = ints(list(itertools.pairwise(itertools.accumulate(map(len, paths), initial=0))))
    path = ints([step for one in paths for step in one])
    keep = sorted(chance.sample(range(len(paths)), chance.randint(0, len(paths))))
    expected = value[keep].tolist(), mask[keep].tolist(), [paths[i] for i in keep]
    end = call(k.keep_routes, keep=ints(keep), value=value, mask=mask, start=start, path=path)
    size = len(keep)
    kept = [path[start[i, 0] : start[i, 1]].tolist() for i in range(size)]
    assert (value[:size].tolist(), mask[:size].tolist(), kept) == expected
    assert end == sum(map(len, kept))


@examples(300, 100)
@given(seeds)
def test_best_places(seed: int) -> None:
    chance = random.Random(seed)
    paths = [[chance.randint(0, 3) for _ in range(chance.randint(2, 4))] for _ in range(chance.randint(2, 9))]
    value = [chance.randint(0, 9) for _ in paths]
    cost = [chance.randint(-2, 2) for _ in range(4)]
    keep = np.full(chance.randint(1, len(paths) - 1), -1, dtype=np.int64)
    least = call(
        k.best_places,
        keep=keep,
        count=len(paths),
        value=ints(value),
        start=ints(list(itertools.pairwise(itertools.accumulate(map(len, paths), initial=0)))),
        path=ints([step for one in paths for step in one]),
        seg_cost=ints(cost),
    )
    money = [value[i] - sum(cost[s] for s in one[1:]) for i, one in enumerate(paths)]
    best = sorted(range(len(paths)), key=lambda i: -money[i])[: len(keep)]
    assert keep.tolist() == sorted(best)
    assert least == money[best[-1]]


@examples(300, 100)
@given(seeds)
def test_greatest_gains(seed: int) -> None:
    chance = random.Random(seed)
    n = chance.randint(1, 7)
    ends = [(chance.randrange(n), chance.randrange(n)) for _ in range(chance.randint(0, 8))]
    value, attached, visit = ([chance.randint(-3, 9) for _ in range(n)] for _ in range(3))
    cost = [chance.choice([0, 0, -4, 5]) * (seed % 2) for _ in ends]
    binds = [chance.randint(0, 1) for _ in range(chance.randint(0, 2))]
    gain, order = np.full(2 * n, 77, dtype=np.int64), np.full(n, 77, dtype=np.int64)
    beside = call(
        k.greatest_gains,
        value=ints(value),
        attached=ints(attached),
        visit=ints(visit),
        seg_a=ints([a for a, _ in ends]),
        seg_b=ints([b for _, b in ends]),
        seg_cost=ints(cost),
        bound_all=ints(binds),
        gain=gain,
        order=order,
    )
    ways_in = [[c for pair, c in zip(ends, cost, strict=True) if x in pair] for x in range(n)]
    visits = [visit[x] - (min(ways_in[x], default=1 << 40) if any(cost) else 0) for x in range(n)]
    if any(binds):
        assert beside == sum(max(0, money) for money in visits)
        visits = [min(0, money) for money in visits]
    else:
        assert beside == 0
    paid = [a + b for a, b in zip(value, attached, strict=True)]
    ahead = [a + b for a, b in zip(paid, visits, strict=True)]
    assert gain.tolist() == [*ahead, *paid]
    assert order.tolist() == sorted(range(n), key=lambda x: -ahead[x])


# --- sweeps ----------------------------------------------------------------------------------------------


@dataclass
class Swept:
    """Candidates that are decided place by place, and what may be chosen of them.

    Attributes
    ----------
    pool
        The candidates, without anything of which a sweep knows nothing; ``touch`` is told by the words here.
    touch
        How many words of the links must hang together, 0 if none.
    order, place
        The candidates in the order of their places, which are a range from 0 on, at each place the one of
        the most reduced value first.
    """

    pool: Pool
    touch: int
    order: list[tuple[int, int]]
    place: list[int]

    @classmethod
    def draw(cls, chance: random.Random, most: int, *, touch: int | None = None) -> Swept:
        """Draw one candidate or more."""
        pool, least = Pool.draw(chance, most), chance.choice([1, 4, 6])
        while sum(map(len, pool.value)) < least or pool.ways() > 2500:
            pool = Pool.draw(chance, most)
        touch = chance.choice([0, 1, 1, 2]) if touch is None else touch
        names = chance.sample(KEYS, chance.randint(3, len(KEYS)))
        links, needs = pool.links, pool.needs
        if touch:
            links = [
                [_some(chance, names, 1 if chance.random() < 0.95 else 0, 3) for _ in row] for row in links
            ]
            needs = [_some(chance, names, 1, 3) for _ in range(chance.choice([0, 0, 1, 2]))]
        nothing = [[0] * len(row) for row in pool.value]
        gone = frozenset(chance.sample(sorted(TRACK), chance.choice([0, 2, 4, 5])))
        pool = replace(
            pool,
            keys=[[own - gone if chance.random() < 0.8 else own for own in row] for row in pool.keys],
            links=links,
            needs=needs,
            excess=nothing,
            islands=[0] * len(pool.counts),
            areas=[[frozenset()] * len(row) for row in pool.value],
            pairs=[],
            meeting=[],
            touch=False,
        )
        order = [(p, i) for p, row in enumerate(pool.value) for i in range(len(row))]
        chance.shuffle(order)
        places = chance.choice([1, 2, 4, len(order), 2 * len(order)])
        drawn = sorted(chance.randrange(places) for _ in order)
        place = [sorted(set(drawn)).index(one) for one in drawn]
        reduced = pool.reduced()
        order = [
            c for _, _, c in sorted((at, -reduced[c[0]][c[1]], c) for at, c in zip(place, order, strict=True))
        ]
        return cls(pool, touch, order, place)

    @property
    def seen(self) -> frozenset[int]:
        """Links that hang together."""
        return frozenset(key for key in KEYS if key < 64 * self.touch)

    @property
    def track(self) -> int:
        """Words of track."""
        return 0 if self.pool.again else 1

    @property
    def rows(self) -> slice:
        """Words of rows that there are."""
        return slice(1 - self.track, 2 if self.pool.worth.any() else 1)

    @property
    def unit(self) -> int:
        """A number of which all scores are multiples."""
        return max(1, math.gcd(*self.pool.worth.tolist(), *itertools.chain(*self.pool.value)))

    @property
    def teams(self) -> range:
        return range(len(self.pool.counts))

    def flat(self, rows: Sequence[Sequence[T]]) -> list[T]:
        """Return what there is for each candidate in their order."""
        return [rows[p][i] for p, i in self.order]

    def mask(self, sets: Sequence[frozenset[int]]) -> Words:
        """Return sets of rows in words."""
        return np.ascontiguousarray(words(sets)[:, self.rows])

    def linked(self, sets: Sequence[frozenset[int]]) -> Words:
        """Return sets of links in those words that hang together."""
        return np.ascontiguousarray(words(sets)[:, : self.touch])

    def figures(self, row: Ints) -> Ints:
        """Return figures of the rows that there are."""
        return row[64 * self.rows.start : 64 * self.rows.stop].copy()

    def tables(self) -> dict[str, Ints]:
        """Return worth, worth less price, and price of each pattern of rows."""
        worth, price, scale = self.pool.worth, self.pool.price, self.pool.scale
        last = slice(64, 64 * self.rows.stop)
        return {
            "worth_table": k.byte_table(worth[last].copy()),
            "net_table": k.byte_table(worth[last] * scale - price[last]),
            "price_table": k.byte_table(self.figures(price)),
        }

    def ahead(self, place: int, team: int) -> list[int]:
        """Return the candidates of a team that are decided at a place or later, most reduced value first."""
        reduced = self.flat(self.pool.reduced())
        numbers = [c for c, (p, _) in enumerate(self.order) if p == team and self.place[c] >= place]
        return sorted(numbers, key=lambda c: -reduced[c])

    def met(self) -> Ints:
        """Return the needs that each candidate meets, as bits."""
        return ints(
            [
                sum(1 << j for j, need in enumerate(self.pool.needs) if need & own)
                for own in self.flat(self.pool.links)
            ]
        )

    def arrays(self) -> dict[str, Any]:
        """Return the candidates and what lies ahead as the kernels read them."""
        places, size = self.place[-1] + 2, len(self.order)
        keys, links = self.flat(self.pool.keys), self.flat(self.pool.links)
        starts = np.zeros((places, len(self.teams) + 1), dtype=np.int64)
        lists = np.full((places, size), -1, dtype=np.int64)
        rows: list[frozenset[int]] = []
        touched: list[frozenset[int]] = []
        for place in range(places):
            numbers = [self.ahead(place, team) for team in self.teams]
            starts[place] = list(itertools.accumulate(map(len, numbers), initial=0))
            flat = [c for own in numbers for c in own]
            lists[place, : len(flat)] = flat
            rows += [frozenset().union(*(keys[c] for c in own)) for own in numbers]
            touched.append(frozenset().union(*(links[c] for c in flat)))
        return {
            "value": ints(self.flat(self.pool.value)),
            "reduced": ints(self.flat(self.pool.reduced())),
            "mask": self.mask(keys),
            "n_track": self.track,
            "link": self.linked(links),
            "met_by": self.met(),
            "wanted": (1 << len(self.pool.needs)) - 1,
            "team": ints([p for p, _ in self.order]),
            "begin": ints([sum(at < place for at in self.place) for place in range(places)]),
            "starts": starts,
            "lists": lists,
            "rows": self.mask(rows),
            "links": self.linked(touched),
            "again": self.pool.again,
            "scale": self.pool.scale,
            "unit": self.unit,
            **self.tables(),
        }

    def sets(self) -> Iterator[Choice]:
        """Yield every set that is allowed, with its score."""
        for score, chosen in self.pool.sets():
            if not self.touch or parts([self.pool.links[p][i] for p, i in chosen], self.seen) < 2:
                yield score, chosen

    def beside(self, place: int, left: Sequence[int]) -> Iterator[list[int]]:
        """Yield all that can still be chosen from a place on, by number."""
        pick = itertools.combinations_with_replacement if self.pool.again else itertools.combinations
        ways = [
            [own for size in range(count + 1) for own in pick(self.ahead(place, team), size)]
            for team, count in enumerate(left)
        ]
        for own in itertools.product(*ways):
            yield [c for part in own for c in part]

    def money(self, chosen: Sequence[int]) -> int | None:
        """Return the scaled score if nothing is asked for but free track."""
        free = replace(self.pool, needs=[])
        score = free.score([self.order[c] for c in chosen])
        return None if score is None else score * self.pool.scale


def _some(chance: random.Random, names: Sequence[int], least: int, most: int) -> frozenset[int]:
    return frozenset(chance.sample(names, min(len(names), chance.randint(least, most))))


@dataclass
class Begun:
    """A set as it is before a place, as many as ``left`` may be added per team."""

    swept: Swept
    chosen: list[int]
    place: int
    left: list[int]
    level: int

    @classmethod
    def draw(cls, chance: random.Random, most: int) -> Begun:
        swept = Swept.draw(chance, most)
        chosen: list[int] = []
        for c in chance.choices(range(len(swept.order)), k=chance.randint(0, 3)):
            if swept.money([*chosen, c]) is not None and (swept.pool.again or c not in chosen):
                chosen.append(c)
        place = chance.randint(0, swept.place[-1] + 1)
        left = [chance.randint(0, 3) for _ in swept.teams]
        return cls(swept, sorted(chosen), place, left, chance.randint(0, 2))

    @property
    def used(self) -> frozenset[int]:
        """Rows that are used."""
        keys = self.swept.flat(self.swept.pool.keys)
        return frozenset().union(*(keys[c] for c in self.chosen))

    def net(self, c: int) -> int:
        """Return what a further candidate adds to the bound."""
        pool = self.swept.pool
        p, i = self.swept.order[c]
        again = [key for key in pool.keys[p][i] & self.used if key >= 64]
        return pool.reduced()[p][i] - sum(
            int(pool.worth[key]) * pool.scale - int(pool.price[key]) for key in again
        )

    def tops(self) -> list[list[int]]:
        """Return per team what each of the routes left adds to the bound at most."""
        out = []
        for team, count in enumerate(self.left):
            nets = sorted((max(0, self.net(c)) for c in self.swept.ahead(self.place, team)), reverse=True)
            out.append((nets[:1] * count if self.swept.pool.again else nets)[:count])
            out[-1] += [0] * (count - len(out[-1]))
        return out

    def arrays(self) -> dict[str, Any]:
        """Return the set as the kernels read it, money last."""
        pool, swept = self.swept.pool, self.swept
        total = swept.money(self.chosen)
        assert total is not None
        used = swept.mask([frozenset()] * 3)
        used[self.level] = swept.mask([self.used])[0]
        return {
            **swept.arrays(),
            "place": self.place,
            "left": sum(count << 5 * team for team, count in enumerate(self.left)),
            "used": used,
            "level": self.level,
            "weakest": np.full((3, len(self.left)), 77, dtype=np.int64),
            "top": np.full(16, 77, dtype=np.int64),
            "money": total - sum(int(pool.price[key]) for key in self.used),
        }

    def bound(self) -> int:
        """Return what the set and any that can be added are worth at most."""
        pool, swept = self.swept.pool, self.swept
        keys = swept.flat(pool.keys)
        left = [c for team, n in enumerate(self.left) if n for c in swept.ahead(self.place, team)]
        more = frozenset().union(*(keys[c] for c in left)) - self.used
        total = swept.money(self.chosen)
        assert total is not None
        return total + sum(int(pool.price[key]) for key in more) + sum(map(sum, self.tops()))


@examples(300, 100)
@given(seeds)
def test_order_marks(seed: int) -> None:
    chance = random.Random(seed)
    marks = [frozenset(chance.sample(KEYS, chance.randint(0, 4))) for _ in range(chance.randint(0, 9))]
    roots = [frozenset(chance.sample(KEYS, chance.randint(0, 2))) for _ in range(chance.randint(0, 2))]
    place = np.full(128, 77, dtype=np.int64)
    call(k.order_marks, marks=words(marks), roots=words(roots), place=place)
    present = sorted(frozenset().union(*marks))
    lines = [own for own in marks if own]
    near = {b: frozenset().union(*(own for own in marks if b in own)) for b in present}
    best, least = [], math.inf
    for first in present:
        order, opened = [first], near[first] - {first}
        widths = [len(opened)]
        while len(order) < len(present):
            after = {b: (opened | near[b]) - {*order, b} for b in present if b not in order}
            b = min(after, key=lambda b, after=after: (len(after[b]), b))
            order, opened = [*order, b], after[b]
            widths.append(len(opened))
        shares = [
            sum(bool(own & {*order[: step + 1]}) for own in lines) / len(lines) for step in range(len(order))
        ]
        cost = sum(
            k.OPEN**width * share**2 * (1 - share) for width, share in zip(widths, shares, strict=True)
        )
        late = [next((s for b, s in zip(order, shares, strict=True) if b in root), 1) for root in roots]
        cost *= math.exp(sum(late) / max(1, len(late)))
        if cost < least - 1e-12:
            best, least = order, cost
    assert sorted(best) == present
    assert place.tolist() == [best.index(b) if b in best else -1 for b in range(128)]


@examples(300, 100)
@given(seeds)
def test_first_place(seed: int) -> None:
    chance = random.Random(seed)
    marks = [_some(chance, KEYS, 0, 3) for _ in range(3)]
    place = [chance.randrange(9) for _ in range(128)]
    for line, own in enumerate(marks):
        found = call(k.first_place, marks=words(marks), line=line, place=ints(place), none=9)
        assert found == min((place[key] for key in own), default=9)


@examples(300, 100)
@given(seeds)
def test_look_ahead(seed: int) -> None:
    chance = random.Random(seed)
    size, teams, places = chance.randint(0, 9), chance.randint(1, 4), chance.randint(0, 4)
    place = [chance.randrange(places + 1) for _ in range(size)]
    team = [chance.randrange(teams) for _ in range(size)]
    keys = [_some(chance, KEYS, 0, 4) for _ in range(size)]
    link = [_some(chance, KEYS, 0, 3) for _ in range(size)]
    by_team = sorted(chance.sample(range(size), size), key=lambda i: team[i])
    starts = np.full((places + 1, teams + 1), 77, dtype=np.int64)
    lists = np.full((places + 1, size), 77, dtype=np.int64)
    rows = np.zeros(((places + 1) * teams, 2), dtype=np.uint64)
    links = np.zeros((places + 1, 2), dtype=np.uint64)
    call(
        k.look_ahead,
        place=ints(place),
        team=ints(team),
        by_team=ints(by_team),
        mask=words(keys),
        link=words(link),
        starts=starts,
        lists=lists,
        rows=rows,
        links=links,
    )
    for at in range(places + 1):
        own = [[i for i in by_team if team[i] == t and place[i] >= at] for t in range(teams)]
        assert starts[at].tolist() == list(itertools.accumulate(map(len, own), initial=0))
        for t in range(teams):
            assert lists[at, starts[at, t] : starts[at, t + 1]].tolist() == own[t]
            assert (rows[at * teams + t] == words([frozenset().union(*(keys[i] for i in own[t]))])[0]).all()
        assert (links[at] == words([frozenset().union(*(link[i] for t in own for i in t))])[0]).all()


@examples(300, 60)
@given(seeds)
def test_bound_ahead(seed: int) -> None:
    begun = Begun.draw(random.Random(seed), most=5)
    arrays = begun.arrays()
    bound = call(k.bound_ahead, **arrays)
    assert bound == begun.bound()
    weakest = [(own[-1] if own else 0) for own in begun.tops()]
    assert arrays["weakest"][begun.level].tolist() == weakest
    assert (np.delete(arrays["weakest"], begun.level, axis=0) == 77).all()
    for more in begun.swept.beside(begun.place, begun.left):
        total = begun.swept.money([*begun.chosen, *more])
        assert total is None or total <= bound


@examples(800, 300)
@given(seeds)
def test_charge_islands(seed: int) -> None:
    """No set that joins the islands and meets the needs is charged more than it loses against the bound."""
    chance = random.Random(seed)
    begun = Begun.draw(chance, most=5)
    swept, pool = begun.swept, begun.swept.pool
    keys = chance.sample(sorted(swept.seen), len(swept.seen))
    size = chance.choice([1, 1, 2])
    islands = [frozenset(keys[at : at + size]) for at in range(0, chance.randint(0, min(6, len(keys))), size)]
    wanted = (1 << len(pool.needs)) - 1 & chance.choice([-1, -1, 0, 1, 2])
    begun.left = [chance.choice([1, 1, 2, 3]) for _ in swept.teams] if chance.random() < 0.7 else begun.left
    arrays = begun.arrays()
    bound = call(k.bound_ahead, **arrays)
    line = chance.randint(0, 2)
    island = np.full((3, 9 * swept.touch), (1 << 64) - 1, dtype=np.uint64)
    island[line, : len(islands) * swept.touch] = swept.linked(islands).ravel()

    links = swept.flat(pool.links)
    needs = [need for j, need in enumerate(pool.needs) if wanted >> j & 1]
    losses = []
    for more in swept.beside(begun.place, begun.left):
        total = swept.money([*begun.chosen, *more])
        own = [links[c] for c in more]
        apart = swept.touch and parts([*islands, *own], swept.seen) > 1
        if total is None or apart or not all(any(need & one for one in own) for need in needs):
            continue
        losses.append(bound - total)
    least = min(losses, default=0)
    room = chance.choice([0, least, max(0, least - 1), chance.randint(0, 200) * pool.scale, 10**9])
    charge = call(
        k.charge_islands,
        **{**arrays, "wanted": wanted},
        island=island,
        line=line,
        n_islands=len(islands),
        room=room,
        marks=np.full((2, 1 << k.MOST_WANTS), 77, dtype=np.int64),
    )
    assert charge >= 0
    assert all(charge <= loss for loss in losses if charge <= room or loss <= room)

    wants = [*(islands if len(islands) > 1 else []), *needs][: k.MOST_WANTS]
    everything = frozenset(range(len(wants)))
    costs = {frozenset[int](): 0}  # what candidates lose that touch so many of these
    for team, own in enumerate(begun.tops()):
        for c in swept.ahead(begun.place, team) if own else []:
            meets = frozenset(j for j, want in enumerate(wants) if want & links[c])
            lost = max(0, own[-1] - begun.net(c))
            if lost > room:
                continue
            for known, cost in list(costs.items()):
                costs[known | meets] = min(costs.get(known | meets, cost + lost), cost + lost)
    if sum(begun.left) == 1 and wants:
        one = [
            max(0, own[-1] - begun.net(c))
            for team, own in enumerate(begun.tops())
            for c in (swept.ahead(begun.place, team) if own else [])
            if all(want & links[c] for want in wants)
        ]
        assert charge == min([*one, room + 1])
    elif not sum(begun.left) and wants:
        assert charge > room
    else:
        expected = costs.get(everything, room + 1)
        assert charge == expected or min(charge, expected) > room


def test_charge_looks_at_so_many_islands() -> None:
    begun = Begun.draw(random.Random(0), most=3)
    begun.swept = replace(begun.swept, touch=1)
    charge = call(
        k.charge_islands,
        **begun.arrays(),
        island=np.zeros((1, 63), dtype=np.uint64),
        line=0,
        n_islands=63,
        room=7,
        marks=np.full((2, 1 << k.MOST_WANTS), 77, dtype=np.int64),
    )
    assert charge > 7  # nothing touches an island without links


def test_mix_bits() -> None:
    def mix(hash_: int, word: int) -> int:
        return int(call(k.mix_bits, hash_=np.uint64(hash_), word=np.uint64(word)))

    known = [0, 1, 77, 1 << 31, 1 << 63, (1 << 64) - 1]
    sample = sorted(
        {*range(64), *(1 << bit for bit in range(64)), *((1 << 64) - 1 - bit for bit in range(9))}
    )
    for one in known:
        assert len({mix(one, word) for word in sample}) == len(sample)
        assert len({mix(word, one) for word in sample}) == len(sample)
        assert [mix(one, word) for word in sample] == [mix(one, word) for word in sample]

    def plain(hash_: int, word: int) -> int:
        mixed = hash_ ^ word
        for _ in range(2):
            mixed ^= mixed << 13 & (1 << 64) - 1
            mixed ^= mixed >> 7
            mixed ^= mixed << 17 & (1 << 64) - 1
        return mixed

    assert all(mix(one, word) == plain(one, word) for one in known for word in sample)


@examples(300, 100)
@given(st.integers(0, 7), st.sampled_from([1, 2]), seeds)
def test_sort_islands(count: int, touch: int, seed: int) -> None:
    chance = random.Random(seed)
    sizes = [2, 1 << 63, 1 << 64]
    drawn = [[chance.randrange(chance.choice(sizes)) for _ in range(9 * touch)] for _ in range(3)]
    island = np.array(drawn, dtype=np.uint64)
    call(k.sort_islands, island=island, level=1, n_islands=count, n_touch=touch)
    own = [tuple(drawn[1][touch * j : touch * (j + 1)]) for j in range(count)]
    rest = drawn[1][count * touch :]
    assert island.tolist() == [drawn[0], [*itertools.chain(*sorted(own)), *rest], drawn[2]]


@dataclass
class Standing:
    """A set that may go on: its score, rows, islands, needs that it meets and routes left per team."""

    value: int
    used: frozenset[int]
    islands: list[frozenset[int]]
    met: frozenset[int]
    left: tuple[int, ...]

    @classmethod
    def draw(cls, chance: random.Random, touch: int) -> Standing:
        links = [key for key in KEYS if key < 64 * touch and chance.random() < 0.7]
        chance.shuffle(links)
        cuts = sorted({0, *(chance.randint(0, len(links)) for _ in range(chance.randint(0, 2))), len(links)})
        return cls(
            value=10 * chance.randint(0, 9),
            used=_some(chance, KEYS, 0, 4),
            islands=[frozenset(links[a:b]) for a, b in itertools.pairwise(cuts)],
            met=frozenset(need for need in range(2) if chance.random() < 0.5),
            left=(chance.randint(0, 2), chance.randint(0, 15)),
        )

    def changed(self, chance: random.Random) -> Standing:
        """Return a set that is much like this one."""
        islands = self.islands
        if len(islands) > 1 and chance.random() < 0.4:
            free = frozenset(key for key in KEYS if key < 64) - frozenset().union(*islands)
            islands = [
                islands[0] | islands[1],
                *islands[2:],
                *([free] if free and chance.random() < 0.5 else []),
            ]
        elif islands and chance.random() < 0.4:
            islands = [islands[0] - {min(islands[0])} or islands[0], *islands[1:]]
        islands = chance.sample(islands, len(islands))
        return Standing(
            value=max(0, self.value + chance.choice([0, 0, 10, 20, 90])),
            used=self.used ^ _some(chance, KEYS, 0, 1),
            islands=islands,
            met=self.met | frozenset(chance.choice([[], [], [0], [1]])),
            left=(self.left[0], min(15, self.left[1] + chance.choice([0, 0, 1]))),
        )

    def stands_in(self, other: Standing, track: frozenset[int], later: frozenset[int], worth: Ints) -> bool:
        """Tell whether this set does all that another one does."""
        more = (self.used - other.used) & later
        return (
            not more & track
            and self.value - sum(int(worth[key]) for key in more - track) >= other.value
            and all(a >= b for a, b in zip(self.left, other.left, strict=True))
            and other.met <= self.met
            and all(any(there <= here for here in self.islands) for there in other.islands)
            and all(any(there <= here for there in other.islands) for here in self.islands)
        )

    def followed(
        self, more: Sequence[tuple[frozenset[int], frozenset[int]]], track: frozenset[int], worth: Ints
    ) -> int | None:
        """Return the score with more candidates (rows and links), less their own; ``None``: not allowed."""
        uses = Counter([*self.used, *(key for keys, _ in more for key in keys)])
        if any(uses[key] > 1 for key in track):
            return None
        links = [*self.islands, *(link for _, link in more)]
        if parts(links, frozenset(KEYS)) > 1:
            return None
        return self.value - sum(
            int(worth[key]) * (times - 1) for key, times in uses.items() if key not in track
        )


def stand(sets: Sequence[Standing], touch: int, first: int) -> dict[str, Any]:
    """Return sets as the kernels hold them, from line ``first`` on."""
    lines = first + len(sets) + 2
    figures = np.full((lines, k.F_SIZE), -7, dtype=np.int64)
    used = np.full((lines, 2), 77, dtype=np.uint64)
    island = np.full((lines, max(1, 9 * touch)), 77, dtype=np.uint64)
    for line, one in enumerate(sets, first):
        figures[line, k.F_VALUE] = one.value
        figures[line, k.F_LEFT] = sum(count << 5 * team for team, count in enumerate(one.left))
        figures[line, k.F_MET] = sum(1 << need for need in one.met)
        figures[line, k.F_ISLANDS] = len(one.islands)
        used[line] = words([one.used])[0]
        island[line, : touch * len(one.islands)] = words(one.islands)[:, :touch].ravel()
    picks = np.arange(2 * lines).reshape(lines, 2)
    return {"figures": figures, "used": used, "island": island, "picks": picks}


def check_kept(before: dict[str, Ints], after: dict[str, Ints], first: int, kept: Sequence[int]) -> None:
    """Check that of all that stand from ``first`` on just these are kept, in their order."""
    for name, lines in before.items():
        assert (after[name][:first] == lines[:first]).all()
        assert (after[name][first : first + len(kept)] == lines[[first + s for s in kept]]).all()


@examples(300, 100)
@given(seeds)
def test_find_state(seed: int) -> None:
    chance = random.Random(seed)
    touch, first, stamp = chance.choice([0, 1, 2]), chance.randint(0, 3), chance.randint(2, 9)
    later = _some(chance, KEYS, 0, 9)
    hashes: dict[object, int] = {}

    def state(one: Standing) -> object:
        return one.left, one.met, tuple(one.islands), one.used & later

    sets: list[Standing] = []
    for _ in range(chance.randint(1, 10)):
        alike = sets and chance.random() < 0.7
        sets.append(chance.choice(sets).changed(chance) if alike else Standing.draw(chance, touch))
        hashes.setdefault(state(sets[-1]), chance.choice([chance.randint(14, 17), chance.randrange(1 << 31)]))
    known = list({state(one): one for one in sets if chance.random() < 0.7}.values())
    size = 16
    seen = ints([chance.randrange(stamp) << 32 | chance.randrange(10) for _ in range(size)])
    slots: dict[object, int] = {}

    def free(one: Standing) -> int:
        at = hashes[state(one)] % size
        while at in slots.values():
            at = (at + 1) % size
        return at

    for at, one in enumerate(known):
        slot = slots[state(one)] = free(one)
        seen[slot] = stamp << 32 | at
    stored, level = stand(known, touch, first), chance.randint(0, 9)
    for one in sets:
        drawn = stand([one], touch, level)
        part = np.full((11, max(1, 9 * touch)), 77, dtype=np.uint64)
        part[10] = drawn["island"][level]
        slot = call(
            k.find_state,
            figures=stored["figures"],
            used=stored["used"],
            island=stored["island"],
            first=first,
            seen=seen,
            stamp=stamp,
            hash_=hashes[state(one)],
            figure=np.resize(drawn["figures"], (11, k.F_SIZE)),
            row=np.resize(drawn["used"], (11, 2)),
            part=part,
            level=level,
            later=words([later])[0],
        )
        assert slot == slots.get(state(one), free(one))


@examples(500, 300)
@given(seeds)
def test_drop_worse(seed: int) -> None:
    chance = random.Random(seed)
    touch, track = chance.choice([0, 1, 2]), chance.choice([0, 1, 2])
    rows = frozenset(key for key in KEYS if key < 64 * track)
    worth = ints([chance.choice([0, 10, 20]) for _ in range(128)])
    later = _some(chance, KEYS, 0, 9)
    sets: list[Standing] = []
    for _ in range(chance.randint(0, 12)):
        alike = sets and chance.random() < 0.7
        sets.append(chance.choice(sets).changed(chance) if alike else Standing.draw(chance, touch))
    chance.shuffle(sets)
    first = chance.randint(0, 3)
    before = stand(sets, touch, first)
    after = {name: lines.copy() for name, lines in before.items()}
    count = call(
        k.drop_worse,
        **after,
        first=first,
        count=len(sets),
        n_touch=touch,
        n_track=track,
        later=words([later])[0],
        n_teams=2,
        worth_table=k.byte_table(worth[64 * track :].copy()),
    )

    kept: list[int] = []
    for y in sorted(range(len(sets)), key=lambda s: -sets[s].value):
        if not any(sets[x].stands_in(sets[y], rows, later, worth) for x in kept):
            kept.append(y)
    assert count == len(kept)
    check_kept(before, after, first, sorted(kept))

    # whatever follows, the set that stands in for another one is as good
    futures = [
        [
            (_some(chance, sorted(later), 0, 2), _some(chance, KEYS[: 5 if touch < 2 else 9], 1, 3))
            for _ in range(n)
        ]
        for n in (0, 1, 1, 2, 2, 3)
    ]
    for b in set(range(len(sets))) - set(kept):
        better = [sets[a] for a in kept if sets[a].stands_in(sets[b], rows, later, worth)]
        assert better
        for more, a in itertools.product(futures, better):
            least = sets[b].followed(more, rows, worth)
            if least is None:
                continue
            most = a.followed(more, rows, worth)
            assert most is not None
            assert most >= least


def test_drop_worse_tries_only_the_sets_of_most_money() -> None:
    # none of the first ones uses all track of another one; the next stands in for the last, but is not tried
    used = [frozenset(keys) for keys in itertools.combinations(range(30), 3)][: k.MOST_STANDING]
    used += [frozenset([99]), used[7] | {98}, frozenset([99])]
    sets = [Standing(9999 - at, own, [], frozenset(), (1, 1)) for at, own in enumerate(used)]
    before = stand(sets, 0, 0)
    after = {name: lines.copy() for name, lines in before.items()}
    count = call(
        k.drop_worse,
        **after,
        first=0,
        count=len(sets),
        n_touch=0,
        n_track=2,
        later=np.full(2, (1 << 64) - 1, dtype=np.uint64),
        n_teams=2,
        worth_table=np.zeros((0, 256), dtype=np.int64),
    )
    assert count == k.MOST_STANDING + 2
    check_kept(before, after, 0, [*range(k.MOST_STANDING + 1), k.MOST_STANDING + 2])


@examples(300, 100)
@given(seeds)
def test_keep_widest(seed: int) -> None:
    chance = random.Random(seed)
    count, first, stamp = chance.randint(1, 12), chance.randint(0, 3), chance.randint(2, 9)
    width = chance.randint(1, count)
    before = stand([Standing.draw(chance, 1) for _ in range(count)], 1, first)
    bounds = [chance.randint(-3, 3) * chance.choice([1, 1 << 40]) for _ in range(count)]
    hashes = [chance.choice([chance.randint(0, 3), chance.randrange(1 << 31)]) for _ in range(count)]
    before["figures"][first : first + count, k.F_BOUND] = bounds
    before["figures"][first : first + count, k.F_HASH] = hashes
    after = {name: lines.copy() for name, lines in before.items()}
    size = chance.choice([16, 32])
    seen = ints([chance.randrange(stamp) << 32 | chance.randrange(count) for _ in range(size)])
    got = call(k.keep_widest, **after, first=first, count=count, width=width, stamp=stamp, seen=seen)
    kept = sorted(sorted(range(count), key=lambda s: -bounds[s])[:width])
    assert got == width
    check_kept(before, after, first, kept)
    assert sorted(int(one) & 0xFFFFFFFF for one in seen if one >> 32 == stamp) == list(range(width))
    for at, s in enumerate(kept):
        slot = hashes[s] % size
        while seen[slot] != stamp << 32 | at:
            assert seen[slot] >> 32 == stamp
            slot = (slot + 1) % size


def sweep_straight(
    swept: Swept, target: int, slice_: int, width: int, room: int, raised: Sequence[int] = ()
) -> tuple[list[Choice], bool]:
    """Return the sets that the kernel finds, and whether it dropped any; ``raised``: other targets."""
    arrays, slots, pool = swept.arrays(), sum(swept.pool.counts), swept.pool
    state = np.zeros(k.SWEEP_SIZE, dtype=np.int64)
    state[k.SWEEP_COUNT] = state[k.SWEEP_STAMP] = 1
    state[k.SWEEP_TARGET] = target * pool.scale
    figures = np.full((2 * room, k.F_SIZE), -7, dtype=np.int64)
    used = np.full((2 * room, arrays["mask"].shape[1]), 77, dtype=np.uint64)
    figures[0], used[0] = 0, 0
    figures[0, k.F_LEFT] = sum(count << 5 * team for team, count in enumerate(pool.counts))
    choice = np.full(slots, -1, dtype=np.int64)
    arrays |= {
        "width": width,
        "slice_": slice_,
        "state": state,
        "seen": np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int64),
        "figures": figures,
        "used": used,
        "island": np.full((2 * room, slots * swept.touch), 77, dtype=np.uint64),
        "picks": np.full((2 * room, slots), -7, dtype=np.int64),
        "choice": choice,
    }
    found: list[Choice] = []
    more = iter(raised)
    while True:
        code = call(k.sweep_routes, **arrays)
        if code == k.DONE:
            return found, bool(state[k.SWEEP_CUT])
        if code == k.FOUND:
            chosen = [swept.order[c] for c in choice.tolist() if c >= 0]
            found.append((int(state[k.SWEEP_BEST]), tuple(sorted(chosen))))
            assert state[k.SWEEP_TARGET] == (found[-1][0] + swept.unit) * pool.scale
        else:
            assert code == k.SLICE
        state[k.SWEEP_TARGET] = max(int(state[k.SWEEP_TARGET]), next(more, 0) * pool.scale)


@examples(500, 100)
@given(seeds)
def test_sweep_routes_finds_the_best(seed: int) -> None:
    """Where all states are kept, whatever the order of the candidates."""
    chance = random.Random(seed)
    swept = Swept.draw(chance, most=7 if COMPILED else 5)
    sets = {chosen: score for score, chosen in swept.sets()}
    best = max(sets.values())
    for least in (best + 1, max(1, best), max(1, best - 40), 1):
        slice_ = chance.choice([1, 7, 10**6])
        raised = [chance.randint(0, best) for _ in range(chance.choice([0, 0, 20]))]
        found, cut = sweep_straight(swept, least, slice_, 5000, 5001, raised)
        assert not cut
        assert all(sets[chosen] == score >= least for score, chosen in found)
        scores = [score for score, _ in found]
        assert scores == sorted(set(scores))
        assert scores[-1:] == ([best] if best >= least else [])


@examples(500, 100)
@given(seeds)
def test_sweep_routes_in_little_room(seed: int) -> None:
    """What is found is legal, and if the best is missed it is said that sets were dropped."""
    chance = random.Random(seed)
    swept = Swept.draw(chance, most=7 if COMPILED else 5)
    sets = {chosen: score for score, chosen in swept.sets()}
    best = max(sets.values())
    for width in (1, 2, 5):
        least = chance.choice([1, 1, max(1, best)])
        room = width + chance.randint(1, 3 * width)
        found, cut = sweep_straight(swept, least, chance.choice([1, 7, 10**6]), width, room)
        assert all(sets[chosen] == score >= least for score, chosen in found)
        scores = [score for score, _ in found]
        assert scores == sorted(set(scores))
        assert cut or scores[-1:] == ([best] if best >= least else [])


@examples(400, 100)
@given(seeds)
def test_sweep(seed: int) -> None:
    """The same by the class that lays the candidates out."""
    chance = random.Random(seed)
    swept = Swept.draw(chance, most=7 if COMPILED else 5)
    sets = {chosen: score for score, chosen in swept.sets()}
    best, pool = max(sets.values()), swept.pool
    pools = [
        Candidates(
            value=ints(value),
            mask=swept.mask(keys),
            link=words(links),
            excess=np.zeros(len(value), dtype=np.int64),
            ends=np.zeros((len(value), 0), dtype=np.uint64),
            start=np.zeros((len(value), 2), dtype=np.int64),
            path=ints([]),
            floor=0,
        )
        for value, keys, links in zip(pool.value, pool.keys, pool.links, strict=True)
    ]
    model: Any = SimpleNamespace(
        unit=swept.unit,
        touch=swept.touch,
        needs=words(pool.needs),
        words=swept.rows.stop - 1,
        worth=pool.worth[64 : 64 * swept.rows.stop],
    )
    chains = chance.random() < 0.3
    slots: Any = [
        SimpleNamespace(count=count, pool=own if chains and chance.random() < 0.5 else None)
        for count, own in zip(pool.counts, pools, strict=True)
    ]
    for width, most, least in itertools.product((5000, chance.choice([1, 2])), (1, 3, 99), (best + 1, 1)):
        target = max(least, 1)
        sweep = Sweep(
            model,
            slots,
            pools,
            swept.figures(pool.price),
            pool.scale,
            again=pool.again,
            width=width,
            most=most,
        )
        slice_ = chance.choice([1, 7, 10**6])
        scores = []
        total, code = 0, k.SLICE
        while code != k.DONE:
            code, spent = sweep.step(target, slice_)
            total += spent
            if code == k.FOUND:
                picked = sweep.picked(range(10, 10 + len(pools)))
                assert all(own is pools[number - 10] for number, own, _ in picked)
                chosen = tuple(sorted((number - 10, i) for number, _, i in picked))
                assert sets[chosen] == sweep.found >= target
                scores.append(sweep.found)
                target = sweep.found + swept.unit
        assert total > 0
        assert not (sweep.cut and width == 5000)
        assert sweep.cut or scores[-1:] == ([best] if best >= max(least, 1) else [])


def test_every_kernel_has_a_twin() -> None:
    """A new kernel must be added here."""
    tested = {
        "add_rows",
        "area_money",
        "area_shift",
        "best_places",
        "best_route",
        "byte_table",
        "chain_money",
        "choose_payments",
        "complete_routes",
        "count_bits",
        "count_islands",
        "distance_money",
        "end_amounts",
        "extend_trails",
        "hangs_together",
        "join_routes",
        "join_trails",
        "pay_chains",
        "trails_ahead",
        "keep_linking",
        "lay_out_adjacency",
        "lowest_bit",
        "can_replace",
        "keep_routes",
        "later_money",
        "mark_covered",
        "mark_replaced",
        "meets_needs",
        "next_trail",
        "pack_few",
        "path_ends",
        "reach_within",
        "path_reduced",
        "repeated_worth",
        "row_worth",
        "replaces_trail",
        "take_visits",
        "top_sum",
        "first_place",
        "order_marks",
        "look_ahead",
        "bound_ahead",
        "charge_islands",
        "mix_bits",
        "sort_islands",
        "drop_worse",
        "keep_widest",
        "sweep_routes",
        "trace_words",
        "walk_trails",
        "hop_matrix",
        "best_payment",
        "enumerate_routes",
        "mark_dominated",
        "reduced_values",
        "improve_prices",
        "pack_routes",
        "find_state",
        "find_triples",
        "greatest_gains",
        "triple_words",
    }
    code = ast.parse(inspect.getsource(k))
    found = {node.name for node in code.body if isinstance(node, ast.FunctionDef) and node.decorator_list}
    assert found == tested
