"""What lies on the map: on each hex a tile, in its cities the tokens. A board never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.facts import GameFacts
from engine.position import LaidTile, Position, Token
from engine.tiles import Tile, TileNode, turned


@dataclass(frozen=True, eq=False)
class Board:
    """A state of the map.

    Attributes
    ----------
    laid
        The tiles of the supply that lie on the map, by hex.
    tokens
        The tokens on each hex that has any.
    """

    facts: GameFacts
    laid: Mapping[str, LaidTile]
    tokens: Mapping[str, tuple[Token, ...]]

    @staticmethod
    def of(facts: GameFacts, tiles: Iterable[LaidTile], tokens: Iterable[Token]) -> Board:
        """Return the board with these tiles and tokens."""
        lying: dict[str, tuple[Token, ...]] = {}
        for token in tokens:
            lying[token.hex] = (*lying.get(token.hex, ()), token)
        return Board(facts, {tile.hex: tile for tile in tiles}, lying)

    @staticmethod
    def of_position(facts: GameFacts, position: Position) -> Board:
        """Return the board of a position."""
        return Board.of(facts, position.tiles, position.tokens)

    def tile(self, hex_id: str) -> Tile:
        """Return what is seen on a hex: the laid tile as it is turned, or the print."""
        laid = self.laid.get(hex_id)
        if laid is None:
            return self.facts.map.hexes[hex_id].printed
        return turned(self.facts.tiles[laid.tile], laid.rotation)

    def tokens_in(self, hex_id: str, city: int) -> tuple[Token, ...]:
        """Return the tokens in a city, those beside its slots included."""
        return tuple(
            token for token in self.tokens.get(hex_id, ()) if token.city == city and not token.off_city
        )

    def has_token(self, company: str, hex_id: str, stop: TileNode) -> bool:
        """Tell whether a company has a token in a stop."""
        if stop.city is None or hex_id not in self.tokens:
            return False
        return any(token.company == company for token in self.tokens_in(hex_id, stop.city))

    def blocks(self, company: str, hex_id: str, stop: TileNode) -> bool:
        """Tell whether a stop stops the company's way through (``00-common R6.3``).

        A city does if all its slots hold tokens and none is the company's. A slot that is kept for somebody
        counts as empty, tokens beside the slots take none. Towns never block; that off-board areas end every
        route is another rule.
        """
        if stop.city is None or hex_id not in self.tokens:
            return False
        inside = self.tokens_in(hex_id, stop.city)
        if any(token.company == company for token in inside):
            return False
        return sum(not token.extra for token in inside) >= stop.slots

    @cached_property
    def hexes_by_company(self) -> Mapping[str, frozenset[str]]:
        """The hexes with tokens of each company."""
        found: dict[str, set[str]] = {}
        for hex_id, tokens in self.tokens.items():
            for token in tokens:
                found.setdefault(token.company, set()).add(hex_id)
        return {company: frozenset(hexes) for company, hexes in found.items()}
