"""The network model against the naive oracle and against the search, and the promises of its answers."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

from engine.compile import compile_position
from engine.position import Position
from naive import TooBig, naive_best, naive_routes
from naive.routes import flip
from router.check import check
from router.circuit import solve_network
from router.errors import InvalidRoutes
from router.problem import (
    Limit,
    Node,
    RouteProblem,
    Segment,
    Train,
    kinds,
)
from router.solution import Route, Solution, Status
from router.solve import solve
from router.stop import Cancelled, Deadline
from samples import grid, line, vocabulary
from support import read_jsonl

CITIES = kinds("city", "offboard")
CASES: Counter[str] = Counter()


def stays_true(problem: RouteProblem, solution: Solution) -> None:
    """Check that the referee pays what an answer says, and that it claims a proof only with one."""
    verdict = check(problem, [route.route for route in solution.routes])
    assert verdict.legal
    assert (verdict.revenue, verdict.subsidy) == (solution.revenue, solution.subsidy)
    assert verdict.routes == solution.routes
    assert solution.revenue <= solution.bound
    assert (solution.status is Status.OPTIMAL) == (solution.revenue == solution.bound)


def same_as_the_oracle(problem: RouteProblem, of: str, objective: str = "revenue") -> None:
    try:
        naive = naive_best(problem, objective=objective, most=2000)
    except TooBig:
        CASES["too big"] += 1
        return
    CASES["cases"] += 1
    CASES[of] += 1
    answer = solve_network(problem, objective=objective)
    if naive is None:
        CASES["no legal run"] += 1
        assert answer.status is Status.INFEASIBLE
        assert answer.why
        return
    assert answer.status is Status.OPTIMAL
    verdict = check(problem, [route.route for route in answer.routes])
    assert (verdict.legal, verdict.routes) == (True, answer.routes)
    if objective == "total":
        assert answer.revenue + answer.subsidy == naive.revenue + naive.subsidy
    else:
        assert (answer.revenue, answer.subsidy) == (naive.revenue, naive.subsidy)
    CASES["earning"] += answer.revenue > 0
    CASES["several routes"] += len(answer.routes) > 1
    CASES["cut off"] += answer.stats.get("cuts", 0) > 0
    CASES.update({type(word).__name__ for word in (*problem.terms, *problem.conditions)})
    CASES.update({f"count {problem.count}", f"track {problem.track_scope}"})


@settings(max_examples=350)
@given(problems(terms="single"))
def test_single_routes_as_the_oracle(problem: RouteProblem) -> None:
    same_as_the_oracle(problem, "single")


@settings(max_examples=300)
@given(problems(terms="all", max_nodes=6, max_segments=8))
def test_the_whole_vocabulary_as_the_oracle(problem: RouteProblem) -> None:
    same_as_the_oracle(problem, "all")


@settings(max_examples=60)
@given(problems(terms="all", max_nodes=6, max_segments=8))
def test_the_sum_as_the_oracle(problem: RouteProblem) -> None:
    same_as_the_oracle(problem, "total", objective="total")


def test_the_random_cases_cover_the_vocabulary() -> None:
    """Shown by ``pytest -rP``; every word is supported, so every case that the oracle can do is compared."""
    if not {"single", "all", "total"} <= CASES.keys():
        pytest.skip("the random cases ran in another process")
    print(dict(CASES))
    assert CASES["cases"] >= 400
    wanted = ["StopBonus", "TrackBonus", "DistanceBonus", "AreaBonus", "LargestTrainBonus", "HexSubsidy"]
    wanted += ["ChainBonus", "VisitHome", "RoutesTouch", "RequiredRoute", "MustRun", "no legal run"]
    wanted += ["count route", "count class", "count all", "track route", "track class", "track all"]
    assert all(CASES[word] for word in wanted), CASES
    assert CASES["earning"] >= 200
    assert CASES["several routes"] >= 100


@settings(max_examples=100)
@given(problems(terms="single", max_trains=3), st.data())
def test_fixed_routes_are_kept(problem: RouteProblem, data: st.DataObject) -> None:
    own = [route for train in problem.trains[:1] for route in naive_routes(problem, train)]
    if not own:
        return
    route = data.draw(st.sampled_from(own))
    # the oracle lists given routes in their better direction
    route = max(route, flip(route), key=lambda way: check(problem, [way]).revenue)
    name = data.draw(st.sampled_from([route.train, *problem.trains[0].route_ids]))
    fixed = [Route(name, route.nodes, route.segments)]
    try:
        naive = naive_best(problem, fixed=fixed, most=2000)
    except TooBig:
        return
    assert naive is not None
    kept = solve_network(problem, fixed=fixed)
    stays_true(problem, kept)
    assert kept.routes[0].route == fixed[0]
    assert (kept.status, kept.revenue) == (Status.OPTIMAL, naive.revenue)


@settings(max_examples=40)
@given(problems(terms="single"), st.randoms(use_true_random=False))
def test_order_of_the_input_changes_no_money(problem: RouteProblem, chance: random.Random) -> None:
    other = replace(
        problem,
        nodes=tuple(chance.sample(problem.nodes, len(problem.nodes))),
        segments=tuple(
            replace(s, a=s.b, b=s.a, hexes=s.hexes[::-1]) if chance.random() < 0.5 else s
            for s in chance.sample(problem.segments, len(problem.segments))
        ),
    )
    assert solve_network(problem).revenue == solve_network(other).revenue


SMALL = {"1861": 40, "1862": 22, "1873": 16, "18GB": 24, "18NewEngland": 40}
"""Segments x trains up to which a recorded position is small."""
EVERY = {"1861": 4, "1862": 2, "1873": 1, "18GB": 4, "18NewEngland": 3}
"""Of the small positions every so manieth is solved."""


@pytest.mark.parametrize("game", SMALL)
def test_recorded_positions_as_the_search(shared: Path, game: str) -> None:
    """Take small positions, chosen by their size alone."""
    done = 0
    lines = read_jsonl(shared / "positions" / f"{game}.jsonl")
    read = ((row, compile_position(Position.from_json(row["position"]))) for row in lines)
    small = ((row, p) for row, p in read if len(p.segments) * len(p.trains) <= SMALL[game])
    for row, problem in islice(small, 0, None, EVERY[game]):
        answer = solve_network(problem)
        if answer.status is not Status.INFEASIBLE:
            stays_true(problem, answer)
        assert (answer.revenue, answer.subsidy) >= (row["repriced"]["revenue"], 0), row["id"]
        expected = solve(problem)
        assert (answer.status, answer.revenue, answer.subsidy) == (
            expected.status,
            expected.revenue,
            expected.subsidy,
        ), row["id"]
        done += 1
    assert done >= 10


def test_a_larger_board_as_the_search() -> None:
    problem = grid(4, 2, 5)
    answer = solve_network(problem)
    stays_true(problem, answer)
    assert answer.status is Status.OPTIMAL
    assert answer.revenue == solve(problem).revenue
    assert solve(problem, method="network") == answer == solve_network(problem)


def test_a_set_that_the_referee_pays_less_is_cut_off() -> None:
    """Each train is worth more at another stop, and only one of them is listed first."""
    nodes = (
        Node("x", "city", "X", values={"A": 20, "B": 10}, token=True),
        Node("y", "city", "Y", values={"A": 10, "B": 20}),
    )
    problem = RouteProblem(
        nodes,
        (Segment("xy", "x", "y", ("xy",), ("X", "Y")),),
        (Train("A", "A"), Train("B", "B")),
        track_scope="route",
        count="all",
    )
    answer = solve_network(problem)
    stays_true(problem, answer)
    assert (answer.status, answer.revenue) == (Status.OPTIMAL, 30)
    assert answer.stats["cuts"] >= 1
    naive = naive_best(problem)
    assert naive is not None
    assert naive.revenue == 30


def test_no_time_at_all_still_answers() -> None:
    problem = grid(4, 2, 4)
    answer = solve_network(problem, stop=Deadline(0))
    assert (answer.status, answer.revenue) == (Status.FEASIBLE, 0)
    assert answer.bound >= solve(problem).revenue
    assert "time limit" in answer.why


def test_little_time_gives_a_bound() -> None:
    problem = grid(7, 4, 9)
    answer = solve_network(problem, stop=Deadline(1.5))
    stays_true(problem, answer)
    assert answer.status is Status.FEASIBLE
    assert answer.bound >= solve(problem).revenue


def test_cancelled() -> None:
    switch = Cancelled()
    switch.cancel()
    assert solve_network(grid(4, 2, 4), stop=switch).why == "cancelled"


def test_a_condition_that_nobody_can_meet() -> None:
    answer = solve_network(vocabulary())
    assert answer.status is Status.INFEASIBLE
    assert "REQUIRED" in answer.why


def test_nothing_to_run() -> None:
    for problem in (RouteProblem((), (), ()), replace(line(), trains=())):
        answer = solve_network(problem)
        assert (answer.status, answer.revenue, answer.bound, answer.routes) == (Status.OPTIMAL, 0, 0, ())


def test_any_number_of_routes() -> None:
    star = RouteProblem(
        (
            Node("m", "city", "M", 20, token=True),
            *(Node(name, "city", name.upper(), 10 * i) for i, name in enumerate("abcde", 1)),
        ),
        tuple(Segment("m" + name, "m", name, ("m" + name,), ("M", name.upper())) for name in "abcde"),
        (Train("t", "2", visit=(Limit(CITIES, 2),), routes=None),),
    )
    answer = solve_network(star)
    stays_true(star, answer)
    assert (answer.revenue, len(answer.routes)) == (250, 5)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="objective is 'money'"):
        solve_network(line(), objective="money")
    with pytest.raises(ValueError, match="alternatives need"):
        solve(line(), method="network", alternatives=1)
    with pytest.raises(InvalidRoutes, match=r"fixed\[0\]: UNKNOWN_TRAIN"):
        solve_network(line(), fixed=[Route("nobody", ("a", "b"), ("ab",))])
