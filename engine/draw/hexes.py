"""Draws single hexes: ground, track, stops, tokens, money and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from engine.board import Board
from engine.draw import palette
from engine.draw.cities import paint_city, paint_town, radius_of
from engine.draw.geometry import (
    APOTHEM,
    RADIUS,
    Point,
    center,
    corners,
    moved,
    toward,
)
from engine.draw.shape import Shape, shape_of
from engine.draw.spots import Spots, wrapped
from engine.draw.svg import element, label, path, polygon, width
from engine.hexes import Layout, opposite
from engine.tiles import Border, Tile, TileNode

NAME_SIZE = 8.5
CELL = (17.0, 12.0)
"""Width and height of a cell in a table of money."""


@dataclass(frozen=True)
class Layers:
    """The groups of a drawing, the lowest first."""

    ground: ET.Element
    edges: ET.Element
    track: ET.Element
    routes: ET.Element
    stops: ET.Element
    signs: ET.Element

    @staticmethod
    def within(parent: ET.Element) -> Layers:
        """Return new groups."""
        names = ("ground", "edges", "track", "routes", "stops", "signs")
        return Layers(*(element(parent, "g", class_=name) for name in names))


class HexPainter:
    """Draws the hexes of one board into layers.

    Parameters
    ----------
    colors
        Of the tiles of this phase.
    tables
        As :func:`tables_of` returns them for the board.

    Attributes
    ----------
    board
        What is drawn.
    spots
        The free room in each hex that was drawn.
    """

    def __init__(
        self,
        board: Board,
        company: str,
        colors: tuple[str, ...],
        layers: Layers,
        tables: Mapping[tuple[str, int], str] | None = None,
    ) -> None:
        self.board = board
        self._company = company
        self._colors = colors
        self._layers = layers
        self._layout: Layout = board.facts.layout
        self._tables = tables_of(board) if tables is None else tables
        self._place = {hex_id: number for number, hex_id in enumerate(board.facts.map.hexes)}
        self.spots: dict[str, Spots] = {}

    def middle(self, hex_id: str) -> Point:
        """Return the middle of a hex."""
        return center(self.board.facts.map.hexes[hex_id].coordinate, self._layout)

    def shape(self, hex_id: str) -> Shape:
        """Return how the tile on a hex is laid out."""
        return shape_of(self.board.tile(hex_id), self._layout)

    def paint(self, hex_id: str) -> None:
        """Draw a hex."""
        tile = self.board.tile(hex_id)
        at = self.middle(hex_id)
        shape = self.shape(hex_id)
        spots = self.spots[hex_id] = Spots(self._layout)
        self._ground(hex_id, tile, at)
        self._edges(hex_id, at, spots)
        self._coordinate(hex_id, at, spots)
        self._track(shape, at)
        for piece in shape.pieces:
            spots.take_line(piece.line, 3.0)
        self._stops(hex_id, tile, shape, at, spots)
        self._signs(hex_id, tile, shape, at, spots)

    def _ground(self, hex_id: str, tile: Tile, at: Point) -> None:
        group = element(self._layers.ground, "g")
        laid = self.board.laid.get(hex_id)
        name = self.board.facts.map.hexes[hex_id].name
        words = [hex_id, name, f"tile {laid.tile}, rotation {laid.rotation}" if laid else ""]
        element(group, "title", " · ".join(word for word in words if word))
        fill = palette.TILES.get(tile.color, palette.TILES["white"])
        polygon(group, moved(corners(self._layout), at), fill=fill)
        if tile.frame:
            polygon(
                group,
                moved(corners(self._layout, RADIUS * 0.91), at),
                fill="none",
                stroke="#b8860b",
                stroke_width=2.5,
            )

    def _edges(self, hex_id: str, at: Point, spots: Spots) -> None:
        printed = self.board.facts.map.hexes[hex_id].printed
        borders: dict[int, Border] = {border.edge: border for border in printed.borders}
        ring = moved(corners(self._layout), at)
        for edge in range(6):
            ends = ring[edge - 1], ring[edge]
            border = borders.get(edge)
            if border is None:
                element(self._layers.edges, "path", d=path(ends), stroke=palette.EDGE, stroke_width=0.9)
            elif border.kind == "impassable":
                self._bold(ends, palette.WALL, 4.5)
            elif border.kind == "divider":
                self._bold(ends, palette.INK, 3)
            elif border.kind:
                self._bold(ends, palette.MOUNTAIN if border.kind == "mountain" else palette.WATER, 3)
                if border.cost:
                    self._price(hex_id, edge, border.cost, at)
        if printed.partitions:
            self._partition(hex_id, at)

    def _price(self, hex_id: str, edge: int, cost: int, at: Point) -> None:
        """Tell what crossing a border costs, once, unless track crosses it already."""
        beyond = self.board.facts.map.hexes[hex_id].links.get(edge, "")
        crossed = edge in self.board.tile(hex_id).exits
        told = self._place.get(beyond, len(self._place)) < self._place[hex_id]
        if told or crossed or (beyond and opposite(edge) in self.board.tile(beyond).exits):
            return
        x, y = toward(edge, APOTHEM, self._layout)
        self._badge((x + at[0], y + at[1]), str(cost), width(str(cost), 6.5) + 4, 9, 6.5)

    def _bold(self, ends: tuple[Point, Point], color: str, wide: float) -> None:
        element(
            self._layers.signs, "path", d=path(ends), stroke=color, stroke_width=wide, stroke_linecap="round"
        )

    def _partition(self, hex_id: str, at: Point) -> None:
        """Draw the line between two areas of one hex."""
        places = list(self.shape(hex_id).places.values())[:2]
        if len(places) < 2:
            return
        (ax, ay), (bx, by) = places
        dx, dy = bx - ax, by - ay
        length = max(1.0, (dx * dx + dy * dy) ** 0.5)
        mx, my = at[0] + (ax + bx) / 2, at[1] + (ay + by) / 2
        reach = RADIUS * 0.75
        ends = (
            (mx - dy / length * reach, my + dx / length * reach),
            (mx + dy / length * reach, my - dx / length * reach),
        )
        element(
            self._layers.edges,
            "path",
            d=path(ends),
            stroke=palette.FAINT,
            stroke_width=1.2,
            stroke_dasharray="4 3",
        )

    def _coordinate(self, hex_id: str, at: Point, spots: Spots) -> None:
        size = 7.5
        wide = width(hex_id, size)
        x, y = (-RADIUS * 0.45 + wide / 2, -APOTHEM + 6.5) if self._layout == "flat" else (0, -RADIUS + 13)
        spots.take_box((x, y), wide, size)
        self._text((x + at[0], y + at[1]), hex_id, size, palette.DIM, halo=False)

    def _track(self, shape: Shape, at: Point) -> None:
        layer = self._layers.track
        lines = [(piece, path(moved(piece.line, at))) for piece in shape.pieces if piece.line]
        for _, line in lines:
            element(layer, "path", d=line, class_="bed")
        for piece, line in lines:
            element(layer, "path", d=line, class_=piece.gauge)
            if piece.gauge == "dual":
                element(layer, "path", d=line, class_="inlay")

    def _stops(self, hex_id: str, tile: Tile, shape: Shape, at: Point, spots: Spots) -> None:
        tokens = self.board.tokens.get(hex_id, ())
        here = {token.company for token in tokens}
        for index, node in enumerate(tile.nodes):
            place = shape.places[index]
            spot = place[0] + at[0], place[1] + at[1]
            if node.kind == "city":
                inside = [token for token in tokens if token.city == node.city and not token.off_city]
                spots.take(place, radius_of(node.slots) + 1)
                paint_city(
                    self._layers.stops,
                    spot,
                    place if len(tile.nodes) > 1 else (0.0, 0.0),
                    node,
                    tokens=inside,
                    company=self._company,
                    here=here,
                )
            elif node.kind == "town":
                spots.take(place, 7)
                paint_town(self._layers.stops, spot, shape.on_track.get(index))
        loose = [token for token in tokens if token.off_city]
        for token in loose:
            x, y = spots.find(18, 18)
            lonely = TileNode(0, "city", 0, slots=1)
            paint_city(
                self._layers.stops,
                (x + at[0], y + at[1]),
                (0.0, 0.0),
                lonely,
                tokens=[replace(token, slot=0)],
                company=self._company,
                here=here,
            )

    def _signs(self, hex_id: str, tile: Tile, shape: Shape, at: Point, spots: Spots) -> None:
        facts = self.board.facts.map.hexes[hex_id]
        for index, node in enumerate(tile.nodes):
            if isinstance(node.revenue, Mapping) and self._tables.get((hex_id, index), False):
                self._table(node.revenue, shape.places[index], node.kind == "offboard", at, spots)
        if facts.name:
            self._name(facts.name, at, spots)
        elif title := self._tables.get((hex_id, -1)):
            self._name(str(title), at, spots)
        self._money(tile, shape, at, spots)
        for text in tile.labels:
            size = 11 if len(text) < 3 else 9
            wide = width(text, size)
            x, y = spots.find(wide, size - 1, (-RADIUS * 0.6, 0))
            self._text((x + at[0], y + at[1]), text, size, palette.INK, "bold")
        if hex_id not in self.board.laid or tile.terrain:
            for terrain in tile.terrain:
                self._terrain(terrain.cost, terrain.kinds, at, spots)
        for icon in facts.printed.icons:
            text = _icon(icon)
            wide = width(text, 6.5) + 5
            x, y = spots.find(wide, 9.5, (0, RADIUS * 0.5))
            self._badge((x + at[0], y + at[1]), text, wide, 9.5, 6.5)

    def _table(self, revenue: Mapping[str, int], near: Point, ends: bool, at: Point, spots: Spots) -> None:
        wide, high = CELL
        now = next((color for color in reversed(self._colors) if color in revenue), "")
        if not ends:
            near = 0.0, -RADIUS * 0.55
        x, y = spots.find(wide * len(revenue), high, near, 0.04 if ends else 0.08)
        left = at[0] + x - wide * len(revenue) / 2
        boxes = [(color, left + wide * number) for number, color in enumerate(revenue)]
        for color, start in sorted(boxes, key=lambda box: box[0] == now):
            element(
                self._layers.signs,
                "rect",
                x=start,
                y=at[1] + y - high / 2,
                width=wide,
                height=high,
                fill=palette.VALUES.get(color, "#ffffff"),
                stroke=palette.INK,
                stroke_width=1.8 if color == now else 0.5,
            )
            weight = "bold" if color == now else "normal"
            self._text(
                (start + wide / 2, at[1] + y), str(revenue[color]), 8.5, palette.INK, weight, halo=False
            )

    def _name(self, name: str, at: Point, spots: Spots) -> None:
        lines = wrapped(name.partition(" (")[0], 14)
        size = NAME_SIZE if len(lines) < 3 else NAME_SIZE - 1.5
        wide, high = max(width(line, size) for line in lines), size * len(lines)
        x, y = spots.find(wide, high, (0, RADIUS * 0.5), 0.05)
        for number, line in enumerate(lines):
            spot = at[0] + x, at[1] + y + size * (number - (len(lines) - 1) / 2)
            self._text(spot, line, size, palette.INK)

    def _money(self, tile: Tile, shape: Shape, at: Point, spots: Spots) -> None:
        told: set[int] = set()
        for index, node in enumerate(tile.nodes):
            if not isinstance(node.revenue, int) or not node.revenue or node.revenue in told:
                continue
            told.add(node.revenue)
            place = shape.places[index]
            x, y = spots.find(14, 14, place, 0.08)
            spot = x + at[0], y + at[1]
            element(
                self._layers.signs,
                "circle",
                cx=spot[0],
                cy=spot[1],
                r=7.2,
                fill="#ffffff",
                stroke=palette.INK,
                stroke_width=0.7,
            )
            size = 8.5 if node.revenue < 100 else 7
            self._text(spot, str(node.revenue), size, palette.INK, halo=False)

    def _terrain(self, cost: int, kinds: Iterable[str], at: Point, spots: Spots) -> None:
        text = str(cost)
        wide = width(text, 8) + 13
        x, y = spots.find(wide, 10, (0, RADIUS * 0.3))
        left, middle = at[0] + x - wide / 2, at[1] + y
        layer = self._layers.signs
        for kind in kinds:
            if kind == "mountain":
                line = ((left, middle + 4.5), (left + 5.5, middle - 5), (left + 11, middle + 4.5))
                polygon(layer, line, fill=palette.MOUNTAIN)
            else:
                waves = "".join(f"M{left:.1f} {middle + dy:.1f}q2.8 -3.4 5.5 0t5.5 0" for dy in (-2.0, 2.6))
                element(layer, "path", d=waves, fill="none", stroke=palette.WATER, stroke_width=1.6)
        self._text((left + 13 + width(text, 8) / 2, middle), text, 8, palette.INK)

    def _badge(self, at: Point, text: str, wide: float, high: float, size: float) -> None:
        element(
            self._layers.signs,
            "rect",
            x=at[0] - wide / 2,
            y=at[1] - high / 2,
            width=wide,
            height=high,
            rx=2,
            fill="#fffdf5",
            stroke=palette.FAINT,
            stroke_width=0.6,
        )
        self._text(at, text, size, palette.INK, halo=False)

    def _text(
        self, at: Point, text: str, size: float, fill: str, weight: str = "normal", *, halo: bool = True
    ) -> None:
        more = {"font_weight": weight} if weight != "normal" else {}
        label(self._layers.signs, at, text, size, "halo" if halo else "", fill=fill, **more)


def _icon(icon: str) -> str:
    """Return the words on a sign."""
    if icon.endswith("_open"):
        return icon.removesuffix("_open")
    if icon.startswith("plus_"):
        return f"+{icon.removeprefix('plus_')}"
    return icon.title() if icon in ("north", "south", "east", "west") else icon


def tables_of(board: Board) -> dict[tuple[str, int], str]:
    """Return which stops show a table of money, and (under -1) the titles of hexes without a name.

    Areas that stretch over several hexes show it once: in the hex with the name, else in the first one.
    """
    shown: dict[tuple[str, int], str] = {}
    areas: dict[str, list[tuple[bool, bool, str, int]]] = {}
    for hex_id, facts in board.facts.map.hexes.items():
        tile = board.tile(hex_id)
        for index, node in enumerate(tile.nodes):
            if not isinstance(node.revenue, Mapping):
                continue
            area = node.groups[0].rstrip("0123456789") if node.groups else ""
            if node.kind == "offboard" and area:
                areas.setdefault(area, []).append((not facts.name, len(tile.nodes) > 1, hex_id, index))
            else:
                shown[hex_id, index] = "yes"
    for area, places in areas.items():
        nameless, _, hex_id, index = min(places, key=lambda place: place[:2])
        shown[hex_id, index] = "yes"
        if nameless:
            shown[hex_id, -1] = area
    return shown
