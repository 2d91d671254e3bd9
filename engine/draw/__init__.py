"""Draws positions as SVG: ``draw_position(position, routes)``."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from engine.answer import PositionRoute
from engine.board import Board
from engine.draw import palette
from engine.draw.geometry import APOTHEM, RADIUS
from engine.draw.hexes import HexPainter, Layers
from engine.draw.legend import TITLE, legend_height, legend_lines, paint_legend, paint_pip, paint_title
from engine.draw.runs import AnyRoute, Bundle, Tracer
from engine.draw.svg import clean, element, number, path
from engine.encoding import SiteRoute
from engine.position import Position
from engine.registry import find_game

WIDTH = 1200
"""Width of a drawing in pixels."""
MARGIN = 14.0
PIP = 12.5
"""Room for the number of a route."""

_STYLE = (
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle}"
    ".left{text-anchor:start}"
    ".halo{paint-order:stroke;stroke:#ffffff;stroke-width:2;stroke-opacity:.75;stroke-linejoin:round}"
    ".track path{fill:none}"
    ".bed{stroke:#ffffff;stroke-width:6.5;stroke-opacity:.8}"
    f".broad,.narrow,.dual{{stroke:{palette.TRACK};stroke-width:4}}"
    ".narrow{stroke-dasharray:4 2.2}"
    ".dual{stroke-width:5}"
    ".inlay{stroke:#ffffff;stroke-width:1.6;stroke-dasharray:4 3}"
    ".route{fill:none;stroke-linejoin:round;stroke-linecap:round}"
)


def draw_position(position: Position, routes: Sequence[PositionRoute | SiteRoute] = ()) -> str:
    """Return an SVG drawing of a position.

    Parameters
    ----------
    routes
        Routes to draw on it, legal or not; of answers (with money in the legend) or in the encoding of
        18xx.games.
    """
    facts = find_game(position.game).facts(players=position.players, options=position.optional_rules)
    board = Board.of_position(facts, position)
    flat = facts.layout == "flat"
    half_x, half_y = (RADIUS, APOTHEM) if flat else (APOTHEM, RADIUS)

    root = ET.Element("svg")
    drawing = ET.Element("g")
    layers = Layers.within(drawing)
    painter = HexPainter(board, position.company, facts.phases[position.phase].tiles, layers)
    middles = [painter.middle(hex_id) for hex_id in facts.map.hexes]
    left, right = min(x for x, _ in middles) - half_x, max(x for x, _ in middles) + half_x
    top, bottom = min(y for _, y in middles) - half_y, max(y for _, y in middles) + half_y
    for hex_id in facts.map.hexes:
        painter.paint(hex_id)
    _paint_routes(layers, painter, board, routes)

    wide = right - left + 2 * MARGIN
    lines = legend_lines(
        position, routes, {name: it.name for name, it in facts.map.hexes.items()}, wide - 100
    )
    high = TITLE + bottom - top + legend_height(lines) + 2 * MARGIN
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("viewBox", f"0 0 {number(wide)} {number(high)}")
    root.set("width", str(WIDTH))
    root.set("height", str(round(WIDTH * high / wide)))
    root.set("role", "img")
    element(root, "title", clean(f"{position.game}, {position.company}, phase {position.phase}"))
    element(root, "style", _STYLE)
    element(root, "rect", width=wide, height=high, fill="#ffffff")
    head = element(root, "g", transform=f"translate({number(MARGIN)} {number(MARGIN)})")
    paint_title(head, position, routes, 0)
    drawing.set("transform", f"translate({number(MARGIN - left)} {number(MARGIN + TITLE - top)})")
    root.append(drawing)
    foot = element(root, "g", class_="legend")
    paint_legend(foot, lines, MARGIN, MARGIN + TITLE + bottom - top)
    return ET.tostring(root, encoding="unicode") + "\n"


def _paint_routes(layers: Layers, painter: HexPainter, board: Board, routes: Sequence[AnyRoute]) -> None:
    tracer = Tracer(board)
    bundle = Bundle(tracer.legs(route) for route in routes)
    for index in range(len(routes)):
        color, dashes = palette.route_style(index)
        for line in bundle.lines(index):
            data = path(line)
            element(layers.routes, "path", d=data, class_="route", stroke="#ffffff", stroke_width=8)
            more = {"stroke_dasharray": dashes} if dashes else {}
            element(layers.routes, "path", d=data, class_="route", stroke=color, stroke_width=5.2, **more)
    for hex_id, index, numbers in _served(board, routes, bundle):
        places = painter.shape(hex_id).places
        near = places.get(index, (0.0, 0.0))
        columns = min(3, len(numbers))
        rows = -(-len(numbers) // columns)
        x, y = painter.spots[hex_id].find(PIP * columns, PIP * rows, near, 0.1)
        middle = painter.middle(hex_id)
        for rank, route in enumerate(numbers):
            right = PIP * (rank % columns - (columns - 1) / 2)
            down = PIP * (rank // columns - (rows - 1) / 2)
            paint_pip(layers.signs, (middle[0] + x + right, middle[1] + y + down), route)


def _served(board: Board, routes: Sequence[AnyRoute], bundle: Bundle) -> list[tuple[str, int, list[int]]]:
    """Return the stops with the numbers of the routes that are paid there, or that visit if unpriced."""
    found: dict[tuple[str, int], list[int]] = {}
    for number_, route in enumerate(routes):
        if isinstance(route, PositionRoute):
            stops = [(stop.hex, stop.node) for stop in route.stops]
        else:
            ends = [(leg.hex, end) for leg in bundle.routes[number_] for end in (leg.start, leg.end)]
            stops = [(hex_id, end[1]) for hex_id, end in ends if end[0] == "node"]
        for stop in dict.fromkeys(stops):
            if stop[0] in board.facts.map.hexes:
                found.setdefault(stop, []).append(number_)
    return [(hex_id, index, numbers) for (hex_id, index), numbers in found.items()]


__all__ = ["draw_position"]
