"""Trains, routes and revenue of 18GB (rules, section 7)."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from boards import bonuses, codes, laid, money, run, site, tokens, trains

from engine.compile import compile_position
from engine.position import HexBonus, Position
from router.problem import AreaBonus, DistanceBonus, Limit, TrackBonus, kinds

FULL = kinds("city", "offboard")
ALL = kinds("city", "town", "offboard")

# Plymouth - Taunton - Bristol - Salisbury - Reading - London.
SOUTH = Position(
    game="18GB",
    players=4,
    company="GWR",
    phase="6X",
    tiles=laid("A24 8 5, B25 8 2, C24 4 1, D23 G30 0, D25 G34 0, E24 8 5, F25 4 2"),
    tokens=tokens("GWR D23 D25"),
    trains=trains("4X-0 4X"),
)
WEST, MIDDLE, EAST = "a25 A24 B25 C24, C24 D23", "D23 D25", "D25 E24 F25, F25 G26"
# Hull - York - Doncaster - Grimsby.
HUMBER = Position(
    game="18GB",
    players=4,
    company="NER",
    phase="6X",
    tiles=laid("J15 8 0, I14 G39 5, I16 4 0, I18 8 3, J19 7 2"),
    tokens=tokens("NER I14"),
    trains=trains("5+2-0 5+2"),
)


@pytest.mark.parametrize(
    ("name", "visit"),
    [
        ("2+1", (Limit(FULL, 2), Limit(ALL, 3))),
        ("5+2", (Limit(FULL, 5), Limit(ALL, 7))),
        ("4X", (Limit(FULL, 4),)),
        ("6X", (Limit(FULL, 6),)),
    ],
)
def test_lengths(name: str, visit: tuple[Limit, ...]) -> None:
    """R122, R123: towns fill the places for towns first; X trains pass them."""
    (train,) = compile_position(replace(SOUTH, trains=trains(f"x {name}"))).trains
    assert train.visit == visit
    assert train.always_pays == (FULL if name.endswith("X") else ALL)


def test_distance_and_compass_of_one_train() -> None:
    """4X: 50 + 50 + 30 + 70 and seven hexes make 270; from Plymouth to London is 40 more."""
    verdict = run(SOUTH, site("4X-0", f"{WEST}, {MIDDLE}, {EAST}"))
    assert money(verdict) == [310]
    assert sorted(bonuses(verdict)) == [("compass", 40), ("distance", 70)]
    inland = run(SOUTH, site("4X-0", f"C24 D23, {MIDDLE}, {EAST}"))
    assert money(inland) == [50 + 30 + 70 + 30]
    assert list(bonuses(inland)) == [("distance", 30)]


def test_a_chain_of_routes_from_west_to_east_is_found_in_every_order() -> None:
    """R129: only the middle route meets both others."""
    position = replace(SOUTH, trains=trains("5+2-0 5+2, 5+2-1 5+2, 4+2-0 4+2"))
    routes = (site("5+2-0", WEST), site("5+2-1", MIDDLE), site("4+2-0", EAST))
    plain = 50 + 10 + 50 + 50 + 30 + 30 + 10 + 70
    for order in itertools.permutations(routes):
        verdict = run(position, *order)
        assert verdict.revenue == plain + 40
        assert list(bonuses(verdict)) == [("compass", 40)]
    apart = run(position, routes[0], routes[2])
    assert list(bonuses(apart)) == []


@pytest.mark.parametrize(
    ("phase", "amount"), [("2+1", 20), ("3+1", 20), ("4+2", 30), ("5+2", 30), ("5X", 30), ("6X", 40)]
)
def test_compass_by_phase(phase: str, amount: int) -> None:
    """R126."""
    terms = compile_position(replace(SOUTH, phase=phase), whole_board=True).terms
    (compass,) = [term for term in terms if isinstance(term, AreaBonus)]
    assert compass.pairs == (("N", "S", amount), ("E", "W", amount))


def test_only_sides_that_are_reached() -> None:
    """R10: Plymouth is south and west, London south and east."""
    (compass,) = [term for term in compile_position(SOUTH).terms if isinstance(term, AreaBonus)]
    assert compass.pairs == (("E", "W", 40),)
    assert compass.areas["W"] == {"a25-0"}
    assert compass.areas["E"] == {"G26-0"}
    assert not [t for t in compile_position(HUMBER).terms if isinstance(t, AreaBonus)]


@pytest.mark.parametrize(
    ("players", "options", "north", "west"),
    [(2, (), {"G0-0", "I0-0", "K0-0"}, {"E6-0"}), (2, ("two_player_ew",), {"H9-0", "J11-0"}, set[str]())],
)
def test_compass_of_the_maps_for_two(
    players: int, options: tuple[str, ...], north: set[str], west: set[str]
) -> None:
    """R10."""
    position = Position(
        game="18GB", players=players, optional_rules=options, company="LNWR", phase="2+1", tokens=()
    )
    terms = compile_position(position, whole_board=True).terms
    (compass,) = [term for term in terms if isinstance(term, AreaBonus)]
    assert compass.areas["N"] == north
    assert west <= compass.areas["W"]
    assert "a25-0" in compass.areas["W"] or not options


def test_two_areas_of_one_hex_pay_once() -> None:
    """R125: the first in travel order; both fill a place."""
    there = site("5+2-0", "J17 J15 I14, I14 I16, I16 I18 J19 J17")
    back = site("5+2-0", "J17 J19 I18 I16, I16 I14, I14 J15 J17")
    assert money(run(HUMBER, there)) == [50 + 10 + 10]
    assert money(run(HUMBER, back)) == [20 + 10 + 10]
    assert codes(run(replace(HUMBER, trains=trains("5+2-0 2+1")), there)) == {"TOO_LONG"}
    assert compile_position(HUMBER).trains[0].hex_pays_once
    assert not compile_position(SOUTH).trains[0].hex_pays_once


def test_the_severn() -> None:
    """R128: only the dual track pays, and only where it is laid."""
    position = replace(
        SOUTH,
        tiles=laid("B21 G30 1, D23 G30 0, C22 G33 0, C20 4 0"),
        tokens=tokens("GWR D23 B21"),
        trains=trains("4X-0 4X"),
    )
    problem = compile_position(position)
    assert TrackBonus("S", 30, "S") in problem.terms
    assert {s.hexes: s.marks for s in problem.segments if "C22" in s.hexes} == {
        ("B21", "C22", "D23"): ("S",),
        ("B21", "C22", "C20"): (),
    }
    assert list(bonuses(run(position, site("4X-0", "D23 C22 B21")))) == [("S", 30), ("distance", 20)]
    printed = compile_position(replace(position, tiles=laid("B21 G30 1, D23 G30 0, C20 4 0")))
    assert not [term for term in printed.terms if isinstance(term, TrackBonus)]


def test_bonuses_of_privates() -> None:
    """R127: once per route that counts the hex."""
    bonus = HexBonus("SD", ("J13",), 10)
    position = replace(
        HUMBER, hex_bonuses=(bonus,), tiles=laid("J13 G41 0, J15 9 0"), tokens=tokens("NER J13")
    )
    assert money(run(position, site("5+2-0", "J13 J15 J17"))) == [10 + 50 + 10]
    assert compile_position(replace(HUMBER, hex_bonuses=(bonus,))).terms == ()


def test_a_leased_train_runs_like_an_own_one() -> None:
    """R117, R130."""
    (train,) = trains("4X-0 4X")
    position = replace(SOUTH, trains=(replace(train, leased=True),))
    assert money(run(position, site("4X-0", f"{WEST}, {MIDDLE}, {EAST}"))) == [310]


def test_towns_at_the_ends_do_not_measure() -> None:
    """R130: one city is no distance."""
    verdict = run(SOUTH, site("4X-0", "C24 D23"))
    assert money(verdict) == [50]
    (term,) = [t for t in compile_position(SOUTH).terms if isinstance(t, DistanceBonus)]
    assert (term.per_hex, term.trains) == (10, {"4X"})
