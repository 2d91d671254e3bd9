"""Worked examples of 18GB, as small problems; the expected figures come from its rules."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from rows import BIG, Board, at, codes, each, only, run

from router.check import check
from router.problem import (
    NODE_KINDS,
    AreaBonus,
    DistanceBonus,
    Limit,
    StopBonus,
    TrackBonus,
    Train,
)
from router.solution import Code, Route, Verdict


def gb(n: int, m: int, name: str = "") -> Train:
    full = name or f"{n}+{m}"
    return Train(full, f"{n}+{m}", visit=(Limit(BIG, n), Limit(NODE_KINDS, n + m)), hex_pays_once=True)


def gb_x(n: int, name: str = "") -> Train:
    return Train(name or f"{n}X", f"{n}X", visit=(Limit(BIG, n),), paying=BIG, hex_pays_once=True)


DISTANCE = DistanceBonus("distance", 10, frozenset({"4X", "5X", "6X"}))
CH = StopBonus("CH", 20, (at("C14"),))
SD = StopBonus("SD", 10, (at("J13"),))
FT = TrackBonus("FT", 40, "FT")
S = TrackBonus("S", 30, "S")
POINTS = {"N": ("K0",), "S": ("G26", "a25"), "E": ("G26", "K0"), "W": ("E6", "a19", "a25", "C14")}


def compass(amount: int, board: Board) -> AreaBonus:
    areas = {point: frozenset(nodes).intersection(board.nodes) for point, nodes in POINTS.items()}
    return AreaBonus("compass", areas, (("N", "S", amount), ("E", "W", amount)))


def run_gb(rows: list[tuple[Train, str]], amount: int, *terms: Any) -> Verdict:
    board = Board([row for _, row in rows])
    return run(rows, terms=(*terms, DISTANCE, compass(amount, board)))


ROWS_GB: list[tuple[str, list[tuple[Train, str]], int, tuple[Any, ...], list[int]]] = [
    ("E1", [(gb(2, 1), "G26:o40 F25:t10 F21:c30*")], 20, (), [80]),
    ("E2", [(gb(2, 1), "I6:c20* H5:t10 H3:t10")], 20, (), [40]),
    ("E3", [(gb(3, 1), "G4/1:c40* G4/0:c40 G6:t10 F5:c20")], 20, (), [70]),
    ("E4", [(gb(4, 2), "A20:c20* B21:c20 -S- D23:c50 F25:t10 G26:o60")], 30, (S,), [190]),
    (
        "E5",
        [(gb(5, 2), "C14:o20 F17:t10 G18:c20 H19:c20* F21:c60 F23:t10 G26:o60")],
        30,
        (CH,),
        [250],
    ),
    ("E6", [(gb_x(4), "H19:c20* G22:t10 F21:c40 F25:t10 G26:o60")], 30, (), [160]),
    (
        "E7",
        [(gb_x(6), "G26:o70 F25:t10 D23:c50* B21:c50 -S- A20:c30 E18:t10 F17:t10 C14:o30")],
        40,
        (CH, S),
        [400],
    ),
    ("E8", [(gb_x(6), "G26:o70 J13:c30* H9:c30 I6:c50 -FT- J3:c30 K0:o50")], 40, (FT,), [490]),
    (
        "E9",
        [
            (gb(5, 2), "a19:o20 A20:c20 B21:c30 -S- D23:c50* D21:t10 F21/0:c60"),
            (gb(3, 1), "G26:o60 F25:t10 D23 F21/1:c60"),
        ],
        30,
        (S,),
        [250, 180],
    ),
    (
        "E10",
        [
            (gb_x(6), "J11:c50* H9:c20 G4:c60 I6:c50 -FT- J3:c30 K0:o50"),
            (gb_x(4), "I6 J11 J13:c30 G26:o70"),
        ],
        40,
        (FT,),
        [400, 310],
    ),
    (
        "E11",
        [
            (gb_x(6), "G26:o70 I14:c30 J11:c50* I6:c50 -FT- J3:c30 K0:o50"),
            (gb_x(4), "J11 I6 G4:c60 E6:o30"),
        ],
        40,
        (FT,),
        [550, 240],
    ),
    (
        "E12",
        [
            (gb_x(5, "5X-0"), "K0:o50 -FT- J3:c30 I6:c50* H9:c30 E6:o30"),
            (gb_x(5, "5X-1"), "K0 I2:c30 G4:c60* F5:c30 E6"),
        ],
        40,
        (FT,),
        [330, 300],
    ),
    ("E13", [(gb_x(4), "J17/2:o20 H21:c50* D23:c50 a25:o50")], 40, (), [270]),
    (
        "E14",
        [(gb_x(5), "G26:o70 J13:c30 J11:c50* I6:c50 -FT- J3:c30 L1:t10")],
        40,
        (FT, SD),
        [410],
    ),
    (
        "E15",
        [
            (gb_x(4), "E14:c50 G18:c30 D23:c50* a25:o50"),
            (gb(5, 2), "G26:o70 E26:t10 F25:t10 F23:t10 D23 B21:c20 -S- A22:t10"),
        ],
        40,
        (S,),
        [300, 210],
    ),
]


@pytest.mark.parametrize(
    ("rows", "amount", "terms", "revenues"), [r[1:] for r in ROWS_GB], ids=[r[0] for r in ROWS_GB]
)
def test_18gb(
    rows: list[tuple[Train, str]], amount: int, terms: tuple[Any, ...], revenues: list[int]
) -> None:
    assert each(run_gb(rows, amount, *terms)) == revenues


def test_18gb_a_chain_of_three_routes_in_all_orders() -> None:
    """R129: west and east are joined only over the route in the middle, however the three are listed."""
    board = Board(["a19:o20 A20:c20* B21:c30*", "B21 D23:c50*", "D23 G26:o60"])
    problem = board.problem([gb(3, 1, f"t{i}") for i in range(3)], terms=(compass(40, board),))
    routes = [Route(f"t{i}", *board.routes[i]) for i in range(3)]
    for order in permutations(routes):
        verdict = check(problem, order)
        assert only(verdict) == 70 + 80 + 110 + 40
        assert [bool(route.bonuses) for route in verdict.routes] == [True, False, False]


def test_18gb_sharing_an_offboard_is_no_meeting() -> None:
    """R129a."""
    rows = [(gb(2, 1, "a"), "a19:o20 A20:c20*"), (gb(3, 1), "a19 B21:c30* G26:o60")]
    assert each(run_gb(rows, 40)) == [40, 110 + 40]
    rows = [(gb(2, 1, "a"), "C14:o20 A20:c20*"), (gb(2, 1), "B21:c30* G26:o60")]
    assert each(run_gb(rows, 40)) == [40, 90]


def test_18gb_too_long() -> None:
    """R122: surplus towns take full slots."""
    assert run([(gb(2, 1), "A1:c20* B2:t10 C3:t10")]).legal
    assert codes(run([(gb(2, 1), "A1:c20* B2:t10 C3:t10 D4:t10")])) == {Code.TOO_LONG}
    assert codes(run([(gb(2, 1), "A1:c20* B2:c10 C3:c10")])) == {Code.TOO_LONG}
