"""Sets of routes: the search against the naive oracle over the whole vocabulary."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

from naive import TooBig, naive_best
from router.check import check
from router.problem import RouteProblem
from router.solution import Status
from router.solve import solve
from router.stop import Deadline

SEEN: Counter[str] = Counter()


def note(problem: RouteProblem) -> None:
    """Note which words of the vocabulary a random case used."""
    SEEN["cases"] += 1
    SEEN.update({type(term).__name__ for term in problem.terms})
    SEEN.update({type(condition).__name__ for condition in problem.conditions})
    SEEN.update({f"count {problem.count}", f"track {problem.track_scope}"})
    SEEN.update({"touch" for train in problem.trains if train.routes_touch})
    SEEN.update({"several" for train in problem.trains if train.routes != 1})


@settings(max_examples=500)
@given(problems(terms="all", max_nodes=6, max_segments=8))
def test_the_search_finds_the_naive_best(problem: RouteProblem) -> None:
    try:
        naive = naive_best(problem, most=500)
    except TooBig:
        return
    note(problem)
    found = solve(problem, method="exact")
    if naive is None:
        assert found.status is Status.INFEASIBLE
        assert found.why
        return
    assert found.status is Status.OPTIMAL
    assert (found.revenue, found.subsidy) == (naive.revenue, naive.subsidy)
    verdict = check(problem, [route.route for route in found.routes])
    assert (verdict.legal, verdict.revenue, verdict.subsidy) == (True, found.revenue, found.subsidy)


@settings(max_examples=80)
@given(problems(terms="all", max_nodes=5, max_segments=7))
def test_selection_by_cp_sat_finds_the_same(problem: RouteProblem) -> None:
    found = solve(problem, method="exact")
    selected = solve(problem, method="select", stop=Deadline(2.0))
    if selected.status in (Status.OPTIMAL, Status.INFEASIBLE):
        assert (selected.status, selected.revenue, selected.subsidy) == (
            found.status,
            found.revenue,
            found.subsidy,
        )
    else:
        assert selected.revenue <= found.revenue <= selected.bound


@settings(max_examples=60)
@given(problems(terms="all", max_nodes=5, max_segments=6))
def test_the_sum_of_revenue_and_subsidy(problem: RouteProblem) -> None:
    try:
        naive = naive_best(problem, objective="total", most=300)
    except TooBig:
        return
    found = solve(problem, objective="total")
    if naive is not None:
        assert found.revenue + found.subsidy == naive.revenue + naive.subsidy == found.bound


@settings(max_examples=120)
@given(problems(terms="all", max_nodes=6, max_segments=7), st.data())
def test_fixed_routes_are_kept(problem: RouteProblem, data: st.DataObject) -> None:
    free = solve(problem)
    if not free.routes:
        return
    fixed = data.draw(st.sampled_from([route.route for route in free.routes]))
    if not check(replace(problem, conditions=()), [fixed]).legal:
        return
    kept = solve(problem, fixed=[fixed])
    assert fixed in [route.route for route in kept.routes]
    if kept.status is not Status.OPTIMAL:
        assert "more orders" in kept.why
        assert kept.bound >= kept.revenue
        return
    try:
        naive = naive_best(problem, fixed=[fixed], most=300)
    except TooBig:
        assert kept.revenue <= free.revenue
        return
    assert naive is not None
    assert (kept.revenue, kept.subsidy) == (naive.revenue, naive.subsidy)


@settings(max_examples=80)
@given(problems(terms="all", max_nodes=5, max_segments=6), st.randoms(use_true_random=False))
def test_order_of_trains_changes_only_names(problem: RouteProblem, chance: random.Random) -> None:
    trains = tuple(chance.sample(problem.trains, len(problem.trains)))
    a, b = solve(problem), solve(replace(problem, trains=trains))
    assert (a.status, a.revenue, a.subsidy) == (b.status, b.revenue, b.subsidy)


def test_the_random_cases_cover_the_vocabulary() -> None:
    if not SEEN:
        pytest.skip("the random cases ran in another process")
    wanted = ["AreaBonus", "LargestTrainBonus", "HexSubsidy", "ChainBonus", "VisitHome", "RoutesTouch"]
    wanted += ["RequiredRoute", "MustRun", "count all", "count class", "track route", "touch", "several"]
    assert all(SEEN[word] for word in wanted), SEEN
