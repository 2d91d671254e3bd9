"""Small route problems whose answers a reader can check by hand."""

from __future__ import annotations

import itertools

from router.problem import (
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    Hex,
    HexSubsidy,
    LargestTrainBonus,
    Limit,
    MustRun,
    Node,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    Segment,
    StopBonus,
    TrackBonus,
    Train,
    VisitHome,
    kinds,
)

CITIES = kinds("city", "offboard")


def line(trains: tuple[Train, ...] | None = None, count: int = 4) -> RouteProblem:
    """Return cities a, b, c, ... in a row, worth 10, 20, 30, ..., with a token in a."""
    names = "abcdefghijklmnopqrstuvwxyz"[:count]
    return RouteProblem(
        id="line",
        nodes=tuple(
            Node(name, "city", f"h{name}", 10 * i, token=name == "a") for i, name in enumerate(names, 1)
        ),
        segments=tuple(
            Segment(a + b, a, b, (f"t{a}{b}",), (f"h{a}", f"h{b}")) for a, b in itertools.pairwise(names)
        ),
        trains=(Train("1", "3", visit=(Limit(CITIES, 3),)),) if trains is None else trains,
    )


def grid(size: int, trains: int, length: int) -> RouteProblem:
    """Return a square of ``size`` x ``size`` cities, and so many trains of ``length`` stops: long work."""
    cells = [(x, y) for x in range(size) for y in range(size)]
    edges = [((x, y), (x + 1, y)) for x, y in cells if x + 1 < size]
    edges += [((x, y), (x, y + 1)) for x, y in cells if y + 1 < size]

    def name(cell: tuple[int, int]) -> str:
        return f"{cell[0]}.{cell[1]}"

    return RouteProblem(
        id=f"grid {size}",
        nodes=tuple(
            Node(
                name(it), "city", f"h{name(it)}", 10 + (7 * it[0] + 11 * it[1]) % 13 * 5, token=it[0] == it[1]
            )
            for it in cells
        ),
        segments=tuple(
            Segment(
                f"{name(a)}-{name(b)}",
                name(a),
                name(b),
                (f"{name(a)}-{name(b)}",),
                (f"h{name(a)}", f"h{name(b)}"),
            )
            for a, b in edges
        ),
        trains=tuple(Train(str(i), str(length), visit=(Limit(CITIES, length),)) for i in range(trains)),
    )


def vocabulary() -> RouteProblem:
    """Return a problem that uses every word, with no field at its default."""
    train = Train(
        id="X",
        kind="5X",
        visit=(Limit(CITIES, 5), Limit(kinds("town", "halt"), 2)),
        max_edges=9,
        pay=(Limit(CITIES, 3),),
        paying=kinds("city", "town", "offboard"),
        must_pay=kinds("town"),
        token_pays=True,
        needs_token=False,
        multiplier=2,
        hex_visits="consecutive",
        hex_pays_once=True,
        ends=frozenset({"a", "z"}),
        through=frozenset({"b", "t"}),
        stops=frozenset({"a", "b", "t", "z"}),
        track_class="diesel",
        routes=3,
        route_ids=("X1", "X2", "X3"),
        routes_touch=True,
    )
    return RouteProblem(
        id="vocabulary",
        hexes=(Hex("A", 0, 0), Hex("B", 1, 0), Hex("Z", 2, -3)),
        nodes=(
            Node(
                "a", "city", "A", 30, {"5X": 40, "F": 0}, token=True, groups=("west", "all"), counts_as="ab"
            ),
            Node("b", "city", "B", 20, blocked=True, counts_as="ab"),
            Node("t", "town", "B", 10),
            Node("h", "halt", "B", terminal=True),
            Node("z", "offboard", "Z", 60, groups=("east",)),
        ),
        segments=(
            Segment("ab", "a", "b", ("t1", "t2"), ("A", "B"), ("estuary",)),
            Segment("bt", "b", "t", ("t3",), ("B",)),
            Segment("th", "t", "h", ("t4",), ("B",)),
            Segment("tz", "t", "z", ("t5",), ("B", "Z")),
        ),
        trains=(
            train,
            Train("F", "F", routes=None),
            Train("G", "G", paying=frozenset(), ends=frozenset(), must_pay=frozenset(), max_edges=0),
        ),
        terms=(
            StopBonus("port", 20, (frozenset({"a", "b"}), frozenset({"z"})), {"5X": 30}),
            TrackBonus("estuary", 40, "estuary"),
            DistanceBonus("distance", 10, frozenset({"5X"}), kinds("city")),
            AreaBonus(
                "compass",
                {"N": frozenset({"a"}), "S": frozenset({"z", "t"}), "E": frozenset()},
                (("N", "S", 50), ("N", "E", 5)),
                kinds("city"),
            ),
            LargestTrainBonus("mine", frozenset({"t"}), {"5X": 7, "F": 3}, frozenset({"h"})),
            HexSubsidy("subsidy", 10, frozenset({"5X", "G"})),
            ChainBonus(
                "chain", frozenset({"F", "G"}), frozenset({"F"}), 10, 20, frozenset({"z"}), kinds("town")
            ),
        ),
        conditions=(
            VisitHome(frozenset({"a", "b"})),
            RoutesTouch(),
            RequiredRoute("line 1", frozenset({"A", "B"}), ("", "diesel")),
            RequiredRoute("line 2", frozenset({"B"}), ()),
            MustRun("diesel"),
        ),
        track_scope="class",
        count="all",
        end_sets=(frozenset({"a", "z"}), frozenset()),
    )
