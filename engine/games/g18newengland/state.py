"""What changes in the course of a game of 18 New England and in no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.journal import State
from engine.core.market import Place
from engine.core.owners import Player
from engine.games.g18newengland.meta import Constants18NewEngland

if TYPE_CHECKING:
    from engine.game import Game


class Minors(State):
    """Which minors can be formed, at which values.

    Attributes
    ----------
    starting
        The minors that are there from the start (R2.4).
    used
        The cells that had a minor; none can take another (R1.8).
    reservations
        Who reserved which minor in the first stock round.
    relinquished
        Players who gave their reservations up (R4.1.6).
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game.journal)
        self.game = game
        self.starting: frozenset[Company] = frozenset()
        self.used: frozenset[Place] = frozenset()
        self.reservations: Mapping[Company, Player] = {}
        self.relinquished: frozenset[Player] = frozenset()

    @property
    def constants(self) -> Constants18NewEngland:
        """The figures of the game."""
        return self.game.facts.typed(Constants18NewEngland)

    def available(self) -> list[Company]:
        """Return the minors that can be formed now (R2.5)."""
        return [
            company
            for company in self.game.open_companies
            if company.kind == "minor"
            and not company.started
            and (company in self.starting or self.game.phases.has_begun("3"))
        ]

    def free_cells(self) -> list[Place]:
        """Return the cells in which a minor can be formed now, the cheapest first (R1.6, R4.2.4)."""
        prices = set(self.constants.yellow_prices)
        if self.game.phases.has_begun("3"):
            prices |= set(self.constants.green_prices)
        rows = (self.constants.top_minor_row, self.constants.bottom_minor_row)
        cells = [
            place
            for place in self.game.market
            if place.row in rows and place.price in prices and place not in self.used
        ]
        return sorted(cells, key=lambda place: (place.price, place.row))

    def lowest_cost(self) -> int | None:
        """Return what the cheapest minor costs now, ``None`` if all cells are used."""
        cells = self.free_cells()
        return 2 * cells[0].price if cells else None

    def form(self, player: Player, minor: Company, place: Place) -> None:
        """Form a minor: twice its value goes into its treasury (R4.1.3)."""
        from engine.core.certificates import move

        player.pay(2 * place.price, minor)
        self.game.market.put(minor, place)
        self.used = self.used | {place}
        move(minor.certificates, player)
        minor.par = place.price
        minor.president = player
        minor.started = minor.floated = True


def minors(game: Game) -> Minors:
    """Return the minors of a game."""
    assert isinstance(game.extra, Minors)
    return game.extra
