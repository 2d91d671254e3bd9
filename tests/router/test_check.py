"""The referee: every violation, garbage, and the finer points of what pays."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import BIG, Board, at, codes, each, only, run
from strategies import problems

from naive import naive_price
from router.check import check
from router.problem import (
    NODE_KINDS,
    AreaBonus,
    ChainBonus,
    LargestTrainBonus,
    Limit,
    MustRun,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    StopBonus,
    TrackBonus,
    Train,
    VisitHome,
    kinds,
)
from router.solution import Code, Route, Verdict, Violation

ANY = Train("2", "2")
OTHER = Train("3", "3")


def one(row: str, train: Train = ANY, **fields: Any) -> Verdict:
    """Return the verdict on one route."""
    return run([(train, row)], **fields)


def asked(verdict: Verdict) -> Violation:
    """Return the only violation of an illegal run."""
    assert not verdict.legal
    assert (verdict.revenue, verdict.subsidy, verdict.routes) == (0, 0, ())
    assert len(verdict.violations) == 1, verdict.violations
    return verdict.violations[0]


def with_groups(row: str, **groups: tuple[str, ...]) -> Verdict:
    return one(row, nodes={name: {"groups": value} for name, value in groups.items()})


AREA = AreaBonus("compass", {"N": at("N1"), "S": at("S1")}, (("N", "S", 40),))
CHAIN = ChainBonus("chain", frozenset({"f", "e"}), frozenset({"e"}), 20, 30, frozenset())


LINE = Board(["A1:c10* B1:c10"])
PROVOKED: list[tuple[Code, int | None, str, Verdict]] = [
    (
        Code.TOO_LONG,
        0,
        "visits 3 city stops; train 2 visits at most 2",
        one("A1:c10* B1:c10 C1:c10", replace(ANY, visit=(Limit(kinds("city"), 2),))),
    ),
    (
        Code.TOO_LONG,
        0,
        "crosses 3 hex edges; train 2 crosses at most 2",
        one("A1:c10* B1:c10 (B2) C1:c10", replace(ANY, max_edges=2)),
    ),
    (
        Code.TOO_LONG,
        0,
        "must stop at 2 offboard stops; train 2 at 1 at most",
        one(
            "A1:o10 B1:c10* C1:o10",
            replace(ANY, pay=(Limit(kinds("offboard"), 1),), must_pay=kinds("offboard")),
        ),
    ),
    (
        Code.HEX_TWICE,
        0,
        "visits A1 and A1/2, both in hex A1",
        one("A1:c10* A1/2:c10", replace(ANY, hex_visits="once")),
    ),
    (
        Code.HEX_TWICE,
        0,
        "with another stop in between",
        one("A1:c10* B1:t10 A1/2:c10", replace(ANY, hex_visits="consecutive")),
    ),
    (
        Code.GROUP_TWICE,
        0,
        "visits A1 and C1, of which (group west)",
        with_groups("A1:c10* B1:t10 C1:c10", A1=("west",), C1=("west",)),
    ),
    (Code.BLOCKED, 0, "passes B1, which is blocked", one("A1:c10* B1:c10! C1:c10")),
    (Code.TERMINAL, 0, "passes B1, where a route can only begin or end", one("A1:c10* B1:o10 C1:c10")),
    (Code.TERMINAL, 0, "passes B1, where a route can only begin or end", one("A1:c10* B1:c10| C1:c10")),
    (
        Code.TERMINAL,
        0,
        "passes B1, where a route of train 2 can only",
        one("A1:c10* B1:c10 C1:c10", replace(ANY, through=at("A1", "C1"))),
    ),
    (Code.NO_TOKEN, 0, "visits no stop with a token", one("A1:c10 B1:c10")),
    (
        Code.NO_TOKEN,
        0,
        "among those that train 2 is paid for",
        one("A1:c10* B1:t10", replace(ANY, paying=kinds("town"), token_pays=True)),
    ),
    (
        Code.NO_TOKEN,
        0,
        "among those that train 2 is paid for",
        one(
            "A1:o10 B1:c10*",
            replace(ANY, pay=(Limit(NODE_KINDS, 1),), must_pay=kinds("offboard"), token_pays=True),
        ),
    ),
    (
        Code.NO_ENTRY,
        0,
        "visits B1, which train 2 may not enter",
        one("A1:c10* B1:c10", replace(ANY, stops=at("A1"))),
    ),
    (
        Code.BAD_END,
        0,
        "ends at B1, where no route of train 2 may end",
        one("A1:c10* B1:t10", replace(ANY, ends=at("A1"))),
    ),
    (
        Code.ENDS_ALIKE,
        0,
        "both ends, A1 and C1, belong to a set",
        one("A1:o10 B1:c10* C1:o10", end_sets=(at("A1", "C1"),)),
    ),
    (
        Code.TRACK_TWICE,
        1,
        "uses the track track 0.0 that routes[0] uses",
        check(LINE.problem([ANY, OTHER]), [Route("2", *LINE.routes[0]), Route("3", *LINE.routes[0])]),
    ),
    (
        Code.NO_HOME,
        None,
        "there is no home",
        one("A1:c10* B1:c10", conditions=(VisitHome(frozenset()),)),
    ),
    (
        Code.NOT_TOUCHING,
        None,
        "routes[1] do not meet routes[0]",
        run([(ANY, "A1:c10* B1:c10"), (OTHER, "C1:c10* D1:c10")], conditions=(RoutesTouch(),)),
    ),
    (
        Code.NOT_TOUCHING,
        None,
        "the routes of train 2 must hang together",
        run(
            [
                (replace(ANY, routes=2, routes_touch=True), "A1:c10* B1:c10!"),
                (replace(ANY, routes=2, routes_touch=True), "B1 C1:c10*"),
            ]
        ),
    ),
    (
        Code.CHAIN,
        None,
        "form a loop with a tail at A1",
        run(
            [(Train(f"f{i}", "f"), row) for i, row in enumerate(["A1:c1 B1:c1*", "B1 C1:c1", "C1 (C2) B1"])],
            terms=(CHAIN,),
        ),
    ),
    (
        Code.CHAIN,
        None,
        "holds no independent train",
        run([(Train("e", "e"), "A1:c1* B1:c1"), (Train("f", "f"), "C1:c1* D1:c1")], terms=(CHAIN,)),
    ),
    (
        Code.REQUIRED,
        None,
        "no route runs line: through A1, C1",
        one("A1:c10* B1:c10 C1:c10", conditions=(RequiredRoute("line", at("A1", "C1")),)),
    ),
    (
        Code.REQUIRED,
        None,
        "no route of class diesel runs",
        one("A1:c1* B1:c1", conditions=(MustRun("diesel"),)),
    ),
]


@pytest.mark.parametrize(("code", "route", "why", "verdict"), PROVOKED)
def test_each_violation(code: Code, route: int | None, why: str, verdict: Verdict) -> None:
    violation = asked(verdict)
    assert (violation.code, violation.route) == (code, route)
    assert why in violation.why


BOARD = Board(["A1:c10* B1:c20 C1:c30", "A1 B1"])
PROBLEM = BOARD.problem([ANY, replace(OTHER, routes=2, route_ids=("3a", "3b"))], track_scope="route")
LONG = Route("2", *BOARD.routes[0])
SHORT = Route("3a", *BOARD.routes[1])


def judged(*routes: Route) -> list[tuple[Code, int | None]]:
    return [(violation.code, violation.route) for violation in check(PROBLEM, routes).violations]


def test_codes_that_need_no_board() -> None:
    assert judged(LONG, SHORT) == []
    assert judged(replace(LONG, train="4")) == [(Code.UNKNOWN_TRAIN, 0)]
    assert judged(SHORT, replace(LONG, nodes=("A1", "Z1", "C1"))) == [(Code.UNKNOWN_TRACK, 1)]
    assert judged(replace(LONG, segments=("0.0", "9"))) == [(Code.UNKNOWN_TRACK, 0)]
    assert judged(LONG, LONG) == [(Code.TRAIN_TWICE, 1)]
    assert judged(SHORT, SHORT) == [(Code.TRAIN_TWICE, 1)]
    assert judged(SHORT, replace(SHORT, train="3b"), replace(SHORT, train="3")) == [(Code.TRAIN_TWICE, 2)]
    assert judged(SHORT, replace(SHORT, train="3")) == []
    assert judged(replace(LONG, segments=("0.1", "0.0"))) == [(Code.NOT_JOINED, 0)] * 2
    assert judged(replace(LONG, segments=("0.0",))) == [(Code.NOT_JOINED, 0)]
    assert judged(replace(LONG, nodes=("A1",), segments=())) == [(Code.TOO_SHORT, 0)]
    assert judged(replace(LONG, nodes=(), segments=())) == [(Code.TOO_SHORT, 0)]
    assert judged(Route("2", ("A1", "B1", "A1"), ("0.0", "1.0"))) == [(Code.NODE_TWICE, 0)]
    assert judged(Route("2", ("A1", "B1", "A1"), ("0.0", "0.0"))) == [
        (Code.NODE_TWICE, 0),
        (Code.TRACK_TWICE, 0),
    ]


def test_every_code_is_provoked() -> None:
    board_free = {
        Code.UNKNOWN_TRAIN,
        Code.UNKNOWN_TRACK,
        Code.TRAIN_TWICE,
        Code.NOT_JOINED,
        Code.TOO_SHORT,
        Code.NODE_TWICE,
    }
    assert board_free | {code for code, *_ in PROVOKED} == set(Code)


def test_all_violations_are_listed() -> None:
    train = Train("2", "2", visit=(Limit(NODE_KINDS, 2),), max_edges=1, ends=at("B1"), stops=at("A1", "B1"))
    verdict = one("A1:c10 B1:o10 C1:c10", train, conditions=(VisitHome(at("B1")), MustRun("d")))
    assert [violation.code for violation in verdict.violations] == [
        Code.TERMINAL,
        Code.NO_TOKEN,
        Code.NO_ENTRY,
        Code.BAD_END,
        Code.BAD_END,
        Code.TOO_LONG,
        Code.TOO_LONG,
        Code.REQUIRED,
    ]


def test_no_routes() -> None:
    free = BOARD.problem([ANY], conditions=(VisitHome(frozenset()), RoutesTouch()), terms=(CHAIN,))
    assert check(free, []) == Verdict(True, 0, 0, (), ())
    assert codes(check(BOARD.problem([ANY], conditions=(MustRun(),)), [])) == {Code.REQUIRED}
    line = RequiredRoute("line", at("A1", "B1"))
    assert codes(check(BOARD.problem([ANY], conditions=(line,)), [])) == {Code.REQUIRED}


WHATEVER = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=4),
    st.binary(max_size=3),
    st.floats(),
    st.just({}),
    st.just(object()),
    st.lists(st.sampled_from(["A1", "0.0", 1, None, []]), max_size=3),
    st.lists(st.sampled_from(["A1", "B1", "0.0", 1, None, []]), max_size=3).map(tuple),
)


@settings(max_examples=300)
@given(st.one_of(WHATEVER, st.lists(st.one_of(WHATEVER, st.builds(Route, WHATEVER, WHATEVER, WHATEVER)))))
def test_garbage_is_illegal_and_never_an_error(routes: Any) -> None:
    verdict = check(PROBLEM, routes)
    assert verdict.legal == (not verdict.violations)
    try:
        number = len(list(routes))
    except TypeError:
        number = 1
    assert verdict.legal == (number == 0)
    assert all(type(violation.why) is str and violation.why for violation in verdict.violations)


def test_lists_are_no_routes() -> None:
    assert codes(check(PROBLEM, [Route("2", ["A1", "B1"], ["0.0"])])) == {Code.UNKNOWN_TRACK}  # type: ignore[arg-type]
    assert codes(check(PROBLEM, [object.__new__(Route)])) == {Code.UNKNOWN_TRAIN, Code.UNKNOWN_TRACK}


@settings(max_examples=100)
@given(st.data(), problems())
def test_made_up_names_never_raise(data: st.DataObject, problem: RouteProblem) -> None:
    names = st.sampled_from([n.id for n in problem.nodes])
    used = st.sampled_from([s.id for s in problem.segments] or ["none"])
    made_up = st.builds(
        Route,
        st.sampled_from([t.id for t in problem.trains] + ["none"]),
        st.lists(names, max_size=4).map(tuple),
        st.lists(used, max_size=3).map(tuple),
    )
    for route in check(problem, data.draw(st.lists(made_up, max_size=5))).routes:
        assert route.revenue >= 0


def test_the_problem_stays_what_it_was() -> None:
    """The referee keeps notes with the problem; they must not show."""
    fresh = BOARD.problem([ANY], track_scope="route")
    used = BOARD.problem([ANY], track_scope="route")
    before = check(used, [LONG])
    assert used == fresh
    assert repr(used) == repr(fresh)
    assert check(pickle.loads(pickle.dumps(used)), [LONG]) == before
    assert check(copy.deepcopy(used), [LONG]) == before
    assert check(replace(used, trains=(replace(ANY, multiplier=2),)), [LONG]).revenue == 2 * before.revenue


# What pays.


def test_reasons() -> None:
    terms = (StopBonus("pair", 40, (at("C1"), at("A1"))), TrackBonus("ferry", 30, "ferry"))
    verdict = one("A1:c10* B1:c20 -ferry- C1:c30", terms=terms)
    assert [(b.kind, b.amount, b.why) for b in verdict.routes[0].bonuses] == [
        ("pair", 40, "stops at C1 and A1"),
        ("ferry", 30, "uses ferry between B1 and C1"),
    ]
    assert only(verdict) == 130


def test_a_pair_beats_a_better_stop() -> None:
    train = Train("2", "2", pay=(Limit(kinds("city"), 2),))
    pair = StopBonus("pair", 25, (at("A1"), at("C1")))
    verdict = one("A1:c10* B1:c20 C1:c10 D1:c20", train, terms=(pair,))
    assert only(verdict) == 45
    assert [stop.node for stop in verdict.routes[0].stops] == ["A1", "C1"]
    assert only(one("A1:c10* B1:c20 C1:c10 D1:c20", train, terms=(replace(pair, amount=20),))) == 40


def test_overlapping_limits() -> None:
    train = Train(
        "x", "x", pay=(Limit(kinds("city"), 2), Limit(NODE_KINDS, 3), Limit(kinds("town", "halt"), 1))
    )
    assert only(one("A1:c10* B1:t90 C1:c20 D1:c30 E1:h80 F1:o70", train)) == 90 + 70 + 30


def test_a_hex_pays_for_the_first_stop_in_it() -> None:
    train = Train("x", "x", hex_pays_once=True)
    assert only(one("A1:c10* B1:c20 A1/2:c50", train)) == 30
    assert only(one("A1/2:c50 B1:c20 A1:c10*", train)) == 70
    # Where the train has the choice it leaves out the first.
    assert only(one("A1:c10* B1:c20 A1/2:c50", replace(train, must_pay=frozenset()))) == 70
    assert only(one("A1:c10* B1:c20 A1/2:c50", replace(train, pay=(Limit(NODE_KINDS, 2),)))) == 70


def test_bonuses_are_not_multiplied() -> None:
    train = Train("x", "x", multiplier=3)
    assert only(one("A1:c10* B1:c20", train, terms=(StopBonus("mail", 10, (at("B1"),)),))) == 100


def test_values_by_train_kind() -> None:
    values = {"B1": {"values": {"x": 70}}}
    assert only(one("A1:c10* B1:c20", Train("x", "x", multiplier=2), nodes=values)) == 160
    assert only(one("A1:c10* B1:c20", nodes=values)) == 30


def test_ties_prefer_more_stops_then_the_begin() -> None:
    train = Train("x", "x", pay=(Limit(NODE_KINDS, 2),))
    verdict = one("A1:c10* B1:c10 C1:c10", train)
    assert [stop.node for stop in verdict.routes[0].stops] == ["A1", "B1"]
    verdict = one("A1:c0* B1:c10 C1:c0", train)
    assert [stop.node for stop in verdict.routes[0].stops] == ["A1", "B1"]


def test_a_stop_counted_once_is_left_to_the_train_that_has_no_other() -> None:
    picky = Train("p", "p", pay=(Limit(NODE_KINDS, 1),))
    rows = [(picky, "A1:c50* B1:c40"), (replace(picky, id="q"), "A1 C1:c10")]
    assert only(run(rows, count="all")) == 90
    assert only(run(rows, count="route")) == 100
    verdict = run(rows, count="all")
    assert [[stop.node for stop in route.stops] for route in verdict.routes] == [["B1"], ["A1"]]


def test_counting_by_class_keeps_classes_apart() -> None:
    rows = [(ANY, "A1:c50* B1:c40"), (replace(OTHER, track_class="d"), "A1 C1:c10")]
    assert each(run(rows, count="class")) == [90, 60]
    assert each(run(rows, count="all")) == [90, 10]


def test_the_first_listed_decides_what_a_shared_name_brings() -> None:
    nodes = {"B1": {"counts_as": "B"}, "B1_2": {"counts_as": "B"}}
    rows = [(ANY, "A1:c0* B1:c40"), (OTHER, "A1 B1/2:c10")]
    assert each(run(rows, nodes, count="all")) == [40, 0]
    assert each(run([(OTHER, "A1:c0* B1/2:c10"), (ANY, "A1 B1:c40")], nodes, count="all")) == [10, 0]
    # Nor does a train that may leave the stop out do so: names matter only when stops are paid.
    free = replace(OTHER, must_pay=frozenset())
    assert each(run([(free, "A1:c0* B1/2:c10"), (ANY, "A1 B1:c40")], nodes, count="all")) == [10, 0]


def test_the_largest_train_and_ties() -> None:
    term = LargestTrainBonus("mine", at("B1"), {"2": 20, "3": 30})
    assert each(run([(ANY, "A1:c0* B1:c0"), (OTHER, "A1 (A2) B1")], terms=(term,))) == [0, 30]
    twin = replace(ANY, id="2b")
    assert each(run([(ANY, "A1:c0* B1:c0"), (twin, "A1 (A2) B1")], terms=(term,))) == [20, 0]


def test_many_meeting_routes() -> None:
    """More routes than every partition of which could be tried: two pairs over a common hub."""
    rows = ["N1:o0 H1:c0*", "S1:o0 H1", "N2:o0 H1", "S2:o0 H1", *(f"X{i}:c0 H1" for i in range(8))]
    board = Board(rows)
    area = AreaBonus("compass", {"N": at("N1", "N2"), "S": at("S1", "S2")}, (("N", "S", 40),))
    problem = board.problem([Train(f"t{i}", "t") for i in range(len(rows))], terms=(area,))
    routes = [Route(f"t{i}", *path) for i, path in enumerate(board.routes)]
    verdict = check(problem, routes)
    assert only(verdict) == 80
    assert [len(route.bonuses) for route in verdict.routes][:4] in ([1, 0, 1, 0], [1, 1, 0, 0])
    few = [*routes[:4], routes[5]]
    assert only(check(problem, few)) == 80 == naive_price(problem, few)[0]


def test_merging_may_beat_what_a_route_has_alone() -> None:
    areas = {"N": at("N1"), "S": at("S1"), "E": at("E1"), "W": at("W1")}
    term = AreaBonus("compass", areas, (("N", "S", 40), ("E", "W", 30)))
    rows = [(ANY, "N1:o0 H1:c0* S1:o0"), (OTHER, "E1:o0 H1"), (Train("4", "4"), "W1:o0 H1")]
    board = Board([row for _, row in rows])
    problem = board.problem([train for train, _ in rows], terms=(term,))
    routes = [Route(train.id, *path) for (train, _), path in zip(rows, board.routes, strict=True)]
    for order in permutations(routes):
        verdict = check(problem, order)
        assert only(verdict) == 70
        assert [
            bonus.amount for route in verdict.routes for bonus in route.bonuses if route.train == "2"
        ] == [40]


def test_many_parallel_chained_routes() -> None:
    rows = ["A1:c10* C1:c20", *["A1 C1"] * 10]
    board = Board(rows)
    term = ChainBonus("chain", frozenset({"f"}), frozenset(), 20, 30, frozenset())
    problem = board.problem([Train(f"f{i}", "f") for i in range(len(rows))], terms=(term,), count="all")
    verdict = check(problem, [Route(f"f{i}", *path) for i, path in enumerate(board.routes)])
    assert verdict.legal
    assert len(verdict.routes[0].bonuses) <= 1


def test_m_of_n_trains_share_a_hub() -> None:
    """Many trains that each leave out one of many common stops are priced at once."""
    cities = " ".join(f"C{i}:c{10 * i}*" for i in range(8))
    again = " ".join(f"C{i}" for i in range(8))
    trains = [Train(f"m{i}", "m", visit=(Limit(BIG, 8),), pay=(Limit(BIG, 6),)) for i in range(6)]
    verdict = run([(train, cities if not i else again) for i, train in enumerate(trains)], count="all")
    assert only(verdict) == sum(range(0, 80, 10))
