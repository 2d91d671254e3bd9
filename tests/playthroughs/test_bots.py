"""Whole games by bots: they end by the rules, keep the books, and replay from their record."""

from __future__ import annotations

import json

import pytest

from engine.actions import Action
from engine.bots import play
from engine.game import Game
from engine.record import Record
from engine.registry import find_game
from engine.replay import replay
from engine.rules import PLAYABLE
from engine.trace import trace_state

CASES = [
    (game, players, options, bot)
    for game in PLAYABLE
    for players in find_game(game).players
    for options, bot in [
        *(((option,), "random") for option, fits in find_game(game).options.items() if players in fits),
        ((), "random"),
        ((), "greedy"),
    ]
]


def check_books(game: Game, action: Action) -> None:
    """Check that money, shares, tokens and tiles add up."""
    money = game.bank.cash + game.pool.cash + sum(player.cash for player in game.all_players)
    money += sum(company.cash for company in game.companies.values())
    money += sum(company.cash for company in game.rules.special_companies(game))
    assert money == (game.facts.constants.bank_cash or 0), action
    for company in game.open_companies:
        assert company.cash >= 0, action
        held = sum(item.percent for items in company.holdings.values() for item in items)
        assert held in (0, 100), action
        placed = [token for token in company.tokens if token.spot is not None]
        for token in placed:
            assert token.spot is not None
            assert token in game.map.city(token.spot).tokens, action
    assert all(player.cash >= 0 for player in game.all_players), action
    for name, tile in game.facts.tiles.items():
        if tile.count is not None:
            laid = sum(item.tile == name for item in game.map.laid.values())
            assert laid + len(game.map.supply.copies[name]) == tile.count, action


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options", "bot"), CASES)
def test_a_whole_game(name: str, players: int, options: tuple[str, ...], bot: str) -> None:
    game = play(name, players, options, players, bot=bot, watch=check_books)  # type: ignore[arg-type]
    assert game.finished
    record = Record.from_json(json.loads(json.dumps(game.record().to_json())))
    again = replay(record, trusting=False)
    assert trace_state(again) == trace_state(game)
    assert again.scores() == record.result
    print(f"\n{name}, {players} players, {options}, {bot}: {len(game.log)} actions, {game.ending.reason}")


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (play("18NewEngland", 3, seed=11).log for _ in range(2))
    assert one == other
