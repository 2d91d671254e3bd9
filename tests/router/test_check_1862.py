"""Worked examples of 1862, as small problems; the expected figures come from its rules."""

from __future__ import annotations

from typing import Any

from rows import BIG, at, codes, each, run

from router.problem import (
    ChainBonus,
    HexSubsidy,
    Limit,
    RoutesTouch,
    Train,
    VisitHome,
    kinds,
)
from router.solution import Code, Verdict


def local(n: int, m: int = 0, name: str = "") -> Train:
    return Train(
        name or (f"{m}/{n}L" if m else f"{n}L"),
        "local",
        visit=(Limit(kinds("city"), n), Limit(kinds("offboard"), 0)),
        paying=kinds("city", "town"),
        pay=(Limit(kinds("city"), m),) if m else (),
        must_pay=kinds("town") if m else None,
    )


def express(n: int, m: int = 0, name: str = "") -> Train:
    return Train(
        name or (f"{m}/{n}E" if m else f"{n}E"),
        "express",
        visit=(Limit(BIG, n),),
        paying=BIG,
        pay=(Limit(BIG, m),) if m else (),
    )


def freight(n: int, name: str = "") -> Train:
    kind = "freight" if n >= 6 else "early"
    return Train(name or f"{n}F", kind, max_edges=n, paying=BIG)


def chain(*far: str) -> ChainBonus:
    """Return the distance bonus of freight trains; ``far`` are the ports."""
    return ChainBonus(
        name="distance",
        trains=frozenset({"freight", "early"}),
        dependent=frozenset({"early"}),
        per_hex=20,
        far_per_hex=30,
        far=frozenset(far),
    )


SUBSIDY = HexSubsidy("subsidy", 10, frozenset({"local"}))


def run62(
    rows: list[tuple[Train, str]], *ports: str, nodes: dict[str, dict[str, Any]] | None = None
) -> Verdict:
    return run(
        rows,
        nodes,
        terms=(chain(*ports), SUBSIDY),
        track_scope="route",
        count="all",
        conditions=(RoutesTouch(),),
    )


def test_1862_e1() -> None:
    verdict = run62(
        [(local(2, name="A-0"), "C10:c20* D9:c30*"), (local(2, name="A-1"), "F11:c40 E10:t20 D9")]
    )
    assert each(verdict) == [50, 60]
    assert [route.subsidy for route in verdict.routes] == [20, 20]
    assert (verdict.revenue, verdict.subsidy) == (110, 40)


def test_1862_e2() -> None:
    verdict = run62([(freight(1, "A-0"), "D11:c20* D13:c20*"), (freight(1, "A-1"), "D13 D15:o100")])
    assert each(verdict) == [40, 100]
    assert [stop.node for route in verdict.routes for stop in route.stops] == ["D11", "D15"]
    assert verdict.routes[0].bonuses[0].amount == 20


def test_1862_e3() -> None:
    verdict = run62(
        [(local(2), "B9:c40* B11:t20 B13:c20*"), (local(3, 2), "B13 B11 B9 C8:c30")],
    )
    assert each(verdict) == [80, 30]
    assert [route.subsidy for route in verdict.routes] == [30, 10]
    assert [(s.node, s.revenue) for s in verdict.routes[1].stops] == [("B13", 0), ("B11", 0), ("C8", 30)]


def test_1862_e4() -> None:
    verdict = run62([(express(3, 2), "C8:c30* B9:c40 A10:o70")])
    assert each(verdict) == [110]
    assert [stop.node for stop in verdict.routes[0].stops] == ["B9", "A10"]


def test_1862_e5() -> None:
    rows = [
        (express(3, 2), "B7:c20 B9:c40* A10:o70"),
        (local(2), "B9 B11:t20 B13:c20"),
        (local(3, 2), "F5:c40 E6:t20 D7:t20 C8:c30 B9"),
    ]
    verdict = run62(rows)
    assert each(verdict) == [90, 80, 110]
    assert (verdict.revenue, verdict.subsidy) == (280, 70)


def test_1862_e6() -> None:
    verdict = run62(
        [
            (local(3, 2, "B-0"), "G8:c30* F9:t20 G10:t20 F11:c40 E10:t20 D9:c50"),
            (local(3, 2, "B-1"), "C8:c60 D7:t20 E6:t20 F5:c40 G4:t20 G6:t20 G8"),
            (freight(3), "A8:o100 B9:c40 C10:c30*"),
            (freight(5), "C10 D9 E10 F11 G12:c20 H13:o100"),
        ],
        "H13",
    )
    assert each(verdict) == [150, 180, 280, 100]
    assert [route.subsidy for route in verdict.routes] == [60, 60, 0, 0]
    assert (verdict.revenue, verdict.subsidy) == (710, 120)
    assert [(b.kind, b.amount) for b in verdict.routes[2].bonuses] == [("distance", 180)]


def test_1862_e7() -> None:
    verdict = run62(
        [
            (local(3, name="C-0"), "C8:c60 B9:c80 B11:t20 B13:c40*"),
            (freight(5), "G14:o130 F13:c40 E12:c80 D11:c40* D13:c40 D15:o200"),
            (local(3, name="C-1"), "E12 D11 C12:t20 B13"),
        ],
        "G14",
    )
    assert each(verdict) == [200, 420, 140]
    assert (verdict.revenue, verdict.subsidy) == (760, 70)


def test_1862_e8() -> None:
    verdict = run62(
        [
            (express(5, 4), "F5:c60* F7:c30 F11:c60 G12:c30 H13:o130"),
            (local(5), "D9:c60 E10:t20 F11 G10:t20 F9:t20 G8:c30 G6:t20 G4:t20 F5 E6:t20 D7:t20 C8:c60"),
            (express(5), "E12:c80* D11:c40 C12:t20 B13:c40 B11:t20 B9:c80 A10:o120"),
            (freight(9, "H-0"), "A8:o140 (B7) E12 F11 (F13) G14:o130"),
            (freight(9, "H-1"), "D15:o200 (D13) E12 (H5) I4:o120"),
        ],
        "G14",
        "I4",
    )
    assert each(verdict) == [250, 350, 360, 450, 530]
    assert (verdict.revenue, verdict.subsidy) == (1940, 120)


def test_1862_e9() -> None:
    verdict = run62([(express(3, 2), "E12:c60 F11:c40* (E10) D11:c30"), (express(3), "H13:o100 G12:c20 F11")])
    assert sorted(each(verdict)) in ([90, 160], [120, 130])
    assert verdict.revenue == 250


def test_1862_e9_in_the_order_run() -> None:
    rows = [(express(3), "H13:o100 G12:c20 F11:c40*"), (express(3, 2), "E12:c60 F11 (E10) D11:c30")]
    assert each(run62(rows)) == [160, 90]


def test_1862_e10() -> None:
    assert each(run62([(express(3), "D9:c50* C10:c30 (C12) C14:o150")])) == [230]


def test_1862_e11() -> None:
    verdict = run62([(express(3), "A8:o100 B9:c40 C10:c30*"), (freight(2), "C10 (C12) C14:o150")])
    assert each(verdict) == [170, 170]


def test_1862_e12() -> None:
    verdict = run62(
        [
            (freight(1, "A-0"), "F3:c40* F1:o80"),
            (freight(1, "A-1"), "F3 E2:c20*"),
            (freight(1, "A-2"), "E2 D1:o80"),
        ],
        "F1",
        "D1",
    )
    assert each(verdict) == [140, 0, 80]


def test_1862_e13() -> None:
    verdict = run62(
        [
            (freight(5), "D11:c40* D13:c40 E12:c40 F11:c40 G12:c40 H13:o130"),
            (freight(7), "A4:o140 B5:c20 B7:c20 B9:c20 C10:c20 D11"),
        ],
        "H13",
    )
    assert each(verdict) == [340, 140]


def test_1862_home() -> None:
    """R7.27: one route visits the home; a company without one cannot run."""
    rows = [(local(2), "C10:c20* D9:c30*")]
    assert run(rows, conditions=(VisitHome(at("C10")),)).legal
    assert codes(run(rows, conditions=(VisitHome(frozenset()),))) == {Code.NO_HOME}
    rows.append((express(2), "D9 E10:c40"))
    assert run(rows, conditions=(VisitHome(at("E10")),)).legal


def test_1862_closed_loop_of_freight_trains() -> None:
    """R7.22: both ends are the first node of the first route; R7.24 then measures no distance."""
    rows = [(freight(6, "F-0"), "B1:c30* D1:c50"), (freight(6, "F-1"), "D1 (C2) B1")]
    verdict = run62(rows)
    assert each(verdict) == [30, 0]
    assert not verdict.routes[0].bonuses


def test_1862_loop_with_a_tail_is_no_chain() -> None:
    """R7.22: a set with a single end."""
    rows = [
        (freight(6, "F-0"), "A1:c10 C1:c30*"),
        (freight(6, "F-1"), "C1 E1:c50"),
        (freight(6, "F-2"), "E1 (D2) C1"),
    ]
    assert codes(run62(rows)) == {Code.CHAIN}


def test_1862_early_freight_trains_hang_together() -> None:
    """R7.26: one chain, and one with a permanent train if any runs."""
    apart = [(freight(3), "A1:c10* C1:c30"), (freight(5), "A1 (B2) (C3) E1:c50")]
    assert run62(apart).legal
    crossing = [(freight(3), "A1:c10* C1:c30* E1:c20"), (freight(5), "G1:c10 C1 I1:c10")]
    assert codes(run62(crossing)) == {Code.CHAIN}
    alone = [(freight(3), "A1:c10* C1:c30* E1:c20"), (freight(6), "G1:c10 C1 I1:c10")]
    assert codes(run62(alone)) == {Code.CHAIN}
    joined = [(freight(3), "A1:c10* C1:c30 E1:c20*"), (freight(6), "E1 (F2) I1:c10")]
    assert run62(joined).legal
    permanent = [(freight(7), "A1:c10* C1:c30* E1:c20"), (freight(6), "G1:c10 C1 I1:c10")]
    assert run62(permanent).legal


def test_1862_counts_groups_once() -> None:
    """R7.31: two gates of one area pay once, for the first listed."""
    rows = [(express(2), "A8:o100 B9:c40*"), (express(2, name="2Eb"), "B9 A10:o100")]
    verdict = run62(rows, nodes={"A8": {"counts_as": "West"}, "A10": {"counts_as": "West"}})
    assert each(verdict) == [140, 0]
