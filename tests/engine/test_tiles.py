from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import parse_print
from engine.registry import GAMES, find_game
from engine.tiles import AtNode, Border, Edge, Path, Tile

TILES = [tile for name in GAMES for tile in find_game(name).facts(5).tiles.values()]
PRINTS = [item.printed for name in GAMES for item in find_game(name).facts(5).map.hexes.values()]


def look(tile: Tile) -> tuple[object, ...]:
    """Return what can be compared of a tile; tiles themselves are equal by identity."""
    return (tile.nodes, tile.paths, tile.borders, tile.stubs, tile.labels, tile.color, tile.icons, tile.count)


def test_rotation_turns_track_stops_borders_and_stubs() -> None:
    tile = parse_print("yellow | town 10 ^1 | 0-a a-1 | border 5 impassable, stub 4, label Y").rotated(2)
    assert tile.paths == (Path(Edge(2), AtNode(0)), Path(AtNode(0), Edge(3)))
    assert tile.nodes[0].preferred_edge == 3
    assert tile.borders == (Border(1, "impassable"),)
    assert tile.stubs == (0,)
    assert tile.labels == ("Y",)
    assert tile.exits == {2, 3}


@given(st.sampled_from(TILES + PRINTS), st.integers(0, 5), st.integers(0, 5))
def test_rotations_add_up(tile: Tile, one: int, other: int) -> None:
    assert look(tile.rotated(one).rotated(other)) == look(tile.rotated((one + other) % 6))
    assert tile.rotated(one).exits == {(edge + one) % 6 for edge in tile.exits}


def test_no_rotation_is_the_tile_itself() -> None:
    tile = parse_print("yellow | 0-3")
    assert tile.rotated(0) is tile
    assert tile.rotated(6) is tile


def test_tiles_are_equal_by_identity() -> None:
    one, other = (parse_print("yellow | 0-3") for _ in range(2))
    assert one != other
    assert len({one, other}) == 2


def test_cities_are_in_the_order_of_tokens() -> None:
    kiev = find_game("1861").facts().tiles["635"]
    assert [node.city for node in kiev.nodes] == [0, 2, 1]
    assert [node.part for node in kiev.cities] == [0, 1, 2]


def test_the_last_label_counts() -> None:
    assert parse_print("white | label OO, label Y").label == "Y"
    assert parse_print("white").label is None


@pytest.mark.parametrize("name", GAMES)
def test_every_printed_tile_is_sound(name: str) -> None:
    facts = find_game(name).facts(5)
    for tile in (*facts.tiles.values(), *(item.printed for item in facts.map.hexes.values())):
        assert [node.city for node in tile.cities] == list(range(len(tile.cities)))
        assert len({node.part for node in tile.nodes}) == len(tile.nodes)
        for node in tile.nodes:
            assert (node.kind == "city") == (node.city is not None) == (node.slots > 0)
        ends = [frozenset((path.a, path.b)) for path in tile.paths]
        assert all(len(pair) == 2 for pair in ends)
        assert len(set(ends)) == len(ends)
        assert all(0 <= edge < 6 for path in tile.paths for edge in path.edges)
