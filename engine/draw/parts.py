"""Boards put together from parts: those of one game share most of their hexes, each of which is drawn once.

A part is one hex in one state, in two pieces: what lies below the routes and what lies above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree as ET

from engine.board import Board
from engine.draw.geometry import extent
from engine.draw.hexes import HexPainter, Layers, tables_of
from engine.draw.overlay import paint_routes
from engine.draw.runs import AnyRoute
from engine.draw.spots import Spots
from engine.draw.svg import number
from engine.facts import GameFacts
from engine.position import LaidTile, Position, Token
from engine.registry import find_game

MARGIN = 6.0


@dataclass(frozen=True, eq=False)
class Part:
    """A hex in one state: SVG below and above routes, and the room that is left in it."""

    hex: str
    below: str
    above: str
    spots: Spots


@dataclass(frozen=True, slots=True)
class _State:
    """All that the drawing of a hex depends on."""

    facts: GameFacts
    hex: str
    laid: tuple[LaidTile, ...]
    tokens: tuple[Token, ...]
    company: str
    colors: tuple[str, ...]
    tables: tuple[tuple[int, str], ...]


def parts_of(position: Position) -> list[Part]:
    """Return the parts of a board in the order of the map; equal states are mostly the same object."""
    facts = _facts(position)
    board = Board.of_position(facts, position)
    colors = facts.phases[position.phase].tiles
    tables: dict[str, list[tuple[int, str]]] = {}
    for (hex_id, index), text in tables_of(board).items():
        tables.setdefault(hex_id, []).append((index, text))
    found = []
    for hex_id in facts.map.hexes:
        tokens = board.tokens.get(hex_id, ())
        state = _State(
            facts,
            hex_id,
            tuple(board.laid[it] for it in (hex_id, *_priced_neighbors(facts, hex_id)) if it in board.laid),
            tokens,
            position.company if any(token.company == position.company for token in tokens) else "",
            colors if hex_id in tables else (),
            tuple(tables.get(hex_id, ())),
        )
        found.append(_part(state))
    return found


def overlay(position: Position, parts: Sequence[Part], routes: Sequence[AnyRoute]) -> tuple[str, str]:
    """Return the lines of routes, which go between the parts' pieces, and their numbers, which go on top."""
    facts = _facts(position)
    layers = Layers.within(ET.Element("g"))
    painter = HexPainter(Board.of_position(facts, position), position.company, (), layers, {})
    painter.spots = _Rooms(parts)
    paint_routes(layers, painter, painter.board, routes)
    return _inside(layers.routes), _inside(layers.signs)


class _Rooms(dict[str, Spots]):
    """The room that is left in the hexes of a board, copied where it is taken."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__()
        self._parts = {part.hex: part for part in parts}

    def __missing__(self, hex_id: str) -> Spots:
        found = self[hex_id] = self._parts[hex_id].spots.copy()
        return found


def view_box(position: Position) -> str:
    """Return the ``viewBox`` of the boards of a game."""
    facts = _facts(position)
    places = [item.coordinate for item in facts.map.hexes.values()]
    left, top, right, bottom = extent(places, facts.layout)
    wide, high = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    return " ".join(number(value) for value in (left - MARGIN, top - MARGIN, wide, high))


def _facts(position: Position) -> GameFacts:
    return find_game(position.game).facts(players=position.players, options=position.optional_rules)


@lru_cache(maxsize=4096)
def _priced_neighbors(facts: GameFacts, hex_id: str) -> tuple[str, ...]:
    """Return the hexes beyond borders with a price, which is not told where track crosses them."""
    item = facts.map.hexes[hex_id]
    edges = [border.edge for border in item.printed.borders if border.cost]
    return tuple(item.links[edge] for edge in edges if edge in item.links)


@lru_cache(maxsize=6000)
def _part(state: _State) -> Part:
    board = Board.of(state.facts, state.laid, state.tokens)
    layers = Layers.within(ET.Element("g"))
    tables = {(state.hex, index): text for index, text in state.tables}
    painter = HexPainter(board, state.company, state.colors, layers, tables)
    painter.paint(state.hex)
    below = (layers.ground, layers.edges, layers.track)
    return Part(
        state.hex,
        "".join(map(_whole, below)),
        "".join(map(_whole, (layers.stops, layers.signs))),
        painter.spots[state.hex],
    )


def _whole(layer: ET.Element) -> str:
    return ET.tostring(layer, encoding="unicode") if len(layer) else ""


def _inside(layer: ET.Element) -> str:
    return "".join(ET.tostring(item, encoding="unicode") for item in layer)
