"""A slow naive twin for every compiled kernel.

The twins are plain Python over sets and brute force. All tests run interpreted and bounds-checked too
(``-m uncompiled``), then with fewer examples.
"""

from __future__ import annotations

import inspect
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

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
    charges,
    examples,
    ints,
    lay_out,
    piece_bits,
    sliced,
    to_words,
    walked,
)
from strategies import problems

from naive import naive_routes
from router import kernels as k
from router.errors import Unsupported
from router.problem import Limit, Node, RouteProblem, Segment, StopBonus, Train, kinds
from router.work import Work

pytestmark = pytest.mark.uncompiled

KEYS = (0, 1, 5, 62, 63, 64, 65, 100, 127)
"""Bits of two words, so that masks cross the border of a word."""

seeds = st.integers(0, 2**32 - 1)

Choice: TypeAlias = tuple[int, frozenset[tuple[int, int]]]
"""Money, and the candidates as profile and place."""


def words(sets: Sequence[frozenset[int]]) -> Words:
    """Return sets of bit numbers below 128 as rows of words."""
    return to_words([sum(1 << key for key in keys) for keys in sets], 128).reshape(len(sets), 2)


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
        call(
            k.hop_matrix,
            adj_ptr=graph.adj_ptr,
            adj_node=graph.adj_node,
            flags=flags,
            visit_inc=inc,
            limit=limit,
            out=got,
        )
        for u in range(n):
            roads: nx.DiGraph[int] = nx.DiGraph()
            roads.add_nodes_from(range(n))
            for segment in problem.segments:
                a, b = graph.node_index[segment.a], graph.node_index[segment.b]
                for x, y in ((a, b), (b, a)):
                    if (x == u or flags[x] & k.THROUGH) and flags[y] & k.ALLOWED:
                        roads.add_edge(x, y, weight=int(inc[y, limit]))
            away = nx.single_source_dijkstra_path_length(roads, u)
            assert got[u].tolist() == [away.get(v, 1 << 30) for v in range(n)]


# --- best_payment ---------------------------------------------------------------------------------------


@dataclass
class Payment:
    """The stops of one route and the rules by which they pay."""

    stops: list[int]
    flags: list[int]
    value: list[int]
    limits: list[tuple[frozenset[int], int]]
    bonuses: list[tuple[int, list[frozenset[int]]]]
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
            bonuses.append((chance.choice([5, 10, 40, 100]), sets))
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
        for _, sets in self.bonuses:
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
            pay_inc=ints([[i in members for members, _ in self.limits] for i in range(n)]).reshape(n, -1),
            pay_cap=ints([most for _, most in self.limits]),
            bonus_amount=ints([amount for amount, _ in self.bonuses]),
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
        for amount, sets in self.bonuses:
            if all(members & paying for members in sets):
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
        bonuses=[(5, [frozenset(range(n))])],
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
        assert walked(search.graph, found) == all_routes(problem, search.train)
        search.walker().routes(0, 20_000, whole)
        assert work.expansions == whole.expansions


@examples(200, 80)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), st.integers(0, 400))
def test_enumerate_above_a_threshold(problem: RouteProblem, threshold: int) -> None:
    for search in lay_out(problem):
        alone = all_routes(problem, search.train)
        expected = {path: money for path, money in alone.items() if money >= threshold}
        assert walked(search.graph, search.routes(threshold)) == expected


@examples(200, 80)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), seeds, st.integers(-200, 300))
def test_enumerate_with_prices(problem: RouteProblem, seed: int, wanted: int) -> None:
    chance = random.Random(seed)
    for search in lay_out(problem):
        graph = search.graph
        scale = chance.choice([1, 8, 64])
        price = ints(
            [chance.choice([0, 0, 1, chance.randint(0, 60 * scale)]) for _ in range(graph.words * 64)]
        )
        threshold = wanted * scale + chance.randint(0, scale)
        work = sliced(chance.choice([1, 10**6]))
        found = search.walker(price=price, scale=scale).routes(threshold, 20_000, work)
        expected = {
            path: money
            for path, money in all_routes(problem, search.train).items()
            if money * scale - charges(graph, path, price) >= threshold
        }
        assert walked(graph, found) == expected


@examples(150, 60)
@given(problems(terms="single", max_nodes=7, max_segments=10, max_trains=1), st.data())
def test_enumerate_beside_track_in_use(problem: RouteProblem, data: st.DataObject) -> None:
    taken = data.draw(st.sets(st.sampled_from(problem.segments), max_size=3)) if problem.segments else set()
    pieces = {name for segment in taken for name in segment.track}
    for search in lay_out(problem):
        bits = piece_bits(search.graph, [segment.id for segment in taken])
        expected = {
            path: money
            for path, money in all_routes(problem, search.train).items()
            if not pieces & {piece for name in path[1] for piece in problem.segment_by_id[name].track}
        }
        assert walked(search.graph, search.routes(taken=bits)) == expected


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
        graph = search.graph
        scale = chance.choice([1, 64])
        price = ints([chance.randint(0, 20 * scale) if scale > 1 else 0 for _ in range(graph.words * 64)])
        walker = search.walker(price=price, scale=scale)
        found = walker.routes(threshold, most, sliced(chance.choice([1, 3, 10**6])))
        assert found.floor >= threshold
        assert len(found) <= 2 * most + 1
        worth = {
            path: money * scale - charges(graph, path, price)
            for path, money in all_routes(problem, search.train).items()
        }
        got = walked(graph, found)
        assert {path for path, money in worth.items() if money >= found.floor} <= set(got)
        assert all(worth[path] >= threshold for path in got)


@examples(150, 60)
@given(problems(terms="single", max_nodes=8, max_segments=12, max_trains=1))
def test_enumerate_counts(problem: RouteProblem) -> None:
    for search in lay_out(problem):
        expected = [0] * (len(problem.nodes) + 2)
        for route in naive_routes(problem, search.train):
            expected[len(route.nodes)] += 1
        for slice_ in (1, 400_000):
            assert search.walker().perft(sliced(slice_)).tolist() == expected


# --- candidates in general ------------------------------------------------------------------------------


@dataclass
class Pool:
    """Candidates of several profiles, with prices on their track."""

    value: list[list[int]]
    keys: list[list[frozenset[int]]]
    counts: list[int]
    price: Ints
    scale: int

    @classmethod
    def draw(cls, chance: random.Random, most: int = 6) -> Pool:
        profiles = chance.randint(1, 3)
        value, keys = [], []
        for _ in range(profiles):
            size = chance.randint(0, most)
            value.append([chance.randint(1, 30) * 10 for _ in range(size)])
            keys.append([frozenset(chance.sample(KEYS, chance.randint(1, 4))) for _ in range(size)])
        scale = chance.choice([1, 64])
        price = np.zeros(128, dtype=np.int64)
        for key in KEYS:
            price[key] = chance.choice([0, 0, chance.randint(0, 120 * scale)])
        return cls(value, keys, [chance.randint(1, 3) for _ in range(profiles)], price, scale)

    def reduced(self) -> list[list[int]]:
        """Return the scaled values less prices, per profile."""
        return [
            [money * self.scale - sum(int(self.price[key]) for key in keys) for money, keys in pairs]
            for pairs in self.pairs()
        ]

    def pairs(self) -> list[list[tuple[int, frozenset[int]]]]:
        """Return value and keys of each candidate, per profile."""
        return [list(zip(v, r, strict=True)) for v, r in zip(self.value, self.keys, strict=True)]

    def sets(self) -> Iterator[Choice]:
        """Yield every compatible choice with its money, the empty one too."""

        def add(p: int, used: frozenset[int]) -> Iterator[Choice]:
            if p == len(self.counts):
                yield 0, frozenset()
                return
            for size in range(self.counts[p] + 1):
                for chosen in itertools.combinations(range(len(self.value[p])), size):
                    track = [key for i in chosen for key in self.keys[p][i]]
                    if len(track) > len(set(track)) or used & set(track):
                        continue
                    for money, rest in add(p + 1, used | set(track)):
                        own = frozenset((p, i) for i in chosen)
                        yield money + sum(self.value[p][i] for i in chosen), rest | own

        return add(0, frozenset())

    def best(self) -> int:
        return max(money for money, _ in self.sets())

    def lagrangian(self, price: Ints) -> int:
        """Return the bound that prices prove, scaled."""
        bound = sum(int(amount) for amount in price)
        for reduced, count in zip(replace(self, price=price).reduced(), self.counts, strict=True):
            bound += sum(max(0, amount) for amount in sorted(reduced, reverse=True)[:count])
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


@examples(500, 200)
@given(seeds)
def test_mark_dominated(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(0, 15)
    value = sorted((chance.randint(0, 5) for _ in range(size)), reverse=True)
    keys = [frozenset(chance.sample(KEYS, chance.randint(0, 4))) for _ in range(size)]
    out = np.zeros(size, dtype=np.uint8)
    call(k.mark_dominated, value=ints(value), mask=words(keys), dominated=out)
    assert out.tolist() == [any(keys[j] <= keys[i] for j in range(i)) for i in range(size)]


@examples(500, 150)
@given(seeds)
def test_improve_prices(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance)
    start = list(itertools.accumulate((len(row) for row in pool.value), initial=0))
    keys = [one for row in pool.keys for one in row]
    out = np.full(128, -1, dtype=np.int64)
    target = chance.choice([0, pool.best() * pool.scale, (pool.best() + 10) * pool.scale])
    bound = call(
        k.improve_prices,
        value=ints([money * pool.scale for row in pool.value for money in row]),
        mask=words(keys),
        start=ints(start),
        slots=ints(pool.counts),
        price=pool.price.copy(),
        best_price=out,
        target=target,
        rounds=chance.choice([1, 5, 60]),
    )
    assert (out >= 0).all()
    assert bound == pool.lagrangian(out)
    assert pool.best() * pool.scale <= bound <= pool.lagrangian(pool.price)


def pack(
    pool: Pool, target: int, slice_: int, *, rising: bool
) -> list[tuple[int, frozenset[tuple[int, int]]]]:
    """Return the sets that the kernel finds; ``rising``: each must be better than the one before."""
    order = [sorted(range(len(row)), key=lambda i, row=row: -row[i]) for row in pool.reduced()]
    reduced = [row[i] for row, by in zip(pool.reduced(), order, strict=True) for i in by]
    value = [row[i] for row, by in zip(pool.value, order, strict=True) for i in by]
    keys = [row[i] for row, by in zip(pool.keys, order, strict=True) for i in by]
    start = list(itertools.accumulate(map(len, order), initial=0))
    slots = sum(pool.counts)
    width = slots + 1
    slot_profile = np.repeat(np.arange(len(pool.counts)), pool.counts)
    state = np.zeros(k.K_SIZE, dtype=np.int64)
    state[k.K_TARGET] = target
    choice = np.full(width, -1, dtype=np.int64)
    arrays = {
        "value": ints(value),
        "reduced": ints(reduced),
        "mask": words(keys),
        "start": ints(start),
        "slot_profile": slot_profile,
        "next_profile_slot": np.repeat(np.cumsum(pool.counts), pool.counts),
        "price_sum": int(pool.price.sum()),
        "scale": pool.scale,
        "state": state,
        "cursor": np.zeros(4 * width, dtype=np.int64),
        "list_start": np.zeros((width, len(pool.counts) + 1), dtype=np.int64),
        "lists": np.empty((width, len(value)), dtype=np.int64),
        "best": choice,
    }
    found = []
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
            assert len(chosen) == len(set(chosen))
            found.append((int(state[k.K_BEST]), frozenset(chosen)))
            if rising:
                state[k.K_TARGET] = (found[-1][0] + 1) * pool.scale


@examples(600, 150)
@given(seeds)
def test_pack_routes_finds_the_best(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance)
    least = chance.choice([1, 50, pool.best(), pool.best() + 1])
    found = pack(pool, least * pool.scale, chance.choice([1, 2, 5, 10**6]), rising=True)
    sets = {chosen: money for money, chosen in pool.sets()}
    assert all(sets[chosen] == money >= least for money, chosen in found)
    money = [money for money, _ in found]
    assert money == sorted(set(money))
    assert money[-1:] == ([pool.best()] if pool.best() >= least else [])


@examples(400, 100)
@given(seeds)
def test_pack_routes_finds_every_set_that_reaches_a_target(seed: int) -> None:
    chance = random.Random(seed)
    pool = Pool.draw(chance, most=5)
    least = max(1, pool.best() - chance.choice([0, 10, 50, 300]))
    found = pack(pool, least * pool.scale, chance.choice([1, 3, 10**6]), rising=False)
    expected = {(money, chosen) for money, chosen in pool.sets() if money >= least}
    assert set(found) == expected
    assert len(found) == len(expected)


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


def test_every_kernel_has_a_twin() -> None:
    """A new kernel must be added here."""
    tested = {
        "hop_matrix",
        "best_payment",
        "enumerate_routes",
        "mark_dominated",
        "reduced_values",
        "improve_prices",
        "pack_routes",
        "find_triples",
    }
    code = inspect.getsource(k)
    found = {
        line.split("(")[0].removeprefix("def ")
        for before, line in itertools.pairwise(code.splitlines())
        if before.startswith("@nb.njit")
    }
    assert found == tested
