"""Whole games by bots: they end by the rules, keep the books, and replay from their record."""

from __future__ import annotations

import pytest
from playthroughs.books import watched_game
from playthroughs.soak import tables

from engine.audit.findings import Header
from engine.audit.job import audit_record
from engine.bots import play
from engine.registry import find_game
from engine.rules import PLAYABLE

CASES = [(game, *table, "random") for game in PLAYABLE for table in tables(game)]
CASES += [(game, players, (), "greedy") for game in PLAYABLE for players in find_game(game).players]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options", "bot"), CASES)
def test_a_whole_game(name: str, players: int, options: tuple[str, ...], bot: str) -> None:
    game = watched_game(name, players, options, players, bot=bot)  # type: ignore[arg-type]
    print(f"\n{name}, {players} players, {options}, {bot}: {len(game.log)} actions, {game.ending.reason}")


def test_a_careless_bot_often_misses_the_best_run() -> None:
    """It is a source of games to audit."""
    game = watched_game("18NewEngland", 3, seed=5, bot="careless")
    found = audit_record(game.record(), Header("", "unreadable"))
    assert (found.header.state, found.header.finished) == ("done", True)
    assert all(item.confirmed for item in found.runs)
    below = sum(bool(item.lost) for item in found.runs)
    assert 0 < below < len(found.runs) / 2


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (play("18NewEngland", 3, seed=11).log for _ in range(2))
    assert one == other
