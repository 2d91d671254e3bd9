"""Which neighbours a hex has, and which of them can be entered (``00-common R4.6``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.facts import HexFacts, MapFacts
from engine.hexes import EDGES, Layout, opposite

IMPASSABLE = frozenset({"gray", "red", "blue"})


def build_map(layout: Layout, hexes: Iterable[HexFacts], impassable: frozenset[str] = IMPASSABLE) -> MapFacts:
    """Return the map of the given hexes with their links.

    Parameters
    ----------
    impassable
        Colours of printed hexes that can be entered only where they have an exit.
    """
    hexes = list(hexes)
    at = {item.coordinate: item for item in hexes}
    linked = {}
    for item in hexes:
        walls = {border.edge for border in item.printed.borders if border.kind == "impassable"}
        links: dict[int, str] = {}
        blocked: dict[int, str] = {}
        for edge in EDGES:
            neighbor = at.get(item.coordinate.neighbor(edge, layout))
            if neighbor is None:
                continue
            closed = neighbor.printed.color in impassable and opposite(edge) not in neighbor.printed.exits
            (blocked if closed or edge in walls else links)[edge] = neighbor.id
        linked[item.id] = replace(item, links=links, blocked=blocked)
    return MapFacts(layout, linked)
