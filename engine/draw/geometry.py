"""Plane geometry of drawn hexes: corners, edges, the curves of track. The y axis points down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from engine.hexes import Coordinate, Layout

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]

RADIUS = 50.0
"""From the middle of a hex to a corner."""
APOTHEM = RADIUS * math.sqrt(3) / 2
"""From the middle of a hex to an edge."""
_STEPS = 10
_ZERO: dict[Layout, float] = {"flat": 90.0, "pointy": 120.0}


def center(coordinate: Coordinate, layout: Layout) -> Point:
    """Return the middle of a hex."""
    wide, narrow = 1.5 * RADIUS, APOTHEM
    if layout == "flat":
        return coordinate.x * wide, coordinate.y * narrow
    return coordinate.x * narrow, coordinate.y * wide


def extent(coordinates: Iterable[Coordinate], layout: Layout) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a map with hexes at these places."""
    half_x, half_y = (RADIUS, APOTHEM) if layout == "flat" else (APOTHEM, RADIUS)
    middles = [center(coordinate, layout) for coordinate in coordinates]
    xs, ys = [x for x, _ in middles], [y for _, y in middles]
    return min(xs) - half_x, min(ys) - half_y, max(xs) + half_x, max(ys) + half_y


def toward(edge: float, distance: float, layout: Layout) -> Point:
    """Return the point at a distance from the middle in the direction of an edge; 2.5 is a corner."""
    angle = math.radians(_ZERO[layout] + 60 * edge)
    return distance * math.cos(angle), distance * math.sin(angle)


def corners(layout: Layout, radius: float = RADIUS) -> Line:
    """Return the corners of a hex; edge ``e`` runs from corner ``e - 1`` to corner ``e``."""
    return tuple(toward(edge + 0.5, radius, layout) for edge in range(6))


def moved(line: Sequence[Point], by: Point) -> Line:
    """Return a line elsewhere."""
    return tuple((x + by[0], y + by[1]) for x, y in line)


def across(one: int, other: int, layout: Layout) -> Line:
    """Return the curve of track from one edge to another, square to both."""
    start, end = toward(one, APOTHEM, layout), toward(other, APOTHEM, layout)
    apart = (other - one) % 6
    if apart in (0, 3):
        return straight(start, end)
    sharp = apart in (1, 5)
    between = one + (apart if apart < 3 else apart - 6) / 2
    middle = toward(between, RADIUS if sharp else 2 * APOTHEM, layout)
    radius = RADIUS / 2 if sharp else 1.5 * RADIUS
    first = math.atan2(start[1] - middle[1], start[0] - middle[0])
    turn = math.atan2(end[1] - middle[1], end[0] - middle[0]) - first
    turn = (turn + math.pi) % (2 * math.pi) - math.pi
    angles = (first + turn * step / _STEPS for step in range(_STEPS + 1))
    return tuple(
        (middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles
    )


def straight(start: Point, end: Point) -> Line:
    """Return a straight line with some points on the way."""
    dx, dy = (end[0] - start[0]) / _STEPS, (end[1] - start[1]) / _STEPS
    return tuple((start[0] + dx * step, start[1] + dy * step) for step in range(_STEPS + 1))


def into(edge: int, end: Point, layout: Layout) -> Line:
    """Return the curve of track from an edge, square to it, to a point within the hex."""
    start, bend = toward(edge, APOTHEM, layout), toward(edge, APOTHEM * 0.45, layout)
    if abs(start[0] * end[1] - start[1] * end[0]) < 1 and start[0] * end[0] + start[1] * end[1] > -1:
        return straight(start, end)
    found = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        found.append((a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]))
    return tuple(found)


def split(line: Line, at: int) -> tuple[Line, Line]:
    """Return the two parts of a line, both ending in its point number ``at``."""
    return line[: at + 1], line[at:][::-1]


def shifted(line: Sequence[Point], distance: float) -> Line:
    """Return the parallel at a distance to the right of a line."""
    if not distance or len(line) < 2:
        return tuple(line)
    found = []
    for index, (x, y) in enumerate(line):
        before, after = line[max(0, index - 1)], line[min(len(line) - 1, index + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1.0
        found.append((x - dy / length * distance, y + dx / length * distance))
    return tuple(found)
