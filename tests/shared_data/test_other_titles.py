"""A title outside the five games, written down as a plain route problem."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from router.check import check
from router.problem import Limit, Node, RouteProblem, Segment, StopBonus, Train, kinds
from router.solution import Status
from router.solve import solve
from support import read_json

BIG = kinds("city", "offboard")
EVERY = kinds("city", "offboard", "town")
OFF_BOARD = ("Red", "Blue")


def plain(name: str, size: int) -> Train:
    """Return a train that pays its cities and areas, and fills spare places with towns."""
    return Train(
        name, name, visit=(Limit(BIG, size),), pay=(Limit(EVERY, size),), must_pay=BIG, hex_visits="once"
    )


def doubled(name: str) -> Train:
    """Return a train of any length that pays twice at five stops of its choice, one of them its own."""
    return Train(
        name,
        name,
        pay=(Limit(EVERY, 5),),
        must_pay=kinds("offboard"),
        token_pays=True,
        multiplier=2,
        hex_visits="once",
    )


def problem_of(board: dict[str, Any], company: str, trains: tuple[Train, ...]) -> RouteProblem:
    """Turn the neutral form of a board into a route problem."""
    hexes: dict[str, Any] = board["hexes"]
    nodes: dict[str, Node] = {}
    for name, hex_ in hexes.items():
        used = {end for seg in hex_["segs"] for end in seg}
        off = hex_["colour"] in OFF_BOARD
        for i, city in enumerate(hex_["cities"]):
            if f"c{i}" in used:
                own = company in city["tokens"]
                full = len(city["tokens"]) >= city["slots"]
                nodes[f"{name}-c{i}"] = Node(
                    f"{name}-c{i}",
                    "offboard" if off else "city",
                    name,
                    city["rev"],
                    token=own and not off,
                    blocked=full and not own,
                )
        for i, town in enumerate(hex_["dits"]):
            if f"d{i}" in used:
                nodes[f"{name}-d{i}"] = Node(f"{name}-d{i}", "town", name, town["rev"])
    segments: dict[tuple[str, str, tuple[str, ...]], Segment] = {}

    def follow(start: str, hex_: str, end: str, track: tuple[str, ...], passed: tuple[str, ...]) -> None:
        if not end.startswith("f"):
            a, b = f"{start}", f"{hex_}-{end}"
            if a != b:
                low, high = sorted((a, b))
                way = passed if low == a else passed[::-1]
                key = (low, high, way)
                name = f"{low}/{high}:{'.'.join(way)}"
                segments.setdefault(key, Segment(name, low, high, tuple(sorted(track)), way))
            return
        if end not in hexes[hex_]["adj"]:
            return
        there, face = hexes[hex_]["adj"][end]
        if there not in hexes:
            return
        border = "|".join(sorted((f"{hex_}{end}", f"{there}{face}")))
        if border in track:
            return
        for seg in hexes[there]["segs"]:
            if face in seg:
                other = seg[1] if seg[0] == face else seg[0]
                if other != face:
                    follow(start, there, other, (*track, border), (*passed, there))

    for name, hex_ in hexes.items():
        for seg in hex_["segs"]:
            for here, out in (seg, seg[::-1]):
                if not here.startswith("f") and out.startswith("f"):
                    follow(f"{name}-{here}", name, out, (), (name,))
    timmins = frozenset(n for n in nodes if n.startswith("D2-"))
    big_three = frozenset(n for n in nodes if n.split("-")[0] in ("F16", "L12", "O7"))
    terms = (StopBonus("northern", 40, (timmins, big_three), {"5+5E": 80}),) if timmins and big_three else ()
    return RouteProblem(tuple(nodes.values()), tuple(segments.values()), trains, terms=terms)


@pytest.mark.parametrize(
    ("company", "trains", "revenue"),
    [
        ("GW", (plain("5", 5), plain("8", 8)), 840),
        ("C&O", (plain("6", 6), plain("8", 8)), 900),
        ("CNR", (plain("5", 5), doubled("5+5E")), 1150),
    ],
)
def test_the_last_round_of_another_title(
    shared: Path, company: str, trains: tuple[Train, ...], revenue: int
) -> None:
    problem = problem_of(read_json(shared / "instances" / "1867-final-or.json"), company, trains)
    begun = time.process_time()
    answer = solve(problem)
    print(company, answer.revenue, f"{1000 * (time.process_time() - begun):.1f} ms of processor time")
    assert (answer.status, answer.revenue) == (Status.OPTIMAL, revenue)
    assert check(problem, [route.route for route in answer.routes]).revenue == revenue
