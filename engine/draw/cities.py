"""Draws cities with their slots and tokens, and towns."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from xml.etree import ElementTree as ET

from engine.draw import palette
from engine.draw.geometry import Point
from engine.draw.svg import element, label
from engine.position import Token
from engine.tiles import TileNode

SLOT = 11.0
"""Radius of a slot."""


def slots_of(count: int) -> tuple[Point, ...]:
    """Return where the slots of a city lie around its middle."""
    if count <= 1:
        return ((0.0, 0.0),)
    if count == 2:
        return (-SLOT, 0.0), (SLOT, 0.0)
    radius = SLOT / math.sin(math.pi / count)
    turn = math.pi / count if count == 4 else 0.0
    angles = (2 * math.pi * number / count - math.pi / 2 + turn for number in range(count))
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


def radius_of(count: int) -> float:
    """Return how far a city reaches."""
    return max(math.hypot(*spot) for spot in slots_of(count)) + SLOT


def paint_city(
    layer: ET.Element,
    at: Point,
    aside: Point,
    node: TileNode,
    *,
    tokens: Sequence[Token],
    company: str,
    here: Collection[str],
) -> None:
    """Draw a city.

    Parameters
    ----------
    aside
        From the middle of its hex to the city; a city with two slots that lies aside is turned.
    here
        Companies with a token in this hex, for which no slot is kept any more.
    """
    spots = slots_of(node.slots)
    if len(spots) == 2 and math.hypot(*aside) > 1:
        angle = math.atan2(aside[1], aside[0]) + math.pi / 2
        spots = tuple((x * math.cos(angle), x * math.sin(angle)) for x, _ in spots)
    group = element(layer, "g")
    _box(group, at, spots)
    kept = [name for name in node.reservations if name not in here and len(name) <= 5]
    standing = {token.slot: token for token in tokens if not token.extra}
    for number, (x, y) in enumerate(spots):
        spot = at[0] + x, at[1] + y
        element(
            group,
            "circle",
            cx=spot[0],
            cy=spot[1],
            r=SLOT,
            fill="#ffffff",
            stroke=palette.INK,
            stroke_width=1.2,
        )
        if number in standing:
            paint_token(group, spot, standing[number].company, company)
        elif kept:
            name = kept.pop(0)
            label(group, spot, name, _size(name), fill=palette.FAINT, font_style="italic")
    extra = [token for token in tokens if token.extra]
    for number, token in enumerate(extra):
        out = radius_of(node.slots) + 4
        paint_token(group, (at[0] + out, at[1] - out * 0.5 + number * 2 * SLOT), token.company, company)


def _box(group: ET.Element, at: Point, spots: Sequence[Point]) -> None:
    """Draw the ground on which several slots stand."""
    if len(spots) == 1:
        return
    points = " ".join(f"{at[0] + x:.1f},{at[1] + y:.1f}" for x, y in spots)
    for wide, color in ((2 * SLOT + 4, palette.INK), (2 * SLOT + 2, "#ffffff")):
        element(
            group,
            "polygon",
            points=points,
            fill=color,
            stroke=color,
            stroke_width=wide,
            stroke_linejoin="round",
        )


def paint_token(group: ET.Element, at: Point, owner: str, company: str) -> None:
    """Draw a token; those of the company that runs stand out."""
    own = owner == company
    element(
        group,
        "circle",
        cx=at[0],
        cy=at[1],
        r=SLOT - 1.4,
        fill="#141414" if own else "#66788a",
        stroke="#f2b400" if own else "#ffffff",
        stroke_width=2.2 if own else 0.8,
    )
    label(group, at, owner, _size(owner), fill="#ffffff", font_weight="bold")


def _size(name: str) -> float:
    """Return the size in which a name fits into a slot."""
    return {1: 10.0, 2: 9.0, 3: 7.0, 4: 5.6}.get(len(name), 4.8)


def paint_town(layer: ET.Element, at: Point, along: Point | None) -> None:
    """Draw a town: a bar across its track, or a dot."""
    if along is None:
        element(
            layer, "circle", cx=at[0], cy=at[1], r=5.5, fill=palette.INK, stroke="#ffffff", stroke_width=1.2
        )
        return
    length = math.hypot(*along) or 1.0
    dx, dy = -along[1] / length * 7.5, along[0] / length * 7.5
    line = f"M{at[0] - dx:.1f} {at[1] - dy:.1f}L{at[0] + dx:.1f} {at[1] + dy:.1f}"
    element(layer, "path", d=line, stroke="#ffffff", stroke_width=8)
    element(layer, "path", d=line, stroke=palette.INK, stroke_width=5.5)
