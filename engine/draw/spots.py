"""Finding free room in a hex for badges and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from engine.draw.geometry import APOTHEM, Line, Point, toward
from engine.hexes import Layout

ENOUGH = 4.0
"""Free room around an item beyond which more of it does not matter."""
MARGIN = 2.5

_RINGS = (0.0, 8.0, 14.0, 18.0, 21.5, 25.0, 28.0, 31.0, 35.0, 40.0)


class Spots:
    """The room in one hex."""

    def __init__(self, layout: Layout) -> None:
        self._layout: Layout = layout
        self._taken: list[tuple[float, float, float]] = []
        self._candidates = [
            toward(step / 4, ring, layout) for ring in _RINGS for step in range(24 if ring else 1)
        ]

    def take_line(self, line: Line, radius: float) -> None:
        """Note that a line is drawn."""
        kept: Point | None = None
        for point in line:
            if kept is None or math.dist(kept, point) > 5:
                self._taken.append((*point, radius))
                kept = point

    def take(self, at: Point, radius: float) -> None:
        """Note that a disc is drawn."""
        self._taken.append((*at, radius))

    def take_box(self, at: Point, wide: float, high: float) -> None:
        """Note that a box is drawn."""
        count = max(1, math.ceil(wide / high))
        step = wide / count
        for index in range(count):
            self._taken.append((at[0] - wide / 2 + step * (index + 0.5), at[1], high / 2))

    def find(self, wide: float, high: float, near: Point = (0.0, 0.0), pull: float = 0.06) -> Point:
        """Return where a box fits best, rather near a point than far from it, and take it."""
        best = max(self._candidates, key=lambda at: self._worth(at, wide, high, near, pull))
        self.take_box(best, wide, high)
        return best

    def _worth(self, at: Point, wide: float, high: float, near: Point, pull: float) -> tuple[float, float]:
        room = min(self._free(at, wide, high), 1.5 * self._inside(at, wide, high))
        worth = min(room, ENOUGH) - pull * math.dist(at, near)
        return round(worth, 3), -round(math.dist(at, near), 3)

    def _inside(self, at: Point, wide: float, high: float) -> float:
        """Return how far a box lies within the hex."""
        half_x, half_y = wide / 2, high / 2
        room = math.inf
        for edge in range(6):
            x, y = toward(edge, 1.0, self._layout)
            out = at[0] * x + at[1] * y + abs(x) * half_x + abs(y) * half_y
            room = min(room, APOTHEM - MARGIN - out)
        return room

    def _free(self, at: Point, wide: float, high: float) -> float:
        room = math.inf
        for x, y, radius in self._taken:
            dx = max(0.0, abs(at[0] - x) - wide / 2)
            dy = max(0.0, abs(at[1] - y) - high / 2)
            room = min(room, math.hypot(dx, dy) - radius)
        return room


def wrapped(text: str, most: int) -> list[str]:
    """Return a name in lines of about ``most`` characters."""
    lines: list[str] = []
    for word in _words(text):
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _words(text: str) -> Iterable[str]:
    parts: Sequence[str] = text.split()
    for part in parts:
        head, dash, tail = part.partition("-")
        if dash and len(part) > 14:
            yield f"{head}-"
            yield tail
        else:
            yield part
