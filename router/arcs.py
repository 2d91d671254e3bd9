"""Routes of chains as links between their ends, and the trails that lead from route to route."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from router import kernels as k
from router.found import Path
from router.graph import Ints, Words, to_ints, to_words
from router.reach import Links, Reach, Used
from router.work import Interrupted

MOST_TRAILS = 20_000
"""Trails between two ends that are tried at most."""
_FIRST_TRAILS = 64
"""Trails that are walked at first; many more are where these are not enough."""
_STEPS = 1_000_000
"""Routes that a walk of trails goes along in one call."""


class Trail(NamedTuple):
    """Routes one after another, each ending where the next begins.

    Attributes
    ----------
    stops
        Bits of the stops at which routes end.
    plain
        Whether no stop is an end of three routes, and the trail is not closed.
    link
        Bits of what it links.
    routes
        Numbers of its routes.
    """

    stops: int
    plain: bool
    link: int
    routes: tuple[int, ...]


class Arcs:
    """The routes that can be linked, numbered slot by slot, and laid out by the stops where they end.

    Parameters
    ----------
    links
        Per slot of chained routes, its routes.
    reach
        Between which ends trails can run.
    """

    def __init__(self, links: Sequence[Links], reach: Reach) -> None:
        self._links = links
        self.stop, self.stops, self.weight, self.ahead = reach.stop, reach.stops, reach.weight, reach.ahead
        self._first = list(accumulate((len(own.ends) for own in links), initial=0))

    @cached_property
    def link(self) -> Words:
        """The links of each route."""
        return np.concatenate([own.routes.link for own in self._links])

    @cached_property
    def ways(self) -> tuple[Ints, Ints]:
        """The ways along routes: per slot where those from each stop begin; route, end, and other end."""
        begins, laid = [], []
        for own, first in zip(self._links, self._first, strict=False):
            number = np.arange(first, first + len(own.ends), dtype=np.int64)
            near = own.ends.ravel()
            stop = self.stop.take(near)
            order = stop.argsort(kind="stable")
            begins.append(stop.take(order).searchsorted(np.arange(self.stops + 1)) + 2 * first)
            ways = np.column_stack((number.repeat(2), near, own.ends[:, ::-1].ravel()))
            laid.append(ways.take(order, 0))
        return np.array(begins, dtype=np.int64), np.concatenate(laid)

    @cached_property
    def outline(self) -> Ints:
        """Per route a number that tells its slot and its two ends."""
        size = len(self.stop)
        parts = [(j * size + own.ends[:, 0]) * size + own.ends[:, 1] for j, own in enumerate(self._links)]
        return np.concatenate(parts)

    def paths(self, routes: Sequence[int]) -> list[Path]:
        """Return the routes of these numbers."""
        found = []
        for number in routes:
            j = bisect_right(self._first, number) - 1
            own = self._links[j]
            found.append((own.slot, tuple(own.routes.route(number - self._first[j]))))
        return found


class Trails:
    """The trails of one chain, walked as they are asked for.

    Parameters
    ----------
    first, last
        The ends between which they run. Where these are equal the chain is closed: its trails run by way of
        the stop of that end, and each stop is an end of two or more of their routes.
    several
        How many routes of each slot they may have.
    """

    def __init__(self, arcs: Arcs, first: int, last: int, several: Sequence[Used]) -> None:
        self._arcs = arcs
        self._ends = first, last
        self._several = [used for used in several if first != last or sum(used) > 1]
        self._ahead = arcs.ahead(last)
        self._longest = max(map(sum, several), default=0)
        self._state = np.zeros(k.W_SIZE, dtype=np.int64)
        self._level = np.zeros((self._longest + 1, k.L_SIZE + len(arcs.weight)), dtype=np.int64)
        words = (arcs.stops + 63) // 64
        self._level_bits = np.zeros((self._longest + 1, arcs.link.shape[1] + 2 * words), dtype=np.uint64)
        self._link = np.zeros((0, arcs.link.shape[1]), dtype=np.uint64)
        self._stops = np.zeros((0, words), dtype=np.uint64)
        self._plain = np.zeros(0, dtype=np.uint8)
        self._routes = np.zeros((0, self._longest), dtype=np.int64)

    def meeting(self, wanted: Sequence[int], begin: int = 0, *, plain: bool) -> int:
        """Return the place, from ``begin`` on, of a trail with a link of each of ``wanted``; -1: none.

        Raises
        ------
        Interrupted
            If there are too many trails.
        """
        needs = to_words(wanted, 64 * self._link.shape[1])
        while True:
            at = int(k.next_trail(self._link, self._plain, begin, needs, plain))
            if at >= 0:
                return at
            begin = len(self._plain)
            if not self._walk():
                return -1

    def paths(self, at: int) -> list[Path]:
        """Return the routes of a trail."""
        return self._arcs.paths([number for number in self._routes[at].tolist() if number >= 0])

    @cached_property
    def needed(self) -> list[Trail]:
        """All trails but those that another can replace in any set, plain ones first.

        Raises
        ------
        Interrupted
            If there are too many trails.
        """
        while self._walk():
            pass
        replaced = np.zeros(len(self._plain), dtype=np.uint8)
        known = self._routes >= 0
        outline = np.sort(np.where(known, self._arcs.outline[np.where(known, self._routes, 0)], -1), axis=1)
        k.mark_replaced(self._link, self._stops, self._plain, outline, replaced)
        at = np.flatnonzero(replaced == 0)
        stops, links = (
            np.bitwise_count(of[at]).sum(axis=1, dtype=np.int64) for of in (self._stops, self._link)
        )
        at = at[np.lexsort((-links, stops, self._plain[at] == 0))]
        return [
            Trail(stops, bool(plain), link, tuple(number for number in routes if number >= 0))
            for stops, plain, link, routes in zip(
                to_ints(self._stops[at]),
                self._plain[at].tolist(),
                to_ints(self._link[at]),
                self._routes[at].tolist(),
                strict=True,
            )
        ]

    def _walk(self) -> bool:
        """Walk more trails; return whether there are more."""
        known = len(self._plain)
        if not self._several:
            return False
        if known == MOST_TRAILS:
            raise Interrupted("more trails between two ends than are tried")
        room = min(_FIRST_TRAILS if not known else 31 * known, MOST_TRAILS - known)
        link = np.empty((room, self._link.shape[1]), dtype=np.uint64)
        stops = np.empty((room, self._stops.shape[1]), dtype=np.uint64)
        plain = np.empty(room, dtype=np.uint8)
        routes = np.empty((room, self._longest), dtype=np.int64)
        self._state[k.W_COUNT] = 0
        while self._several:
            code = k.walk_trails(
                *self._arcs.ways,
                self._arcs.link,
                self._arcs.stop,
                self._arcs.weight,
                self._ahead,
                np.array(self._several[0], dtype=np.int64),
                *self._ends,
                _STEPS,
                self._state,
                self._level,
                self._level_bits,
                link,
                stops,
                plain,
                routes,
            )
            if code == k.FULL:
                break
            if code == k.DONE:
                self._several = self._several[1:]
                self._state[k.W_STARTED] = 0
        count = int(self._state[k.W_COUNT])
        self._link = np.concatenate((self._link, link[:count]))
        self._stops = np.concatenate((self._stops, stops[:count]))
        self._plain = np.concatenate((self._plain, plain[:count]))
        self._routes = np.concatenate((self._routes, routes[:count]))
        return count > 0
