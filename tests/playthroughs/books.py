"""Whole bot games that are watched: the books add up after every action, and records replay to the end."""

from __future__ import annotations

import json

from engine.actions import Action
from engine.bots import Bot, BotName, play
from engine.game import Game
from engine.record import Record
from engine.replay import replay
from engine.trace import trace_state


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


def watched_game(
    name: str, players: int, options: tuple[str, ...] = (), seed: int = 0, *, bot: BotName | Bot = "random"
) -> Game:
    """Play a whole game with an eye on the books after every action; its record replays to the same end."""
    game = play(name, players, options, seed, bot=bot, watch=check_books)
    assert game.finished
    record = Record.from_json(json.loads(json.dumps(game.record().to_json())))
    again = replay(record, trusting=False)
    assert trace_state(again) == trace_state(game)
    assert again.scores() == record.result
    return game
