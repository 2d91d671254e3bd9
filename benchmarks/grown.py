"""The generator of the frozen instances in ``instances/``: boards of our own, never copies of recorded ones.

A *grid* is a square of cities of various values with track along the sides and one diagonal. A *saturated*
board is a hexagon of hexes grown full of track, as late boards are: every two neighbours are joined, some of
them twice; of the hexes some are cities, some towns, the corners are off-board; some cities are full of the
tokens of others. Some stretches share a junction, so that a route through one closes the other. A *hard*
instance is one that the search does not prove within seconds.

``python -m benchmarks.grown`` writes the files. They are kept so that a change of this file, or of Python's
random numbers, changes no benchmark.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

from google.protobuf.json_format import MessageToDict

from benchmarks.material import INSTANCES
from router.convert import problem_to_proto
from router.problem import (
    DistanceBonus,
    Hex,
    Limit,
    Node,
    NodeKind,
    RouteProblem,
    Segment,
    StopBonus,
    TrackBonus,
    Train,
    kinds,
)

BIG = kinds("city", "offboard")
EVERY = kinds("city", "offboard", "town", "halt")
STEPS = ((1, 0), (0, 1), (-1, 1))


def plain(name: str, stops: int) -> Train:
    """Return a train that runs so many cities, towns for free."""
    return Train(name, str(stops), visit=(Limit(BIG, stops),))


def capped(name: str, stops: int) -> Train:
    """Return a train that runs so many stops of any kind."""
    return Train(name, f"{stops}H", visit=(Limit(EVERY, stops),))


def express(name: str, runs: int, pays: int) -> Train:
    """Return a train that visits so many cities and is paid for the best of them."""
    return Train(name, f"{pays}/{runs}", visit=(Limit(BIG, runs),), pay=(Limit(BIG, pays),), paying=BIG)


def doubled(name: str, pays: int) -> Train:
    """Return a train without a limit that is paid twice for its best stops, one of them with a token."""
    return Train(
        name, f"{pays}E", pay=(Limit(EVERY, pays),), must_pay=frozenset(), token_pays=True, multiplier=2
    )


def grid(size: int, trains: list[Train], seed: int, tokens: int) -> RouteProblem:
    """Return a square board of cities."""
    chance = random.Random(seed)
    own = set(chance.sample(range(size * size), tokens))
    nodes, segments = [], []
    for x in range(size):
        for y in range(size):
            value = 10 * chance.randint(1, 10)
            nodes.append(Node(f"{x}.{y}", "city", f"h{x}.{y}", value, token=x * size + y in own))
            for dx, dy in ((1, 0), (0, 1), (1, 1)):
                if x + dx < size and y + dy < size:
                    a, b = f"{x}.{y}", f"{x + dx}.{y + dy}"
                    segments.append(Segment(f"{a}-{b}", a, b, (f"{a}-{b}",), (f"h{a}", f"h{b}")))
    return RouteProblem(tuple(nodes), tuple(segments), tuple(trains))


def saturated(radius: int, trains: list[Train], seed: int, tokens: int) -> RouteProblem:
    """Return a hexagon of hexes full of track."""
    chance = random.Random(seed)
    spots = [
        (q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if abs(q + r) <= radius
    ]
    corners = {
        spot for spot in spots if sorted(map(abs, (spot[0], spot[1], sum(spot)))) == [0, radius, radius]
    }
    inner = [spot for spot in spots if spot not in corners]
    own = set(chance.sample(inner, tokens))

    def name(spot: tuple[int, int]) -> str:
        return f"{spot[0]}.{spot[1]}"

    nodes = []
    for spot in spots:
        kind: NodeKind = (
            "offboard"
            if spot in corners
            else "city"
            if spot in own
            else chance.choice(("city", "city", "town"))
        )
        value = {"offboard": 10 * chance.randint(3, 8), "city": 10 * chance.randint(2, 7), "town": 10}[kind]
        blocked = kind == "city" and spot not in own and chance.random() < 0.12
        nodes.append(Node(name(spot), kind, name(spot), value, token=spot in own, blocked=blocked))
    segments = []
    known = set(spots)
    for q, r in spots:
        for dq, dr in STEPS:
            other = (q + dq, r + dr)
            if other not in known:
                continue
            a, b = name((q, r)), name(other)
            track = (f"{a}-{b}", f"junction {a}") if chance.random() < 0.2 else (f"{a}-{b}",)
            segments.append(Segment(f"{a}-{b}", a, b, track, (a, b)))
            if chance.random() < 0.15:
                segments.append(Segment(f"{a}-{b} 2", a, b, (f"{a}-{b} 2",), (a, b)))
    far = [frozenset({name(spot)}) for spot in sorted(corners)[:2]]
    return RouteProblem(
        tuple(nodes),
        tuple(segments),
        tuple(trains),
        hexes=tuple(Hex(name(spot), *spot) for spot in spots),
        terms=(StopBonus("across", 60, tuple(far)),),
    )


def distant(problem: RouteProblem, seed: int) -> RouteProblem:
    """Return a board on which far routes and those over marked track earn more; towns are passed for free."""
    chance = random.Random(seed)
    marked = set(chance.sample(range(len(problem.segments)), 3))
    return replace(
        problem,
        segments=tuple(
            replace(it, marks=("bridge",)) if i in marked else it for i, it in enumerate(problem.segments)
        ),
        terms=(
            DistanceBonus("far", 10, frozenset(train.kind for train in problem.trains), BIG),
            TrackBonus("bridge", 40, "bridge"),
        ),
    )


FROZEN: dict[str, Callable[[], RouteProblem]] = {
    "grid-4-three-trains": lambda: grid(4, [plain(f"t{i}", 4) for i in range(3)], 1, 2),
    "grid-5-four-trains": lambda: grid(5, [plain(f"t{i}", 5) for i in range(4)], 3, 3),
    "grid-5-mixed": lambda: grid(5, [plain("a", 3), plain("b", 5), express("c", 7, 4)], 7, 2),
    "grid-6-three-long-trains": lambda: grid(6, [plain(f"t{i}", 8) for i in range(3)], 5, 3),
    "saturated-2-four-trains": lambda: saturated(2, [plain(f"t{i}", 4) for i in range(4)], 1, 2),
    "saturated-2-without-limit": lambda: saturated(2, [doubled("e", 5), plain("a", 5)], 2, 2),
    "hard-saturated-3-mixed": lambda: saturated(3, [plain("a", 4), plain("b", 5), capped("c", 7)], 3, 3),
    "saturated-3-four-equal-trains": lambda: saturated(3, [plain(f"t{i}", 5) for i in range(4)], 4, 3),
    "hard-saturated-3-express": lambda: saturated(
        3, [plain("a", 4), plain("b", 5), express("c", 7, 4)], 3, 3
    ),
    "saturated-3-counting-towns": lambda: saturated(3, [capped(f"t{i}", 6) for i in range(3)], 5, 2),
    "saturated-3-by-distance": lambda: distant(saturated(3, [plain("a", 4), plain("b", 4)], 6, 2), 6),
}


def main() -> None:
    """Write the files."""
    INSTANCES.mkdir(exist_ok=True)
    for name, grow in FROZEN.items():
        message = MessageToDict(problem_to_proto(grow()))
        (INSTANCES / f"{name}.json").write_text(
            json.dumps(message, separators=(",", ":")) + "\n", encoding="utf-8"
        )
        print(name)


if __name__ == "__main__":
    main()
