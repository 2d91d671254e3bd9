"""Trains, routes and revenue of 1862 (rules, section 7)."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from boards import bonuses, codes, laid, money, run, site, tokens, trains

from engine.compile import compile_position
from engine.encoding import SiteRoute
from engine.position import Charter1862, Position
from router.problem import ChainBonus, HexSubsidy, Limit, Node, RoutesTouch, VisitHome, kinds

CITY, FULL = kinds("city"), kinds("city", "offboard")
ALL_KINDS = Charter1862(("freight", "local", "express"), 100)


def position(company: str, phase: str, tiles: str, placed: str, owned: str) -> Position:
    """Return a position of a company that may run every kind of train."""
    return Position(
        game="1862",
        players=4,
        company=company,
        phase=phase,
        tiles=laid(tiles),
        tokens=tokens(placed),
        trains=trains(owned),
        g1862=ALL_KINDS,
    )


# Midlands and West - March - Cambridge - Bishop's Stortford - Sudbury - Colchester - Harwich - Holland.
LONG = position(
    "N&E",
    "H",
    "B7 5 0, B9 794 0, B11 8852 0, B13 5 3, C12 8852 1, D11 6 5, E12 794 0, F13 793 5",
    "N&E B13",
    "H-0 9F",
)
# Denmark - Felixstowe - Ipswich - Colchester, and Ipswich - Stowmarket - Bury - Brandon - Ely.
EASTERN = position(
    "FDR",
    "E",
    "G12 57 2, F11 795 3, E10 8852 2, D9 53y 1, D7 8850 1, C8 53y 0, E12 791 0",
    "FDR G12 F11",
    "B-0 2/3E, D-0 5F",
)
BECCLES = position("WVR", "C", "G8 57 1, H7 57 1", "WVR G8", "B-0 2F")
THROUGH = "B7 B9, B9 B11, B11 B13, B13 C12, C12 D11, D11 E12, E12 F13, F13 F15"


@pytest.mark.parametrize("name", ["2L*", "3L", "6L", "2E**", "6E"])
def test_trains_that_count_all_they_visit(name: str) -> None:
    """R7.13, R7.14; stars are warranties."""
    (train,) = compile_position(replace(LONG, trains=trains(f"x {name}"))).trains
    local = "L" in name
    assert train.kind == name.rstrip("*")
    assert train.visit == (Limit(CITY if local else FULL, int(name[0])),)
    assert train.pay == ()
    assert train.always_pays == (kinds("city", "town") if local else FULL)


@pytest.mark.parametrize(("name", "pay", "visit"), [("2/3L", 2, 3), ("4/5E", 4, 5), ("5/6L", 5, 6)])
def test_trains_that_leave_one_out(name: str, pay: int, visit: int) -> None:
    """R7.13, R7.14: all towns of a local train pay, whatever is left out."""
    (train,) = compile_position(replace(LONG, trains=trains(f"x {name}"))).trains
    limited = CITY if name.endswith("L") else FULL
    assert (train.visit, train.pay) == ((Limit(limited, visit),), (Limit(limited, pay),))
    assert train.always_pays == (kinds("town") if name.endswith("L") else frozenset())


def test_freight_trains() -> None:
    """R7.15, R7.20: hex edges count; those that rust are bound together."""
    problem = compile_position(replace(LONG, trains=trains("a 1F*, b 5F, c 6F, d 9F")))
    assert [train.max_edges for train in problem.trains] == [1, 5, 6, 9]
    (term,) = problem.terms
    assert isinstance(term, ChainBonus)
    assert (term.trains, term.dependent) == ({"1F", "5F", "6F", "9F"}, {"1F", "5F"})
    assert (term.per_hex, term.far_per_hex, term.far) == (20, 30, {"F15-0", "G14-2"})


def test_what_binds_all_routes() -> None:
    """R7.6, R7.17, R7.27, R7.28."""
    problem = compile_position(LONG)
    assert (problem.track_scope, problem.count) == ("route", "all")
    assert problem.conditions == (VisitHome(frozenset({"B13-0"})), RoutesTouch())
    assert set(problem.end_sets) == {frozenset({"A8-0", "A8-2", "A10-0"}), frozenset({"F15-0", "G14-2"})}
    lost = compile_position(replace(LONG, tokens=tokens("N&E E12")))
    assert VisitHome(frozenset()) in lost.conditions


@pytest.mark.parametrize(
    ("permits", "runs"), [(("freight",), ["c"]), (("local", "express"), ["a", "b"]), ((), [])]
)
def test_only_permitted_kinds_run(permits: tuple[str, ...], runs: list[str]) -> None:
    """R7.3."""
    charter = Charter1862(permits, 100)
    problem = compile_position(replace(LONG, g1862=charter, trains=trains("a 3L, b 3E, c 3F")))
    assert [train.id for train in problem.trains] == runs


@pytest.mark.parametrize(("phase", "worth"), [("B", 70), ("C", 100), ("D", 100), ("E", 120), ("H", 120)])
def test_areas_by_phase(phase: str, worth: int) -> None:
    """R1.11, R7.17: areas of one group count as one stop."""
    node: Node = compile_position(replace(LONG, phase=phase), whole_board=True).node_by_id["A8-2"]
    assert (node.value, node.counts_as, node.groups) == (worth, "West", ("West",))


def test_london_needs_the_link() -> None:
    """R7.11; West in the same hex as London does not."""
    here = position("N&E", "E", "B13 57 0", "N&E B13; ECR D15", "C-0 3E")
    london = site("C-0", "B13 B15")
    assert codes(run(here, london)) == {"BAD_END"}
    assert not compile_position(here).segments
    linked = replace(here, tokens=tokens("N&E B13 D15"))
    assert money(run(linked, london)) == [20 + 200]
    assert len(compile_position(linked).segments) == 1
    ends = compile_position(here, whole_board=True).trains[0].ends
    assert ends is not None
    assert {"A12-2", "A10-0"} <= ends
    assert not {"A12-0", "A14-0", "B15-0", "C14-0", "D15-0"} & ends


def test_no_route_ends_in_a_town() -> None:
    """R7.9; track that leads to a town only is of no use."""
    assert codes(run(LONG, site("H-0", "B11 B13"))) == {"BAD_END"}
    cut = replace(LONG, tiles=laid("B11 8852 0, B13 5 3"))
    assert compile_position(cut).segments == ()


def test_local_trains_stay_on_the_map() -> None:
    """R7.13."""
    local = replace(EASTERN, trains=trains("C-0 3L"))
    assert codes(run(local, site("C-0", "H13 G12, G12 F11"))) == {"BAD_END"}
    assert not [s for s in compile_position(local).segments if "H13" in s.hexes]


def test_a_lone_freight_train_to_the_next_port() -> None:
    """R7.24: Wells 20, North 90, and nothing between them."""
    wells = position("WNR", "C", "E2 57 2", "WNR E2", "A-0 1F*")
    verdict = run(wells, site("A-0", "E2 D1"))
    assert money(verdict) == [110]
    assert not bonuses(verdict)


@pytest.mark.parametrize(
    ("start", "brings"), [("A8 B7, B7 B9", 140 + 130 + 6 * 30), ("A8 B9", 120 + 130 + 5 * 30)]
)
def test_from_the_port_of_harwich_to_midlands_and_west(start: str, brings: int) -> None:
    """R7.24: 450 and 400; the two areas of one hex are left over different borders."""
    chains = f"{start}, {THROUGH.split(', ', 1)[1]}"
    assert money(run(LONG, site("H-0", chains))) == [brings]
    backwards = ", ".join(reversed(chains.split(", ")))
    assert money(run(LONG, site("H-0", backwards))) == [brings]


@pytest.mark.parametrize(("tile", "port"), [("H7 57 1", "I6"), ("H7 6 5", "I8"), ("H7 5 0", "H9")])
def test_beccles_lowestoft_port_by_every_entry(tile: str, port: str) -> None:
    """R7.24: 20 + 90 and one hex to the port, whichever it is."""
    here = replace(BECCLES, tiles=laid(f"G8 57 1, {tile}"))
    verdict = run(here, site("B-0", f"G8 H7, H7 {port}"))
    assert money(verdict) == [140]
    assert list(bonuses(verdict)) == [("freight", 30)]


def test_a_home_that_is_left_out_is_visited_all_the_same() -> None:
    """R7.18, R7.27: Felixstowe, the home, does not pay: 130 + 80; the freight train brings 50 + 60 + 40."""
    express = site("B-0", "H13 G12, G12 F11")
    freight = site("D-0", "C8 D7, D7 D9, D9 E10, E10 F11, F11 E12")
    verdict = run(EASTERN, express, freight)
    assert money(verdict) == [210, 150]
    assert [stop.hex for stop in verdict.routes[0].stops] == ["H13", "F11"]
    assert codes(run(EASTERN, freight)) == {"NO_HOME"}


def test_a_stop_pays_once() -> None:
    """R7.17: the first listed route is paid for Ipswich."""
    twice = replace(EASTERN, trains=trains("C-0 3L, C-1 2L"))
    first, second = site("C-0", "F11 E10, E10 D9"), site("C-1", "G12 F11")
    assert money(run(twice, first, second)) == [80 + 20 + 50, 20]
    assert money(run(twice, second, first)) == [20 + 80, 20 + 50]


def test_subsidy() -> None:
    """R7.30: every hex once, over all local trains and only these."""
    problem = compile_position(replace(EASTERN, trains=trains("B-0 2/3E, C-0 3L, C-1 2L")))
    assert [term for term in problem.terms if isinstance(term, HexSubsidy)] == [
        HexSubsidy("subsidy", 10, frozenset({"3L", "2L"}))
    ]


FREIGHT = replace(LONG, trains=trains("H-0 9F, C-0 3F, B-0 2F"), tokens=tokens("N&E B13 B9 E12"))
CHAIN = (
    site("C-0", "A8 B7, B7 B9"),
    site("H-0", "B9 B11, B11 B13, B13 C12, C12 D11, D11 E12"),
    site("B-0", "E12 F13, F13 F15"),
)


def flipped(route: SiteRoute) -> SiteRoute:
    return replace(route, connections=route.connections[::-1])


def test_a_freight_chain_is_found_in_every_order_and_direction() -> None:
    """R7.21, R7.24: Midlands 140, Holland 130, six hexes at 30; the inner ends pay nothing."""
    for order in itertools.permutations(CHAIN):
        for turned in itertools.product((False, True), repeat=3):
            routes = [flipped(route) if turn else route for route, turn in zip(order, turned, strict=True)]
            verdict = run(FREIGHT, *routes)
            assert verdict.revenue == 450, routes
            assert list(bonuses(verdict)) == [("freight", 180)]


def test_freight_trains_that_rust_hang_on_one_that_does_not() -> None:
    """R7.26."""
    assert codes(run(FREIGHT, CHAIN[0], CHAIN[2])) >= {"CHAIN"}
    assert run(FREIGHT, CHAIN[0], CHAIN[1]).legal


def test_two_areas_of_one_colour_are_no_ends() -> None:
    """R7.10."""
    two = replace(LONG, tokens=tokens("N&E B13 B9"))
    verdict = run(two, site("H-0", "A8 B7, B7 B9, A8 B9"))
    assert codes(verdict) == {"ENDS_ALIKE", "NO_HOME"}
    assert verdict.violations[0].why.startswith("both ends, Midlands in A8 and West in A8, belong")
