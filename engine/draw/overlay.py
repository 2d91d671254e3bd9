"""Draws routes on a board: lines side by side over the track, and their numbers beside the stops."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer import PositionRoute
from engine.board import Board
from engine.draw import palette
from engine.draw.hexes import HexPainter, Layers
from engine.draw.legend import paint_pip
from engine.draw.runs import AnyRoute, Bundle, Tracer
from engine.draw.svg import element, path

PIP = 12.5
"""Room for the number of a route."""


def paint_routes(layers: Layers, painter: HexPainter, board: Board, routes: Sequence[AnyRoute]) -> None:
    """Draw routes over track, and their numbers at the stops they serve, on hexes that are drawn."""
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
