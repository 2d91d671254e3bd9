"""What lies where, and what blocks."""

from __future__ import annotations

import pytest

from engine.board import Board
from engine.facts import GameFacts
from engine.position import LaidTile, Token
from engine.registry import find_game


@pytest.fixture(scope="module")
def facts() -> GameFacts:
    return find_game("18NewEngland").facts(players=4)


def test_a_bare_board_shows_the_prints(facts: GameFacts) -> None:
    board = Board.of(facts, (), ())
    assert board.tile("F13") is facts.map.hexes["F13"].printed
    assert board.tokens_in("F13", 0) == ()


def test_a_laid_tile_hides_the_print_and_lies_turned(facts: GameFacts) -> None:
    board = Board.of(facts, [LaidTile("E4", "6", 3)], ())
    drawn = facts.tiles["6"].exits
    assert board.tile("E4").exits == {(edge + 3) % 6 for edge in drawn}


@pytest.mark.parametrize(
    ("owners", "blocked"),
    [([], False), (["CN"], False), (["CN", "NYC"], True), (["CN", "D&H"], False)],
)
def test_a_city_blocks_when_it_is_full_of_others(facts: GameFacts, owners: list[str], blocked: bool) -> None:
    """Two slots, seen by D&H (R6.3: an empty slot or an own token is enough)."""
    tokens = [Token("G8", 0, slot, owner) for slot, owner in enumerate(owners)]
    board = Board.of(facts, [LaidTile("G8", "63", 0)], tokens)
    stop = board.tile("G8").cities[0]
    assert stop.slots == 2
    assert board.blocks("D&H", "G8", stop) is blocked
    assert board.has_token("D&H", "G8", stop) is ("D&H" in owners)


def test_tokens_beside_the_slots_take_none(facts: GameFacts) -> None:
    tokens = [Token("G8", 0, 0, "CN"), Token("G8", 0, 2, "NYC", extra=True)]
    board = Board.of(facts, [LaidTile("G8", "63", 0)], tokens)
    stop = board.tile("G8").cities[0]
    assert not board.blocks("D&H", "G8", stop)
    assert board.has_token("NYC", "G8", stop)


def test_tokens_in_no_city_neither_block_nor_help(facts: GameFacts) -> None:
    board = Board.of(facts, (), [Token("I6", 0, 0, "CN", off_city=True)])
    stop = board.tile("F13").cities[0]
    assert not board.has_token("CN", "I6", stop)
    assert not board.blocks("NYC", "I6", stop)


def test_towns_never_block(facts: GameFacts) -> None:
    board = Board.of(facts, (), [Token("L7", 0, 0, "GR")])
    town = next(node for node in board.tile("L7").nodes if node.kind == "town")
    assert not board.blocks("CN", "L7", town)


def test_hexes_by_company(facts: GameFacts) -> None:
    board = Board.of(
        facts, (), [Token("F13", 0, 0, "NYNH"), Token("F13", 1, 0, "HNH"), Token("B3", 0, 0, "HNH")]
    )
    assert board.hexes_by_company == {"NYNH": {"F13"}, "HNH": {"F13", "B3"}}
