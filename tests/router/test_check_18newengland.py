"""Worked examples of 18NewEngland, as small problems; the expected figures come from its rules."""

from __future__ import annotations

import pytest
from rows import BIG, codes, only, run

from router.problem import (
    NODE_KINDS,
    Limit,
    Train,
)
from router.solution import Code


def plain_ne(n: int, name: str = "") -> Train:
    return Train(name or f"{n}", f"{n}", visit=(Limit(NODE_KINDS, n),), hex_visits="consecutive")


def express_ne(n: int, number: int = 1) -> Train:
    return Train(
        f"{n}E",
        f"{n}E",
        visit=(Limit(BIG, n),),
        pay=(Limit(NODE_KINDS, n),),
        must_pay=BIG,
        multiplier=number,
        hex_visits="consecutive",
    )


ROWS_NE: list[tuple[str, list[tuple[Train, str]], int]] = [
    ("1", [(plain_ne(2), "I6:c20* J5:t10")], 30),
    ("2", [(plain_ne(2), "L7:c20* L7/0:t20")], 40),
    ("3", [(plain_ne(2, "a"), "B19:c50*| B17:t10"), (plain_ne(2, "b"), "B19 (A18) B17")], 120),
    ("4", [(plain_ne(4), "D15:c30* E14:t10 F13:c40 E12:c30")], 110),
    (
        "5",
        [
            (plain_ne(2, "2a"), "G10:c40* F13:c40"),
            (plain_ne(2, "2b"), "G8:c30 G10"),
            (plain_ne(3, "3a"), "G10 E4:c30 E2:c40|"),
            (plain_ne(3, "3b"), "G10 F11:t10 F13"),
        ],
        350,
    ),
    (
        "6",
        [
            (plain_ne(3, "3a"), "A2:o50 B3:c20* B5:c30"),
            (plain_ne(3, "3b"), "B19:c70*| B17:t10 B11:c30"),
            (express_ne(5), "B11 D13:c20 D15:c30 B17 B19"),
        ],
        370,
    ),
    (
        "7",
        [
            (plain_ne(4), "B19:c70*| B17:t10 B11:c30 D13:c20"),
            (express_ne(5), "B19 B17 D15:c40 E14:t10 F13:c40 G14:t10 H13:c20 G10:c40"),
        ],
        340,
    ),
    (
        "8",
        [
            (express_ne(5), "E2:c50| G4:c30 G6:t10 G8:c30* G10:c50* F11:t10 F13:c40"),
            (plain_ne(3, "3a"), "F13 G10 H13:c30"),
            (plain_ne(3, "3b"), "I6:c20 L5:c80* L7:c40"),
        ],
        460,
    ),
    ("9", [(express_ne(5, 2), "G10:c50* K10:c50 L7:c40 L5:c100 L1:o60")], 600),
    (
        "10",
        [(express_ne(6, 2), "B19:c100*| B17:t10 B11:c40 D13:c40 E14:t10 F13:c70 G10:c60 L5:c100")],
        820,
    ),
    ("11", [(express_ne(6, 2), "B19:c100*| B17:t10 D13:c40 E12:c40 F11:t10 G10:c60 L5:c100")], 700),
    (
        "12",
        [
            (
                express_ne(8),
                "F13:c70* G14:t10 H13:c40 K10:c50 N11:t40 L7:c40 J5:t10 J3:c30 K4:c30 L5:c100",
            )
        ],
        400,
    ),
    (
        "13",
        [(express_ne(8), "L5:c100* G10:c60 F13:c70 E14:t10 D13:c40 B11:c40 B17:t10 B19:c100|")],
        430,
    ),
    (
        "14",
        [
            (
                express_ne(8, 2),
                "L1:o60 M4:t10 L5:c100* K8:t10 H13:c40 F13:c70 F11:t10 E12:c40 G8:c40 G6:t10 E4:c40 C4:t10 "
                "B19:c100|",
            )
        ],
        980,
    ),
]


@pytest.mark.parametrize(("rows", "revenue"), [r[1:] for r in ROWS_NE], ids=[r[0] for r in ROWS_NE])
def test_18newengland(rows: list[tuple[Train, str]], revenue: int) -> None:
    assert only(run(rows)) == revenue


def test_18newengland_hexes_are_not_visited_twice() -> None:
    """R7.7: both stops of a hex one after the other, never with another in between."""
    assert run([(plain_ne(3), "L7:c20* L7/0:t20 K8:t10")]).legal
    apart = run([(plain_ne(3), "L7:c20* K8:t10 L7/0:t20")])
    assert codes(apart) == {Code.HEX_TWICE}
