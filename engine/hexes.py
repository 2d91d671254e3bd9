"""Geometry of a hex map: edges, neighbours, straight-line distance.

Edges are numbered 0 to 5 clockwise from the bottom (``00-common R4.3``). Coordinates are *doubled*: on a map
with flat-topped hexes a column step changes ``x`` and ``y`` by 1, a step straight down changes ``y`` by 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Layout = Literal["flat", "pointy"]

EDGES: tuple[int, ...] = (0, 1, 2, 3, 4, 5)

_OFFSETS: dict[Layout, tuple[tuple[int, int], ...]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
_COORDINATE = re.compile(r"([A-Z]+|[a-z])([1-9][0-9]*|0)")


def opposite(edge: int) -> int:
    """Return the edge of the neighbouring hex that touches ``edge``."""
    return (edge + 3) % 6


def rotate(edge: int, rotation: int) -> int:
    """Return where ``edge`` of a tile lies after ``rotation`` steps clockwise (``00-common R4.4``)."""
    return (edge + rotation) % 6


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A place on the map in doubled coordinates."""

    x: int
    y: int

    def neighbor(self, edge: int, layout: Layout) -> Coordinate:
        """Return the place across ``edge``."""
        dx, dy = _OFFSETS[layout][edge]
        return Coordinate(self.x + dx, self.y + dy)

    def distance(self, other: Coordinate, layout: Layout) -> int:
        """Return the number of hex steps to ``other`` as the crow flies (``00-common R4.5``)."""
        dx, dy = abs(self.x - other.x), abs(self.y - other.y)
        if layout == "pointy":
            dx, dy = dy, dx
        return dx + max(0, (dy - dx) // 2)


def parse_coordinate(name: str, layout: Layout) -> Coordinate:
    """Read a hex name such as ``H8``, ``AA12`` or ``a25`` (``00-common R4.1``, ``R4.2``).

    Raises
    ------
    ValueError
        If ``name`` is no letter-number hex name.
    """
    match = _COORDINATE.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no hex name; expected letters and a number, as in 'H8'")
    letters, number = match.groups()
    if letters.islower():
        letter = ord("a") - ord(letters) - 1
    else:
        letter = 0
        for character in letters:
            letter = letter * 26 + ord(character) - ord("A") + 1
        letter -= 1
    value = int(number) - 1
    return Coordinate(letter, value) if layout == "flat" else Coordinate(value, letter)
