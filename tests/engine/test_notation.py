from __future__ import annotations

import pytest

from engine.facts import Cell
from engine.notation import NotationError, parse_hexes, parse_market, parse_print, parse_tiles
from engine.tiles import AtNode, Border, Edge, Junction, Path, Terrain, TileNode


def test_a_tile() -> None:
    tile = parse_tiles("57 x4 yellow | city 20 | 0-a a-3")["57"]
    assert (tile.name, tile.color, tile.count) == ("57", "yellow", 4)
    assert tile.nodes == (TileNode(part=0, kind="city", revenue=20, city=0, slots=1),)
    assert tile.paths == (Path(Edge(0), AtNode(0)), Path(AtNode(0), Edge(3)))


def test_an_unlimited_tile_without_stops() -> None:
    tile = parse_tiles("\n# straight track\n9 x* yellow | 0-3\n")["9"]
    assert tile.count is None
    assert (tile.nodes, tile.paths) == ((), (Path(Edge(0), Edge(3)),))


def test_a_stop_with_everything() -> None:
    (node,) = parse_print("gray | city yellow:40/gray:100 x3 #2 ^2.5 @center {East} {London}").nodes
    assert node == TileNode(2, "city", {"yellow": 40, "gray": 100}, 0, 3, ("East", "London"), 2.5, "center")


def test_cities_are_numbered_by_their_parts_and_towns_are_not() -> None:
    nodes = parse_print("green | city 40, city 40 #3, town 10, city 40 #1").nodes
    assert [(node.part, node.city, node.slots) for node in nodes] == [
        (0, 0, 1),
        (3, 2, 1),
        (2, None, 0),
        (1, 1, 1),
    ]


def test_track_has_gauge_terminals_and_junctions() -> None:
    assert parse_print("gray | 0-*! 1~2 3=4").paths == (
        Path(Edge(0), Junction(), terminal=True),
        Path(Edge(1), Edge(2), "narrow"),
        Path(Edge(3), Edge(4), "dual"),
    )


def test_marks() -> None:
    tile = parse_print(
        "white | label OO, becomes Kh gray, cost 40 water mountain, cost 20, border 2 impassable, "
        "border 3 mountain 50, border 4, icon west, stub 5, frame, partition, partition"
    )
    assert tile.labels == ("OO",)
    assert tile.future_label == ("Kh", "gray")
    assert tile.terrain == (Terrain(40, ("water", "mountain")), Terrain(20))
    assert tile.borders == (Border(2, "impassable"), Border(3, "mountain", 50), Border(4))
    assert (tile.icons, tile.stubs, tile.frame, tile.partitions) == (("west",), (5,), True, 2)


def test_hexes_are_numbered_below_their_print_and_sorted_by_place() -> None:
    hexes = parse_hexes(
        "white | town 0\n    C3 Tver, A1,\n    B2 St. Ives\nwhite | town 0\n    A3\n", layout="flat"
    )
    assert [(item.id, item.name, item.printed_id) for item in hexes] == [
        ("A1", "", "A1-1"),
        ("A3", "", "A3-0"),
        ("B2", "St. Ives", "B2-2"),
        ("C3", "Tver", "C3-0"),
    ]
    assert [item.printed.name for item in hexes] == ["A1", "A3", "B2", "C3"]


def test_a_later_text_changes_the_map() -> None:
    changes = "none\n    A1\nred | offboard 10 | 0-a\n    B2 Hull\n"
    hexes = parse_hexes("white\n    A1, B2, C3, D4\n", changes, layout="flat")
    assert [(item.id, item.name, item.printed_id, item.printed.color) for item in hexes] == [
        ("B2", "Hull", "B2-0", "red"),
        ("C3", "", "C3-0", "white"),
        ("D4", "", "D4-1", "white"),
    ]


def test_a_market() -> None:
    market = parse_market(". 50 60p\n70px\n", {"p": "par", "x": "top"})
    assert market.rows == ((None, Cell(50), Cell(60, ("par",))), (Cell(70, ("par", "top")),))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("pink | 0-3", "pink"),
        ("yellow | 0-6", "0-6"),
        ("yellow | 0-a", "stop that is not there"),
        ("yellow | city", "city"),
        ("yellow | city ten | 0-a", "ten"),
        ("yellow | city 20 wide", "wide"),
        ("yellow | border", "border"),
        ("yellow | cost much", "much"),
        ("yellow | glitter", "glitter"),
        ("yellow | | 0-3", "''"),
    ],
)
def test_a_faulty_print_is_quoted(text: str, quoted: str) -> None:
    with pytest.raises(NotationError, match=quoted):
        parse_print(text)


@pytest.mark.parametrize("text", ["57 yellow | 0-3", "57 x4", "57 xx yellow", "9 x1 yellow\n9 x2 yellow"])
def test_a_faulty_list_of_tiles_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_tiles(text)


@pytest.mark.parametrize(
    "text", ["    A1, B2", "white\n    A1, A1", "white\n    A1\nwhite | town 0\n    A1", "white\n    X"]
)
def test_a_faulty_map_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no print|twice|no hex name"):
        parse_hexes(text, layout="flat")


@pytest.mark.parametrize("text", ["50 sixty", "50z"])
def test_a_faulty_market_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"sixty|50z"):
        parse_market(text, {"p": "par"})
