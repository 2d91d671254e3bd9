"""Wrong answers that the search once gave."""

from __future__ import annotations

from router.callbacks import Callbacks
from router.problem import Limit, Node, RouteProblem, Segment, Train, kinds
from router.solution import Status
from router.solve import solve

CITIES = kinds("city")


def star(leaves: int, train: Train) -> RouteProblem:
    """Return a city with a token and tracks of their own to many others."""
    return RouteProblem(
        (
            Node("c", "city", "C", 10, token=True),
            *(Node(f"l{i:04}", "city", f"H{i}", 10 + 10 * (i % 7)) for i in range(leaves)),
        ),
        tuple(Segment(f"s{i:04}", "c", f"l{i:04}", (f"s{i}",), ("C", f"H{i}")) for i in range(leaves)),
        (train,),
    )


def test_more_routes_of_a_train_than_candidates_of_the_first_walk() -> None:
    """The bound added up the candidates kept, fewer than the routes that may run: OPTIMAL with 23150."""
    for routes in (None, 700):
        problem = star(700, Train("t", "2", visit=(Limit(CITIES, 2),), routes=routes))
        answer = solve(problem)
        assert answer.status is Status.OPTIMAL
        assert answer.revenue == sum(node.value + 10 for node in problem.nodes[1:]) == 35000


def test_bounds_told_while_several_groups_are_searched() -> None:
    """What was told was the bound of the first group alone."""
    line = RouteProblem(
        (Node("a", "city", "A", 20, token=True), Node("b", "city", "B", 30)),
        (Segment("ab", "a", "b", ("ab",), ("A", "B")),),
        tuple(
            Train(name, name, visit=(Limit(CITIES, 2),), multiplier=factor, track_class=name)
            for name, factor in (("x", 1), ("y", 2))
        ),
        track_scope="class",
    )
    told: list[int] = []
    assert solve(line, callbacks=Callbacks(on_bound=told.append)).revenue == 150
    assert all(bound >= 150 for bound in told)
