"""The share market of 1861: how prices move, and which cells are for whom (rules, section 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.market import Market, Place

if TYPE_CHECKING:
    from engine.game import Game

FOR_MINORS = frozenset({"par", "par_1"})
FOR_MAJORS = frozenset({"par", "par_2"})
HIGHEST_MINOR_PAR = 135
LEAST_MERGER, MOST_MERGER = 100, 200
"""Between these lies the price of a major that is formed by a merger (R10.12)."""


class RussianMarket(Market):
    """Minors stop at their highest prices, majors slide on along the upper edge (R8.7 to R8.10)."""

    def right(self, company: Company, place: Place) -> Place | None:
        """Return the cell to the right; for a minor at its highest price the one above (R8.7)."""
        if company.kind == "minor" and "max_price" in place.types:
            return None if self.one_d else self.up(company, place)
        return super().right(company, place)

    def up(self, company: Company, place: Place) -> Place | None:
        """Return the cell above; from the upper edge a major goes down and right (R8.9)."""
        if self.one_d or place.row:
            return super().up(company, place)
        return self.at(place.row + 1, place.column + 1) if company.kind == "major" else None

    def after_loans(self, company: Company) -> int:
        """Return the price that a company will have when its loans have been counted (R12.8)."""
        place = company.place
        for _ in company.loans:
            if place is not None:
                place = self._step(company, place, "left")
        return 0 if place is None else place.price


def cells(game: Game, types: frozenset[str]) -> list[Place]:
    """Return the cells with one of some marks, the cheapest first."""
    found = [place for place in game.market if types.intersection(place.types)]
    return sorted(found, key=lambda place: place.price)


def best_cell(game: Game, types: frozenset[str], most: int) -> Place | None:
    """Return the dearest of the marked cells whose price is not above ``most``."""
    fitting = [place for place in cells(game, types) if place.price <= most]
    return fitting[-1] if fitting else None


def merger_cell(game: Game, minors: tuple[Company, ...]) -> Place:
    """Return the cell of a major that minors form (R10.7, R10.12)."""
    prices = [minor.price for minor in minors]
    most = prices[0]
    if len(prices) > 1:
        most = min(MOST_MERGER, max(LEAST_MERGER, min(prices) + max(prices)))
    place = best_cell(game, FOR_MAJORS, most)
    assert place is not None
    return place
