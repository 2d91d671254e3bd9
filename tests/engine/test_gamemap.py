"""The map in play: tiles, cities, tokens (``00-common`` sections 5.5, 9.6)."""

from __future__ import annotations

import pytest

from engine.core.gamemap import city_map
from engine.core.tokens import Spot
from engine.game import Game
from engine.refusal import IllegalAction
from engine.tiles import turned


@pytest.fixture
def game() -> Game:
    return Game.new("18NewEngland", 4, seed=73885)


def put(game: Game, sym: str, hex_id: str, city: int) -> None:
    company = game.companies[sym]
    token = company.next_token
    assert token is not None
    slot = game.map.free_slot(company, Spot(hex_id, city))
    assert slot is not None
    game.map.place(token, Spot(hex_id, city), slot)


def spots(game: Game, *names: str) -> list[Spot | None]:
    return [game.companies[name].tokens[0].spot for name in names]


@pytest.mark.parametrize(
    ("hex_id", "tile", "rotation", "expected"),
    [
        ("L5", "X1", 3, (1, 0)),
        ("F13", "X3", 2, (2, 0, 1)),
        ("F13", "X3", 0, (0, 1, 2)),
        ("B3", "207", 5, (0, 0)),
    ],
)
def test_cities_follow_their_exits(
    game: Game, hex_id: str, tile: str, rotation: int, expected: tuple[int, ...]
) -> None:
    """18NewEngland R5.11."""
    assert city_map(game.map.tile(hex_id), turned(game.facts.tiles[tile], rotation)) == expected


def test_tokens_and_reservations_move_along(game: Game) -> None:
    put(game, "BL", "L5", 0)
    game.map.lay("L5", "X1", 0, 3)
    assert spots(game, "BL") == [Spot("L5", 1)]
    assert game.map.cities["L5"][0].reserved == ("ER",)


def test_joined_cities_keep_their_reservations_by_place(game: Game) -> None:
    """18NewEngland R5.11: the slot of AWS in green B3 stays its own."""
    put(game, "HRR", "B3", 0)
    game.map.lay("B3", "207", 0, 5)
    city = game.map.city(Spot("B3", 0))
    assert [token and token.company.sym for token in city.slots] == ["HRR", None]
    assert city.reserved == (None, "AWS")
    assert game.map.free_slot(game.companies["NYC"], Spot("B3", 0)) is None
    assert game.map.free_slot(game.companies["AWS"], Spot("B3", 0)) == 1
    assert not city.blocks(game.companies["NYC"])


def test_a_token_keeps_off_the_reserved_slot(game: Game) -> None:
    """18NewEngland R5.11: the token from city 0 of G8 sits in slot 1."""
    put(game, "NYC", "G8", 0)
    game.map.lay("G8", "14", 0, 0)
    city = game.map.city(Spot("G8", 0))
    assert [token and token.company.sym for token in city.slots] == [None, "NYC"]
    assert city.reserved == ("CR",)


def test_replaced_tiles_go_back_to_the_supply(game: Game) -> None:
    supply = game.map.supply
    game.map.lay("A6", "9", 3, 0)
    assert not supply.has("9", 3)
    game.map.lay("A6", "23", 0, 0)
    assert supply.has("9", 3)
    assert supply.copies["9"][-1] == 3


@pytest.mark.parametrize("name", ["F13-0", "F13-0-7", "X3-0-0", "Q1-0-0", "", "57-0-0"])
def test_cities_that_are_not_there(game: Game, name: str) -> None:
    with pytest.raises(IllegalAction):
        game.map.city_named(name, "NYC")


def test_cities_are_named_by_the_tile_that_lies(game: Game) -> None:
    assert game.map.city_named("L7-0-1", "") == Spot("L7", 0)
    game.map.lay("F13", "X3", 0, 2)
    assert game.map.city_named("X3-0-2", "") == Spot("F13", 2)
    with pytest.raises(IllegalAction):
        game.map.city_named("F13-0-2", "")
