"""The map in play: which tile lies on each hex, which tokens lie in its cities, what is kept for whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine.core.companies import Company
from engine.core.journal import Journal, State
from engine.core.supply import Supply
from engine.core.tokens import City, Spot, Token
from engine.facts import GameFacts
from engine.position import LaidTile
from engine.position import Token as PlacedToken
from engine.refusal import IllegalAction
from engine.tiles import Tile, turned


@dataclass(frozen=True, slots=True)
class LaidCopy:
    """A copy of a tile that lies on the map."""

    tile: str
    number: int
    rotation: int

    @property
    def id(self) -> str:
        """How records name the copy: ``57-0``."""
        return f"{self.tile}-{self.number}"


@lru_cache(maxsize=8192)
def city_exits(tile: Tile) -> tuple[frozenset[int], ...]:
    """Return for each city the edges to which its own track leads."""
    found = []
    for city in tile.cities:
        index = tile.nodes.index(city)
        found.append(frozenset(edge for path in tile.paths if index in path.nodes for edge in path.edges))
    return tuple(found)


def city_map(old: Tile, new: Tile) -> tuple[int, ...]:
    """Return for each city of a tile the city of its successor (``00-common R5.29``)."""
    before, after = city_exits(old), city_exits(new)
    if len(before) == len(after) and not any(before):
        return tuple(range(len(before)))
    found: dict[int, int] = {}
    for city, exits in enumerate(before):
        target = next((n for n, there in enumerate(after) if exits and exits <= there), None)
        if target is not None:
            found[city] = target
    for city in range(len(before)):
        if city not in found:
            free = [n for n in range(len(after)) if n not in found.values()]
            found[city] = city if city in free else (free or [0])[0]
    return tuple(found[city] for city in range(len(before)))


class GameMap(State):
    """The map in play.

    Attributes
    ----------
    laid
        The supply tiles on the map, by hex.
    cities
        The cities of each hex that has any.
    kept
        Companies for which a hex as a whole keeps a slot in any of its cities.
    loose
        Tokens that lie on a hex but in no city yet.
    paid_borders
        Borders whose cost was paid: (hex, edge), both sides.
    """

    def __init__(self, journal: Journal, facts: GameFacts) -> None:
        super().__init__(journal)
        self.facts = facts
        self.supply = Supply(journal, facts.tiles)
        self.laid: Mapping[str, LaidCopy] = {}
        self.cities: Mapping[str, tuple[City, ...]] = {
            hex_id: _cities(item.printed) for hex_id, item in facts.map.hexes.items() if item.printed.cities
        }
        self.kept: Mapping[str, tuple[str, ...]] = {}
        self.loose: Mapping[str, tuple[Token, ...]] = {}
        self.paid_borders: frozenset[tuple[str, int]] = frozenset()
        self.cache: dict[Any, Any] = {}
        self._printed_names = {item.printed_id: hex_id for hex_id, item in facts.map.hexes.items()}

    def tile(self, hex_id: str) -> Tile:
        """Return what is seen on a hex, as it lies."""
        laid = self.laid.get(hex_id)
        if laid is None:
            return self.facts.map.hexes[hex_id].printed
        return turned(self.facts.tiles[laid.tile], laid.rotation)

    def tile_id(self, hex_id: str) -> str:
        """Return how records name the tile of a hex."""
        laid = self.laid.get(hex_id)
        return self.facts.map.hexes[hex_id].printed_id if laid is None else laid.id

    def links(self, hex_id: str) -> Mapping[int, str]:
        """Return the neighbours by edge to which track may lead."""
        return self.facts.map.links(hex_id)

    def city(self, spot: Spot) -> City:
        """Return a city."""
        return self.cities[spot.hex][spot.city]

    def city_id(self, spot: Spot) -> str:
        """Return how records name a city (``00-common R2.4``)."""
        return f"{self.tile_id(spot.hex)}-{self.tile(spot.hex).cities[spot.city].part}"

    def city_named(self, name: str, entity: object) -> Spot:
        """Return the city that a record names; supply tiles come before prints (``00-common R2.5``).

        Raises
        ------
        IllegalAction
            If there is no such city on the map.
        """
        tile_id, _, part = name.rpartition("-")
        hex_id = next((hex_id for hex_id, laid in self.laid.items() if laid.id == tile_id), None)
        if hex_id is None:
            hex_id = self._printed_names.get(tile_id) or tile_id.rpartition("-")[0]
        if hex_id in self.cities and self.tile_id(hex_id).rpartition("-")[0] == tile_id.rpartition("-")[0]:
            for index, city in enumerate(self.tile(hex_id).cities):
                if str(city.part) == part:
                    return Spot(hex_id, index)
        raise IllegalAction("00-common R2.4", entity, f"{name!r} is no city on the map")

    def has_token(self, company: Company, hex_id: str) -> bool:
        """Tell whether a company has a token in any city of a hex."""
        return any(city.has(company) for city in self.cities.get(hex_id, ()))

    def free_slot(self, company: Company, spot: Spot) -> int | None:
        """Return the slot that a company's token would take (``00-common R9.40``), if there is one."""
        city = self.city(spot)
        slot = city.slot_for(company)
        others = [name for name in self.kept.get(spot.hex, ()) if name != company.sym]
        if slot is None or company.sym in city.reserved or not others:
            return slot
        free = sum(token is None for item in self.cities[spot.hex] for token in item.slots)
        return slot if len(others) < free else None

    def place(self, token: Token, spot: Spot, slot: int) -> None:
        """Lay a token into a slot."""
        self._set_city(spot, self.city(spot).with_token(token, slot))
        token.spot = spot
        if token.company.sym in self.kept.get(spot.hex, ()):
            self.kept = {
                **self.kept,
                spot.hex: tuple(name for name in self.kept[spot.hex] if name != token.company.sym),
            }

    def lift(self, token: Token) -> None:
        """Take a token off the map."""
        spot = token.spot
        if spot is None:
            return
        self._set_city(spot, self.city(spot).without_token(token))
        token.spot = None

    def exchange(self, old: Token, new: Token) -> None:
        """Lay a token exactly where another lies, which is taken off."""
        spot = old.spot
        if spot is None:
            return
        city = self.city(spot)
        self._set_city(
            spot,
            replace(
                city,
                slots=tuple(new if item is old else item for item in city.slots),
                extra=tuple(new if item is old else item for item in city.extra),
            ),
        )
        old.spot, new.spot = None, spot

    def forget_reservation_in(self, hex_id: str, name: str) -> None:
        """Cancel the slots of a hex's cities that are kept for a company."""
        for index, city in enumerate(self.cities[hex_id]):
            if name in city.reserved:
                self._set_city(Spot(hex_id, index), city.without_reservation(name))

    def forget_reservations(self, name: str) -> None:
        """Cancel every slot that is kept for a company."""
        for hex_id in self.cities:
            self.forget_reservation_in(hex_id, name)
        if any(name in names for names in self.kept.values()):
            self.kept = {
                hex_id: tuple(item for item in names if item != name) for hex_id, names in self.kept.items()
            }
            self.cache = {}

    def lay(self, hex_id: str, tile: str, number: int, rotation: int) -> tuple[Token, ...]:
        """Lay a copy of the supply; the replaced tile goes back, tokens and kept slots move along.

        Returns
        -------
        tuple
            Tokens that had to be lifted because they must be placed anew (``00-common R5.31``).
        """
        old, replaced = self.tile(hex_id), self.laid.get(hex_id)
        self.supply.take(tile, number)
        if replaced is not None:
            self.supply.put_back(replaced.tile, replaced.number)
        self.laid = {**self.laid, hex_id: LaidCopy(tile, number, rotation)}
        self.cache = {}
        new = self.tile(hex_id)
        lifted: tuple[Token, ...] = ()
        cities = self.cities.get(hex_id, ())
        if not old.paths and new.paths and len(new.cities) > 1:
            lifted = tuple(token for city in cities for token in city.tokens)
            for token in lifted:
                self.lift(token)
            cities = self.cities.get(hex_id, ())
        if new.cities:
            self._move_cities(hex_id, cities, city_map(old, new), new)
        elif cities:
            self.cities = {name: item for name, item in self.cities.items() if name != hex_id}
        return lifted

    def _move_cities(self, hex_id: str, old: tuple[City, ...], to: tuple[int, ...], tile: Tile) -> None:
        """Move kept slots, then tokens, to the cities of the new tile (``00-common R5.30``)."""
        new = [City((None,) * city.slots) for city in tile.cities]
        for city, target in zip(old, to, strict=True):
            new[target] = replace(new[target], reserved=new[target].reserved + city.reserved)
        for city, target in zip(old, to, strict=True):
            for token in city.tokens:
                slot = None if token in city.extra else new[target].slot_for(token.company)
                if slot is None:
                    new[target] = replace(new[target], extra=(*new[target].extra, token))
                else:
                    new[target] = new[target].with_token(token, slot)
                token.spot = Spot(hex_id, target)
        self.cities = {**self.cities, hex_id: tuple(new)}

    def _set_city(self, spot: Spot, city: City) -> None:
        cities = self.cities[spot.hex]
        self.cities = {**self.cities, spot.hex: (*cities[: spot.city], city, *cities[spot.city + 1 :])}
        self.cache = {}

    def laid_tiles(self) -> tuple[LaidTile, ...]:
        """Return the laid tiles as a position lists them, in the order of the map."""
        return tuple(
            LaidTile(hex_id, self.laid[hex_id].tile, self.laid[hex_id].rotation)
            for hex_id in self.facts.map.hexes
            if hex_id in self.laid
        )

    def placed_tokens(self) -> Iterator[PlacedToken]:
        """Yield the tokens as a position lists them, in the order of the map."""
        for hex_id in self.facts.map.hexes:
            for index, city in enumerate(self.cities.get(hex_id, ())):
                for slot, token in enumerate(city.slots):
                    if token is not None:
                        yield PlacedToken(hex_id, index, slot, token.company.sym)
                for place, token in enumerate(city.extra):
                    yield PlacedToken(hex_id, index, len(city.slots) + place, token.company.sym, extra=True)
            for token in self.loose.get(hex_id, ()):
                yield PlacedToken(hex_id, 0, 0, token.company.sym, off_city=True)


def _cities(tile: Tile) -> tuple[City, ...]:
    return tuple(City((None,) * city.slots, city.reservations) for city in tile.cities)
