"""Follows routes over the drawn track."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from engine.answer import PositionRoute
from engine.board import Board
from engine.draw.geometry import Line, across, center, moved, shifted, straight
from engine.draw.shape import End, Shape, shape_of
from engine.encoding import SiteRoute
from engine.hexes import EDGES, opposite

AnyRoute: TypeAlias = PositionRoute | SiteRoute

GAP = 6.0
"""Between the middles of routes that run side by side."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of a route within one hex, from one end of track to another."""

    hex: str
    start: End
    end: End
    line: Line

    @property
    def track(self) -> tuple[str, frozenset[End]]:
        """What is run over, whatever the direction."""
        return self.hex, frozenset((self.start, self.end))


_Reading: TypeAlias = tuple[Leg, ...]


class Tracer:
    """Finds the lines along which routes of one board run; routes that are not legal are followed as well."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._layout = board.facts.layout

    def legs(self, route: AnyRoute) -> list[Leg]:
        """Return the legs of a route in travel order; hexes that are not on the map are left out."""
        known = self._board.facts.map.hexes
        best: list[tuple[int, _Reading]] = [(0, ())]
        for chain in route.connections:
            if any(name.partition(" ")[0] not in known for name in chain):
                continue
            readings = self._readings(chain, set(route.nodes))
            if not readings:
                continue
            # For every reading of this chain the best way to get there: joined to what is before if possible.
            found = []
            for cost, reading in readings:
                before = min(best, key=lambda item: item[0] + self._apart(item[1], reading[0]))
                found.append((before[0] + self._apart(before[1], reading[0]) + cost, (*before[1], *reading)))
            best = found
        return list(min(best, key=lambda item: item[0])[1])

    def _apart(self, legs: _Reading, then: Leg) -> int:
        return 10 if legs and (legs[-1].hex, legs[-1].end) != (then.hex, then.start) else 0

    def _shape(self, hex_id: str) -> Shape:
        return shape_of(self._board.tile(hex_id), self._layout)

    def _readings(self, chain: Sequence[str], told: set[str]) -> list[tuple[int, _Reading]]:
        """Return the ways to run over a chain in either direction, each with how doubtful it is."""
        found = []
        for names in (tuple(chain), tuple(chain[::-1])):
            hexes = [name.partition(" ")[0] for name in names]
            found += self._within(names[0], told) if len(names) == 1 else self._through(hexes, told)
            if len(names) == 1:
                break
        return found

    def _within(self, name: str, told: set[str]) -> list[tuple[int, _Reading]]:
        """Return the readings of track between two stops of one hex, ``H5`` or ``H5 0.2``."""
        hex_id, _, parts = name.partition(" ")
        shape, nodes = self._shape(hex_id), self._board.tile(hex_id).nodes
        found: list[tuple[int, _Reading]] = []
        for one in shape.places:
            for other in shape.places:
                line = shape.between(("node", one), ("node", other)) if one != other else None
                if line is None:
                    continue
                named = sorted((nodes[one].part, nodes[other].part))
                if parts and parts != ".".join(map(str, named)):
                    continue
                doubt = sum(f"{hex_id}-{part}" not in told for part in named)
                found.append((doubt, (self._leg(hex_id, ("node", one), ("node", other), line),)))
        return found

    def _through(self, hexes: Sequence[str], told: set[str]) -> list[tuple[int, _Reading]]:
        edges = [self._edge(one, other) for one, other in pairwise(hexes)]
        if None in edges:
            return []
        out: list[int] = [edge for edge in edges if edge is not None]
        middle = []
        for number, hex_id in enumerate(hexes[1:-1]):
            entry, leave = ("edge", opposite(out[number])), ("edge", out[number + 1])
            line = self._shape(hex_id).between(entry, leave)
            middle.append(self._leg(hex_id, entry, leave, line or across(entry[1], leave[1], self._layout)))
        firsts = self._ends(hexes[0], ("edge", out[0]), told)
        lasts = self._ends(hexes[-1], ("edge", opposite(out[-1])), told)
        return [
            (doubt + more, (_turned(first), *middle, last)) for doubt, first in firsts for more, last in lasts
        ]

    def _ends(self, hex_id: str, edge: End, told: set[str]) -> list[tuple[int, Leg]]:
        """Return the legs from an edge to the stops of a hex."""
        shape, nodes = self._shape(hex_id), self._board.tile(hex_id).nodes
        found = []
        for index in shape.reached(edge):
            line = shape.between(edge, ("node", index)) or ()
            doubt = int(bool(told) and f"{hex_id}-{nodes[index].part}" not in told)
            found.append((doubt, self._leg(hex_id, edge, ("node", index), line)))
        if not found:
            start = across(edge[1], opposite(edge[1]), self._layout)[0]
            found.append((5, self._leg(hex_id, edge, ("junction", 0), straight(start, (0.0, 0.0)))))
        return found

    def _edge(self, one: str, other: str) -> int | None:
        hexes = self._board.facts.map.hexes
        here, there = hexes[one].coordinate, hexes[other].coordinate
        return next((edge for edge in EDGES if here.neighbor(edge, self._layout) == there), None)

    def _leg(self, hex_id: str, start: End, end: End, line: Line) -> Leg:
        middle = center(self._board.facts.map.hexes[hex_id].coordinate, self._layout)
        return Leg(hex_id, start, end, moved(line, middle))


def _turned(leg: Leg) -> Leg:
    return Leg(leg.hex, leg.end, leg.start, leg.line[::-1])


class Bundle:
    """Routes that are drawn together: where several use the same track they run side by side."""

    def __init__(self, routes: Iterable[Sequence[Leg]]) -> None:
        self.routes = [list(legs) for legs in routes]

    @cached_property
    def _users(self) -> dict[tuple[str, frozenset[End]], list[tuple[int, End]]]:
        """The routes over each piece of track, with the end at which they enter it."""
        users: dict[tuple[str, frozenset[End]], list[tuple[int, End]]] = {}
        for number, legs in enumerate(self.routes):
            for leg in legs:
                here = users.setdefault(leg.track, [])
                if all(user != number for user, _ in here):
                    here.append((number, leg.start))
        return users

    def lines(self, number: int) -> list[list[tuple[float, float]]]:
        """Return the lines of a route: one, or several if it has gaps."""
        lines: list[list[tuple[float, float]]] = []
        before: Leg | None = None
        for leg in self.routes[number]:
            users = self._users[leg.track]
            rank = [user for user, _ in users].index(number)
            side = (rank - (len(users) - 1) / 2) * GAP
            along = leg.start == users[0][1]
            line = shifted(leg.line, side if along else -side)
            if before is None or not _meet(before, leg):
                lines.append([])
            lines[-1] += line
            before = leg
        return lines


def _meet(one: Leg, other: Leg) -> bool:
    (ax, ay), (bx, by) = one.line[-1], other.line[0]
    return abs(ax - bx) + abs(ay - by) < 1
