"""The private companies of 1861: their auction, and their purchase by corporations (rules, 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Range
from engine.core.companies import Company
from engine.core.owners import Owner, Player
from engine.core.privates import Private
from engine.games.g1861.state import bids, may_buy_privates
from engine.rounds.base import Round
from engine.steps.base import Step, choice

if TYPE_CHECKING:
    from engine.game import Entity, Game


def acquire(private: Private, owner: Owner) -> None:
    """Give a private company a new owner."""
    if isinstance(private.owner, Company):
        private.owner.privates = tuple(item for item in private.owner.privates if item is not private)
    private.owner = owner
    if isinstance(owner, Company):
        owner.privates = (*owner.privates, private)


def real_privates(game: Game) -> list[Private]:
    """Return the private companies that somebody can own, the cheapest first (R1.3)."""
    found = [private for private in game.privates.values() if private.facts.revenue]
    return sorted(found, key=lambda private: private.facts.value)


class Sale(Step):
    """The private companies are sold one after the other.

    Attributes
    ----------
    items
        Those that are left, the one on sale first.
    least
        The least opening bid; in a Dutch auction the price.
    candidates
        Who may still bid, in order from the opener.
    declined
        Who passed before the first bid (R4.1.5).
    dutch
        All declined: the price falls (R4.1.8).
    high
        The standing bid and whose it is.
    last_winner
        Who got the last one.
    """

    def __init__(self, round: Round) -> None:
        super().__init__(round)
        self.items: tuple[Private, ...] = ()
        self.least = 0
        self.candidates: tuple[Player, ...] = ()
        self.declined: frozenset[Player] = frozenset()
        self.dutch = False
        self.high: tuple[Player, int] | None = None
        self.opener: Player = self.game.players[0]
        self.last_winner: Player | None = None

    @property
    def increment(self) -> int:
        """By how much a bid must be raised at least, and of what it is a multiple."""
        return self.game.facts.constants.min_bid_increment

    def begin(self) -> None:
        """Put the first private company up."""
        self.items = tuple(real_privates(self.game))
        self._offer(self.game.players[0])

    def _offer(self, opener: Player) -> None:
        self.opener, self.dutch = opener, False
        self.high, self.declined, self.candidates = None, frozenset(), ()
        if self.items:
            facts = self.items[0].facts
            self.least = facts.value - facts.discount
            self._ask()

    def _ask(self) -> None:
        """Ask all who can pay the price, beginning with the opener; at 0 he gets it (R4.1.4, R4.1.8)."""
        while self.items:
            players = self.game.players
            start = players.index(self.opener)
            order = (*players[start:], *players[:start])
            self.candidates = tuple(player for player in order if player.cash >= self.least)
            if self.least <= 0:
                self._win(self.candidates[0], 0)
                return
            if self.candidates:
                return
            self._lower()

    def _lower(self) -> None:
        self.dutch = True
        self.least -= self.increment

    @property
    def entity(self) -> Player | None:
        """Who must bid or pass."""
        if not self.items:
            return None
        if self.high is not None:
            place = self.candidates.index(self.high[0])
            return self.candidates[(place + 1) % len(self.candidates)]
        return next((player for player in self.candidates if player not in self.declined), None)

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``bid`` and ``pass``."""
        return ("bid", "pass") if entity is self.entity else ()

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Decline, or leave the auction of this company (R4.1.5, R4.1.6, R4.1.8)."""
        player = cast(Player, entity)
        if self.high is None and not self.dutch:
            self.declined = self.declined | {player}
            if self.declined.issuperset(self.candidates):
                self.declined = frozenset()
                self._lower()
                self._ask()
            return
        self.candidates = tuple(item for item in self.candidates if item is not player)
        if not self.candidates:
            self._lower()
            self._ask()
        self._settle()

    def do_bid(self, action: Action, entity: Entity) -> None:
        """Bid (R4.1.6); in a Dutch auction the first bid wins, even one above the price (R4.1.8)."""
        player, price = cast(Player, entity), action.number("price")
        if action.text("company") != self.items[0].sym:
            raise self.refuse("R4.1.1", entity, f"{self.items[0]} is on sale now")
        if price > player.cash:
            raise self.refuse("R4.1.6", entity, f"has {player.cash}, not {price}")
        least = self._least()
        if price < least or (price - least) % self.increment:
            raise self.refuse(
                "R4.1.6", entity, f"{price} is not {least}, or more by steps of {self.increment}"
            )
        self.declined = frozenset()
        if self.dutch:
            self._win(player, price)
            return
        self.high = (player, price)
        self.candidates = tuple(
            item for item in self.candidates if item is player or item.cash >= price + self.increment
        )
        self._settle()

    def _least(self) -> int:
        return self.least if self.high is None else self.high[1] + self.increment

    def _settle(self) -> None:
        if self.high is not None and len(self.candidates) == 1:
            self._win(*self.high)

    def _win(self, player: Player, price: int) -> None:
        """Sell to a player (R4.1.7); the player after him opens the next auction (R4.1.3)."""
        player.pay(price, self.game.bank)
        acquire(self.items[0], player)
        self.items = self.items[1:]
        self.last_winner = player
        players = self.game.players
        self._offer(players[(players.index(player) + 1) % len(players)])

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the bids and the pass."""
        player, least = cast(Player, entity), self._least()
        yield choice("pass", player)
        if least <= player.cash:
            price = bids(self.game, least, player.cash)
            yield choice("bid", player, company=self.items[0].sym, price=price)


class PrivateAuction(Round):
    """The auction of the private companies before the first stock round (R4.1)."""

    kind = "ISR"
    title = "Auction Round"
    step_types = (Sale,)

    def set_up(self) -> None:
        """Begin with the first player."""
        self.entities = self.game.players
        cast(Sale, self.steps[0]).begin()

    def advance(self) -> None:
        """End when nothing is left; the player after the last winner has priority (R3.5)."""
        self.over = True
        players, winner = self.game.players, cast(Sale, self.steps[0]).last_winner
        if winner is not None:
            self.game.rotate_players(players[(players.index(winner) + 1) % len(players)])


class BuyPrivate(Step):
    """The corporation buys private companies of players, between its other business (R4.3.3)."""

    blocking = False

    def for_sale(self, company: Company) -> list[Private]:
        """Return the private companies that it can buy."""
        if company.kind == "national" or company.cash < 1 or not may_buy_privates(self.game):
            return []
        return [
            private
            for private in self.game.privates.values()
            if isinstance(private.owner, Player) and not private.closed
        ]

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``buy_company``, and ``pass`` if the turn waits (R4.3.4)."""
        if entity is not self.entity or not isinstance(entity, Company) or not self.for_sale(entity):
            return ()
        return ("buy_company", "pass") if self.blocking else ("buy_company",)

    def do_buy_company(self, action: Action, entity: Entity) -> None:
        """Buy one from any player, for 1 to its face value."""
        company, price = self.company, action.number("price")
        private = self.game.privates.get(action.text("company"))
        if private not in self.for_sale(company):
            raise self.refuse("R4.3.3", entity, f"{action.text('company')!r} is not for sale")
        assert private.owner is not None
        most = min(private.facts.max_price, company.cash)
        if not private.facts.min_price <= price <= most:
            raise self.refuse("R4.3.3", entity, f"{price} is not {private.facts.min_price} to {most}")
        company.pay(price, private.owner)
        acquire(private, company)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every private company with its prices."""
        company = self.company
        for private in self.for_sale(company):
            least, most = private.facts.min_price, min(private.facts.max_price, company.cash)
            yield choice("buy_company", company, company=private.sym, price=Range(least, most))


class BuyPrivateStep(BuyPrivate):
    """The turn waits for a purchase, before the loans and at the end (R4.3.4)."""

    blocking = True

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the pass; purchases are always possible."""
        yield choice("pass", self.company)
