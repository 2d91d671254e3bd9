"""Between which ends chains of linked routes can run.

A trail that ends at a stop goes on with all routes from there, so what lies between the first and the last
route of a chain is known by stops, of which there are far fewer than ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from operator import mul
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from router import kernels as k
from router.candidates import Candidates
from router.graph import Ints, Words
from router.work import Work

Bits: TypeAlias = npt.NDArray[np.uint8]
Used: TypeAlias = tuple[int, ...]
"""Per slot of chained routes how many run."""


@dataclass(frozen=True, slots=True)
class Links:
    """The routes of a slot as links: the numbers of their two ends, and the routes themselves."""

    slot: int
    ends: Ints
    routes: Candidates


@dataclass(frozen=True, slots=True)
class Lines:
    """Chains by the numbers of their ends, equal ones if closed, and how many routes they may have."""

    first: Ints
    last: Ints
    used: tuple[Used, ...]


class Reach:
    """The trails between stops, for each number of routes per slot, and what they lead to.

    Trails may run through a stop several times here, so these are all, and more.

    Parameters
    ----------
    ends
        All ends: stop, end point, and slot of the routes that end there; those of a stop follow each other.
    links
        Per slot of chained routes, its routes.
    counts
        How many of each slot run at most.
    width
        Words of links.

    Attributes
    ----------
    stop
        Per end the number of its stop among those where routes end.
    stops
        How many such stops there are.
    weight
        What a route of each slot counts in the number that tells how many of each there are.

    Raises
    ------
    Interrupted
        If the stop criterion is reached.
    """

    def __init__(
        self, ends: Ints, links: Sequence[Links], counts: Sequence[int], width: int, work: Work
    ) -> None:
        self.ends = ends
        self._several = list(product(*(range(count + 1) for count in counts)))
        several = np.array(self._several, dtype=np.int64)
        self._counts = several
        most = several[-1] + 1
        self.weight: Ints = np.concatenate((np.cumprod(most[::-1])[-2::-1], [1])).astype(np.int64)
        _, self.first = np.unique(ends[:, 0], return_index=True)
        self.stops = n_stops = len(self.first)
        self.stop: Ints = np.searchsorted(self.first, np.arange(len(ends)), side="right") - 1
        self._width = width
        n = len(ends)
        self._direct = np.zeros((n, n), dtype=np.uint8)
        self._direct_link = np.zeros((n * n, width), dtype=np.uint64)
        self._onward = np.zeros((n, n_stops), dtype=np.uint8)
        self._onward_link = np.zeros((n * n_stops, width), dtype=np.uint64)
        self._owner = np.zeros(n, dtype=np.int64)
        self._known = np.zeros((len(several), n_stops, n_stops), dtype=np.uint8)
        self._known[0] = np.eye(n_stops, dtype=np.uint8)
        self._link = np.zeros((len(several), n_stops * n_stops, width), dtype=np.uint64)
        for j, (own, number) in enumerate(zip(links, self.weight.tolist(), strict=True)):
            self._owner[own.ends] = j
            k.join_routes(
                own.ends,
                own.routes.link,
                self.stop,
                self._direct,
                self._direct_link,
                self._onward,
                self._onward_link,
                self._known[number],
                self._link[number],
            )
        steps = [self._step(number) for number in self.weight.tolist()]
        self._steps = self._known[self.weight]
        every = np.arange(n_stops)
        # two routes of a chain are its first and its last
        longest = sum(counts) - 2
        for number, used in enumerate(self._several):
            if not 2 <= sum(used) <= longest:
                continue
            work.look()
            for j, count in enumerate(used):
                if count:
                    before = number - int(self.weight[j])
                    k.extend_trails(
                        self._known[before],
                        self._link[before],
                        every,
                        *steps[j],
                        self._known[number],
                        self._link[number],
                    )

    def _step(self, number: int) -> tuple[Ints, Ints, Words]:
        """Return what the trails of this number lead to.

        Returns
        -------
        Where those from each stop begin, the stops they lead to, and their links.
        """
        pairs = self._known[number].ravel().nonzero()[0]
        begins = pairs.searchsorted(np.arange(self.stops + 1) * self.stops)
        return begins, pairs % self.stops, self._link[number].take(pairs, 0)

    def ahead(self, last: int) -> Bits:
        """Return, per number of routes and stop, whether a trail may run from the stop to an end."""
        found = np.zeros((len(self._several), self.stops), dtype=np.uint8)
        found[self.weight[self._owner[last]]] = self._onward[last]
        k.trails_ahead(self._steps, self.weight, self._counts, found)
        return found

    def chains(self, block: Used, tied: Sequence[bool]) -> tuple[Lines, Words]:
        """Return the chains of all independent trains of a block and some dependent ones, and their links.

        Where each stop at which routes end is an end of two or more, the referee lets the chain end twice at
        the first: such a chain is *closed*, and written as a pair of equal ends.
        """
        n, n_slots = len(self.ends), len(block)
        several = tuple(
            used
            for used in self._several[1:]
            if all(a <= most if tie else a == most for a, most, tie in zip(used, block, tied, strict=True))
        )
        alone = np.array([(0,) * j + (1,) + (0,) * (n_slots - 1 - j) in several for j in range(n_slots)])
        weight = self.weight.tolist()
        between = [
            [
                [
                    sum(map(mul, used, weight)) - weight[i] - weight[j]
                    if used[i] and used[j] > (i == j)
                    else -1
                    for used in several
                ]
                for j in range(n_slots)
            ]
            for i in range(n_slots)
        ]
        room = n * (n - 1) // 2
        closed = self.first if max(map(sum, several), default=0) > 1 else self.first[:0]
        first, last = np.empty((2, room + len(closed)), dtype=np.int64)
        links = np.empty((room + len(closed), self._width), dtype=np.uint64)
        whole = np.zeros(self._width, dtype=np.uint64)
        count = k.join_trails(
            self._direct,
            self._direct_link,
            self._onward,
            self._onward_link,
            self._known,
            self._link.reshape(-1, self._width),
            np.array(between, dtype=np.int64),
            alone.astype(np.uint8),
            self._owner,
            self.stop,
            first,
            last,
            links,
            whole,
        )
        total = count + len(closed)
        first[count:total] = last[count:total] = closed
        links[count:total] = whole
        return Lines(first[:total], last[:total], several), links[:total]
