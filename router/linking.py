"""The routes between the ends of chains: how a complete set of chains can be run.

The search settles between which ends chains run. Here the routes of each are chosen, so that the whole set
hangs together and fulfils the conditions. Where no stop is an end of three routes, the chains are the ones
that the referee sees; else it depends on the listing what they are, and the referee has to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from router.candidates import Candidates
from router.found import Found, Path, Settle, Slot
from router.graph import to_ints
from router.model import Model
from router.work import Interrupted

MOST_TRAILS = 20_000
"""Trails between two ends that are tried at most."""
MOST_ASKED = 300
"""Ways to run one set that the referee is asked about at most."""

End = tuple[int, int, int]
"""Stop, end point, and slot of the route that ends there."""
Used = tuple[int, ...]
"""Per slot of chained routes how many run."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A route seen as a link between its ends; ``link`` holds the bits of what it links."""

    slot: int
    ends: tuple[End, End]
    link: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The ends of a chain, and how many routes of each slot it may have; the ends are one if it is closed."""

    first: End
    last: End
    used: tuple[Used, ...]

    @property
    def closed(self) -> bool:
        """Whether each stop at which routes end is an end of two or more."""
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Trail:
    """Routes one after another, each ending where the next begins.

    Attributes
    ----------
    stops
        Bits of all stops at which routes end.
    plain
        Whether no stop is an end of three routes, and the trail is not closed.
    """

    stops: int
    plain: bool
    link: int
    arcs: tuple[Arc, ...]


class Linker:
    """Chooses the routes between the ends of chains.

    Parameters
    ----------
    arcs
        Per slot of chained routes, its routes.
    reach
        For each number of routes per slot, pairs of ends that trails can have, or more.
    """

    def __init__(
        self, model: Model, arcs: Sequence[Sequence[Arc]], reach: Mapping[Used, Iterable[tuple[End, End]]]
    ) -> None:
        self._chains: list[Chain] = []
        self._trails: dict[int, list[Trail]] = {}
        self._touch = (1 << 64 * model.touch) - 1
        self._needs = to_ints(model.needs)
        self._reach = {used: {(first[0], last) for first, last in ways} for used, ways in reach.items()}
        self._from: list[dict[int, list[tuple[Arc, End, End]]]] = []
        for slot in arcs:
            ways: dict[int, list[tuple[Arc, End, End]]] = {}
            for arc in slot:
                for here, there in (arc.ends, arc.ends[::-1]):
                    ways.setdefault(here[0], []).append((arc, here, there))
            self._from.append(ways)

    def add(self, chain: Chain) -> int:
        """Return the number under which ``chain`` is known from now on."""
        self._chains.append(chain)
        return len(self._chains) - 1

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
        ways: list[list[Trail]] = []
        for slot, pool, i in chosen:
            route = tuple(pool.route(i))
            if slot.pool is None:
                own.append((slot.team, route))
                links += to_ints(pool.link[i : i + 1])
            else:
                ways.append(self._between(route[0]))

        def choose(trails: tuple[Trail, ...], stops: int, plain: bool) -> Iterator[tuple[Trail, ...]]:
            if len(trails) == len(ways):
                if plain == wanted and self._together([*links, *(trail.link for trail in trails)]):
                    yield trails
                return
            for trail in ways[len(trails)]:
                apart = plain and trail.plain and not trail.stops & stops
                if apart or not wanted:
                    yield from choose((*trails, trail), stops | trail.stops, apart)

        for wanted in (True, False):
            for trails in choose((), 0, True):
                paths = [(arc.slot, arc.path) for trail in trails for arc in trail.arcs]
                yield (*own, *paths), wanted

    def _together(self, links: list[int]) -> bool:
        """Tell whether routes with these links fulfil the conditions and hang together."""
        if not all(any(link & need for link in links) for need in self._needs):
            return False
        left = [link & self._touch for link in links]
        if not self._touch or not left:
            return True
        reached = left.pop()
        grown = True
        while grown and left:
            apart = [link for link in left if not link & reached]
            grown = len(apart) < len(left)
            for link in left:
                if link & reached:
                    reached |= link
            left = apart
        return not left

    def _between(self, number: int) -> list[Trail]:
        """Return the trails of a chain, without those that another can replace."""
        if number in self._trails:
            return self._trails[number]
        chain = self._chains[number]
        kept: list[Trail] = []
        tried = 0
        for used in chain.used:
            for trail in self._walk(chain, used):
                tried += 1
                if tried > MOST_TRAILS:
                    raise Interrupted("more trails between two ends than are tried")
                if not any(_replaces(other, trail) for other in kept):
                    kept = [other for other in kept if not _replaces(trail, other)]
                    kept.append(trail)
        kept.sort(key=lambda trail: (not trail.plain, trail.stops.bit_count(), -trail.link.bit_count()))
        self._trails[number] = kept
        return kept

    def _walk(self, chain: Chain, used: Used) -> Iterator[Trail]:
        """Yield all trails of a chain with so many routes of each slot."""
        most = sum(used)

        def go(here: End, left: Used, so_far: Trail, single: int) -> Iterator[Trail]:
            if not any(left):
                if single.bit_count() == (0 if chain.closed else 2) and so_far.stops & 1 << chain.first[0]:
                    yield replace(so_far, plain=so_far.plain and not chain.closed)
                return
            if chain.closed and single.bit_count() > 2 * (most - len(so_far.arcs)):
                return
            for j, count in enumerate(left):
                rest = (*left[:j], count - 1, *left[j + 1 :])
                for arc, begin, there in self._from[j].get(here[0], ()) if count else ():
                    if not chain.closed and not (
                        (so_far.arcs or begin == chain.first)
                        and (
                            (there[0], chain.last) in self._reach[rest] if any(rest) else there == chain.last
                        )
                    ):
                        continue
                    joint, end = 1 << here[0], 1 << there[0]
                    met = so_far.stops
                    thrice = bool(so_far.arcs) and not single & joint
                    grown = Trail(
                        met | joint | end,
                        so_far.plain and not thrice and not met & end,
                        so_far.link | arc.link,
                        (*so_far.arcs, arc),
                    )
                    once = single & ~joint if so_far.arcs else joint
                    yield from go(there, rest, grown, once & ~end if met & end else once | end)

        stops = {stop for slot in self._from for stop in slot} if chain.closed else {chain.first[0]}
        for stop in sorted(stops):
            yield from go((stop, 0, 0), used, Trail(0, True, 0, ()), 0)


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
