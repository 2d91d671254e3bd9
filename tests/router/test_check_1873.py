"""Worked examples of 1873, as small problems; the expected figures come from its rules."""

from __future__ import annotations

from typing import Any

from rows import at, codes, each, only, run

from router.problem import (
    LargestTrainBonus,
    MustRun,
    RequiredRoute,
    StopBonus,
    Train,
)
from router.solution import Code, Verdict


def steam(rank: int, *names: str) -> Train:
    return Train(
        id="+".join(names),
        kind=f"{rank}T",
        hex_visits="once",
        routes=len(names),
        route_ids=names,
        routes_touch=True,
    )


DIESEL = Train("D-0", "D", routes=None, track_class="diesel", routes_touch=True)


def mine(name: str, value: int, *nodes: str, lost_at: frozenset[str] = frozenset()) -> LargestTrainBonus:
    return LargestTrainBonus(
        name, frozenset(nodes), {f"{rank}T": rank * value for rank in range(1, 6)}, lost_at
    )


def run73(
    rows: list[tuple[Train, str]], *terms: Any, nodes: dict[str, dict[str, Any]] | None = None, **fields: Any
) -> Verdict:
    return run(rows, nodes, terms=terms, track_scope="class", count="class", **fields)


HBE_LINE = RequiredRoute("concession", frozenset({"D15", "C16", "B17", "B19"}))


def test_1873_w1() -> None:
    two = steam(2, "2T-10", "2T-11")
    verdict = run73(
        [(two, "D15:c40* C16:c30* (B17) B19:c60*"), (two, "B13:c100* (B15) C16")],
        mine("mine 12", 20, "D15"),
        conditions=(HBE_LINE, MustRun()),
    )
    assert each(verdict) == [170, 100]


def test_1873_w2() -> None:
    a, b = steam(2, "2T-10", "2T-11"), steam(2, "2T-12", "2T-13")
    verdict = run73(
        [
            (a, "D15:c40* C16:c30* (B17) B19:c60*"),
            (a, "B13:c100* (B15) C16"),
            (b, "F15:c30* E16:c10 D15"),
            (b, "D9:c30* E10:c10 D11:c10 D13:c10 D15"),
        ],
        mine("mine 12", 20, "D15"),
        mine("mine 15", 30, "F15"),
        mine("at D9", 30, "D9"),
        mine("at E10", 20, "E10"),
        mine("at D11", 20, "D11"),
        mine("at D13", 10, "D13"),
        conditions=(HBE_LINE,),
    )
    assert each(verdict) == [170, 100, 100, 220]
    assert verdict.revenue == 590


def test_1873_w3() -> None:
    two, three = steam(2, "2T-13"), steam(3, "3T-7", "3T-8", "3T-9")
    verdict = run73(
        [
            (two, "B13:c140* C16:c30*"),
            (three, "D15:c40* C16 B19:c60*"),
            (three, "F15:c40* E16:c10 D15"),
            (three, "D9:c40* E10:c20 D11:c20 D13:c10 D15"),
        ],
        mine("mine 12", 20, "D15"),
        mine("mine 15", 30, "F15"),
        mine("at D9", 30, "D9"),
        mine("at E10", 20, "E10"),
        mine("at D11", 20, "D11"),
        mine("at D13", 10, "D13"),
    )
    assert each(verdict) == [170, 160, 140, 330]
    assert verdict.revenue == 800


def test_1873_w4() -> None:
    three = steam(3, "3T-7", "3T-8", "3T-9")
    lines = (
        RequiredRoute("north", frozenset({"G6", "H9", "I8", "J7"})),
        RequiredRoute("south", frozenset({"B9", "D7", "E6", "F5", "G6"})),
    )
    verdict = run73(
        [(three, "G6:c40* H9:c60 I8:c10 J7:c80*"), (three, "B9:c80* D7:c10 E6:c10 F5:c10 G6")],
        mine("mine 8", 20, "I8"),
        conditions=(*lines, MustRun()),
    )
    assert each(verdict) == [250, 110]


def test_1873_w5() -> None:
    """The mine goes to the largest train of all, though it is listed later."""
    one, two = steam(1, "1T-2"), steam(2, "2T-10", "2T-11")
    verdict = run73(
        [
            (one, "D15:c40* C16:c10 B19:c60*"),
            (two, "D15 D13:c10"),
            (two, "F15:c10 E16:c10 D15"),
        ],
        mine("mine 12", 20, "D15"),
        mine("mine 5", 10, "D13"),
        mine("mine 15", 30, "F15"),
    )
    assert each(verdict) == [110, 70, 80]


def test_1873_w6_steam() -> None:
    five = steam(5, "5T-1", "5T-2", "5T-3", "5T-4", "5T-5")
    verdict = run73(
        [
            (five, "G6:c60* H9:c60 I8:c10 J7:c180*"),
            (five, "B9:c150* D7:c40 E6:c10 F5:c50 G6"),
            (five, "G2:c10 F3:c10 F5/1:c10 F7:c40 E8:c10 D9:c70*"),
            (five, "C6:t60 D5:c40 D7 D9"),
        ],
        mine("mine 8", 20, "I8"),
        mine("at G2", 30, "G2"),
        mine("at F7", 20, "F7"),
        mine("at E8", 10, "E8"),
        mine("at D9", 30, "D9"),
        nodes={"F5": {"counts_as": "F5"}, "F5_1": {"counts_as": "F5", "value": 50}},
    )
    assert each(verdict) == [410, 250, 590, 100]


def test_1873_w8() -> None:
    """A blocked stop earns nothing and may be passed on the way of a concession."""
    four = steam(4, "4T-1")
    line = RequiredRoute("concession", frozenset({"B9", "C12", "C14", "D15"}), ("", "diesel"))
    rows = [(four, "B9:c150* C12:c0! C14:c10 D15:c100*"), (DIESEL, "B9 C12 C14 D15")]
    values = {"B9": {"values": {"D": 10}}, "C14": {"values": {"D": 10}}, "D15": {"values": {"D": 10}}}
    verdict = run73(rows, mine("mine 12", 20, "D15"), conditions=(line,), nodes=values)
    assert each(verdict) == [340, 30]
    missing = run73(rows[:1], conditions=(line,))
    assert codes(missing) == {Code.REQUIRED}
    assert codes(run73(rows[:1])) == {Code.BLOCKED}


def test_1873_w9() -> None:
    three = steam(3, "3T-1", "3T-2", "3T-3")
    verdict = run73(
        [
            (three, "E18:c10 E16:c10 D15:c100*"),
            (three, "B13:c80 C16:c10 D17:c10 E18 E20:c90*"),
            (three, "D13:c10 D15"),
        ],
        mine("mine 12", 20, "D15"),
        LargestTrainBonus("at E18", at("E18"), {"3T": 40}),
        mine("mine 5", 10, "D13"),
    )
    assert each(verdict) == [220, 190, 40]


def test_1873_w10() -> None:
    four, three = steam(4, "4T-1", "4T-2", "4T-3", "4T-4"), steam(3, "3T-1", "3T-2", "3T-3")
    verdict = run73(
        [
            (four, "B9:c150* D7:c40 E6:c10 F5:c40* G6:c40*"),
            (four, "D9:c70* D7"),
            (four, "B13:c80 C14:c10 C12:c10 B9"),
            (four, "F7:c10 F5"),
            (three, "H9:c80 I14:c10 I16:c10"),
            (three, "G6 H9 I8:c10 J7:c180*"),
        ],
        mine("at D9", 30, "D9"),
        mine("at F7", 20, "F7"),
        mine("at I14", 30, "I14"),
        mine("at I16", 20, "I16"),
        mine("mine 8", 20, "I8"),
        nodes={"I14": {"token": True}},
    )
    assert each(verdict) == [280, 190, 100, 90, 250, 250]


def test_1873_c1() -> None:
    rows = "G20:c60* H19:c10 (H17) I18:c30*"
    factory = StopBonus("factory", 0, (at("G20"),))
    for rank, revenue in ((1, 130), (2, 160)):
        train = steam(rank, f"{rank}T-1")
        assert only(run73([(train, rows)], factory, mine("mine 13", 30, "I18"))) == revenue


def test_1873_c4() -> None:
    """R116: the routes of one train hang together, not by a blocked stop; those of two need not."""
    two = steam(2, "2T-10", "2T-11")
    line, other = "G20:c60* H19:c10! (H17) I18:c30*", "E1:c10* E3:c10"
    assert [v.code for v in run73([(two, "G20:c60* I18:c30*"), (two, other)]).violations] == [
        Code.NOT_TOUCHING
    ]
    concession = RequiredRoute("line", frozenset({"G20", "H19", "H17", "I18"}))
    met = run73([(two, line), (two, "H19 E3:c10*")], conditions=(concession,))
    assert codes(met) == {Code.NOT_TOUCHING}
    one = steam(1, "1T-2")
    assert run73([(one, "G20:c60* I18:c30*"), (steam(2, "2T-10"), other)]).legal


def test_1873_diesel_pays_both_cities_of_a_hex() -> None:
    """R121: only earlier routes count."""
    nodes = {"E8": {"counts_as": "E8"}, "E8_1": {"counts_as": "E8"}, "D7": {"counts_as": "D7"}}
    rows = [(DIESEL, "E8:c10* D7:c10* E8/1:c10*"), (DIESEL, "E8 (E9) D7")]
    assert each(run73(rows, nodes=nodes)) == [30, 0]


def test_1873_mine_lost_at_a_blocked_city() -> None:
    """R118: the largest train stops where it is blocked, so nobody gets the mine."""
    rows = [(steam(2, "2T-1"), "A1:c10* B2/1:c0!"), (steam(1, "1T-1"), "A1 (A3) B2:c10")]
    lost = mine("mine", 20, "B2", "B2/1", lost_at=at("B2/1"))
    assert each(run73(rows, lost)) == [10, 10]
    assert each(run73(rows, mine("mine", 20, "B2", "B2/1"))) == [50, 10]
