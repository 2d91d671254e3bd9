"""What a company reaches from its tokens, for track and for tokens (``00-common`` section 6).

A piece of track is reached if some *trail* from a token leads over it: a walk that uses no track twice and
leaves no hex twice over the same edge (R6.4). A plain flood would reach too much, namely whatever lies behind
a switch that can only be entered against its direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.core.companies import Company
from engine.core.gamemap import GameMap, city_map
from engine.core.tokens import Spot
from engine.hexes import opposite
from engine.tiles import AtNode, Edge, Gauge, Path, PathEnd, Tile
from engine.trails import Trails

PieceKey = tuple[str, int]
"""Hex and number of a piece among the paths of its tile."""
NodeKey = tuple[str, int]
"""Hex and number of a stop among those of its tile."""

FITS: Mapping[Gauge, frozenset[Gauge]] = {
    "broad": frozenset({"broad", "dual"}),
    "narrow": frozenset({"narrow", "dual"}),
    "dual": frozenset({"broad", "narrow", "dual"}),
}


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A path of the tile on a hex."""

    key: PieceKey
    hex: str
    path: Path
    edges: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class HexTrack:
    """The pieces on a hex, by what they touch."""

    pieces: tuple[Piece, ...]
    at_edge: Mapping[int, tuple[Piece, ...]]
    at_node: Mapping[int, tuple[Piece, ...]]


@lru_cache(maxsize=16_384)
def hex_track(hex_id: str, tile: Tile) -> HexTrack:
    """Return the track of a tile as it lies on a hex."""
    pieces = tuple(
        Piece((hex_id, number), hex_id, path, path.edges) for number, path in enumerate(tile.paths)
    )
    at_edge: dict[int, tuple[Piece, ...]] = {}
    at_node: dict[int, tuple[Piece, ...]] = {}
    for piece in pieces:
        for edge in piece.edges:
            at_edge[edge] = (*at_edge.get(edge, ()), piece)
        for node in piece.path.nodes:
            at_node[node] = (*at_node.get(node, ()), piece)
    return HexTrack(pieces, at_edge, at_node)


@dataclass(frozen=True, eq=False, slots=True)
class Reached:
    """What a company reaches.

    Attributes
    ----------
    nodes
        Stops, those with its tokens and those that block it included.
    edges
        By hex the edges at which its track may be joined (R6.5).
    has_route
        From some token another stop is reached (R6.9).
    """

    pieces: frozenset[PieceKey]
    nodes: frozenset[NodeKey]
    edges: Mapping[str, frozenset[int]]
    has_route: bool

    def reaches_city(self, board: GameMap, spot: Spot) -> bool:
        """Tell whether a city is a reached stop."""
        tile = board.tile(spot.hex)
        return (spot.hex, tile.nodes.index(tile.cities[spot.city])) in self.nodes

    @property
    def hexes(self) -> frozenset[str]:
        """The hexes with reached track."""
        return frozenset(hex_id for hex_id, _ in self.pieces)


def reach(board: GameMap, company: Company) -> Reached:
    """Return what a company reaches now; remembered until the map changes."""
    key = ("reach", company.sym)
    found: Reached | None = board.cache.get(key)
    if found is None:
        found = board.cache[key] = _Search(board, company).run(sources(company))
    return found


def reach_from(board: GameMap, company: Company, spots: Iterable[Spot]) -> Reached:
    """Return what a company reaches from some of its tokens."""
    return _Search(board, company).run(spots)


def reach_with(board: GameMap, company: Company, hex_id: str, tile: Tile) -> Reached:
    """Return what a company would reach if another tile lay on a hex (``00-common R5.22``).

    The tokens on that hex stay in the cities to which they would move.
    """
    return _Search(board, company, {hex_id: tile}).run(sources(company))


def sources(company: Company) -> list[Spot]:
    """Return the cities with tokens of a company."""
    return list(dict.fromkeys(token.spot for token in company.tokens if token.spot is not None))


class _Search:
    def __init__(self, board: GameMap, company: Company, instead: Mapping[str, Tile] | None = None) -> None:
        self._board = board
        self._company = company
        self._instead = instead or {}
        self._tracks: dict[str, HexTrack] = {}
        self._links: dict[str, Mapping[int, str]] = {}
        self._open: dict[NodeKey, bool] = {}
        self._pieces: set[PieceKey] = set()
        self._nodes: set[NodeKey] = set()
        self._own: set[NodeKey] = set()
        self._joined = False

    def run(self, spots: Iterable[Spot]) -> Reached:
        starts = [self._node(spot) for spot in spots]
        self._own = set(starts)
        self._nodes.update(starts)
        self._walk(starts)
        return Reached(frozenset(self._pieces), frozenset(self._nodes), self._edges(starts), self._joined)

    def _node(self, spot: Spot) -> NodeKey:
        tile = self._tile(spot.hex)
        cities = tile.cities
        if spot.hex in self._instead:
            moved = city_map(self._board.tile(spot.hex), tile)
            return spot.hex, tile.nodes.index(cities[moved[spot.city]])
        return spot.hex, tile.nodes.index(cities[spot.city])

    def _tile(self, hex_id: str) -> Tile:
        return self._instead.get(hex_id) or self._board.tile(hex_id)

    def _track(self, hex_id: str) -> HexTrack:
        found = self._tracks.get(hex_id)
        if found is None:
            found = self._tracks[hex_id] = hex_track(hex_id, self._tile(hex_id))
        return found

    def _at(self, node: NodeKey) -> tuple[Piece, ...]:
        return self._track(node[0]).at_node.get(node[1], ())

    def _beyond(self, hex_id: str, edge: int, gauge: Gauge) -> list[Piece]:
        """Return the pieces that meet an edge from the other side (R6.2)."""
        links = self._links.get(hex_id)
        if links is None:
            links = self._links[hex_id] = self._board.links(hex_id)
        neighbor = links.get(edge)
        if neighbor is None:
            return []
        fitting = FITS[gauge]
        return [
            piece
            for piece in self._track(neighbor).at_edge.get(opposite(edge), ())
            if piece.path.gauge in fitting
        ]

    def _passes(self, node: NodeKey) -> bool:
        """Tell whether a walk goes on from a stop (R6.3); other own tokens are sources of their own."""
        known = self._open.get(node)
        if known is None:
            stop = self._tile(node[0]).nodes[node[1]]
            known = node not in self._own and stop.kind != "offboard"
            if known and stop.city is not None:
                known = not self._city_blocks(node[0], stop.city)
            self._open[node] = known
        return known

    def _city_blocks(self, hex_id: str, city: int) -> bool:
        tile = self._instead.get(hex_id)
        if tile is None:
            return self._board.cities[hex_id][city].blocks(self._company)
        old = self._board.cities.get(hex_id, ())
        moved = city_map(self._board.tile(hex_id), tile)
        tokens = [token for item, to in zip(old, moved, strict=True) if to == city for token in item.tokens]
        if any(token.company is self._company or token.neutral for token in tokens):
            return False
        return len(tokens) >= tile.cities[city].slots

    def _walk(self, starts: list[NodeKey]) -> None:
        """Find all pieces and stops that trails reach."""
        trails = Trails()
        numbers: dict[tuple[PieceKey, PathEnd], int] = {}
        pieces: dict[PieceKey, int] = {}
        bits: dict[object, int] = {}
        moves: list[tuple[Piece, PathEnd]] = []

        def bit(thing: object) -> int:
            return bits.setdefault(thing, 1 << len(bits))

        def move(piece: Piece, entry: PathEnd) -> int:
            key = (piece.key, entry)
            number = numbers.get(key)
            if number is None:
                path = piece.path
                end = path.b if path.a == entry else path.a
                own = bit(piece.key)
                gates = [bit((piece.hex, edge, "left")) for edge in piece.edges]
                stop = bit((piece.hex, end.node, "stop")) if isinstance(end, AtNode) else 0
                left = bit((piece.hex, end.edge, "left")) if isinstance(end, Edge) else 0
                number = numbers[key] = trails.add(
                    pieces.setdefault(piece.key, len(pieces)), own | sum(gates), stop, own | left | stop
                )
                moves.append((piece, end))
            return number

        roots = [
            (bit((*start, "stop")), [move(piece, AtNode(start[1])) for piece in self._at(start)])
            for start in starts
        ]
        place = 0
        while place < len(moves):
            piece, end = moves[place]
            following = trails.after[place]
            if isinstance(end, Edge):
                across = Edge(opposite(end.edge))
                following.extend(
                    move(other, across) for other in self._beyond(piece.hex, end.edge, piece.path.gauge)
                )
            elif (
                isinstance(end, AtNode)
                and not piece.path.terminal
                and self._passes(node := (piece.hex, end.node))
            ):
                following.extend(move(other, end) for other in self._at(node) if other is not piece)
            place += 1
        keys = list(pieces)
        found, self._joined = trails.reached(roots)
        self._pieces = {keys[number] for number in found}
        for hex_id, number in self._pieces:
            for node in self._track(hex_id).pieces[number].path.nodes:
                self._nodes.add((hex_id, node))

    def _edges(self, starts: list[NodeKey]) -> dict[str, frozenset[int]]:
        """Return the edges at which track may be joined (R6.5)."""
        found: dict[str, set[int]] = {}
        for hex_id, _ in starts:
            found.setdefault(hex_id, set()).update(self._board.links(hex_id))
        for hex_id, number in self._pieces:
            links = self._board.links(hex_id)
            for edge in self._track(hex_id).pieces[number].edges:
                found.setdefault(hex_id, set()).add(edge)
                if edge in links:
                    found.setdefault(links[edge], set()).add(opposite(edge))
        return {hex_id: frozenset(edges) for hex_id, edges in found.items()}
