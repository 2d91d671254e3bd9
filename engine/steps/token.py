"""Placing a token (``00-common`` section 9.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice, Free
from engine.core.companies import Company
from engine.core.tokens import Spot
from engine.reach import reach, reaches_city
from engine.steps.base import Step, choice

if TYPE_CHECKING:
    from engine.game import Entity


class PlaceToken(Step):
    """The company places one token in a city that it reaches."""

    def reset(self) -> None:
        """Forget the last turn."""
        self.placed = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``place_token`` and ``pass`` if there is a token, its money and a city for it (R9.8)."""
        if entity is not self.entity or not isinstance(entity, Company) or self.placed:
            return ()
        token = entity.next_token
        if token is None or token.price > entity.cash or not self._finds_place(entity):
            return ()
        return ("place_token", "pass")

    def _finds_place(self, company: Company) -> bool:
        """Tell whether some reached city can take a token, whatever it costs there."""
        board = self.game.map
        open_cities = [
            Spot(hex_id, city)
            for hex_id, cities in board.cities.items()
            for city in range(len(cities))
            if board.free_slot(company, Spot(hex_id, city)) is not None
            and not board.has_token(company, hex_id)
        ]
        return reaches_city(board, company, open_cities)

    def spots(self, company: Company) -> Iterator[Spot]:
        """Yield the reached cities that can take a token, whatever it costs there."""
        board = self.game.map
        reached = reach(board, company)
        for hex_id, node in sorted(reached.nodes):
            city = board.tile(hex_id).nodes[node].city
            if city is not None and not board.has_token(company, hex_id):
                spot = Spot(hex_id, city)
                if board.free_slot(company, spot) is not None:
                    yield spot

    def price(self, company: Company, spot: Spot) -> int:
        """Return what the next token costs in a city."""
        token = company.next_token
        return 0 if token is None else token.price

    def do_place_token(self, action: Action, entity: Entity) -> None:
        """Place the next token (R9.40, R9.41); the recorded slot does not bind (R1.20)."""
        company, board = self.company, self.game.map
        spot = board.city_named(action.text("city"), entity)
        token = company.next_token
        if token is None:
            raise self.refuse("00-common R9.40", entity, "has no token left")
        if board.has_token(company, spot.hex):
            raise self.refuse("00-common R9.40", entity, f"has a token in {spot.hex} already")
        slot = board.free_slot(company, spot)
        if slot is None:
            raise self.refuse("00-common R9.40", entity, f"no slot is free for it in {spot.hex}")
        if not reaches_city(board, company, [spot]):
            self.game.lenient("00-common R6.6", entity, f"does not reach the city in {spot.hex}")
        price = self.price(company, spot)
        if price > company.cash:
            raise self.refuse("00-common R9.40", entity, f"the token costs {price}, it has {company.cash}")
        board.place(token, spot, slot)
        company.pay(price, self.game.bank)
        self.placed = True

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every city that the company can pay, and the pass."""
        company, board = self.company, self.game.map
        yield choice("pass", company)
        for spot in self.spots(company):
            if self.price(company, spot) <= company.cash:
                slot = board.free_slot(company, spot)
                yield choice("place_token", company, city=board.city_id(spot), slot=Free(slot))
