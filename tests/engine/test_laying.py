"""Which tile may lie where (``00-common`` section 5, 18NewEngland section 5)."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.tiles import turned

COLORS = ("yellow", "green", "brown", "gray")
CHAIN = {
    "6": "14 15 619",
    "14": "63 611",
    "15": "63 611",
    "619": "63 611",
    "3": "87 88 204",
    "4": "87 88 204",
    "58": "87 88 204",
    "87": "911",
    "88": "911",
    "204": "911",
    "207": "216",
    "622": "216",
    "7": "26 27 28 29 30 31",
    "8": "16 19 23 24 25 28 29 30 31",
    "9": "19 20 23 24 26 27",
    "16": "43 70",
    "19": "45 46",
    "20": "44 47",
    "23": "41 43 45 47",
    "24": "42 43 46 47",
    "25": "40 45 46",
    "26": "42 44 45",
    "27": "41 44 46",
    "28": "39 43 46 70",
    "29": "39 43 45 70",
    "30": "42 70",
    "31": "41 70",
    "X1": "X4",
    "X4": "X7",
    "X2": "X5",
    "X5": "X8",
    "X3": "X6",
    "X6": "X9",
}
PRINTED = {
    "B17": "3 4 58",
    "E4": "6",
    "H11": "7 8 9",
    "K10": "207 622",
    "B3": "207 622",
    "L5": "X1",
    "G10": "X2",
    "F13": "X3",
    "I6": "14 15 619",
    "J3": "14 15 619",
    "B11": "14 15 619",
    "L7": "6",
    "K4": "14 15 619",
    "G8": "14 15 619",
    "A4": "",
    "B19": "",
}
ROTATIONS = {
    ("L5", "X1"): (3, 5),
    ("F13", "X3"): (0, 1, 2, 3, 4, 5),
    ("B3", "207"): (4, 5),
    ("B3", "622"): (2,),
    ("K10", "207"): (1, 2),
    ("K10", "622"): (5,),
    ("G8", "14"): (0, 3),
    ("G8", "15"): (0, 1),
    ("G8", "619"): (1, 3, 5),
    ("L7", "6"): (0, 1, 3, 5),
    ("K4", "14"): (1, 2, 4, 5),
    ("K4", "15"): (2, 3, 4, 5),
    ("K4", "619"): (1, 2, 3, 5),
}


@pytest.fixture
def game() -> Game:
    return Game.new("18NewEngland", 4, seed=1)


def fitting(game: Game, hex_id: str) -> set[str]:
    """Return the tiles that fit in some rotation."""
    laying, board = game.rules.laying, game.map
    return {
        name
        for name, tile in game.facts.tiles.items()
        if laying.tile_fault(board, COLORS, hex_id, tile) is None
        and any(laying.turn_fault(board, hex_id, turned(tile, n), tile) is None for n in range(6))
    }


@pytest.mark.parametrize(("hex_id", "tiles"), PRINTED.items())
def test_first_tiles(game: Game, hex_id: str, tiles: str) -> None:
    """R5.7, R5.9."""
    assert fitting(game, hex_id) == set(tiles.split())


@pytest.mark.parametrize(("tile", "successors"), CHAIN.items())
def test_upgrades(game: Game, tile: str, successors: str) -> None:
    """R5.9: in the middle of the map, where no edge is closed."""
    hex_id = {"X": "G10", "2": "K10"}.get(tile[0] if tile[0] == "X" or tile in ("207", "622") else "", "H9")
    game.map.lay(hex_id, tile, 0, 0)
    laying, board = game.rules.laying, game.map
    found = {
        name
        for name, item in game.facts.tiles.items()
        if laying.tile_fault(board, COLORS, hex_id, item) is None
        and any(
            not (fault := laying.turn_fault(board, hex_id, turned(item, n), item)) or "beyond" in fault.why
            for n in range(6)
        )
    }
    assert found == set(successors.split())


@pytest.mark.parametrize(("place", "rotations"), ROTATIONS.items())
def test_rotations_of_special_hexes(game: Game, place: tuple[str, str], rotations: tuple[int, ...]) -> None:
    """R5.9, the list at its end."""
    hex_id, name = place
    tile = game.facts.tiles[name]
    found = [
        n for n in range(6) if game.rules.laying.turn_fault(game.map, hex_id, turned(tile, n), tile) is None
    ]
    assert tuple(found) == rotations


def test_colours_wait_for_their_phase(game: Game) -> None:
    fault = game.rules.laying.tile_fault(game.map, ("yellow",), "I6", game.facts.tiles["14"])
    assert fault is not None
    assert fault.rule == "R5.5"


def test_a_tile_must_be_left(game: Game) -> None:
    game.map.lay("L5", "X1", 0, 3)
    fault = game.rules.laying.tile_fault(game.map, COLORS, "L5", game.facts.tiles["X1"])
    assert fault is not None
    game.map.supply.take("X4", 0)
    fault = game.rules.laying.tile_fault(game.map, COLORS, "L5", game.facts.tiles["X4"])
    assert fault is not None
    assert fault.rule == "R5.4"
