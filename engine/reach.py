"""What a company reaches from its tokens, for track and for tokens (``00-common`` section 6).

A piece of track is reached if some *trail* from a token leads over it: a walk that uses no track twice and
leaves no hex twice over the same edge (R6.4). A plain flood would reach too much, namely whatever lies behind
a switch that can only be entered against its direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core.companies import Company
from engine.core.gamemap import GameMap, city_map
from engine.core.tokens import Spot
from engine.facts import GameFacts
from engine.hexes import opposite
from engine.moves import FITS, HexMoves, Move, NodeKey, PieceKey, hex_bits, hex_moves, stop_bit
from engine.tiles import Tile
from engine.trails import Trails


@dataclass(frozen=True, eq=False, slots=True)
class Reached:
    """What a company reaches.

    Attributes
    ----------
    nodes
        Stops, those with its tokens and those that block it included.
    edges
        By hex the edges at which its track may be joined (R6.5).
    facing
        By hex the edges to which reached track of its neighbours leads.
    around
        Those of ``facing`` that are known to be reached by a walk that does not touch the hex itself.
    """

    pieces: frozenset[PieceKey]
    nodes: frozenset[NodeKey]
    edges: Mapping[str, frozenset[int]]
    facing: Mapping[str, frozenset[int]]
    around: Mapping[str, frozenset[int]]

    def reaches_city(self, board: GameMap, spot: Spot) -> bool:
        """Tell whether a city is a reached stop."""
        return node_of(board.tile(spot.hex), spot) in self.nodes

    @property
    def hexes(self) -> frozenset[str]:
        """The hexes with reached track."""
        return frozenset(hex_id for hex_id, _ in self.pieces)


def reach(board: GameMap, company: Company) -> Reached:
    """Return what a company reaches now; remembered until the map changes."""
    key = ("reach", company.sym)
    found: Reached | None = board.cache.get(key)
    if found is None:
        found = board.cache[key] = Search(board, company).everything(sources(company))
    return found


def has_route(board: GameMap, company: Company) -> bool:
    """Tell whether another stop is reached from some token (R6.9)."""
    key = ("route", company.sym)
    found: bool | None = board.cache.get(key)
    if found is None:
        search = Search(board, company)
        found = board.cache[key] = any(search.leaves(spot) for spot in sources(company))
    return found


def reaches_city(board: GameMap, company: Company, spots: Iterable[Spot]) -> bool:
    """Tell whether a company reaches one of some cities (R6.6)."""
    nodes = {node_of(board.tile(spot.hex), spot) for spot in spots}
    if not nodes:
        return False
    known: Reached | None = board.cache.get(("reach", company.sym))
    if known is not None:
        return not nodes.isdisjoint(known.nodes)
    search = Search(board, company)
    starts = sources(company)
    if any(node_of(board.tile(spot.hex), spot) in nodes for spot in starts):
        return True
    return search.finds(starts, lambda move: move.node >= 0 and (move.hex, move.node) in nodes)


def reaches_edge(board: GameMap, company: Company, hex_id: str, edges: frozenset[int]) -> bool:
    """Tell whether a company's track may be joined at one of some edges of a hex (R6.5)."""
    known: Reached | None = board.cache.get(("reach", company.sym))
    if known is not None:
        return not edges.isdisjoint(known.edges.get(hex_id, ()))
    links = board.links(hex_id)
    starts = sources(company)
    if any(spot.hex == hex_id for spot in starts) and not edges.isdisjoint(links):
        return True
    facing = {
        (neighbor, opposite(edge))
        for edge, neighbor in links.items()
        if edge in edges and board.links(neighbor).get(opposite(edge)) == hex_id
    }
    facing.update((hex_id, edge) for edge in edges)
    return Search(board, company).finds(
        starts, lambda move: any((move.hex, edge) in facing for edge in move.edges)
    )


def reaches_piece(board: GameMap, company: Company, hex_id: str, tile: Tile, numbers: frozenset[int]) -> bool:
    """Tell whether a company would reach one of some paths of a tile if it lay on a hex (R5.22)."""
    search = Search(board, company, {hex_id: tile})
    return search.finds(sources(company), lambda move: move.hex == hex_id and move.piece[1] in numbers)


def sources(company: Company) -> list[Spot]:
    """Return the cities with tokens of a company."""
    return list(dict.fromkeys(token.spot for token in company.tokens if token.spot is not None))


def node_of(tile: Tile, spot: Spot) -> NodeKey:
    """Return the stop that a city is."""
    return spot.hex, tile.nodes.index(tile.cities[spot.city])


@lru_cache(maxsize=64)
def _places(facts: GameFacts) -> Mapping[str, int]:
    return {hex_id: number for number, hex_id in enumerate(facts.map.hexes)}


class Search:
    """The map as one company sees it.

    Parameters
    ----------
    instead
        Tiles to suppose on some hexes; tokens move there as they would.
    """

    def __init__(self, board: GameMap, company: Company, instead: Mapping[str, Tile] | None = None) -> None:
        self._board = board
        self._company = company
        self._instead = instead or {}
        self._places = _places(board.facts)
        self._on: dict[str, HexMoves] = {}
        self._next: dict[Move, Sequence[Move]] = {}
        self._own: frozenset[NodeKey] = frozenset(self._node(spot) for spot in sources(company))

    def everything(self, spots: Sequence[Spot]) -> Reached:
        """Return everything that is reached from some cities."""
        nodes = [self._node(spot) for spot in spots]
        trails = Trails(self._after)
        trails.search([self._start(node) for node in nodes])
        pieces = trails.found
        reached = {(hex_id, node) for hex_id, number in pieces for node in self._moves(hex_id).nodes[number]}
        facing = self._facing(pieces)
        return Reached(
            frozenset(pieces),
            frozenset(reached.union(nodes)),
            self._edges(nodes, pieces, facing),
            facing,
            self._around(trails.walked),
        )

    def leaves(self, spot: Spot) -> bool:
        """Tell whether another stop is reached from a city."""
        node = self._node(spot)
        trails = Trails(self._after, lambda move: move.node >= 0 and (move.hex, move.node) != node)
        trails.search([self._start(node)])
        return trails.hit

    def finds(self, spots: Sequence[Spot], wanted: Callable[[Move], bool]) -> bool:
        """Tell whether a wanted move is reached from some cities."""
        trails = Trails(self._after, wanted)
        trails.search([self._start(self._node(spot)) for spot in spots])
        return trails.hit

    def _start(self, node: NodeKey) -> tuple[int, Sequence[Move]]:
        hex_id, number = node
        return stop_bit(self._places[hex_id], number), self._moves(hex_id).from_node.get(number, ())

    def _node(self, spot: Spot) -> NodeKey:
        tile = self._instead.get(spot.hex)
        if tile is None:
            return node_of(self._board.tile(spot.hex), spot)
        moved = city_map(self._board.tile(spot.hex), tile)
        return node_of(tile, Spot(spot.hex, moved[spot.city]))

    def _moves(self, hex_id: str) -> HexMoves:
        found = self._on.get(hex_id)
        if found is None:
            tile = self._instead.get(hex_id) or self._board.tile(hex_id)
            found = self._on[hex_id] = hex_moves(hex_id, self._places[hex_id], tile)
        return found

    def _after(self, move: Move) -> Sequence[Move]:
        """Return the moves that may follow (R6.2, R6.3)."""
        found = self._next.get(move)
        if found is None:
            found = self._next[move] = self._following(move)
        return found

    def _following(self, move: Move) -> Sequence[Move]:
        if move.edge < 0:
            return move.onward if move.onward and self._passes(move.hex, move.node) else ()
        neighbor = self._board.links(move.hex).get(move.edge)
        if neighbor is None:
            return ()
        beyond = self._moves(neighbor).from_edge.get(opposite(move.edge), ())
        fitting = FITS[move.gauge]
        if all(item.gauge in fitting for item in beyond):
            return beyond
        return [item for item in beyond if item.gauge in fitting]

    def _passes(self, hex_id: str, node: int) -> bool:
        """Tell whether a walk goes on from a stop (R6.3); other own tokens are sources of their own."""
        if (hex_id, node) in self._own:
            return False
        tile = self._instead.get(hex_id) or self._board.tile(hex_id)
        stop = tile.nodes[node]
        if stop.kind == "offboard":
            return False
        return stop.city is None or not self._city_blocks(hex_id, stop.city)

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

    def _edges(
        self,
        starts: Iterable[NodeKey],
        pieces: Iterable[PieceKey],
        facing: Mapping[str, frozenset[int]],
    ) -> dict[str, frozenset[int]]:
        """Return the edges at which track may be joined (R6.5)."""
        found = {hex_id: set(edges) for hex_id, edges in facing.items()}
        for hex_id, _ in starts:
            found.setdefault(hex_id, set()).update(self._board.links(hex_id))
        for hex_id, number in pieces:
            found.setdefault(hex_id, set()).update(self._moves(hex_id).edges[number])
        return {hex_id: frozenset(edges) for hex_id, edges in found.items()}

    def _facing(self, pieces: Iterable[PieceKey]) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for hex_id, number in pieces:
            links = self._board.links(hex_id)
            for edge in self._moves(hex_id).edges[number]:
                if edge in links:
                    found.setdefault(links[edge], set()).add(opposite(edge))
        return {hex_id: frozenset(edges) for hex_id, edges in found.items()}

    def _around(self, walked: Mapping[Move, int]) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for move, used in walked.items():
            if move.edge >= 0:
                beyond = self._board.links(move.hex).get(move.edge)
                if beyond is not None and not used & hex_bits(self._places[beyond]):
                    found.setdefault(beyond, set()).add(opposite(move.edge))
        return {hex_id: frozenset(edges) for hex_id, edges in found.items()}
