"""Routes of chains as links between their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from router.candidates import Candidates
from router.graph import Ints, to_ints

End: TypeAlias = tuple[int, int, int]
"""Stop, end point, and slot of the route that ends there."""


class Arc(NamedTuple):
    """A route seen as a link between its ends; ``link`` holds the bits of what it links."""

    slot: int
    ends: tuple[End, End]
    link: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """The routes of a slot as links: the numbers of their two ends, and the routes themselves."""

    slot: int
    ends: Ints
    routes: Candidates


class Arcs:
    """The routes that can be linked, laid out as they are asked for.

    Parameters
    ----------
    links
        Per slot of chained routes, its routes.
    """

    def __init__(self, links: Sequence[Links], ends: Sequence[End]) -> None:
        self.stops = [end[0] for end in ends]
        self._links = links
        self._ends = ends
        self._met: dict[tuple[int, int], Arc] = {}
        self._leaving: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        self._sorted: dict[int, tuple[Ints, Ints]] = {}

    def leaving(self, j: int, stop: int) -> list[tuple[int, int, int]]:
        """Return the routes of a slot that end at a stop, with the numbers of that end and the other."""
        if (j, stop) not in self._leaving:
            if j not in self._sorted:
                self._sorted[j] = self._by_stop(self._links[j].ends)
            ways, at = self._sorted[j]
            self._leaving[j, stop] = [(i, a, b) for i, a, b in ways[at[stop] : at[stop + 1]].tolist()]
        return self._leaving[j, stop]

    def arc(self, j: int, i: int) -> Arc:
        """Return route ``i`` of a slot."""
        if (j, i) not in self._met:
            own = self._links[j]
            a, b = own.ends[i].tolist()
            (link,) = to_ints(own.routes.link[i : i + 1])
            self._met[j, i] = Arc(own.slot, (self._ends[a], self._ends[b]), link, tuple(own.routes.route(i)))
        return self._met[j, i]

    def _by_stop(self, ends: Ints) -> tuple[Ints, Ints]:
        """Return the ways along routes, both directions of each, and where those from each stop begin."""
        there = np.column_stack((np.arange(len(ends), dtype=np.int64), ends))
        ways = np.stack((there, there[:, [0, 2, 1]]), axis=1).reshape(-1, 3)
        stop = np.array(self.stops, dtype=np.int64)[ways[:, 1]]
        order = stop.argsort(kind="stable")
        return ways[order], np.searchsorted(stop[order], np.arange(max(self.stops, default=0) + 2))
