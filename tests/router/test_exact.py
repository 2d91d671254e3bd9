"""The search with proof at sizes at which small boards go through every stage of it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import board, examples, plain_train, tight
from strategies import problems

from naive import TooBig, naive_best
from router.callbacks import Callbacks
from router.check import check
from router.errors import Unsupported
from router.problem import Limit, RouteProblem, Train, kinds
from router.solution import RouteSet, Status
from router.solve import solve

STAGES: Counter[str] = Counter()

SIZES = st.fixed_dictionaries(
    {
        "FIRST": st.sampled_from([1, 2, 5]),
        "ALONE": st.sampled_from([1, 2, 20]),
        "ALONE_SETTLED": st.sampled_from([1, 2, 20]),
        "SECOND": st.sampled_from([2, 3, 8]),
        "FIRST_PACK": st.sampled_from([1, 3, 50]),
        "FIRST_PACK_FREE": st.sampled_from([1, 3, 50]),
        "PROMISING": st.sampled_from([1, 3, 600]),
        "QUICK_PACK": st.sampled_from([1, 3, 50]),
        "QUICK_PACK_FREE": st.sampled_from([1, 3, 50]),
        "LONG_PACK": st.sampled_from([1, 5, 200]),
        "LONG_PACK_FREE": st.sampled_from([1, 5, 200]),
        "LAST_PACK": st.sampled_from([1, 10, 1000]),
        "RUNNERS": st.sampled_from([1, 2, 3, 16]),
        "TURN": st.sampled_from([1, 7]),
        "NARROW": st.sampled_from([1, 10]),
        "MIDDLING": st.sampled_from([1, 80]),
        "WIDE": st.sampled_from([1, 5, 5000]),
        "FINE": st.sampled_from([1, 4]),
        "COARSE": st.sampled_from([1, 16]),
        "SWEPT": st.sampled_from([1, 50, 4_000_000]),
        "NEW": st.sampled_from([1, 3]),
        "SOME": st.sampled_from([1, 5, 1000]),
        "FEW": st.sampled_from([0, 0, 5]),
        "LOOKS": st.sampled_from([0, 5, 50]),
        "ROUNDS": st.sampled_from([1, 3, 12]),
        "STEPS": st.sampled_from([1, 20, 220]),
        "MORE_STEPS": st.sampled_from([1, 300]),
    }
)


@examples(400, 20)
@given(problems(terms="single"), SIZES, st.sampled_from([1, 7, 400_000]))
def test_any_sizes_prove_the_optimum(problem: RouteProblem, sizes: dict[str, float], slice_: int) -> None:
    try:
        best = naive_best(problem, most=4000)
    except TooBig:
        return
    assert best is not None
    with tight(slice_, **sizes):
        solution = solve(problem, method="exact")
    assert (solution.status, solution.revenue, solution.bound) == (Status.OPTIMAL, best.revenue, best.revenue)
    STAGES.update(name for name in ("rounds", "relaxations", "branches") if solution.stats.get(name))
    STAGES["cases"] += 1


@examples(250, 15)
@given(problems(terms="all", max_nodes=6, max_segments=8), SIZES, st.sampled_from(["revenue", "total"]))
def test_any_sizes_prove_the_optimum_of_everything(
    problem: RouteProblem, sizes: dict[str, float], objective: str
) -> None:
    try:
        best = naive_best(problem, objective=objective, most=3000)
    except TooBig:
        return
    try:
        with tight(**sizes):
            solution = solve(problem, method="exact", objective=objective)
    except Unsupported:
        return
    if best is None:
        assert solution.status is Status.INFEASIBLE
        return
    assert solution.status is Status.OPTIMAL
    assert solution.bound == (best.revenue if objective == "revenue" else best.revenue + best.subsidy)
    if objective == "revenue":
        assert (solution.revenue, solution.subsidy) == (best.revenue, best.subsidy)
    else:
        assert solution.revenue + solution.subsidy == solution.bound


def test_the_random_cases_went_through_every_stage() -> None:
    if STAGES["cases"] < 200:
        pytest.skip("the random cases ran in another process")
    assert STAGES["rounds"] >= 25, STAGES
    assert STAGES["relaxations"] >= 2, STAGES


@examples(100, 6)
@given(problems(terms="single", max_nodes=5, max_segments=7), st.integers(1, 6))
def test_next_best_sets_at_small_sizes(problem: RouteProblem, wanted: int) -> None:
    """The next best sets are those of the full-sized search, whatever stage finds them."""
    expected = solve(problem, alternatives=wanted)
    with tight():
        found = solve(problem, alternatives=wanted)
    assert found.revenue == expected.revenue
    money = [other.revenue for other in found.alternatives]
    assert money == [other.revenue for other in expected.alternatives]
    for other in found.alternatives:
        verdict = check(problem, [route.route for route in other.routes])
        assert (verdict.legal, verdict.revenue) == (True, other.revenue)


BOARDS = {
    "equal trains": board(4, 1, [plain_train(f"t{i}", 5) for i in range(4)]),
    "unequal trains": board(4, 2, [plain_train("a", 3), plain_train("b", 4), plain_train("c", 6)]),
    "one token": board(4, 3, [plain_train(f"t{i}", 6) for i in range(5)], tokens=1),
    "doubling": board(
        4,
        4,
        [
            Train(
                "d",
                "d",
                pay=(Limit(kinds("city", "offboard"), 4),),
                paying=kinds("city", "offboard"),
                multiplier=2,
            ),
            plain_train("p", 5),
        ],
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_larger_boards_at_small_sizes(name: str) -> None:
    """Boards beyond the naive oracle: any sizes of the search, and the other method, give the same."""
    problem = BOARDS[name]
    full = solve(problem)
    assert full.status is Status.OPTIMAL
    for sizes in (
        {},
        {"FIRST": 20, "SECOND": 40, "FIRST_PACK": 100, "QUICK_PACK": 100, "LONG_PACK": 300, "NEW": 50},
    ):
        with tight(**{"LAST_PACK": 2_000, "NEW": 20, **sizes}):
            small = solve(problem)
        assert (small.status, small.revenue) == (Status.OPTIMAL, full.revenue)
    selected = solve(problem, method="select")
    assert (selected.status, selected.revenue) == (Status.OPTIMAL, full.revenue)


def test_incumbents_rise_to_the_answer_and_bounds_fall_to_it() -> None:
    sets: list[RouteSet] = []
    bounds: list[int] = []
    with tight(NEW=20):
        answer = solve(
            BOARDS["one token"], callbacks=Callbacks(on_incumbent=sets.append, on_bound=bounds.append)
        )
    money = [found.revenue for found in sets]
    assert money == sorted(set(money))
    assert bounds == sorted(set(bounds), reverse=True)
    assert money[-1] == answer.revenue == answer.bound
    assert all(found.revenue <= bound for found in sets for bound in bounds)
