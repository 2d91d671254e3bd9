"""Drawings: complete, the same every time, safe, and with routes where the track is."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine.board import Board
from engine.draw import draw_position
from engine.draw.geometry import APOTHEM, across, center, corners, into, shifted, toward
from engine.draw.palette import ROUTES, route_style
from engine.draw.runs import GAP, Bundle, Tracer
from engine.draw.shape import shape_of
from engine.draw.spots import Spots, wrapped
from engine.draw.svg import clean, number
from engine.encoding import SiteRoute
from engine.hexes import EDGES, Coordinate, Layout, opposite
from engine.position import LaidTile, OwnedTrain, Position, Token
from engine.registry import GAMES, find_game
from engine.solving import solve_position
from support import PROJECT, read_jsonl

NAMESPACE = "{http://www.w3.org/2000/svg}"
LAYOUTS: tuple[Layout, Layout] = ("flat", "pointy")
NIKOLAEV = Position("1861", 4, "N", "2", tokens=(Token("H8", 1, 0, "N"),), trains=(OwnedTrain("2-0", "2"),))
ROUTE = SiteRoute("2-0", (("H8", "G7", "G5"), ("G5", "F4", "F2", "E1")))


def empty(game: str) -> Position:
    """Return a board on which nothing was laid."""
    found = find_game(game)
    facts = found.facts(players=found.players[0])
    company = next(iter(facts.companies))
    return Position(game, found.players[0], company, next(iter(facts.phases)))


def texts(drawing: str) -> list[str]:
    return [it.text or "" for it in ET.fromstring(drawing).iter(f"{NAMESPACE}text")]


def routes_of(drawing: str) -> list[ET.Element]:
    return [
        it
        for group in ET.fromstring(drawing).iter(f"{NAMESPACE}g")
        if group.get("class") == "routes"
        for it in group
    ]


# geometry


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("edge", EDGES)
def test_edges_of_neighbours_meet(layout: Layout, edge: int) -> None:
    here = Coordinate(4, 6)
    there = here.neighbor(edge, layout)
    (ax, ay), (bx, by) = center(here, layout), center(there, layout)
    (dx, dy), (ex, ey) = toward(edge, APOTHEM, layout), toward(opposite(edge), APOTHEM, layout)
    assert (ax + dx, ay + dy) == pytest.approx((bx + ex, by + ey))
    ring = corners(layout)
    middle = [(a + b) / 2 for a, b in zip(ring[edge - 1], ring[edge], strict=True)]
    assert middle == pytest.approx((dx, dy))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_track_leaves_square_to_the_edge(layout: Layout) -> None:
    for one in EDGES:
        for other in EDGES:
            if one == other:
                continue
            line = across(one, other, layout)
            assert line[0] == pytest.approx(toward(one, APOTHEM, layout))
            assert line[-1] == pytest.approx(toward(other, APOTHEM, layout))
            for point in line:
                assert math.hypot(*point) <= APOTHEM + 1e-6
            (x, y), (nx, ny) = line[0], line[1]
            inward = math.atan2(ny - y, nx - x)
            turn = abs(inward - math.atan2(-y, -x)) % (2 * math.pi)
            assert min(turn, 2 * math.pi - turn) < 0.4
        assert into(one, (3, 4), layout)[-1] == pytest.approx((3, 4))


def test_parallels() -> None:
    line = ((0.0, 0.0), (10.0, 0.0), (20.0, 0.0))
    assert shifted(line, 3) == ((0, 3), (10, 3), (20, 3))
    assert shifted(line, 0) == line


def test_short_numbers_and_safe_texts() -> None:
    assert [number(it) for it in (1.0, -0.04, 2.25, 1e3, -3.46)] == ["1", "0", "2.2", "1000", "-3.5"]
    assert clean("a\x00b\ud800c\n") == "a\ufffdb\ufffdc\n"
    assert wrapped("Wells-Next-The-Sea", 13) == ["Wells-", "Next-The-Sea"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_spots_keep_apart(layout: Layout) -> None:
    spots = Spots(layout)
    found = [spots.find(14, 14) for _ in range(6)]
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 10


def test_colours_are_told_apart() -> None:
    styles = [route_style(index) for index in range(3 * len(ROUTES))]
    assert len(set(styles)) == len(styles)


# shapes


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_can_be_laid_out(game: str) -> None:
    """Every path has a line, which starts and ends where it should, in every rotation and on every print."""
    found = find_game(game)
    for options in ((), *((option,) for option in found.options)):
        facts = found.facts(players=found.players[0], options=options)
        tiles = [tile.rotated(turn) for tile in facts.tiles.values() for turn in EDGES]
        for tile in [*tiles, *(item.printed for item in facts.map.hexes.values())]:
            shape = shape_of(tile, facts.layout)
            assert len(shape.pieces) == len(tile.paths)
            assert set(shape.places) == set(range(len(tile.nodes)))
            for piece in shape.pieces:
                assert len(piece.line) >= 3
                assert shape.between(piece.b, piece.a) == piece.line[::-1]
                for end, point in ((piece.a, piece.line[0]), (piece.b, piece.line[-1])):
                    if end[0] == "edge":
                        assert point == pytest.approx(toward(end[1], APOTHEM, facts.layout))
                    elif end[0] == "node" and tile.nodes[end[1]].kind != "offboard":
                        assert point == pytest.approx(shape.places[end[1]])
            spots = list(shape.places.values())
            for index, one in enumerate(spots):
                assert all(math.dist(one, other) > 9 for other in spots[index + 1 :]), tile.name


# drawings


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_board_is_complete(game: str) -> None:
    position = empty(game)
    found = find_game(game)
    facts = found.facts(players=position.players)
    drawing = draw_position(position)
    root = ET.fromstring(drawing)
    words = texts(drawing)
    assert root.get("width") == "1200"
    assert set(facts.map.hexes) <= set(words)
    joined = " ".join(words)
    for item in facts.map.hexes.values():
        name = item.name.partition(" (")[0]
        assert all(word in joined for word in re.split("[ -]", name)), name
        for terrain in item.printed.terrain:
            assert str(terrain.cost) in words
        for label in item.printed.labels:
            assert label in words
        for node in item.printed.nodes:
            if isinstance(node.revenue, int) and node.revenue:
                assert str(node.revenue) in words
    assert facts.companies[position.company].name in words[0]
    assert f"phase {position.phase}" in words[1]


@pytest.mark.parametrize("game", GAMES)
def test_recorded_positions_with_their_routes(shared: Path, game: str) -> None:
    lines = list(read_jsonl(shared / "positions" / f"{game}.jsonl"))
    for line in lines[:: max(1, len(lines) // 6)]:
        position = Position.from_json(line["position"])
        routes = SiteRoute.list_from_json(line["recorded"]["routes"])
        words = texts(draw_position(position, routes))
        for token in position.tokens:
            assert token.company in words
        facts = find_game(game).facts(players=position.players, options=position.optional_rules)
        tracer = Tracer(Board.of_position(facts, position))
        for route, told in zip(routes, line["repriced"]["routes"], strict=True):
            legs = tracer.legs(route)
            # One line without a gap, over the stops that are truly visited.
            assert len(Bundle([legs]).lines(0)) == 1, (line["id"], route)
            visited = [(leg.hex, leg.start[1]) for leg in legs if leg.start[0] == "node"]
            visited += [(leg.hex, leg.end[1]) for leg in legs[-1:] if leg.end[0] == "node"]
            true = [(stop["hex"], stop["node"]) for stop in told["visits"]]
            assert visited in (true, true[::-1]), (line["id"], route)


def test_routes_are_drawn_and_explained() -> None:
    drawing = draw_position(NIKOLAEV, solve_position(NIKOLAEV).routes)
    assert len(routes_of(drawing)) == 2  # the white bed and the colour
    assert routes_of(drawing)[1].get("stroke") == ROUTES[0]
    words = " ".join(texts(drawing))
    assert "phase 2 · trains: 2 · revenue 80" in words
    assert "2-0 (train 2): 80 = St. Petersburg E1 40 + Moscow H8 40" in words
    unpriced = " ".join(texts(draw_position(NIKOLAEV, [ROUTE])))
    assert "revenue" not in unpriced and "2-0 (train 2): Moscow H8 – Tver G5 – St. Petersburg E1" in unpriced


def test_routes_run_side_by_side_on_the_same_track() -> None:
    facts = find_game("1861").facts(players=4)
    tracer = Tracer(Board.of_position(facts, NIKOLAEV))
    back = SiteRoute("2-1", ROUTE.connections[::-1])
    one, other = tracer.legs(ROUTE), tracer.legs(back)
    assert [leg.track for leg in one] == [leg.track for leg in other[::-1]]
    bundle = Bundle([one, other])
    (first,), (second,) = bundle.lines(0), bundle.lines(1)
    gaps = [min(math.dist(point, there) for there in second) for point in first]
    assert max(gaps) < GAP + 1.5
    assert sorted(gaps)[len(gaps) // 2] == pytest.approx(GAP, abs=1)


@pytest.mark.parametrize(
    "route",
    [
        SiteRoute("x", (("Z99", "Z98"),)),
        SiteRoute("x", (("H8", "E1"),)),
        SiteRoute("x", (("H8",),)),
        SiteRoute("x", (("H8 7.9",),)),
        SiteRoute("x", (("P8", "P6", "P4"),)),
        SiteRoute("x", (("H8", "G7", "G5"), ("P8", "P6"))),
        SiteRoute("x", ()),
        SiteRoute("", (("local", "H8"),)),
    ],
)
def test_routes_that_cannot_be_are_drawn_as_far_as_possible(route: SiteRoute) -> None:
    ET.fromstring(draw_position(NIKOLAEV, [route, ROUTE]))


def test_texts_are_escaped() -> None:
    route = SiteRoute('<script>"&\x00', ROUTE.connections)
    drawing = draw_position(NIKOLAEV, [route])
    assert "<script>" not in drawing
    assert any('<script>"&\ufffd' in text for text in texts(drawing))


def test_walls_frames_and_gauges() -> None:
    drawing = draw_position(empty("1873"))
    assert drawing.count('stroke="#b3261e"') >= 24
    assert 'class="narrow"' in drawing and 'class="broad"' in drawing
    facts = find_game("18GB").facts(players=4)
    dual = next(tile for tile in facts.tiles.values() if any(path.gauge == "dual" for path in tile.paths))
    position = Position(
        "18GB", 4, next(iter(facts.companies)), next(iter(facts.phases)), tiles=(LaidTile("C22", dual.name),)
    )
    assert 'class="dual"' in draw_position(position)


def test_same_bytes_in_other_processes() -> None:
    code = (
        "import sys, json; from engine.draw import draw_position; from engine.position import Position; "
        "from engine.encoding import SiteRoute; line = json.loads(sys.stdin.read()); "
        "p = Position.from_json(line['position']); "
        "sys.stdout.write(draw_position(p, SiteRoute.list_from_json(line['routes'])))"
    )
    line: dict[str, Any] = next(iter(read_jsonl(PROJECT / "examples/check.jsonl")))
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(line).encode(),
            capture_output=True,
            cwd=PROJECT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1", "99")
    }
    here = draw_position(Position.from_json(line["position"]), SiteRoute.list_from_json(line["routes"]))
    assert found == {here.encode()}
