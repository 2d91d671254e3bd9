"""Draws positions as SVG: ``draw_position(position, routes)``."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from engine.answer import PositionRoute
from engine.board import Board
from engine.draw import palette
from engine.draw.geometry import extent
from engine.draw.hexes import HexPainter, Layers
from engine.draw.legend import TITLE, legend_height, legend_lines, paint_legend, paint_title
from engine.draw.overlay import paint_routes
from engine.draw.svg import clean, element, number
from engine.encoding import SiteRoute
from engine.position import Position
from engine.registry import find_game

WIDTH = 1200
"""Width of a drawing in pixels."""
MARGIN = 14.0


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
    root = ET.Element("svg")
    drawing = ET.Element("g")
    layers = Layers.within(drawing)
    painter = HexPainter(board, position.company, facts.phases[position.phase].tiles, layers)
    left, top, right, bottom = extent([it.coordinate for it in facts.map.hexes.values()], facts.layout)
    for hex_id in facts.map.hexes:
        painter.paint(hex_id)
    paint_routes(layers, painter, board, routes)

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
    element(root, "style", palette.STYLE)
    element(root, "rect", width=wide, height=high, fill="#ffffff")
    head = element(root, "g", transform=f"translate({number(MARGIN)} {number(MARGIN)})")
    paint_title(head, position, routes, 0)
    drawing.set("transform", f"translate({number(MARGIN - left)} {number(MARGIN + TITLE - top)})")
    root.append(drawing)
    foot = element(root, "g", class_="legend")
    paint_legend(foot, lines, MARGIN, MARGIN + TITLE + bottom - top)
    return ET.tostring(root, encoding="unicode") + "\n"


__all__ = ["draw_position"]
