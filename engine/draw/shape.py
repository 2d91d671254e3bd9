"""Where the stops and the track of a tile lie within its hex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.draw.geometry import APOTHEM, RADIUS, Line, Point, across, into, split, straight, toward
from engine.hexes import Layout
from engine.tiles import AtNode, Edge, Gauge, Path, PathEnd, Tile

End: TypeAlias = tuple[str, int]
"""An end of track: ``("edge", 2)``, ``("node", 0)`` or ``("junction", 0)``."""

ASIDE = RADIUS * 0.5
"""How far from the middle a stop lies that is drawn aside."""
STUB = APOTHEM * 0.5
"""How far from the middle the track of an off-board area ends."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of track with the line along which it is drawn from its first end to its second."""

    a: End
    b: End
    gauge: Gauge
    line: Line


@dataclass(frozen=True, eq=False)
class Shape:
    """A tile, laid out.

    Attributes
    ----------
    places
        Where each stop lies, by index.
    on_track
        Direction of the track at towns that lie on a single line of it.
    """

    places: Mapping[int, Point]
    on_track: Mapping[int, Point]
    pieces: tuple[Piece, ...]

    def between(self, one: End, other: End) -> Line | None:
        """Return the line from one end to another, over the junction if need be; None if there is none."""
        for piece in self.pieces:
            if (piece.a, piece.b) == (one, other):
                return piece.line
            if (piece.b, piece.a) == (one, other):
                return piece.line[::-1]
        middle: End = ("junction", 0)
        if middle in (one, other):
            return None
        first, second = self.between(one, middle), self.between(middle, other)
        return None if first is None or second is None else (*first, *second)

    def reached(self, end: End) -> tuple[int, ...]:
        """Return the stops to which track leads from an end."""
        return tuple(index for index in self.places if self.between(end, ("node", index)) is not None)


@lru_cache(maxsize=20_000)
def shape_of(tile: Tile, layout: Layout) -> Shape:
    """Return how a tile, already turned, is laid out."""
    places: dict[int, Point] = {}
    on_track: dict[int, Point] = {}
    curves: dict[int, tuple[Line, int]] = {}
    for index, node in enumerate(tile.nodes):
        exits = _exits(tile, index)
        curve = across(exits[0], exits[1], layout) if len(exits) == 2 and _plain(tile, index) else ()
        on = _point(tile, index, exits, len(curve)) if curve else 0
        middle = curve[on] if curve else (0.0, 0.0)
        place = _place(tile, index, layout)
        near = abs(middle[0] - place[0]) + abs(middle[1] - place[1]) < RADIUS * 0.25
        if curve and (node.kind == "town" or (near and len(tile.nodes) > 1)):
            places[index] = middle
            curves[index] = curve, on
            if node.kind == "town":
                before, after = curve[on - 1], curve[on + 1]
                on_track[index] = (after[0] - before[0], after[1] - before[1])
        else:
            places[index] = place
    pieces = tuple(
        Piece(_end(path.a), _end(path.b), path.gauge, _line(tile, path, places, curves, layout))
        for path in tile.paths
    )
    return Shape(places, on_track, pieces)


def _end(end: PathEnd) -> End:
    if isinstance(end, Edge):
        return "edge", end.edge
    return ("node", end.node) if isinstance(end, AtNode) else ("junction", 0)


def _exits(tile: Tile, index: int) -> list[int]:
    """Return the edges that track joins to a stop."""
    return [edge for path in tile.paths if index in path.nodes for edge in path.edges]


def _plain(tile: Tile, index: int) -> bool:
    """Tell whether all track at a stop leads to edges."""
    return all(path.edges for path in tile.paths if index in path.nodes)


def _point(tile: Tile, index: int, exits: list[int], points: int) -> int:
    """Return the point of its track at which a stop lies: the middle, or aside if other track is near."""
    edge = tile.nodes[index].preferred_edge
    alone, sharp = len(tile.paths) == 2, (exits[0] - exits[1]) % 6 in (1, 5)
    if alone or sharp or tile.nodes[index].kind == "city" or edge not in exits:
        return points // 2
    return points * 3 // 10 if edge == exits[0] else points - 1 - points * 3 // 10


def _place(tile: Tile, index: int, layout: Layout) -> Point:
    node = tile.nodes[index]
    exits = _exits(tile, index)
    if node.kind == "offboard" and len(tile.nodes) > 1 and exits:
        points = [toward(edge, APOTHEM * 0.4, layout) for edge in exits]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    if node.place == "center" or node.preferred_edge is None:
        return 0.0, 0.0
    if len(tile.nodes) == 1 and node.kind == "city":
        return 0.0, 0.0
    return toward(node.preferred_edge, ASIDE, layout)


def _line(
    tile: Tile,
    path: Path,
    places: Mapping[int, Point],
    curves: Mapping[int, tuple[Line, int]],
    layout: Layout,
) -> Line:
    match path.a, path.b:
        case Edge(one), Edge(other):
            return across(one, other, layout)
        case Edge(edge), AtNode(node):
            return _to_stop(tile, edge, node, places=places, curves=curves, layout=layout)
        case AtNode(node), Edge(edge):
            return _to_stop(tile, edge, node, places=places, curves=curves, layout=layout)[::-1]
        case AtNode(one), AtNode(other):
            return straight(places[one], places[other])
        case Edge(edge), _:
            return into(edge, (0.0, 0.0), layout)
        case _, Edge(edge):
            return into(edge, (0.0, 0.0), layout)[::-1]
        case AtNode(node), _:
            return straight(places[node], (0.0, 0.0))
        case _, AtNode(node):
            return straight((0.0, 0.0), places[node])
    return ()


def _to_stop(
    tile: Tile,
    edge: int,
    index: int,
    *,
    places: Mapping[int, Point],
    curves: Mapping[int, tuple[Line, int]],
    layout: Layout,
) -> Line:
    if tile.nodes[index].kind == "offboard":
        return straight(toward(edge, APOTHEM, layout), toward(edge, STUB, layout))
    if index in curves:
        first, second = split(*curves[index])
        start = toward(edge, APOTHEM, layout)
        close = abs(first[0][0] - start[0]) + abs(first[0][1] - start[1]) < 1
        return first if close else second
    return into(edge, places[index], layout)
