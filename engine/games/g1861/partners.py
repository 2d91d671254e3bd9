"""Which minors of 1861 may merge (rules, R10.11 to R10.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.owners import Player
from engine.games.g1861.auction import below_limit
from engine.games.g1861.prices import merger_cell
from engine.games.g1861.state import available_majors
from engine.reach import reaches_city

if TYPE_CHECKING:
    from engine.game import Game

MAX_MINORS = 10
MAX_OWN_MINORS = 6


def partners(game: Game, chosen: tuple[Company, ...]) -> list[Company]:
    """Return the minors that may join some others (R10.11)."""
    if len(chosen) >= MAX_MINORS or not available_majors(game):
        return []
    return [
        other
        for other in game.open_companies
        if other.kind == "minor"
        and other.started
        and other not in chosen
        and sum(minor.owner is other.owner for minor in chosen) < MAX_OWN_MINORS
        and any(connected(game, minor, other) for minor in chosen)
    ]


def connected(game: Game, minor: Company, other: Company) -> bool:
    """Tell whether a minor's track reaches the city of another."""
    spots = [token.spot for token in other.placed_tokens if token.spot is not None]
    return reaches_city(game.map, minor, spots)


def can_succeed(game: Game, minors: tuple[Company, ...]) -> bool:
    """Tell whether somebody would own or could buy enough to be president of a merger (R10.13)."""
    owners = [minor.owner for minor in minors]
    price = merger_cell(game, minors).price
    return any(
        owners.count(owner) > 1 or (owner.cash >= price and below_limit(game, owner))
        for owner in owners
        if isinstance(owner, Player)
    )
