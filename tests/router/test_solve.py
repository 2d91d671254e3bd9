"""The search against the naive oracle, the two methods against each other, and the answers' promises."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

import router
from naive import TooBig, naive_best, perft
from router.callbacks import Callbacks
from router.check import check
from router.count import count_routes
from router.errors import InvalidRoutes
from router.graph import build_graph
from router.model import build_model
from router.problem import (
    Hex,
    Limit,
    Node,
    RouteProblem,
    Segment,
    StopBonus,
    TrackBonus,
    Train,
    kinds,
)
from router.solution import Route, RouteSet, Solution, Status
from router.solve import solve
from router.stop import AnyOf, Cancelled, Deadline, NodeBudget

CITIES = kinds("city", "offboard")
CASES: Counter[str] = Counter()


def count_words(problem: RouteProblem) -> None:
    """Note which words of the vocabulary a random case used."""
    CASES["cases"] += 1
    CASES.update({type(term).__name__ for term in problem.terms})
    CASES.update({problem.track_scope, "end_sets" if problem.end_sets else ""})
    for train in problem.trains:
        CASES.update({train.kind, train.hex_visits})
        CASES.update({name for name in ("ends", "through", "stops") if getattr(train, name) is not None})


def stays_true(problem: RouteProblem, solution: Solution) -> None:
    """Check what every answer promises."""
    verdict = check(problem, [route.route for route in solution.routes])
    assert verdict.legal
    assert (verdict.revenue, verdict.subsidy) == (solution.revenue, solution.subsidy)
    assert verdict.routes == solution.routes
    assert solution.revenue <= solution.bound
    assert (solution.status is Status.OPTIMAL) == (solution.revenue == solution.bound)


@settings(max_examples=700)
@given(problems(terms="single"))
def test_naive_exact_and_select_agree(problem: RouteProblem) -> None:
    try:
        naive = naive_best(problem, most=4000)
    except TooBig:
        return
    assert naive is not None
    count_words(problem)
    exact = solve(problem, method="exact")
    stays_true(problem, exact)
    assert exact.status is Status.OPTIMAL
    assert exact.revenue == naive.revenue
    selected = solve(problem, method="select")
    stays_true(problem, selected)
    assert (selected.status, selected.revenue) == (Status.OPTIMAL, naive.revenue)


def test_the_random_cases_cover_the_vocabulary() -> None:
    if not CASES:
        pytest.skip("the random cases ran in another process")
    assert CASES["cases"] >= 500, CASES
    wanted = ["StopBonus", "TrackBonus", "DistanceBonus", "all", "class", "route", "end_sets", "ends"]
    wanted += ["through", "stops", "once", "consecutive", "free", "any-five", "n+m", "x", "local", "m/n"]
    assert all(CASES[word] for word in wanted), CASES


@settings(max_examples=200)
@given(problems(terms="single", max_nodes=8, max_segments=12, max_trains=1))
def test_perft(problem: RouteProblem) -> None:
    for train in problem.trains:
        assert count_routes(problem, train.id) == perft(problem, train)


@settings(max_examples=100)
@given(problems(terms="single"), st.randoms(use_true_random=False))
def test_order_of_the_input_changes_nothing(problem: RouteProblem, chance: random.Random) -> None:
    def shuffled(items: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(chance.sample(items, len(items)))

    other = replace(
        problem,
        nodes=shuffled(problem.nodes),
        segments=tuple(
            replace(s, a=s.b, b=s.a, hexes=s.hexes[::-1], track=s.track[::-1]) if chance.random() < 0.5 else s
            for s in shuffled(problem.segments)
        ),
        hexes=shuffled(problem.hexes),
    )
    assert solve(problem) == solve(other)


@settings(max_examples=60)
@given(problems(terms="single"), st.randoms(use_true_random=False))
def test_renamed_trains_earn_the_same(problem: RouteProblem, chance: random.Random) -> None:
    trains = chance.sample(problem.trains, len(problem.trains))
    other = replace(
        problem, trains=tuple(replace(t, id=f"new {i}", route_ids=()) for i, t in enumerate(trains))
    )
    assert solve(problem).revenue == solve(other).revenue


@settings(max_examples=80)
@given(problems(terms="single", max_trains=3), st.data())
def test_fixed_routes_are_kept(problem: RouteProblem, data: st.DataObject) -> None:
    free = solve(problem)
    if not free.routes:
        return
    fixed = [data.draw(st.sampled_from([route.route for route in free.routes]))]
    kept = solve(problem, fixed=fixed)
    stays_true(problem, kept)
    assert kept.routes[0].route == fixed[0]
    assert (kept.status, kept.revenue) == (Status.OPTIMAL, free.revenue)


@settings(max_examples=60)
@given(problems(terms="single", max_nodes=5, max_segments=7, max_trains=2))
def test_alternatives_fall_and_differ(problem: RouteProblem) -> None:
    best = solve(problem, alternatives=3)
    assert best.revenue == solve(problem).revenue
    money = [best.revenue, *(other.revenue for other in best.alternatives)]
    assert money == sorted(money, reverse=True)
    sets = [frozenset(route.route for route in found.routes) for found in (best, *best.alternatives)]
    assert len(set(sets)) == len(sets)
    for other in best.alternatives:
        assert check(problem, [route.route for route in other.routes]).revenue == other.revenue


def grid(size: int, trains: int, stops: int, seed: int = 1, tokens: int = 2) -> RouteProblem:
    """Return a square board of cities of various values, with track straight and along one diagonal."""
    chance = random.Random(seed)
    spots = set(chance.sample(range(size * size), tokens))
    nodes, segments = [], []
    for x in range(size):
        for y in range(size):
            value = 10 * chance.randint(1, 10)
            nodes.append(Node(f"{x}.{y}", "city", f"h{x}.{y}", value, token=x * size + y in spots))
            for dx, dy in ((1, 0), (0, 1), (1, 1)):
                if x + dx < size and y + dy < size:
                    a, b = f"{x}.{y}", f"{x + dx}.{y + dy}"
                    segments.append(Segment(f"{a}-{b}", a, b, (f"{a}-{b}",), (f"h{a}", f"h{b}")))
    return RouteProblem(
        tuple(nodes),
        tuple(segments),
        tuple(Train(f"t{i}", "n", visit=(Limit(CITIES, stops),)) for i in range(trains)),
    )


def test_a_larger_board_by_both_methods() -> None:
    problem = grid(4, 3, 4)
    exact, selected = solve(problem, method="exact"), solve(problem, method="select")
    stays_true(problem, exact)
    assert exact.status is selected.status is Status.OPTIMAL
    assert exact.revenue == selected.revenue


def test_prices_and_triples_prove_the_same() -> None:
    problem = grid(4, 5, 8, tokens=1)
    found = solve(problem)
    assert found.status is Status.OPTIMAL
    assert found.stats["rounds"]
    assert found.stats["relaxations"]
    assert solve(problem) == found
    stays_true(problem, found)


def test_a_budget_gives_a_bound_and_the_same_answer_twice() -> None:
    problem = grid(4, 6, 10, seed=3, tokens=3)
    cut = solve(problem, stop=NodeBudget(500_000))
    assert cut.status is Status.FEASIBLE
    assert 0 < cut.revenue < cut.bound
    assert "budget" in cut.why
    stays_true(problem, cut)
    assert solve(problem, stop=NodeBudget(500_000)) == cut


def test_no_time_at_all_still_answers() -> None:
    problem = grid(4, 2, 4)
    answer = solve(problem, stop=Deadline(0))
    assert answer.status is Status.FEASIBLE
    assert answer.revenue == 0
    assert answer.bound >= solve(problem).revenue


def test_cancelled() -> None:
    switch = Cancelled()
    switch.cancel()
    answer = solve(grid(4, 2, 4), stop=AnyOf((Deadline(60), switch)))
    assert answer.why == "cancelled"


def test_callbacks_rise_and_fall() -> None:
    sets: list[RouteSet] = []
    bounds: list[int] = []
    problem = grid(4, 5, 8, tokens=1)
    answer = solve(problem, callbacks=Callbacks(on_incumbent=sets.append, on_bound=bounds.append))
    money = [found.revenue for found in sets]
    assert money == sorted(set(money))
    assert money[-1] == answer.revenue == bounds[-1]
    assert bounds == sorted(set(bounds), reverse=True)


def test_nothing_to_run() -> None:
    empty = RouteProblem((), (), ())
    answer = solve(empty)
    assert (answer.status, answer.revenue, answer.bound, answer.routes) == (Status.OPTIMAL, 0, 0, ())
    no_train = replace(grid(3, 1, 3), trains=())
    assert solve(no_train).status is Status.OPTIMAL


def test_more_trains_than_routes() -> None:
    line = RouteProblem(
        (Node("a", "city", "A", 20, token=True), Node("b", "city", "B", 30)),
        (Segment("ab", "a", "b", ("ab",), ("A", "B")),),
        tuple(Train(f"t{i}", "2", visit=(Limit(CITIES, 2),)) for i in range(5)),
    )
    answer = solve(line)
    assert answer.revenue == 50
    assert [route.train for route in answer.routes] == ["t0"]


def test_two_cities_of_one_hex_and_the_best_set_without_the_best_route() -> None:
    """The best single route takes track that two others need."""
    nodes = (
        Node("a", "city", "A", 30, token=True),
        Node("b", "city", "B", 30),
        Node("c", "city", "C", 40),
        Node("d", "city", "D", 40),
    )
    track = [("a", "b"), ("a", "c"), ("b", "d"), ("b", "c")]
    problem = RouteProblem(
        nodes,
        tuple(Segment(x + y, x, y, (x + y,), (x.upper(), y.upper())) for x, y in track),
        (Train("3", "3", visit=(Limit(CITIES, 3),)), Train("2", "2", visit=(Limit(CITIES, 2),))),
    )
    answer = solve(problem)
    assert answer.status is Status.OPTIMAL
    assert answer.revenue == 170
    naive = naive_best(problem)
    assert naive is not None
    assert naive.revenue == 170


def test_several_routes_of_one_train_are_named() -> None:
    problem = grid(3, 1, 2)
    many = replace(problem, trains=(replace(problem.trains[0], routes=3, route_ids=("x-1", "x-2", "x-3")),))
    answer = solve(many)
    assert [route.train for route in answer.routes] == ["x-1", "x-2", "x-3"]


def test_money_unit() -> None:
    def unit(problem: RouteProblem) -> int:
        return build_model(problem, build_graph(problem), "revenue").unit

    problem = grid(3, 1, 3)
    assert unit(problem) == 10
    assert unit(replace(problem, terms=(TrackBonus("five", 5, "mark"),))) == 5
    assert unit(replace(problem, terms=(StopBonus("s", 20, (frozenset({"0.0"}),), {"n": 7}),))) == 1


def test_wrong_arguments_are_named() -> None:
    problem = grid(3, 1, 3)
    with pytest.raises(ValueError, match="objective is 'money'"):
        solve(problem, objective="money")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method is 'magic'"):
        solve(problem, method="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="alternatives is -1"):
        solve(problem, alternatives=-1)
    with pytest.raises(InvalidRoutes, match=r"fixed\[0\]: UNKNOWN_TRAIN"):
        solve(problem, fixed=[Route("nobody", ("0.0", "0.1"), ("0.0-0.1",))])


def test_the_package_is_the_front_door() -> None:
    problem = grid(3, 2, 3)
    assert router.solve(problem) == solve(problem)
    assert router.check(problem, []).legal
    assert problem.hexes == ()
    assert Hex("A", 0, 0).distance(Hex("B", 2, -1)) == 2
