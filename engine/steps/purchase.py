"""What the purchase of a train brings about: phases, rust, events (``00-common R9.45``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.depot import Train, drop, hand_over

if TYPE_CHECKING:
    from engine.game import Game


def buy_from_bank(game: Game, company: Company, train: Train, price: int) -> None:
    """Sell a train of the bank to a company, with all that follows; discarded ones bring about nothing."""
    fresh = train in game.depot.upcoming
    company.pay(price, game.bank)
    game.depot.take(train)
    hand_over(train, company)
    if fresh:
        train_leaves(game, train, company)


def buy_from_company(game: Game, company: Company, train: Train, price: int) -> None:
    """Sell a company's train to another."""
    seller = train.owner
    assert seller is not None
    company.pay(price, seller)
    hand_over(train, company)


def train_leaves(game: Game, train: Train, buyer: Company | None) -> None:
    """Do what follows when a train leaves the bank, bought or exported (R9.45, R9.50)."""
    for phase in game.phases.advance(train.facts.name, train.name, train.id):
        game.rules.begin_phase(game, phase)
    rust(game, train)
    if not any(
        other.facts is train.facts and other.number < train.number and not game.depot.holds(other)
        for other in game.depot.trains.values()
    ):
        for event in train.facts.events:
            game.rules.train_event(game, event, buyer)


def rust(game: Game, train: Train) -> None:
    """Remove all trains that rust on this one, wherever they are."""
    for other in game.depot.trains.values():
        if other.facts.rusts_on in (train.facts.name, train.name) and other is not train:
            if other.owner is not None:
                drop(other)
            elif game.depot.holds(other):
                game.depot.upcoming = tuple(item for item in game.depot.upcoming if item is not other)
                game.depot.discarded = tuple(item for item in game.depot.discarded if item is not other)
