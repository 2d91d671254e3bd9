"""Closing a company (``00-common R9.54``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.certificates import move
from engine.core.companies import Company
from engine.core.depot import drop
from engine.core.owners import Owner

if TYPE_CHECKING:
    from engine.game import Game


def close(game: Game, company: Company, cash_to: Owner | None = None) -> None:
    """Close a company: all that it has leaves the game, its cash goes to the bank or to ``cash_to``."""
    for token in company.placed_tokens:
        game.map.lift(token)
    game.map.forget_reservations(company.sym)
    company.pay(company.cash, cash_to or game.bank)
    for train in company.trains:
        drop(train)
    for private in company.privates:
        private.closed = True
    move(company.certificates, None)
    game.market.remove(company)
    company.president = None
    company.floated = company.started = False
    company.closed = True
