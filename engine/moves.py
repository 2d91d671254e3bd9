"""Track as moves: a piece of track entered at one of its ends (``00-common R6.2``).

What a walk may not use twice (a piece, an edge over which it left a hex, a stop) is a bit of one number, so
that a walk is checked by a single ``&``. Bits are the same for the same place of the map whatever tile lies
there; walks only live as long as the map stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from engine.tiles import AtNode, Edge, Gauge, PathEnd, Tile

PieceKey = tuple[str, int]
"""Hex and number of a piece among the paths of its tile."""
NodeKey = tuple[str, int]
"""Hex and number of a stop among those of its tile."""

STRIDE = 64
"""Bits per hex: 6 edges, then stops, then pieces."""
_FIRST_NODE, _FIRST_PIECE = 6, 22

FITS: Mapping[Gauge, frozenset[Gauge]] = {
    "broad": frozenset({"broad", "dual"}),
    "narrow": frozenset({"narrow", "dual"}),
    "dual": frozenset({"broad", "narrow", "dual"}),
}


@dataclass(eq=False, slots=True)
class Move:
    """A piece of track walked in one direction.

    Attributes
    ----------
    needs
        Bits that must be unused to enter it.
    passes
        Bits that must be unused to go on from its end.
    uses
        Bits that are used by going on.
    edges
        The edges that the piece touches.
    edge, node
        Where it ends: an edge of the hex, or a stop; -1 for what it is not.
    onward
        The moves that leave the stop at its end by other pieces.
    """

    hex: str
    piece: PieceKey
    gauge: Gauge
    terminal: bool
    edges: tuple[int, ...]
    needs: int
    passes: int
    uses: int
    edge: int
    node: int
    onward: tuple[Move, ...] = field(default=(), repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class HexMoves:
    """The moves on a hex by where they begin."""

    from_edge: Mapping[int, tuple[Move, ...]]
    from_node: Mapping[int, tuple[Move, ...]]
    edges: tuple[tuple[int, ...], ...]
    nodes: tuple[tuple[int, ...], ...]


def stop_bit(place: int, node: int) -> int:
    """Return the bit of a stop."""
    return 1 << (place * STRIDE + _FIRST_NODE + node)


def hex_bits(place: int) -> int:
    """Return all bits of a hex."""
    return ((1 << STRIDE) - 1) << (place * STRIDE)


@lru_cache(maxsize=16_384)
def hex_moves(hex_id: str, place: int, tile: Tile) -> HexMoves:
    """Return the moves over a tile as it lies on a hex.

    Parameters
    ----------
    place
        Number of the hex on the map.
    """
    base = place * STRIDE
    starts: dict[PathEnd, list[Move]] = {}
    for number, path in enumerate(tile.paths):
        own = 1 << (base + _FIRST_PIECE + number)
        gates = sum(1 << (base + edge) for edge in path.edges)
        for start, end in ((path.a, path.b), (path.b, path.a)):
            edge = end.edge if isinstance(end, Edge) else -1
            node = end.node if isinstance(end, AtNode) else -1
            stop = stop_bit(place, node) if node >= 0 else 0
            left = 1 << (base + edge) if edge >= 0 else 0
            starts.setdefault(start, []).append(
                Move(
                    hex=hex_id,
                    piece=(hex_id, number),
                    gauge=path.gauge,
                    terminal=path.terminal,
                    edges=path.edges,
                    needs=own | gates,
                    passes=stop,
                    uses=own | left | stop,
                    edge=edge,
                    node=node,
                )
            )
    from_edge = {end.edge: tuple(moves) for end, moves in starts.items() if isinstance(end, Edge)}
    from_node = {end.node: tuple(moves) for end, moves in starts.items() if isinstance(end, AtNode)}
    for moves in starts.values():
        for move in moves:
            if move.node >= 0 and not move.terminal:
                leaving = from_node.get(move.node, ())
                move.onward = tuple(item for item in leaving if item.piece != move.piece)
    return HexMoves(
        from_edge,
        from_node,
        tuple(path.edges for path in tile.paths),
        tuple(path.nodes for path in tile.paths),
    )
