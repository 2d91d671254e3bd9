"""The naive oracle and the referee agree on everything random."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems, problems_with_routes, walks

from naive import TooBig, naive_best, naive_legal, naive_price, naive_routes, perft
from router.check import check
from router.problem import Limit, Node, RouteProblem, Segment, Train, kinds
from router.solution import Route


def agree(problem: RouteProblem, routes: tuple[Route, ...]) -> None:
    verdict = check(problem, routes)
    assert verdict.legal == naive_legal(problem, routes), verdict.violations
    assert verdict.legal == (not verdict.violations)
    if not verdict.legal:
        return
    assert (verdict.revenue, verdict.subsidy) == naive_price(problem, routes)
    assert [route.route for route in verdict.routes] == list(routes)
    for route in verdict.routes:
        assert route.revenue == sum(s.revenue for s in route.stops) + sum(b.amount for b in route.bonuses)
        assert all(bonus.why and bonus.amount for bonus in route.bonuses)


@settings(max_examples=150)
@given(problems_with_routes(terms="single"))
def test_single_routes_agree(case: tuple[RouteProblem, tuple[Route, ...]]) -> None:
    agree(*case)


@settings(max_examples=400)
@given(problems_with_routes(terms="all"))
def test_everything_agrees(case: tuple[RouteProblem, tuple[Route, ...]]) -> None:
    agree(*case)


@settings(max_examples=150)
@given(st.data(), problems(terms="single"))
def test_random_walks_agree(data: st.DataObject, problem: RouteProblem) -> None:
    if problem.segments:
        for walk in data.draw(st.lists(walks(problem), max_size=8)):
            agree(problem, (walk,))


@settings(max_examples=60)
@given(problems(terms="all", max_nodes=5, max_segments=6, max_trains=3))
def test_best_is_legal_and_best(problem: RouteProblem) -> None:
    try:
        best = naive_best(problem, most=1500)
    except TooBig:
        return
    if best is None:
        assert not check(problem, []).legal
        return
    verdict = check(problem, best.routes)
    assert verdict.legal
    assert (verdict.revenue, verdict.subsidy) == (best.revenue, best.subsidy)
    for train in problem.trains:
        for route in naive_routes(problem, train):
            alone = check(problem, [route])
            assert not alone.legal or alone.revenue <= best.revenue


@settings(max_examples=40)
@given(problems(terms="all", max_nodes=5, max_segments=6, max_trains=2))
def test_fixed_routes_stay(problem: RouteProblem) -> None:
    try:
        best = naive_best(problem, most=1000)
        again = naive_best(problem, fixed=best.routes[:1], most=10_000) if best else None
    except TooBig:
        return
    if best is not None and best.routes:
        assert again is not None
        assert best.routes[0] in again.routes
        assert (again.revenue, again.subsidy) == (best.revenue, best.subsidy)


def ladder() -> RouteProblem:
    """Return four cities in a ring, the first with the token."""
    names = "ABCD"
    return RouteProblem(
        nodes=tuple(Node(name, "city", name, 10, token=name == "A") for name in names),
        segments=tuple(Segment(f"{a}{b}", a, b, (f"{a}{b}",), (a, b)) for a, b in ("AB", "BC", "CD", "DA")),
        trains=(Train("3", "3", visit=(Limit(kinds("city"), 3),)),),
    )


def test_routes_of_a_ring() -> None:
    problem = ladder()
    routes = naive_routes(problem, problem.trains[0])
    assert Counter(len(route.nodes) for route in routes) == {2: 2, 3: 3}
    assert perft(problem, problem.trains[0]) == {2: 2, 3: 3}
    best = naive_best(problem)
    assert best is not None
    assert best.revenue == 30


def test_no_legal_route_is_an_empty_run() -> None:
    problem = ladder()
    far = RouteProblem(
        nodes=tuple(Node(n.id, n.kind, n.hex, n.value) for n in problem.nodes),
        segments=problem.segments,
        trains=problem.trains,
    )
    assert naive_routes(far, far.trains[0]) == []
    assert naive_best(far) == (0, 0, ())
