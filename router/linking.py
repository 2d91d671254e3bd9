"""The routes between the ends of chains: how a complete set of chains can be run.

The search settles between which ends chains run. Here the routes of each are chosen, so that the whole set
hangs together and fulfils the conditions. Where no stop is an end of three routes, the chains are the ones
that the referee sees; else it depends on the listing what they are, and the referee has to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from router.arcs import Arcs, Trail, Trails
from router.candidates import Candidates
from router.found import Found, Path, Settle, Slot
from router.graph import Ints, to_ints
from router.model import Model
from router.reach import Lines, Links, Reach
from router.work import Interrupted

MOST_ASKED = 300
"""Ways to run one set that the referee is asked about at most."""


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
        self._trails: dict[int, Trails] = {}
        self._touch = (1 << 64 * model.touch) - 1
        self._needs = to_ints(model.needs)
        self._arcs = Arcs(links, reach)

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
        alone = [(slot, pool, i) for slot, pool, i in chosen if slot.pool is None]
        links = [int.from_bytes(pool.link[i].tobytes(), "little") for _, pool, i in alone]
        chains = [pool.route(i)[0] for slot, pool, i in chosen if slot.pool is not None]
        own = [(slot.team, tuple(pool.route(i))) for slot, pool, i in alone]
        if not chains:
            if all(links[-1] & each for each in self._wanted(links[:-1])) if links else not self._needs:
                yield tuple(own), True
            return
        if len(chains) == 1:
            only, wanted = self._between(chains[0]), self._wanted(links)
            at = only.meeting(wanted, plain=True)
            while at >= 0:
                yield (*own, *only.paths(at)), True
                at = only.meeting(wanted, at + 1, plain=True)
            if only.meeting(wanted, plain=False) < 0:
                return
        ways = [self._between(number).needed for number in chains]
        for plain in (True, False):
            for trails in self._choices(ways, links, (), plain=plain):
                paths = self._arcs.paths([number for trail in trails for number in trail.routes])
                yield (*own, *paths), plain

    def _choices(
        self, ways: list[list[Trail]], links: list[int], trails: tuple[Trail, ...], *, plain: bool
    ) -> Iterator[tuple[Trail, ...]]:
        """Yield the ways to choose a trail of each chain besides ``trails`` that link all as wanted.

        All are plain and apart from each other, or not all are.
        """
        stops = 0
        apart = True
        for trail in trails:
            apart = apart and trail.plain and not trail.stops & stops
            stops |= trail.stops
        last = len(trails) + 1 == len(ways)
        wanted = self._wanted([*links, *(trail.link for trail in trails)]) if last else []
        for trail in ways[len(trails)]:
            still = apart and trail.plain and not trail.stops & stops
            if plain and not still:
                continue
            if not last:
                yield from self._choices(ways, links, (*trails, trail), plain=plain)
            elif still == plain and all(trail.link & each for each in wanted):
                yield (*trails, trail)

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

    def _between(self, number: int) -> Trails:
        """Return the trails of a chain; those met before are at hand."""
        if number not in self._trails:
            begin, lines = next(item for item in reversed(self._lines) if item[0] <= number)
            first, last = int(lines.first[number - begin]), int(lines.last[number - begin])
            self._trails[number] = Trails(self._arcs, first, last, lines.used)
        return self._trails[number]


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
