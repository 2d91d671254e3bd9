"""What is printed on a tile: stops, track and marks (``00-common R5.1`` to ``R5.3``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from engine.hexes import rotate

StopKind = Literal["city", "town", "offboard"]
Gauge = Literal["broad", "narrow", "dual"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A path end that leaves the tile over ``edge`` (0 to 5)."""

    edge: int


@dataclass(frozen=True, slots=True)
class AtNode:
    """A path end in the tile's stop number ``node`` (index into :attr:`Tile.nodes`)."""

    node: int


@dataclass(frozen=True, slots=True)
class Junction:
    """A path end in the tile's meeting point without value."""


PathEnd: TypeAlias = Edge | AtNode | Junction


@dataclass(frozen=True, slots=True)
class Path:
    """A piece of track between two ends.

    ``terminal`` track is the first or the last piece of any route over it (``00-common R7.16``).
    """

    a: PathEnd
    b: PathEnd
    gauge: Gauge = "broad"
    terminal: bool = False

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges over which this path leaves the tile."""
        return tuple(end.edge for end in (self.a, self.b) if isinstance(end, Edge))

    @property
    def nodes(self) -> tuple[int, ...]:
        """The stops in which this path ends."""
        return tuple(end.node for end in (self.a, self.b) if isinstance(end, AtNode))


@dataclass(frozen=True, slots=True)
class TileNode:
    """A stop of a tile.

    Attributes
    ----------
    part
        Number of the stop in signatures such as ``L7-1`` (``00-common R2.4``).
    revenue
        Money, or money by colour of the phase (``00-common R5.3``).
    city
        Index among the tile's cities, ``None`` for towns and off-boards.
    groups
        Names of which a route may visit each only once.
    preferred_edge, place
        Where the stop is drawn: beside an edge (2.5 is the corner after edge 2), or at a place by its name
        ("2.5", "center").
    reservations
        Companies for which slots of this city are kept.
    tokens
        Companies whose token lies in this city at the start.
    """

    part: int
    kind: StopKind
    revenue: int | Mapping[str, int] = field(hash=False)
    city: int | None = None
    slots: int = 0
    groups: tuple[str, ...] = ()
    preferred_edge: float | None = None
    place: str | None = None
    reservations: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Terrain:
    """What laying the first tile here costs, in money."""

    cost: int
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Border:
    """A mark on an edge; ``kind`` is "impassable", a terrain with a cost, "divider" or "" (drawing only)."""

    edge: int
    kind: str = ""
    cost: int | None = None


@dataclass(frozen=True, eq=False)
class Tile:
    """A tile, or the print of a map hex, in its drawn orientation. Equal and hashed by identity.

    Attributes
    ----------
    name
        Number of a supply tile, or the coordinate of the printed hex.
    count
        Copies in the supply, ``None`` if unlimited; 0 for printed hexes.
    icons
        Signs without track: a company, a compass side, a bonus ("plus_30"), a mine or factory ("3_open").
    frame
        Whether the tile is framed (a *town* of 1873).
    future_label
        Label that replaces ``labels`` for the successor of the given colour (``00-common R5.12``).
    partitions
        Dividing lines across the hex (drawing only).
    """

    name: str
    color: str
    nodes: tuple[TileNode, ...] = ()
    paths: tuple[Path, ...] = ()
    count: int | None = 0
    labels: tuple[str, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    borders: tuple[Border, ...] = ()
    icons: tuple[str, ...] = ()
    stubs: tuple[int, ...] = ()
    frame: bool = False
    future_label: tuple[str, str] | None = None
    partitions: int = 0

    @cached_property
    def cities(self) -> tuple[TileNode, ...]:
        """The cities in the order to which tokens refer."""
        return tuple(sorted((n for n in self.nodes if n.city is not None), key=lambda n: n.city or 0))

    @cached_property
    def exits(self) -> frozenset[int]:
        """All edges with track."""
        return frozenset(edge for path in self.paths for edge in path.edges)

    @property
    def label(self) -> str | None:
        """The label that counts: the last one."""
        return self.labels[-1] if self.labels else None

    def rotated(self, rotation: int) -> Tile:
        """Return this tile turned ``rotation`` steps clockwise; stops keep their numbers."""
        if rotation % 6 == 0:
            return self

        def turn(end: PathEnd) -> PathEnd:
            return Edge(rotate(end.edge, rotation)) if isinstance(end, Edge) else end

        return replace(
            self,
            paths=tuple(replace(path, a=turn(path.a), b=turn(path.b)) for path in self.paths),
            nodes=tuple(
                node
                if node.preferred_edge is None
                else replace(node, preferred_edge=(node.preferred_edge + rotation) % 6)
                for node in self.nodes
            ),
            borders=tuple(replace(border, edge=rotate(border.edge, rotation)) for border in self.borders),
            stubs=tuple(rotate(stub, rotation) for stub in self.stubs),
        )


@lru_cache(maxsize=4096)
def turned(tile: Tile, rotation: int) -> Tile:
    """Return a tile in a rotation; the same object each time."""
    return tile.rotated(rotation)
