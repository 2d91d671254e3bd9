"""Every bound of the search is at least the true value."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from searching import Candidates, Ints, Path, Search, board, examples, ints, lay_out, plain_train, tight
from strategies import problems

from naive import TooBig, naive_best
from router import kernels as k
from router.callbacks import Callbacks
from router.errors import Unsupported
from router.graph import build_graph
from router.model import build_model
from router.prices import SCALE, Priced, best_prices, reduced_values, top_money, within_gap
from router.problem import DistanceBonus, Hex, Limit, RouteProblem, StopBonus, TrackBonus, Train, kinds
from router.profile import build_profile
from router.relax import sharpen
from router.roof import roof
from router.solution import Status
from router.solve import solve
from router.stop import NodeBudget
from router.teams import gather
from router.work import Work

seeds = st.integers(0, 2**32 - 1)
BIG = kinds("city", "offboard")


def optimum(problem: RouteProblem, objective: str = "revenue") -> int | None:
    """Return the most that a run brings, ``None`` if none is legal; discard what is too large to try."""
    try:
        best = naive_best(problem, objective=objective, most=1000)
    except TooBig:
        assume(False)
    if best is None:
        return None
    return best.revenue + (best.subsidy if objective == "total" else 0)


# --- the walk -------------------------------------------------------------------------------------------

TRAINS = {
    "plain": plain_train("t", 5),
    "free": Train("t", "free"),
    "pays some": Train("t", "4/6", visit=(Limit(BIG, 6),), pay=(Limit(BIG, 4),), paying=BIG),
    "fills with towns": Train(
        "t", "fill", visit=(Limit(BIG, 4),), pay=(Limit(kinds("city", "town", "offboard"), 5),), must_pay=BIG
    ),
    "n+m": Train("t", "n+m", visit=(Limit(BIG, 4), Limit(kinds("city", "town", "offboard"), 6))),
    "five of any": Train(
        "t", "5E", visit=(Limit(kinds("offboard"), 2),), pay=(Limit(BIG, 5),), paying=BIG, token_pays=True
    ),
    "short": Train("t", "short", max_edges=5),
    "no offboard": Train("t", "local", visit=(Limit(kinds("offboard"), 0), Limit(kinds("city"), 6))),
}
TERMS = (
    StopBonus("port", 60, (frozenset({"0.0", "3.1"}),)),
    StopBonus("pair", 100, (frozenset({"1.0", "2.3"}), frozenset({"3.3", "0.3"}))),
    TrackBonus("bridge", 50, "m"),
)


def big_board(seed: int, train: Train) -> RouteProblem:
    """Return a board with tens of thousands of routes and bonuses on some of them."""
    problem = board(4, seed, [train])
    marked = tuple(replace(s, marks=("m",)) if i % 6 == 0 else s for i, s in enumerate(problem.segments))
    return replace(problem, segments=marked, terms=TERMS if seed % 2 else ())


def worths(search: Search, found: Candidates, price: Ints, scale: int) -> dict[Path, int]:
    """Return the scaled value less prices of each route."""
    return {path: money * scale - search.charges(path, price) for path, money in search.walked(found).items()}


@pytest.mark.parametrize("kind", TRAINS)
@pytest.mark.parametrize("seed", range(4))
def test_the_branch_bound_loses_no_route(kind: str, seed: int) -> None:
    """A walk with a threshold returns exactly the routes that reach it."""
    problem = big_board(seed, TRAINS[kind])
    [search] = lay_out(problem)
    everything = search.walked(search.routes(0, 300_000))
    money = sorted(everything.values())
    cuts = {money[len(money) * part // 100] for part in (10, 50, 90, 97)} | {money[-1], money[-1] + 1}
    for threshold in sorted(cuts):
        found = search.walked(search.routes(threshold, 300_000))
        assert found == {path: worth for path, worth in everything.items() if worth >= threshold}


@pytest.mark.parametrize("kind", TRAINS)
@pytest.mark.parametrize("seed", range(3))
def test_the_branch_bound_loses_no_route_with_prices(kind: str, seed: int) -> None:
    problem = big_board(seed, TRAINS[kind])
    [search] = lay_out(problem)
    chance = random.Random(seed)
    price = ints([chance.choice([0, chance.randint(0, 70 * SCALE)]) for _ in range(search.rows)])
    everything = worths(search, search.routes(0, 300_000), price, SCALE)
    money = sorted(everything.values())
    for threshold in {money[len(money) * part // 100] for part in (50, 90, 99)} | {money[-1], money[-1] + 1}:
        found = worths(search, search.routes(threshold, 300_000, price=price, scale=SCALE), price, SCALE)
        assert found == {path: worth for path, worth in everything.items() if worth >= threshold}


@examples(300, 60)
@given(problems(terms="single", max_trains=3))
def test_limits_and_classes_of_the_branch_bound_are_laminar(problem: RouteProblem) -> None:
    """Taking stops by falling gain is exact only if any two of the sets are nested or disjoint."""
    for search in lay_out(problem):
        profile = search.profile
        n = len(search.graph.node_ids)
        ahead = {("ahead", x) for x in range(n)}
        unpaid = {("visited", x) for x in range(n) if profile.flags[x] & k.OPTIONAL}
        sets = []
        for j in range(profile.bound_cap.shape[0]):
            items = ahead | unpaid if profile.bound_all[j] else ahead
            sets.append({item for item in items if profile.bound_inc[j, item[1]]})
        for classes in (profile.single, profile.end_class):
            for name in set(classes.tolist()) - {-1}:
                sets.append({("ahead", x) for x in range(n) if classes[x] == name})
        for a, b in itertools.combinations(sets, 2):
            assert a <= b or b <= a or not a & b


# --- prices and the relaxation --------------------------------------------------------------------------


def competing(problem: RouteProblem) -> RouteProblem:
    """Return the problem with track that all trains compete for."""
    return replace(problem, track_scope="all")


def all_pools(problem: RouteProblem) -> tuple[list[Search], list[Candidates]]:
    searches = lay_out(problem)
    return searches, [search.routes(1) for search in searches]


def cap_of(search: Search) -> Ints:
    return np.full(search.rows, 1 << 60, dtype=np.int64)


def priced_at(
    searches: list[Search], pools: list[Candidates], price: Ints, target: int, steps: int
) -> Priced:
    return best_prices(
        pools,
        [1] * len(pools),
        price,
        cap=cap_of(searches[0]),
        target=target,
        steps=steps,
        again=False,
    )


@examples(250, 30)
@given(problems(terms="single", max_trains=3), seeds, st.sampled_from([1, 10, 100]))
def test_the_lagrangian_bound(problem: RouteProblem, seed: int, steps: int) -> None:
    problem = competing(problem)
    best = optimum(problem)
    assert best is not None
    searches, pools = all_pools(problem)
    chance = random.Random(seed)
    price = ints([chance.choice([0, chance.randint(0, 60 * SCALE)]) for _ in range(searches[0].rows)])
    for target in (0, best * SCALE, (best + 10) * SCALE):
        priced = priced_at(searches, pools, price, target, steps)
        assert priced.bound >= best * SCALE
        assert (priced.price >= 0).all()
        tops = [top_money(reduced_values(pool, priced.price), 1, again=False) for pool in pools]
        assert priced.bound == int(priced.price.sum()) + sum(map(sum, tops))


@examples(200, 20)
@given(problems(terms="single", max_trains=3, max_nodes=6), seeds)
def test_dropping_by_the_gap_keeps_a_best_set(problem: RouteProblem, seed: int) -> None:
    problem = competing(problem)
    best = optimum(problem)
    assert best is not None
    searches, pools = all_pools(problem)
    chance = random.Random(seed)
    price = ints([chance.choice([0, chance.randint(0, 60 * SCALE)]) for _ in range(searches[0].rows)])
    kept = within_gap(pools, priced_at(searches, pools, price, best * SCALE, 5), best * SCALE)
    assert best in set(sums(kept))


def sums(pools: list[Candidates]) -> Iterator[int]:
    """Yield what each compatible choice of one route at most per pool brings."""

    def add(at: int, used: Ints, money: int) -> Iterator[int]:
        if at == len(pools):
            yield money
            return
        yield from add(at + 1, used, money)
        for i in range(len(pools[at])):
            if not (pools[at].mask[i] & used).any():
                yield from add(at + 1, used | pools[at].mask[i], money + int(pools[at].value[i]))

    return add(0, np.zeros_like(pools[0].mask[0]) if len(pools[0]) else _no_track(pools), 0)


def _no_track(pools: list[Candidates]) -> Ints:
    return np.zeros(pools[0].mask.shape[1], dtype=np.uint64)  # type: ignore[return-value]


@examples(150, 8)
@given(problems(terms="single", max_trains=3, max_nodes=6, max_segments=12), st.booleans())
def test_the_relaxation_with_triples(problem: RouteProblem, triples: bool) -> None:
    problem = competing(problem)
    best = optimum(problem)
    assert best is not None
    searches, pools = all_pools(problem)
    if not any(map(len, pools)):
        return
    for target in (0, best * SCALE):
        priced = priced_at(searches, pools, np.zeros(searches[0].rows, dtype=np.int64), target, 1)
        relaxed = sharpen(
            pools,
            [1] * len(pools),
            priced,
            target,
            work=Work(),
            rounds=6,
            cap=cap_of(searches[0]),
            triples=triples,
            again=False,
        )
        assert best * SCALE <= relaxed.priced.bound <= priced.bound
        assert (relaxed.priced.price >= 0).all()
        assert best in set(sums(relaxed.pools))


# --- the bounds that a search tells -------------------------------------------------------------------------


@examples(250, 25)
@given(problems(terms="single", max_trains=3))
def test_the_roof(problem: RouteProblem) -> None:
    best = optimum(problem)
    assert best is not None
    total = 0
    for group in gather(problem, ()):
        model = build_model(group.problem, build_graph(problem), "revenue")
        total += roof(model, group) * group.copies
    assert total >= best


@examples(250, 15)
@given(problems(terms="all", max_nodes=6, max_segments=8))
def test_the_roof_of_everything(problem: RouteProblem) -> None:
    best = optimum(problem)
    if best is None:
        return
    total = 0
    for group in gather(problem, ()):
        model = build_model(group.problem, build_graph(problem), "revenue")
        total += roof(model, group) // model.factor * group.copies
    assert total >= best


@examples(250, 10)
@given(problems(terms="single", max_trains=3))
def test_every_bound_that_is_told(problem: RouteProblem) -> None:
    best = optimum(problem)
    assert best is not None
    told: list[int] = []
    with tight():
        solution = solve(problem, callbacks=Callbacks(on_bound=told.append))
    assert all(bound >= best for bound in told)
    assert told == sorted(set(told), reverse=True)
    assert solution.bound >= best >= solution.revenue


@examples(400, 10)
@given(problems(terms="single", max_trains=3), st.integers(0, 300), st.integers(1, 50))
def test_the_bound_under_a_budget(problem: RouteProblem, budget: int, slice_: int) -> None:
    best = optimum(problem)
    assert best is not None
    for method in ("exact", "select"):
        with tight(slice_):
            solution = solve(problem, stop=NodeBudget(budget), method=method)
        assert solution.revenue <= best <= solution.bound
        if solution.status is Status.OPTIMAL:
            assert solution.revenue == best
        else:
            assert solution.why


@examples(300, 10)
@given(
    problems(terms="all", max_nodes=5, max_segments=7),
    st.integers(0, 200),
    st.integers(1, 30),
    st.sampled_from(["revenue", "total"]),
)
def test_the_bound_of_everything_under_a_budget(
    problem: RouteProblem, budget: int, slice_: int, objective: str
) -> None:
    best = optimum(problem, objective)
    try:
        with tight(slice_):
            solution = solve(problem, stop=NodeBudget(budget), objective=objective)
    except Unsupported:
        return
    got = solution.revenue + (solution.subsidy if objective == "total" else 0)
    match solution.status:
        case Status.INFEASIBLE:
            assert best is None
        case Status.UNKNOWN:
            assert best is None or solution.bound >= best
        case Status.OPTIMAL:
            assert best == got == solution.bound
        case Status.FEASIBLE:
            assert best is not None
            assert got <= best <= solution.bound


def test_distance_counts_in_the_roof() -> None:
    problem = board(3, 1, [plain_train("x", 3)])
    hexes = tuple(Hex(f"h{x}.{y}", x, y) for x in range(3) for y in range(3))
    far = replace(problem, hexes=hexes, terms=(DistanceBonus("far", 1000, frozenset({"3"})),))
    [group] = gather(far, ())
    model = build_model(group.problem, build_graph(far), "revenue")
    assert roof(model, group) >= solve(far).revenue >= 1000
    assert build_profile(model, far.trains[0]).outlook.distance.max() == 4000
