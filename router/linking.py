"""The routes between the ends of chains: how a complete set of chains can be run.

The search settles between which ends chains run. Here the routes of each are chosen, so that the whole set
hangs together and fulfils the conditions. Where no stop is an end of three routes, the chains are the ones
that the referee sees; else it depends on the listing what they are, and the referee has to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from router.arcs import Arc, Arcs, End, Links
from router.candidates import Candidates
from router.found import Found, Path, Settle, Slot
from router.graph import Ints, Words, to_ints
from router.model import Model
from router.work import Interrupted

MOST_TRAILS = 20_000
"""Trails between two ends that are tried at most."""
MOST_ASKED = 300
"""Ways to run one set that the referee is asked about at most."""

Bits: TypeAlias = npt.NDArray[np.uint8]
Used: TypeAlias = tuple[int, ...]
"""Per slot of chained routes how many run."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Between which ends trails can run.

    Attributes
    ----------
    pairs
        For each number of routes per slot, whether a trail may run from one end to another.
    link
        The links of all such trails, one line per pair.
    """

    ends: list[End]
    pairs: dict[Used, Bits]
    link: dict[Used, Words]

    @property
    def width(self) -> int:
        """Words of links."""
        return next(iter(self.link.values())).shape[1] if self.link else 0


@dataclass(frozen=True, slots=True)
class Lines:
    """Chains by the numbers of their ends, equal ones if closed, and how many routes they may have."""

    first: Ints
    last: Ints
    used: tuple[Used, ...]


@dataclass(frozen=True, slots=True)
class Trail:
    """Routes one after another, each ending where the next begins.

    Attributes
    ----------
    stops, single
        Bits of the stops at which routes end, and of those at which only one does.
    plain
        Whether no stop is an end of three routes, and the trail is not closed.
    """

    stops: int
    single: int
    plain: bool
    link: int
    arcs: tuple[Arc, ...]

    def extended(self, arc: Arc, here: int, there: int) -> Trail:
        """Return the trail, which ends at stop ``here``, with one more route to stop ``there``."""
        joint, end = 1 << here, 1 << there
        again = bool(self.stops & end)
        thrice = bool(self.arcs) and not self.single & joint
        single = self.single & ~joint if self.arcs else joint
        return Trail(
            self.stops | joint | end,
            single & ~end if again else single | end,
            self.plain and not thrice and not again,
            self.link | arc.link,
            (*self.arcs, arc),
        )


@dataclass(frozen=True, slots=True)
class _Met:
    """The trails of a chain as far as they were asked for, and the rest."""

    known: list[Trail]
    rest: Iterator[Trail]

    def trails(self) -> Iterator[Trail]:
        """Yield all trails.

        Raises
        ------
        Interrupted
            If they are too many.
        """
        at = 0
        while True:
            while at < len(self.known):
                at += 1
                yield self.known[at - 1]
            if at == MOST_TRAILS:
                raise Interrupted("more trails between two ends than are tried")
            found = next(self.rest, None)
            if found is None:
                return
            self.known.append(found)


class Linker:
    """Chooses the routes between the ends of chains.

    Parameters
    ----------
    links
        Per slot of chained routes, its routes.
    reach
        Between which ends trails can run.
    """

    def __init__(self, model: Model, links: Sequence[Links], reach: Reach) -> None:
        self.reach = reach
        self._lines: list[tuple[int, Lines]] = []
        self._known = 0
        self._met: dict[int, _Met] = {}
        self._trails: dict[int, list[Trail]] = {}
        self._touch = (1 << 64 * model.touch) - 1
        self._needs = to_ints(model.needs)
        self._arcs = Arcs(links, reach.ends)
        self._stop = self._arcs.stops
        # from a stop on, to an end, with so many routes
        self._ahead: dict[Used, Bits] = {}
        stops, first = np.unique(np.array(self._stop, dtype=np.int64), return_index=True)
        for used, pairs in reach.pairs.items():
            ahead = np.zeros((max(self._stop, default=0) + 1, len(reach.ends)), dtype=np.uint8)
            if len(stops):
                ahead[stops] = np.maximum.reduceat(pairs, first, axis=0)
            self._ahead[used] = ahead

    def add(self, lines: Lines) -> Ints:
        """Return the numbers under which these chains are known from now on."""
        self._lines.append((self._known, lines))
        self._known += len(lines.first)
        return np.arange(self._known - len(lines.first), self._known, dtype=np.int64)

    def settled(
        self,
        chosen: Sequence[tuple[Slot, Candidates, int]],
        value: int,
        settle: Settle,
        *,
        trust: bool,
    ) -> Found | None:
        """Return the best way to run the chosen candidates, ``None`` if there is none.

        Parameters
        ----------
        value
            Score of the candidates.
        trust
            Do not ask ``settle`` where the score is plain.

        Raises
        ------
        Interrupted
            If there are more ways than are tried.
        """
        best: Found | None = None
        for asked, (routes, plain) in enumerate(self._ways(chosen)):
            if plain and trust:
                return Found(value, routes)
            if asked >= MOST_ASKED:
                raise Interrupted("chains that meet in more ways than are tried")
            score = settle(routes, value)
            if score is not None and (best is None or score > best.value):
                best = Found(score, routes)
            if best is not None and (plain or best.value >= value):
                break
        return best

    def _ways(
        self, chosen: Sequence[tuple[Slot, Candidates, int]]
    ) -> Iterator[tuple[tuple[Path, ...], bool]]:
        """Yield the ways to run the chosen candidates, plain ones first."""
        own: list[Path] = []
        links: list[int] = []
        chains: list[int] = []
        for slot, pool, i in chosen:
            route = tuple(pool.route(i))
            if slot.pool is None:
                own.append((slot.team, route))
                links += to_ints(pool.link[i : i + 1])
            else:
                chains.append(route[0])
        if not chains:
            alone = all(links[-1] & each for each in self._wanted(links[:-1])) if links else not self._needs
            if alone:
                yield tuple(own), True
            return
        if len(chains) == 1:
            wanted = self._wanted(links)
            for trail in self._trails.get(chains[0]) or self._tried(chains[0]):
                if trail.plain and all(trail.link & each for each in wanted):
                    yield (*own, *((arc.slot, arc.path) for arc in trail.arcs)), True
        ways = [self._between(number) for number in chains]

        def choose(trails: tuple[Trail, ...], stops: int, plain: bool) -> Iterator[tuple[Trail, ...]]:
            last = len(trails) + 1 == len(ways)
            wanted = self._wanted([*links, *(trail.link for trail in trails)]) if last else []
            for trail in ways[len(trails)]:
                apart = plain and trail.plain and not trail.stops & stops
                if only_plain and not apart:
                    continue
                if not last:
                    yield from choose((*trails, trail), stops | trail.stops, apart)
                elif apart == only_plain and all(trail.link & each for each in wanted):
                    yield (*trails, trail)

        for only_plain in (True, False):
            for trails in choose((), 0, True):
                paths = [(arc.slot, arc.path) for trail in trails for arc in trail.arcs]
                yield (*own, *paths), only_plain

    def _wanted(self, links: list[int]) -> list[int]:
        """Return the links of which one more route needs one each, for all to hang together as they must."""
        wanted = [need for need in self._needs if not any(link & need for link in links)]
        parts: list[int] = []
        for link in links if self._touch else ():
            own = link & self._touch
            apart = [part for part in parts if not part & own]
            for part in parts:
                if part & own:
                    own |= part
            parts = [*apart, own]
        return wanted + parts

    def _tried(self, number: int) -> Iterator[Trail]:
        """Yield the trails of a chain; those met before are at hand."""
        if number not in self._met:
            self._met[number] = _Met([], self._walked(number))
        return self._met[number].trails()

    def _walked(self, number: int) -> Iterator[Trail]:
        begin, lines = next(item for item in reversed(self._lines) if item[0] <= number)
        first, last = int(lines.first[number - begin]), int(lines.last[number - begin])
        for used in lines.used:
            yield from self._closed(first, used) if first == last else self._open(first, last, used)

    def _between(self, number: int) -> list[Trail]:
        """Return the trails of a chain, without those that another can replace."""
        if number in self._trails:
            return self._trails[number]
        kept: list[Trail] = []
        seen: set[tuple[int, int]] = set()
        for trail in self._tried(number):
            if trail.plain:
                if (trail.link, trail.stops) in seen:
                    continue
                seen.add((trail.link, trail.stops))
            if not any(_replaces(other, trail) for other in kept):
                kept = [other for other in kept if not _replaces(trail, other)]
                kept.append(trail)
        kept.sort(key=lambda trail: (not trail.plain, trail.stops.bit_count(), -trail.link.bit_count()))
        self._trails[number] = kept
        return kept

    def _open(self, first: int, last: int, used: Used) -> Iterator[Trail]:
        """Yield the trails with two ends and so many routes of each slot."""

        def go(stop: int, left: Used, trail: Trail) -> Iterator[Trail]:
            if not any(left):
                if trail.single.bit_count() == 2:
                    yield trail
                return
            for j, count in enumerate(left):
                rest = (*left[:j], count - 1, *left[j + 1 :])
                more = any(rest)
                ahead = self._ahead[rest][:, last].tobytes() if count and more else b""
                for i, begin, there in self._arcs.leaving(j, stop) if count else ():
                    at = self._stop[there]
                    if (ahead[at] if more else there == last) and (trail.arcs or begin == first):
                        yield from go(at, rest, trail.extended(self._arcs.arc(j, i), stop, at))

        if self.reach.pairs[used][first, last]:
            yield from go(self._stop[first], used, Trail(0, 0, True, 0, ()))

    def _closed(self, end: int, used: Used) -> Iterator[Trail]:
        """Yield the trails by way of a stop with so many routes, where each stop is an end of two or more."""
        wanted = 1 << self._stop[end]

        def go(stop: int, left: Used, trail: Trail) -> Iterator[Trail]:
            if not any(left):
                if not trail.single and trail.stops & wanted:
                    yield replace(trail, plain=False)
                return
            if trail.single.bit_count() > 2 * sum(left):
                return
            for j, count in enumerate(left):
                rest = (*left[:j], count - 1, *left[j + 1 :])
                for i, _, there in self._arcs.leaving(j, stop) if count else ():
                    at = self._stop[there]
                    yield from go(at, rest, trail.extended(self._arcs.arc(j, i), stop, at))

        if sum(used) > 1:
            for stop in sorted(set(self._stop)):
                yield from go(stop, used, Trail(0, 0, True, 0, ()))


def _replaces(a: Trail, b: Trail) -> bool:
    """Tell whether ``a`` can stand for ``b`` in any set."""
    if b.link & ~a.link or a.stops & ~b.stops:
        return False
    return a.plain or (not b.plain and _outline(a) == _outline(b))


def _outline(trail: Trail) -> list[tuple[int, tuple[End, End]]]:
    return sorted((arc.slot, arc.ends) for arc in trail.arcs)


def settled(
    chosen: Sequence[tuple[Slot, Candidates, int]],
    value: int,
    settle: Settle | None,
    linker: Linker | None,
    *,
    trust: bool = False,
) -> Found | None:
    """Return the set that the chosen candidates stand for, with its true score; ``None`` if it is not legal.

    Parameters
    ----------
    settle, linker
        Where scores are bounds only, and where candidates stand for chains.

    Raises
    ------
    Interrupted
        If there are more ways to run chains than are tried.
    """
    if linker is not None and settle is not None:
        return linker.settled(chosen, value, settle, trust=trust)
    routes = tuple((slot.team, tuple(pool.route(i))) for slot, pool, i in chosen)
    score = value if settle is None or trust else settle(routes, value)
    return None if score is None else Found(score, routes)
