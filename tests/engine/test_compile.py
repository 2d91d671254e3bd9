"""Positions as route problems: the shared part, and the rules of each game as data."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compile import compile_position, worth
from engine.position import HexBonus, LaidTile, OwnedTrain, Position, Token
from router.check import check
from router.problem import Limit, RouteProblem, StopBonus, kinds
from router.solution import Code, Route

ALL = kinds("city", "town", "offboard")
CITIES = kinds("city", "offboard")

RUSSIA = Position(
    game="1861",
    players=4,
    company="N",
    phase="3",
    tiles=(LaidTile("G7", "9", 1), LaidTile("F4", "9", 1), LaidTile("F2", "8", 1)),
    tokens=(Token("H8", 1, 0, "N"), Token("H8", 0, 0, "M-K"), Token("E1", 0, 0, "SPW")),
    trains=(OwnedTrain("2-0", "2"),),
)
ENGLAND = Position(
    game="18NewEngland",
    players=4,
    company="NYW",
    phase="3",
    tiles=(LaidTile("B17", "88", 0), LaidTile("A18", "7", 4)),
    tokens=(Token("B19", 0, 0, "NYW"),),
    trains=(OwnedTrain("2-0", "2"), OwnedTrain("2-1", "2")),
)


def value(problem: RouteProblem, node: str) -> int:
    return problem.node_by_id[node].value


@pytest.mark.parametrize(
    ("colors", "money"),
    [(("yellow",), 30), (("yellow", "green"), 40), (("yellow", "green", "brown", "gray"), 70)],
)
def test_the_latest_colour_that_has_a_value_counts(colors: tuple[str, ...], money: int) -> None:
    """R5.3."""
    assert worth({"yellow": 30, "green": 40, "gray": 70}, colors) == money
    assert worth(20, colors) == 20
    assert worth({"gray": 70}, ("yellow",)) == 0


@pytest.mark.parametrize(
    ("phase", "money"), [("2", 40), ("3", 50), ("4", 50), ("5", 70), ("6", 70), ("8", 100)]
)
def test_new_york_by_phase(phase: str, money: int) -> None:
    """R7.11 of 18 New England."""
    assert value(compile_position(replace(ENGLAND, phase=phase)), "B19-0") == money


@pytest.mark.parametrize(
    ("phase", "money"), [("2", 30), ("3", 40), ("4", 40), ("5", 50), ("6", 70), ("8", 70)]
)
def test_poland_by_phase(phase: str, money: int) -> None:
    """R7.14 of 1861."""
    problem = compile_position(replace(RUSSIA, phase=phase), whole_board=True)
    assert value(problem, "A9-0") == money
    assert problem.node_by_id["A9-0"].groups == problem.node_by_id["A15-0"].groups != ()


def test_tokens_blocks_and_ends() -> None:
    problem = compile_position(RUSSIA, whole_board=True)
    nodes = problem.node_by_id
    assert nodes["H8-1"].token
    assert not nodes["H8-1"].blocked
    assert nodes["H8-0"].blocked
    assert not nodes["H8-2"].blocked
    assert nodes["A9-0"].end_only
    assert compile_position(ENGLAND).node_by_id["B19-0"].terminal


def test_only_what_the_company_reaches() -> None:
    part, whole = compile_position(ENGLAND), compile_position(ENGLAND, whole_board=True)
    assert {node.id for node in part.nodes} == {"B17-0", "B19-0"}
    assert all(node in whole.nodes for node in part.nodes)
    assert all(segment in whole.segments for segment in part.segments)
    assert len(part.nodes) < len(whole.nodes)
    assert len(part.segments) == 2


@pytest.mark.parametrize("tokens", [(), (Token("I6", 0, 0, "NYW"),)])
def test_no_token_or_no_track_is_a_problem_without_segments(tokens: tuple[Token, ...]) -> None:
    problem = compile_position(replace(ENGLAND, tokens=tokens))
    assert problem.segments == ()
    assert len(problem.trains) == 2


def test_distances_survive_the_change_of_coordinates() -> None:
    from engine.registry import find_game

    problem = compile_position(RUSSIA, whole_board=True)
    known = find_game("1861").facts(players=4).map
    for one, other in itertools.combinations(problem.hexes, 2):
        assert one.distance(other) == known.distance(one.id, other.id)


@given(st.permutations(RUSSIA.tiles), st.permutations(RUSSIA.tokens))
def test_the_order_of_a_position_does_not_matter(tiles: list[LaidTile], tokens: list[Token]) -> None:
    shuffled = replace(RUSSIA, tiles=tuple(tiles), tokens=tuple(tokens))
    for whole in (False, True):
        assert compile_position(shuffled, whole_board=whole) == compile_position(RUSSIA, whole_board=whole)


@pytest.mark.parametrize("name", ["2", "3", "4", "5", "6", "7", "8"])
def test_plain_trains_of_1861(name: str) -> None:
    """R7.10: towns are free and fill the places that cities leave."""
    problem = compile_position(replace(RUSSIA, trains=(OwnedTrain("x", name),)))
    (train,) = problem.trains
    places = int(name)
    assert (train.visit, train.pay) == ((Limit(CITIES, places),), (Limit(ALL, places),))
    assert (train.must_pay, train.multiplier, train.hex_visits) == (CITIES, 1, "once")


def test_double_trains_of_1861() -> None:
    """R7.11, R7.12."""
    trains = (OwnedTrain("x", "2+2"), OwnedTrain("y", "5+5E"))
    two, five = compile_position(replace(RUSSIA, phase="8", trains=trains)).trains
    assert (two.visit, two.pay, two.multiplier) == ((Limit(CITIES, 2),), (Limit(ALL, 2),), 2)
    assert (five.visit, five.pay) == ((Limit(kinds("offboard"), 5),), (Limit(ALL, 5),))
    assert (five.must_pay, five.multiplier, five.token_pays) == (kinds("offboard"), 2, True)


def test_moscow_and_ekaterinburg() -> None:
    """R7.15: once per route, twice as much for trains that double."""
    problem = compile_position(RUSSIA, whole_board=True)
    (bonus,) = problem.terms
    assert isinstance(bonus, StopBonus)
    assert bonus.all_of == (frozenset({"H8-0", "H8-1", "H8-2"}), frozenset({"Q3-0"}))
    assert [bonus.worth(kind) for kind in ("4", "8", "2+2", "5+5E")] == [40, 40, 80, 80]


def test_bonuses_of_privates() -> None:
    """R7.16: each private for each of its hexes; hexes out of reach are left out."""
    bonuses = (HexBonus("MYR", ("H8",), 10), HexBonus("WVR", ("A9", "A11"), 10))
    problem = compile_position(replace(RUSSIA, hex_bonuses=bonuses))
    found = {(bonus.name, *bonus.all_of) for bonus in problem.terms if isinstance(bonus, StopBonus)}
    assert ("MYR", frozenset({"H8-1"})) in found
    assert not any(name == "WVR" for name, *_ in found)
    whole = compile_position(replace(RUSSIA, hex_bonuses=bonuses), whole_board=True)
    assert [term.name for term in whole.terms].count("WVR") == 2


def test_plain_trains_of_new_england() -> None:
    """R7.10, R7.12: towns count like cities, all pay."""
    train = compile_position(ENGLAND).trains[0]
    assert (train.visit, train.pay, train.always_pays) == ((Limit(ALL, 2),), (), ALL)
    assert (train.hex_visits, train.multiplier) == ("consecutive", 1)


@pytest.mark.parametrize(
    ("names", "runner", "times"),
    [
        (["5E"], "x0", 1),
        (["6E", "5E"], "x1", 2),
        (["8E", "6E", "6E"], "x1", 3),
        (["4", "8E", "3", "8E"], "x1", 2),
    ],
)
def test_express_trains_of_new_england_run_one_route(names: list[str], runner: str, times: int) -> None:
    """R7.2: the smallest, of equals the first, times their number."""
    trains = tuple(OwnedTrain(f"x{number}", name) for number, name in enumerate(names))
    problem = compile_position(replace(ENGLAND, trains=trains))
    express = [train for train in problem.trains if train.kind.endswith("E")]
    assert [(train.id, train.multiplier) for train in express] == [(runner, times)]
    assert len(problem.trains) == 1 + sum(not name.endswith("E") for name in names)
    verdict = check(problem, [Route(f"x{len(names)}", ("B19-0", "B17-0"), ("B17-0/B19-0",))])
    assert verdict.violations[0].code is Code.UNKNOWN_TRAIN


def test_two_trains_on_parallel_tracks_to_new_york() -> None:
    """Rules of 18 New England, 7.5 example 3: 60 + 60."""
    routes = [
        Route("2-0", ("B19-0", "B17-0"), ("B17-0/B19-0",)),
        Route("2-1", ("B19-0", "B17-0"), ("B17-0/B19-0:A18",)),
    ]
    assert check(compile_position(ENGLAND), routes).revenue == 120
    again = check(compile_position(ENGLAND), [routes[0], replace(routes[0], train="2-1")])
    assert {violation.code for violation in again.violations} == {Code.TRACK_TWICE}


def test_town_and_city_of_one_hex_at_the_very_begin() -> None:
    """Rules of 18 New England, 7.5 example 2: nothing is laid, GR runs inside L7 for 20 + 20."""
    position = replace(ENGLAND, company="GR", phase="2", tiles=(), tokens=(Token("L7", 0, 0, "GR"),))
    problem = compile_position(position)
    assert {node.id for node in problem.nodes} == {"L7-0", "L7-1"}
    assert check(problem, [Route("2-0", ("L7-1", "L7-0"), ("L7-0/L7-1",))]).revenue == 40
