"""Minors of 1861 come into the game by auction, in the course of a stock round (R4.2.13 to R4.2.17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, cast

from engine.actions import Action
from engine.choices import Choice
from engine.core.certificates import move
from engine.core.companies import Company
from engine.core.owners import Player
from engine.core.tokens import Spot
from engine.games.g1861.meta import Constants1861
from engine.games.g1861.prices import FOR_MINORS, HIGHEST_MINOR_PAR, best_cell
from engine.games.g1861.state import FIRST_MINOR, available_minors, bids
from engine.rounds.base import Round
from engine.steps.base import Step, choice

if TYPE_CHECKING:
    from engine.game import Entity, Game


def least_bid(game: Game) -> int:
    """Return the least opening bid for a minor (R4.2.13)."""
    return 2 * game.facts.typed(Constants1861).minimum_minor_price


def below_limit(game: Game, player: Player) -> bool:
    """Tell whether a player may take one more certificate."""
    return game.rules.certificates_of(game, player) < game.rules.certificate_limit(game)


def can_open(game: Game, player: Player) -> bool:
    """Tell whether a player is asked for a bid, whatever minors he could have now (R4.2.3)."""
    return player.cash >= least_bid(game) and bool(available_minors(game)) and below_limit(game, player)


def on_offer(game: Game) -> list[Company]:
    """Return the minors that may be put up: the first one before all others (R4.2.13)."""
    minors = available_minors(game)
    first = [minor for minor in minors if minor.sym == FIRST_MINOR]
    return first or minors


class AuctionRound(Protocol):
    """A round in which an auction ends the turn of its winner."""

    def end_turn_of(self, winner: Player) -> None:
        """Let the turn go on after that of the winner."""


class MinorAuction(Step):
    """The auction of a minor that a player has put up.

    Attributes
    ----------
    minor
        What is on sale, ``None`` while there is no auction.
    candidates
        Who may still bid, in seat order.
    high
        The standing bid and whose it is.
    """

    def __init__(self, round: Round) -> None:
        super().__init__(round)
        self.minor: Company | None = None
        self.candidates: tuple[Player, ...] = ()
        self.high: tuple[Player, int] | None = None

    @property
    def increment(self) -> int:
        """By how much a bid must be raised at least, and of what it is a multiple."""
        return self.game.facts.constants.min_bid_increment

    @property
    def entity(self) -> Player | None:
        """The candidate after the one whose bid stands (R4.2.15)."""
        if self.minor is None or self.high is None:
            return None
        place = self.candidates.index(self.high[0])
        return self.candidates[(place + 1) % len(self.candidates)]

    def skip(self) -> None:
        """Stay open: an auction begins in the middle of a turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``bid`` and ``pass`` during an auction."""
        return ("bid", "pass") if self.minor is not None and entity is self.entity else ()

    def begin(self, action: Action, player: Player) -> None:
        """Put a minor up (R4.2.13, R4.2.14)."""
        game, sym, price = self.game, action.text("corporation"), action.number("price")
        minor = next((item for item in on_offer(game) if item.sym == sym), None)
        if minor is None:
            raise self.refuse("R4.2.13", player, f"{sym} cannot be put up for auction now")
        if not below_limit(game, player):
            raise self.refuse("00-common R8.14", player, "is at the certificate limit")
        self._check(player, price, least_bid(game))
        place_home(game, minor)
        self.minor = minor
        self.candidates = game.players
        self._stand(player, price)

    def do_bid(self, action: Action, entity: Entity) -> None:
        """Bid higher."""
        assert self.minor is not None and self.high is not None
        player, price = cast(Player, entity), action.number("price")
        if action.text("corporation") != self.minor.sym:
            raise self.refuse("R4.2.15", entity, f"{self.minor} is on sale now")
        self._check(player, price, self.high[1] + self.increment)
        self._stand(player, price)

    def _check(self, player: Player, price: int, least: int) -> None:
        if price > player.cash:
            raise self.refuse("R4.2.13", player, f"has {player.cash}, not {price}")
        if price < least or (price - least) % self.increment:
            raise self.refuse(
                "R4.2.15", player, f"{price} is not {least}, or more by steps of {self.increment}"
            )

    def _stand(self, player: Player, price: int) -> None:
        """Let a bid stand; who cannot raise it is out (R4.2.15)."""
        self.high = (player, price)
        self.candidates = tuple(
            item
            for item in self.candidates
            if item is player or (item.cash >= price + self.increment and below_limit(self.game, item))
        )
        self._settle()

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Leave the auction."""
        self.candidates = tuple(item for item in self.candidates if item is not entity)
        self._settle()

    def _settle(self) -> None:
        if len(self.candidates) == 1:
            self._win()

    def _win(self) -> None:
        """Found the minor with the whole bid; the winner's turn is over then (R4.2.16, R4.2.17).

        The bank lends the price of the certificate for a moment, which can break it.
        """
        assert self.minor is not None and self.high is not None
        game, minor, (player, price) = self.game, self.minor, self.high
        place = best_cell(game, FOR_MINORS, min(price // 2, HIGHEST_MINOR_PAR))
        assert place is not None
        game.market.put(minor, place)
        game.bank.pay(2 * place.price, minor)
        minor.pay(2 * place.price, game.bank)
        player.pay(price, minor)
        move(minor.certificates, player)
        minor.par = place.price
        minor.president = player
        minor.started = minor.floated = True
        self.minor = self.high = None
        cast(AuctionRound, self.round).end_turn_of(player)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the bids and the pass."""
        assert self.minor is not None and self.high is not None
        player, least = cast(Player, entity), self.high[1] + self.increment
        yield choice("pass", player)
        if least <= player.cash:
            price = bids(self.game, least, player.cash)
            yield choice("bid", player, corporation=self.minor.sym, price=price)


def place_home(game: Game, minor: Company) -> None:
    """Place the only token of a minor in the city that is kept for it (R4.2.14)."""
    token, home = minor.next_token, minor.facts.home
    assert token is not None and home is not None
    cities = game.map.cities[home]
    city = next((n for n, item in enumerate(cities) if minor.sym in item.reserved), 0)
    slot = cities[city].slot_for(minor)
    if slot is not None:
        game.map.place(token, Spot(home, city), slot)
