"""What changes in the course of a game of 1861 and in no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.choices import Range
from engine.core.companies import Company
from engine.core.journal import State
from engine.core.tokens import Token
from engine.games.g1861.meta import Constants1861

if TYPE_CHECKING:
    from engine.game import Game

NATIONAL = "RSR"
FIRST_MINOR = "N"
"""No other minor is put up for auction before it (R4.2.13)."""


class Russia(State):
    """The state railway and what belongs to it.

    Attributes
    ----------
    national
        The state railway; it is not on the list of companies (R1.6).
    outstanding
        Hexes for which it keeps its last tokens (R10.60).
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game.journal)
        facts = game.facts.companies[NATIONAL]
        national = Company(game.journal, facts)
        national.tokens = tuple(Token(game.journal, national, price) for price in facts.token_prices)
        national.started = national.floated = True
        self.national = national
        constants = game.facts.typed(Constants1861)
        self.outstanding: frozenset[str] = frozenset(constants.national_reservations)


def russia(game: Game) -> Russia:
    """Return the state railway and what belongs to it."""
    assert isinstance(game.extra, Russia)
    return game.extra


def available_minors(game: Game) -> list[Company]:
    """Return the minors that nobody has started and that can be auctioned in this phase (R1.4, R9.14)."""
    if game.phases.has_begun("5"):
        return []
    green = game.facts.typed(Constants1861).green_corporations
    return [
        company
        for company in game.open_companies
        if company.kind == "minor"
        and not company.started
        and (company.sym not in green or game.phases.has_begun("3"))
    ]


def available_majors(game: Game) -> list[Company]:
    """Return the majors that nobody has started (R9.14)."""
    if not game.phases.has_begun("3"):
        return []
    return [company for company in game.open_companies if company.kind == "major" and not company.started]


def bids(game: Game, least: int, cash: int) -> Range:
    """Return the bids that a player can make: from the least by steps (R4.1.6, R4.2.15)."""
    step = game.facts.constants.min_bid_increment
    return Range(least, cash - (cash - least) % step, step)


def may_buy_privates(game: Game) -> bool:
    """Tell whether corporations may buy private companies in this phase (R4.3.3)."""
    return "can_buy_companies" in game.phase.status
