"""Wrong answers that the search once gave."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from searching import tight

from naive import naive_best
from router.callbacks import Callbacks
from router.check import check
from router.listings import chain_outline
from router.problem import (
    AreaBonus,
    ChainBonus,
    Hex,
    HexSubsidy,
    LargestTrainBonus,
    Limit,
    Node,
    RouteProblem,
    RoutesTouch,
    Segment,
    StopBonus,
    Train,
    VisitHome,
    kinds,
)
from router.solution import Route, Status
from router.solve import solve
from router.stop import Deadline

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


def spokes(*trains: Train, **values: int) -> RouteProblem:
    """Return a city ``a`` with a token and a track to each of other cities."""
    return RouteProblem(
        (
            Node("a", "city", "A", 10, token=True),
            *(Node(name, "city", name.upper(), value) for name, value in values.items()),
        ),
        tuple(Segment(f"a{name}", "a", name, (name,), ("A", name.upper())) for name in values),
        trains,
    )


def test_fixed_routes_beside_what_pays_once_over_all_routes() -> None:
    """The referee was asked about fixed routes without their trains: KeyError, or OPTIMAL too low."""
    pair = [Train(name, "2", visit=(Limit(CITIES, 2),), routes=count) for name, count in (("x", 1), ("y", 2))]
    fixed = [Route("x", ("a", "b"), ("ab",))]
    for trains in (pair, pair[:1], [pair[0], replace(pair[1], kind="other")]):
        problem = replace(spokes(*trains, b=30, c=20), count="all")
        answer = solve(problem, fixed=fixed)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 60 if len(trains) > 1 else 40)
        assert answer.routes[0].route == fixed[0]
        paid = replace(problem, count="route", terms=(HexSubsidy("hexes", 5, frozenset({"2", "other"})),))
        answer = solve(paid, fixed=fixed)
        assert (answer.revenue, answer.subsidy) == ((70, 15) if len(trains) > 1 else (40, 10))


def test_a_better_route_that_loses_the_bonus_of_another() -> None:
    """Where no track is competed for it ousted the route of the better set: OPTIMAL with 100."""
    trains = (
        Train("A", "A", visit=(Limit(CITIES, 2),)),
        Train("B", "B", visit=(Limit(CITIES, 2),), stops=frozenset({"a", "p"})),
    )
    problem = replace(
        spokes(*trains, q=50, b=40, p=10),
        track_scope="route",
        terms=(LargestTrainBonus("mine", frozenset({"p", "q"}), {"A": 60, "B": 40}, frozenset({"q"})),),
    )
    answer = solve(problem)
    assert (answer.status, answer.revenue) == (Status.OPTIMAL, 110)
    assert [route.nodes for route in answer.routes] == [("a", "b"), ("a", "p")]


def test_the_bound_of_a_search_that_was_stopped_at_once() -> None:
    """It was 1152921504606846976."""
    train = Train("1", "2", visit=(Limit(CITIES, 2),))
    answer = solve(spokes(train, b=30, c=20), stop=Deadline(0.0))
    assert answer.status is Status.FEASIBLE
    assert 40 <= answer.bound <= 60


def test_a_stop_worth_nothing_to_the_first_train_listed() -> None:
    """Listed first, the train to which a stop is worth nothing leaves nothing to the other: OPTIMAL, 20."""
    problem = RouteProblem(
        (
            Node("a", "city", "A", 0, {"x": 20}, token=True),
            Node("b", "town", "B", 10),
        ),
        (Segment("ab", "a", "b", ("ab",), ("A", "B")),),
        (Train("1", "plain"), Train("2", "x", paying=CITIES)),
        track_scope="route",
        count="class",
    )
    for method in ("exact", "select"):
        answer = solve(problem, method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 30)


def test_orders_of_listing_beside_a_bonus_for_chains() -> None:
    """Listings that differ in routes outside of chains were taken for the same: OPTIMAL with 210."""
    problem = RouteProblem(
        (
            Node("a", "town", "A", 70),
            Node("b", "city", "B", token=True),
            Node("c", "city", "C", 70),
        ),
        (
            Segment("ab", "a", "b", ("ab",), ("A", "B")),
            Segment("bc", "b", "c", ("bc",), ("B", "C")),
        ),
        (Train("1", "plain"), Train("2", "x", paying=CITIES, multiplier=3)),
        hexes=(Hex("A"), Hex("B", 1), Hex("C", 2)),
        terms=(ChainBonus("chain", frozenset({"freight"}), frozenset(), 20, 30, frozenset()),),
        track_scope="route",
        count="all",
    )
    for method in ("exact", "select"):
        answer = solve(problem, method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 280)


def test_more_orders_of_listing_than_are_tried() -> None:
    """Of the 720 orders of six trains only those with the last one first pay most: OPTIMAL with 115."""
    problem = RouteProblem(
        (
            Node("a", "city", "A", 10, {"x": 50}, token=True),
            *(Node(f"b{i}", "city", f"B{i}", 10 + i) for i in range(6)),
        ),
        tuple(Segment(f"s{i}", "a", f"b{i}", (f"s{i}",), ("A", f"B{i}")) for i in range(6)),
        tuple(Train(str(i), "x" if i == 5 else "plain", visit=(Limit(CITIES, 2),)) for i in range(6)),
        count="all",
    )
    best = [Route(str(i), ("a", f"b{i}"), (f"s{i}",)) for i in (5, 0, 1, 2, 3, 4)]
    verdict = check(problem, best)
    assert (verdict.legal, verdict.revenue) == (True, 125)
    answer = solve(problem)
    assert answer.bound >= 125
    assert answer.revenue == 125


def test_a_fixed_route_may_be_listed_after_one_that_is_paid_more() -> None:
    """Fixed routes were always listed first: OPTIMAL with 40."""
    problem = RouteProblem(
        (Node("a", "city", "A", 10, token=True), Node("b", "city", "B", 30)),
        (Segment("s", "a", "b", ("1",), ("A", "B")), Segment("t", "a", "b", ("2",), ("A", "B"))),
        (
            Train("x", "x", visit=(Limit(CITIES, 2),)),
            Train("y", "y", visit=(Limit(CITIES, 2),), multiplier=2),
        ),
        count="all",
    )
    assert solve(problem).revenue == 80
    for method in ("exact", "select", "network"):
        answer = solve(problem, fixed=[Route("x", ("a", "b"), ("s",))], method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 80)


def test_a_fixed_route_in_a_chain_that_reaches_far() -> None:
    """The rate of the fixed part rises when a free route leads the chain far: an internal error."""
    ids = "abcde"
    problem = RouteProblem(
        tuple(Node(i, "city", i.upper(), 10, token=True) for i in ids),
        tuple(Segment(x + y, x, y, (x + y,), (x.upper(), y.upper())) for x, y in pairwise(ids)),
        tuple(Train(f"F{j}", "f", max_edges=1) for j in range(4)),
        hexes=tuple(Hex(i.upper(), 3 * j, 0) for j, i in enumerate(ids)),
        terms=(ChainBonus("c", frozenset({"f"}), frozenset(), 10, 50, frozenset({"a"})),),
    )
    for method in ("exact", "network"):
        answer = solve(problem, fixed=[Route("F0", ("b", "c"), ("bc",))], method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 570)


def test_a_fixed_route_takes_track_from_its_own_class_only() -> None:
    """Track of a fixed route was barred to trains of other classes of the same group."""
    nodes = tuple(Node(i, "city", i.upper(), 10, token=True) for i in "ab")
    trains = (
        Train("x", "x", visit=(Limit(CITIES, 2),)),
        Train("y", "y", visit=(Limit(CITIES, 2),), track_class="d"),
    )
    problem = RouteProblem(
        nodes,
        (Segment("s", "a", "b", ("1",), ("A", "B")),),
        trains,
        conditions=(RoutesTouch(),),
        track_scope="class",
        count="class",
    )
    for method in ("exact", "select", "network"):
        answer = solve(problem, fixed=[Route("x", ("a", "b"), ("s",))], method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 40)


def test_routes_of_a_train_hang_together_with_its_fixed_route() -> None:
    """The fixed route of a train whose routes touch was forgotten: an answer that the referee refuses."""
    values = {"a": 10, "b": 10, "c": 10, "d": 50, "e": 50}
    problem = RouteProblem(
        tuple(Node(i, "city", i.upper(), value, token=True) for i, value in values.items()),
        tuple(Segment(x + y, x, y, (x + y,), (x.upper(), y.upper())) for x, y in ("ab", "bc", "de")),
        (Train("x", "x", visit=(Limit(CITIES, 2),), routes=2, routes_touch=True),),
    )
    for method in ("exact", "select", "network"):
        answer = solve(problem, fixed=[Route("x", ("a", "b"), ("ab",))], method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 40)


def test_more_stops_of_a_hex_are_not_better_where_stops_pay_once() -> None:
    """A route through two towns of a hex took the place of a shorter one: OPTIMAL with 170."""
    every = kinds("city", "town")
    problem = RouteProblem(
        (Node("a", "town", "A", 10), Node("b", "town", "A", 10), Node("c", "city", "C", 0, token=True)),
        (Segment("s", "a", "b", ("1",), ("A",)), Segment("t", "b", "c", ("2",), ("A", "C"))),
        (
            Train("x", "plain", visit=(Limit(every, 3),), paying=every, hex_pays_once=True, routes=2),
            Train("y", "plain", visit=(Limit(every, 2),), paying=every, track_class="d"),
        ),
        terms=(
            StopBonus("stop", 10, (frozenset("ab"),)),
            StopBonus("pair", 40, (frozenset("ab"), frozenset("ab"))),
        ),
        track_scope="route",
        count="class",
    )
    for method in ("exact", "select", "network"):
        answer = solve(problem, method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 180)


def test_areas_that_are_visited_but_do_not_pay_are_in_the_bound() -> None:
    """The bound of a walk held a bonus of areas only where a stop of them pays: an internal error."""
    limit = (Limit(CITIES, 4),)
    problem = RouteProblem(
        (
            Node("a", "city", "A", 50, token=True),
            Node("b", "town", "B", 0),
            Node("c", "city", "C", 20, token=True),
            Node("d", "town", "D", 20),
        ),
        (
            Segment("s", "a", "b", ("1",), ("A", "B")),
            Segment("t", "b", "c", ("2",), ("B", "C")),
            Segment("u", "c", "d", ("3",), ("C", "D")),
            Segment("v", "d", "a", ("4",), ("D", "A")),
            Segment("w", "c", "a", ("5",), ("C", "A")),
            Segment("x", "d", "a", ("6",), ("D", "A")),
        ),
        (Train("x", "x", visit=limit, paying=CITIES, routes=2, hex_visits="consecutive"),),
        terms=(
            AreaBonus(
                "areas",
                {"N": frozenset("d"), "S": frozenset("b"), "E": frozenset("bc"), "W": frozenset("cd")},
                (("N", "S", 40), ("E", "W", 30)),
                kinds("city", "town"),
            ),
        ),
        track_scope="class",
    )
    naive = naive_best(problem)
    assert naive is not None
    for slice_ in (2, 400_000):
        with tight(slice_):
            answer = solve(problem)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, naive.revenue)


def test_alternatives_on_free_track_are_the_next_best() -> None:
    """Two like trains changed their routes together, and dominated routes were no alternative."""
    problem = RouteProblem(
        (
            Node("a", "city", "A", 10, token=True),
            Node("b", "city", "B", 50),
            Node("c", "city", "C", 40),
        ),
        (Segment("s", "a", "b", ("1",), ("A", "B")), Segment("t", "a", "c", ("2",), ("A", "C"))),
        tuple(Train(name, "2", visit=(Limit(CITIES, 2),)) for name in "xy"),
        track_scope="route",
    )
    answer = solve(problem, alternatives=2)
    assert answer.revenue == 120
    assert [other.revenue for other in answer.alternatives] == [110, 100]


def test_a_route_that_counts_one_name_twice_can_earn_more_when_it_is_listed_first() -> None:
    """Both ends count as one stop: listed first the route is paid for both, afterwards for neither."""
    limit = (Limit(kinds("city", "halt", "offboard"), 2),)
    problem = RouteProblem(
        (
            Node("a", "offboard", "A", 50, terminal=True, counts_as="x"),
            Node("b", "city", "B", 50, token=True),
            Node("c", "halt", "C", 50, counts_as="x"),
        ),
        (
            Segment("s", "a", "b", ("1",), ("A", "P", "B")),
            Segment("t", "b", "c", ("2",), ("B", "C")),
        ),
        (Train("e", "e", visit=limit), Train("f", "f", max_edges=12)),
        hexes=(Hex("A", -2, 1), Hex("B", -3, -1), Hex("C", 1, -1), Hex("P", 3, 3)),
        terms=(
            ChainBonus(
                "chain",
                frozenset("f"),
                frozenset(),
                20,
                30,
                frozenset("c"),
                from_last_hex=frozenset({"offboard"}),
            ),
        ),
        track_scope="route",
        count="all",
    )
    naive = naive_best(problem)
    assert naive is not None
    for method in ("exact", "select", "network"):
        answer = solve(problem, method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, naive.revenue)


def test_a_home_that_a_route_run_by_several_trains_visits() -> None:
    """Selection limited the routes by the number of candidates, though several trains may run one."""
    problem = RouteProblem(
        (
            Node("a", "city", "A", 50, token=True),
            Node("b", "city", "B", 60),
            Node("c", "city", "C", 40),
        ),
        (Segment("s", "a", "b", ("1",), ("A", "B")), Segment("t", "a", "c", ("2",), ("A", "C"))),
        (Train("x", "x", visit=(Limit(CITIES, 2),), routes=9),),
        conditions=(VisitHome(frozenset("c")),),
        track_scope="route",
    )
    for method in ("exact", "select", "network"):
        answer = solve(problem, method=method)
        assert (answer.status, answer.revenue) == (Status.OPTIMAL, 8 * 110 + 90)


def test_a_route_whose_choice_of_stops_is_not_made_takes_no_place() -> None:
    """Two stops count as one: passing both, the train chooses the one that another route is paid for."""
    every = kinds("city", "town")
    problem = RouteProblem(
        (
            Node("a", "town", "A", 20, counts_as="x"),
            Node("b", "town", "B", 20, counts_as="x"),
            Node("c", "town", "B"),
            Node("d", "city", "D", token=True),
        ),
        (
            Segment("s", "a", "b", ("1",), ("A", "B")),
            Segment("t", "b", "c", ("2",), ("B",)),
            Segment("u", "c", "d", ("3",), ("B", "D")),
        ),
        (
            Train(
                "x",
                "x",
                pay=(Limit(every, 2),),
                must_pay=frozenset(),
                token_pays=True,
                multiplier=2,
                routes=2,
            ),
        ),
        terms=(
            StopBonus("first", 10, (frozenset("a"),)),
            StopBonus("either", 10, (frozenset("ac"),)),
        ),
        track_scope="route",
        count="class",
    )
    naive = naive_best(problem)
    assert naive is not None
    told: list[int] = []
    answer = solve(problem, callbacks=Callbacks(on_bound=told.append))
    assert (answer.status, answer.revenue) == (Status.OPTIMAL, naive.revenue)
    assert all(bound >= naive.revenue for bound in told)
    for method in ("select", "network"):
        assert solve(problem, method=method).revenue == naive.revenue


def test_many_routes_between_the_same_ends_are_outlined_soon() -> None:
    """Each way to go on from a stop was looked at for each way to come there."""
    routes = [Route("t", ("a", "b"), (f"s{i}",)) for i in range(12)]
    term = ChainBonus("chain", frozenset({"early"}), frozenset(), 10, 10, frozenset())
    outline = chain_outline(term, routes, {"t": "early"})
    assert outline == ((tuple(("t", (f"s{i}",)) for i in sorted(range(12), key=str)), ("a", "a")),)


def test_groups_keep_the_listing_in_which_each_is_paid_most() -> None:
    """Eight routes have more listings than are tried; the best of each group together was not among them."""
    places = ("n0", "H0", -1, 1), ("n1", "H1", -3, -1), ("n2", "H1", -3, -1), ("n3", "H3", 2, 3)
    every = kinds("city", "offboard", "halt", "town")
    most = (Limit(kinds("city", "offboard"), 2), Limit(every, 3))
    tracks = (
        ("n0", "n1", "H0 H1"),
        ("n1", "n2", "H1 P3 H1"),
        ("n2", "n3", "H1 P5 H3"),
        ("n3", "n0", "H3 P2 P0 H0"),
        ("n1", "n0", "H1 H0"),
        ("n1", "n3", "H1 P5 H3"),
        ("n1", "n0", "H1 H0"),
        ("n0", "n3", "H0 P0 P5 H3"),
        ("n0", "n3", "H0 P4 H3"),
    )
    problem = RouteProblem(
        (
            Node("n0", "city", "H0", 20),
            Node("n1", "town", "H1", 70),
            Node("n2", "city", "H1", 50, token=True),
            Node("n3", "city", "H3", 0, token=True),
        ),
        tuple(Segment(f"s{i}", a, b, (f"t{i}",), tuple(h.split())) for i, (a, b, h) in enumerate(tracks)),
        (
            Train(
                "T0",
                "n+m",
                visit=most,
                paying=every,
                hex_pays_once=True,
                track_class="d",
                routes=2,
                route_ids=("T0.0", "T0.1"),
            ),
            Train(
                "T1",
                "n+m",
                visit=most,
                max_edges=3,
                paying=every,
                token_pays=True,
                needs_token=False,
                multiplier=3,
                through=frozenset({"n0", "n2", "n3"}),
                routes=None,
            ),
        ),
        terms=(
            StopBonus("stop", 20, (frozenset({"n0", "n1"}),)),
            LargestTrainBonus("largest", frozenset({"n1", "n3"}), {"plain": 20}, frozenset({"n3"})),
        ),
        hexes=tuple({place[1]: Hex(*place[1:]) for place in places}.values()),
        track_scope="class",
        count="class",
    )
    for method in ("exact", "select", "network"):
        found = solve(problem, method=method)
        assert (found.status, found.revenue) == (Status.OPTIMAL, 700), method
