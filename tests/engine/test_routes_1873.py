"""Trains, routes and revenue of Harzbahn 1873 (rules, section 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from boards import codes, laid, money, run, site, tokens

from engine.compile import compile_board, compile_position
from engine.position import Mines1873, OwnedTrain, Position
from router.problem import LargestTrainBonus, RequiredRoute, Train

ONE = OwnedTrain("1T-1", "1T", ("1T-2",))
TWO = OwnedTrain("2T-0", "2T", ("2T-10", "2T-11"))
THREE = OwnedTrain("3T-0", "3T", ("3T-7", "3T-8", "3T-9"))
DIESEL = OwnedTrain("D-0", "D", ("D-10",))


def position(
    company: str, phase: str, tiles: str, placed: str, owned: tuple[OwnedTrain, ...], mines: str = ""
) -> Position:
    """Return a position of a railway."""
    return Position(
        game="1873",
        players=4,
        company=company,
        phase=phase,
        tiles=laid(tiles),
        tokens=tokens(placed),
        trains=owned,
        g1873=Mines1873(tuple(mines.split())),
    )


GERNRODE = position("GHE", "2", "H19 78 1, E16 76 0", "GHE G20 I18 F15", (ONE, TWO), "12 13 15")
"""The concession, and apart from it Thale - Timmenrode - Blankenburg."""
HOME = "G20 H19 H17, H17 I18"
APART = "F15 E16, E16 D15"

HALBERSTADT = position("HBE", "2", "B17 78 4, E16 76 0, D13 956 1", "HBE B19 D15", (ONE, TWO), "5 12 15")
MAIN_LINE = "B19 B17 C16, C16 D15"

BLOCKED = position(
    "WBE",
    "D",
    "C10 78 2, C12 956 1, C14 76 5, D15 974 5",
    "WBE B9 D15; HBE C12",
    (OwnedTrain("4T-0", "4T", ("4T-3", "4T-4", "4T-5", "4T-6")), DIESEL),
    "12",
)
WESTERN_LINE = "B9 C10 C12, C12 C14, C14 D15"


def plain(company: Position) -> Train:
    """Return the first train of a compiled position."""
    return compile_position(company).trains[0]


def test_the_concession_with_trains_of_either_rank() -> None:
    """Rules, C1: the mine brings 30 for each rank."""
    assert money(run(GERNRODE, site("1T-2", HOME))) == [60 + 10 + 30 + 30]
    assert money(run(GERNRODE, site("2T-11", HOME))) == [60 + 10 + 30 + 60]


def test_a_closed_mine_brings_nothing() -> None:
    """Rules, C5."""
    closed = replace(GERNRODE, g1873=Mines1873(("12", "15")), trains=(ONE,))
    assert money(run(closed, site("1T-2", HOME))) == [100]


def test_alexisbad_is_no_end() -> None:
    """Rules, C2: no token, no mine, no factory."""
    end = run(GERNRODE, site("2T-10", HOME), site("2T-11", "H17 I18"))
    assert codes(end) >= {"BAD_END"}
    assert codes(run(GERNRODE, site("2T-10", "H17 I18"))) == {"BAD_END", "REQUIRED"}


def test_the_concession_must_be_run() -> None:
    """Rules, C3."""
    assert codes(run(GERNRODE, site("2T-10", APART))) == {"REQUIRED"}
    assert codes(run(GERNRODE)) == {"REQUIRED"}


def test_the_routes_of_one_train_touch() -> None:
    """Rules, C4: not those of several trains."""
    assert codes(run(GERNRODE, site("2T-10", HOME), site("2T-11", APART))) == {"NOT_TOUCHING"}
    assert run(GERNRODE, site("1T-2", HOME), site("2T-10", APART)).legal


def test_each_city_once_and_the_mine_to_the_largest_train() -> None:
    """Rules, W5: 110 + 70 + 80."""
    verdict = run(
        HALBERSTADT, site("1T-2", MAIN_LINE), site("2T-10", "D15 D13"), site("2T-11", "F15 E16, E16 D15")
    )
    assert money(verdict) == [60 + 10 + 40, 0 + 40 + 10 + 20, 10 + 60 + 10]
    assert [sorted(bonus.kind for bonus in route.bonuses) for route in verdict.routes] == [
        [],
        ["mine 12", "mine 5"],
        ["mine 15"],
    ]


def test_the_run_of_the_rules_for_beginners() -> None:
    """Rules, section 14: to Langenstein is no route; to Blankenburg brings 110, or 150 with the mine."""
    assert codes(run(HALBERSTADT, site("2T-10", "B19 B17 C16"))) == {"BAD_END", "REQUIRED"}
    closed = replace(HALBERSTADT, g1873=Mines1873())
    assert money(run(closed, site("2T-10", MAIN_LINE))) == [110]
    assert money(run(HALBERSTADT, site("2T-10", MAIN_LINE))) == [150]


def test_a_blocked_city_on_the_concession() -> None:
    """R113, R117, R121; W8 with another tile at D15: 150 + 0 + 10 + 60 + 80, and 30 for the diesel."""
    verdict = run(BLOCKED, site("4T-3", WESTERN_LINE), site("D-10", WESTERN_LINE))
    assert money(verdict) == [300, 30]
    assert codes(run(BLOCKED, site("4T-3", WESTERN_LINE))) == {"REQUIRED"}
    segments = compile_position(BLOCKED).segments
    assert len([segment for segment in segments if "C12" in segment.hexes]) == 2


def test_a_blocked_city_elsewhere() -> None:
    """R113: passed only on a route that holds the concession."""
    other = replace(HALBERSTADT, tokens=tokens("HBE B19 D15 F15; WBE E16"))
    verdict = run(other, site("1T-2", MAIN_LINE), site("2T-10", APART))
    assert codes(verdict) == {"BLOCKED"}


def test_towns_are_not_passed() -> None:
    """R112: framed hexes."""
    through = plain(HALBERSTADT).through
    assert through is not None
    assert {"C16-0", "E16-0", "D13-0"} <= through
    assert not {"B19-0", "D15-0", "F15-0"} & through
    verdict = run(HALBERSTADT, site("1T-2", MAIN_LINE), site("2T-10", "D13 D15, D15 E16, E16 F15"))
    assert codes(verdict) == {"TERMINAL"}


def test_ends() -> None:
    """R110."""
    ends = compile_position(GERNRODE, whole_board=True).trains[0].ends
    assert ends is not None
    assert {"G20-0", "I18-0", "F15-0", "D15-0"} <= ends
    assert {"C6-0", "B13-0", "E18-0", "H9-0", "F11-0"} <= ends
    assert not {"C16-0", "H17-0", "B9-0", "G4-0"} & ends


def test_values() -> None:
    """R117, R118, R120, R121: own token, no token, factory, the town with a factory."""
    early = compile_position(replace(GERNRODE, trains=(ONE, DIESEL)), whole_board=True).node_by_id
    assert {name: early[name].value for name in ("G20-0", "B9-0", "B13-0", "C6-0", "F5-0")} == {
        "G20-0": 60,
        "B9-0": 10,
        "B13-0": 10 + 70,
        "C6-0": 60,
        "F5-0": 10,
    }
    assert {early[name].worth("D") for name in ("G20-0", "B9-0", "B13-0", "F5-1")} == {10}
    assert early["C6-0"].worth("D") == 0
    assert (early["F5-0"].counts_as, early["F5-1"].counts_as, early["B9-0"].counts_as) == ("F5", "F5", "")
    assert compile_position(BLOCKED).node_by_id["C12-0"].value == 0
    north = compile_position(replace(BLOCKED, phase="3"), whole_board=True).node_by_id["B9-0"]
    assert north.value == 80


def test_trains() -> None:
    """R106, R109, R114, R116."""
    first, second = compile_position(GERNRODE).trains
    assert (first.routes, first.route_ids, first.routes_touch) == (1, ("1T-2",), True)
    assert (second.routes, second.route_ids) == (2, ("2T-10", "2T-11"))
    assert {train.hex_visits for train in (first, second)} == {"once"}
    problem = compile_position(BLOCKED)
    plain_train, diesel = problem.trains
    assert (problem.track_scope, problem.count) == ("class", "class")
    assert plain_train.track_class != diesel.track_class
    assert (diesel.routes, diesel.ends, diesel.hex_visits) == (None, {"B9-0", "D15-0"}, "free")


def test_switchers_and_machines_run_nothing() -> None:
    trains = (OwnedTrain("3S-1", "3S"), OwnedTrain("2T-3", "2M"))
    problem = compile_position(replace(GERNRODE, trains=trains))
    assert (problem.trains, problem.conditions, problem.terms) == ((), (), ())
    assert run(replace(GERNRODE, trains=trains)).legal


def test_subtrains_that_are_not_told_get_names() -> None:
    train = plain(replace(GERNRODE, trains=(OwnedTrain("2T-0", "2T"),)))
    assert (train.routes, len(set(train.route_ids))) == (2, 2)


def test_mines_go_to_the_largest_train() -> None:
    """R118."""
    problem = compile_position(replace(GERNRODE, trains=(ONE, TWO, THREE)))
    mines = [term for term in problem.terms if isinstance(term, LargestTrainBonus)]
    assert LargestTrainBonus("mine 13", frozenset({"I18-0"}), {"1T": 30, "2T": 60, "3T": 90}) in mines
    assert {term.name for term in mines} == {"mine 12", "mine 13", "mine 15"}


@pytest.mark.parametrize(
    ("owned", "classes"),
    [((TWO,), ("",)), ((DIESEL,), ("diesel",)), ((TWO, DIESEL), ("", "diesel"))],
)
def test_who_must_run_the_concession(owned: tuple[OwnedTrain, ...], classes: tuple[str, ...]) -> None:
    """R115: a plain train and the diesel, as far as there are any."""
    (condition,) = compile_position(replace(HALBERSTADT, phase="D", trains=owned)).conditions
    assert isinstance(condition, RequiredRoute)
    assert condition.hexes == {"B19", "B17", "C16", "D15"}
    assert condition.track_classes == classes


def test_two_concessions_and_none() -> None:
    """R6."""
    north = position("NWE", "3", "", "NWE J7 B9 G6", (THREE,))
    assert len(compile_position(north).conditions) == 2
    state = position("QLB", "5", "", "QLB E20", (THREE,))
    assert compile_position(state).conditions == ()
    assert run(state).legal


def test_a_diesel_runs_under_any_name_of_the_pool() -> None:
    """R126."""
    north = replace(BLOCKED, company="WBE")
    for name in ("D-10", "D-7", "D-123"):
        verdict = run(north, site("4T-3", WESTERN_LINE), site(name, WESTERN_LINE))
        assert money(verdict) == [300, 30]
        assert verdict.routes[1].train == name
    strange = run(north, site("4T-3", WESTERN_LINE), site("E-7", WESTERN_LINE))
    assert "UNKNOWN_TRAIN" in codes(strange)
    names = compile_position(north).trains[1].route_ids
    assert names[:3] == ("D-10", "D-9", "D-8")
    assert len(names) == len(set(names)) >= 4


def test_how_far_a_diesel_runs() -> None:
    """R81, R116: over narrow track from home and from the concession, and no further than blocked cities."""
    board = replace(HALBERSTADT, phase="D", trains=(TWO, DIESEL))
    stops = compile_board(board, whole_board=True).problem.trains[1].stops
    assert stops == {"B19-0", "C16-0", "D15-0", "D13-0", "E16-0", "F15-0"}
    walled = replace(board, tokens=tokens("HBE B19 D15; WBE E16"))
    stops = compile_board(walled, whole_board=True).problem.trains[1].stops
    assert stops == {"B19-0", "C16-0", "D15-0", "D13-0", "E16-0"}
    apart = replace(board, tokens=tokens("HBE B19 D15 E20"))
    state = site("D-10", "B19 C20 D21 E20")
    verdict = run(apart, site("2T-10", MAIN_LINE), site("D-11", MAIN_LINE), state)
    assert codes(verdict) == {"NO_ENTRY"}


def test_routes_over_the_track_of_the_state() -> None:
    """R116a: recorded games have them, so they are legal."""
    board = replace(HALBERSTADT, tokens=tokens("HBE B19 D15 E20"))
    verdict = run(
        board, site("2T-10", MAIN_LINE), site("2T-11", "B19 D21 C20 E20".replace("D21 C20", "C20 D21"))
    )
    assert money(verdict) == [150, 60]


def test_companies_without_routes() -> None:
    """Mines and the public mining companies run none."""
    for company in ("1", "HW", "MHE"):
        problem = compile_position(replace(GERNRODE, company=company, trains=()))
        assert (problem.trains, problem.conditions) == ((), ())


def test_switchers_are_explained() -> None:
    board = replace(HALBERSTADT, trains=(TWO, OwnedTrain("3S-1", "3S")))
    verdict = run(board, site("2T-10", MAIN_LINE), site("3S-1", "F15 E16, E16 D15"))
    assert [item.why for item in verdict.violations] == [
        "train 3S-1 does not run: only T trains and diesels run routes"
    ]
