"""Worked examples of 1861, as small problems; the expected figures come from its rules."""

from __future__ import annotations

import pytest
from rows import BIG, at, only, run

from router.problem import (
    NODE_KINDS,
    Limit,
    StopBonus,
    Train,
    kinds,
)


def plain61(n: int, factor: int = 1) -> Train:
    name = f"{n}" if factor == 1 else f"{n}+{n}"
    return Train(
        name,
        name,
        visit=(Limit(BIG, n),),
        pay=(Limit(NODE_KINDS, n),),
        must_pay=BIG,
        multiplier=factor,
        hex_visits="once",
    )


FIVE_E = Train(
    "5+5E",
    "5+5E",
    visit=(Limit(kinds("offboard"), 5),),
    pay=(Limit(NODE_KINDS, 5),),
    must_pay=kinds("offboard"),
    token_pays=True,
    multiplier=2,
    hex_visits="once",
)
DOUBLE = {"2+2": 80, "5+5E": 80}


MOSCOW_EKATERINBURG = StopBonus("H8-Q3", 40, (at("H8"), at("Q3")), DOUBLE)
BSS = StopBonus("BSS", 10, (at("D20"),))
MYR = StopBonus("MYR", 10, (at("H8"),))
MRR = StopBonus("MRR", 10, (at("H8"),))
WVR = StopBonus("WVR", 10, (at("A9"),))

ROWS_1861: list[tuple[str, Train, str, tuple[StopBonus, ...], int]] = [
    ("E1", plain61(2), "H8:c40 G5:t10 E1:c40*", (), 80),
    ("E2", plain61(2), "A9:o30 B8:t10 E1:c40*", (), 70),
    ("E3", plain61(2), "C5:t10 B4:c30*", (), 40),
    ("E4", plain61(2), "A9:o40 B8:t10 E1:c40*", (WVR,), 90),
    ("E5", plain61(3), "G15:c40 I13:c30* H8:c50", (MRR,), 130),
    ("E6", plain61(4), "Q3:c40 M7:c20 K7:c40* H8:c50", (MOSCOW_EKATERINBURG, MRR), 200),
    ("E7", plain61(3), "E1:c40* B8:t10 A9:o40", (), 90),
    ("E8", plain61(4), "E1:c40* G5:t10 H8:c70", (), 120),
    ("E9", plain61(5), "H8:c70* C5:t10 B4:c40 B8:t10 D14:c40 D20:c30", (MRR,), 200),
    (
        "E10",
        plain61(4),
        "Q3:c40 H8:c100* G5:t10 E1:c50 B8:t10 A9:o70",
        (MOSCOW_EKATERINBURG, MYR, MRR, WVR),
        330,
    ),
    (
        "E11",
        plain61(5),
        "A15:o70 D14:c50 E13:t10 G15:c60 G13:t10 H8:c100* K11:t10 M9:t10 Q3:c40",
        (MOSCOW_EKATERINBURG, MYR, MRR, StopBonus("WVR", 10, (at("A15"),))),
        390,
    ),
    (
        "E12",
        plain61(6),
        "A9:o70 B8:t10 E1:c70* G5:t10 H8:c100 Q3:c40 M9:t10 K11:t10 H10:t10 G13:t10 G15:c60 E13:t10 D14:c50",
        (MOSCOW_EKATERINBURG,),
        430,
    ),
    ("E13", plain61(2, 2), "Q3:c40 H8:c100*", (MOSCOW_EKATERINBURG,), 360),
    ("E14", plain61(2, 2), "H8:c100 G5:t10 E1:c70*", (), 340),
    ("E15", plain61(2, 2), "A9:o70 B8:t10 G5:t10 H8:c100* C5:t10", (), 340),
    (
        "E16",
        FIVE_E,
        "K7:c50* K11:t10 I13:c40 H10:t10 H8:c100 G5:t10 B8:t10 B4:c50 E1:c70",
        (),
        620,
    ),
    (
        "E17",
        FIVE_E,
        "H8:c100* G5:t10 B8:t10 D14:c50 E13:t10 G15:c60 L12:c40 K11:t10 Q3:c40",
        (MOSCOW_EKATERINBURG,),
        660,
    ),
    (
        "E18",
        FIVE_E,
        "Q3:c40 K7:c50* K11:t10 I13:c40 H10:t10 H8:c100 G5:t10 B8:t10 B4:c50 E1:c70",
        (MOSCOW_EKATERINBURG,),
        700,
    ),
    ("E19", FIVE_E, "K7:c50* K11:t10 I13:c40 H10:t10 H8:c100 G5:t10 B8:t10 A9:o70", (), 540),
    ("E20", FIVE_E, "K7:c50* H8:c100", (MYR,), 310),
]


@pytest.mark.parametrize(
    ("train", "row", "terms", "revenue"), [r[1:] for r in ROWS_1861], ids=[r[0] for r in ROWS_1861]
)
def test_1861(train: Train, row: str, terms: tuple[StopBonus, ...], revenue: int) -> None:
    assert only(run([(train, row)], terms=terms)) == revenue


def test_1861_the_token_must_be_among_the_five() -> None:
    """R7.12: the only token city is counted although five others are worth more."""
    row = "A1:c10* B1:c50 C1:c50 D1:c50 E1:c50 F1:c50"
    verdict = run([(FIVE_E, row)])
    assert only(verdict) == 2 * (10 + 4 * 50)
    assert verdict.routes[0].stops[0].node == "A1"
