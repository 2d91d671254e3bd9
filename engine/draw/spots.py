"""Finding free room in a hex for badges and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache

from engine.draw.geometry import APOTHEM, Line, Point, toward
from engine.hexes import Layout

ENOUGH = 4.0
"""Free room around an item beyond which more of it does not matter."""
MARGIN = 2.5

_RINGS = (0.0, 8.0, 14.0, 18.0, 21.5, 25.0, 28.0, 31.0, 35.0, 40.0)


class Spots:
    """The room in one hex."""

    def __init__(self, layout: Layout) -> None:
        self._taken: list[tuple[float, float, float]] = []
        self._candidates = _candidates(layout)
        self._normals = _normals(layout)
        self._asked: tuple[tuple[float, float, Point, float], ...] = ()
        self._answers: dict[tuple[tuple[float, float, Point, float], ...], Point] = {}
        self._of_copies: dict[tuple[tuple[float, float, Point, float], ...], Point] = {}

    def copy(self) -> Spots:
        """Return the same room, to be taken independently, by ``find`` alone; copies share what they find."""
        found = copy(self)
        found._taken = self._taken.copy()
        found._asked, found._answers = (), self._of_copies
        return found

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
        self._asked = (*self._asked, (wide, high, near, pull))
        best = self._answers.get(self._asked)
        if best is None:
            best = self._answers[self._asked] = self._best(wide, high, near, pull)
        self.take_box(best, wide, high)
        return best

    def _best(self, wide: float, high: float, near: Point, pull: float) -> Point:
        best, most = (0.0, 0.0), -math.inf
        for at in self._candidates:
            far = pull * math.dist(at, near)
            room = min(1.5 * self._inside(at, wide, high), ENOUGH)
            # Nothing is gained by a look at what is in the way if this place is worse already.
            if room - far <= most + 0.001:
                continue
            worth = min(room, self._free(at, wide, high, most + far)) - far
            if worth > most + 0.001:
                best, most = at, worth
        return best

    def _inside(self, at: Point, wide: float, high: float) -> float:
        """Return how far a box lies within the hex."""
        half_x, half_y = wide / 2, high / 2
        room = math.inf
        for x, y in self._normals:
            out = at[0] * x + at[1] * y + abs(x) * half_x + abs(y) * half_y
            room = min(room, APOTHEM - MARGIN - out)
        return room

    def _free(self, at: Point, wide: float, high: float, enough: float) -> float:
        """Return how far a box is from what is drawn, or anything less than ``enough`` if it is too near."""
        room = math.inf
        half_x, half_y = wide / 2, high / 2
        for x, y, radius in self._taken:
            dx, dy = abs(at[0] - x) - half_x, abs(at[1] - y) - half_y
            away = (math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy, 0.0)) - radius
            if away < room:
                room = away
                if room <= enough:
                    break
        return room


@cache
def _candidates(layout: Layout) -> list[Point]:
    return [toward(step / 4, ring, layout) for ring in _RINGS for step in range(24 if ring else 1)]


@cache
def _normals(layout: Layout) -> list[Point]:
    return [toward(edge, 1.0, layout) for edge in range(6)]


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
