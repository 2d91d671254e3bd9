"""Which stops are joined by which track: the search goes over pieces of track, never over cities.

A *chain* is track from one stop to the next without another stop on the way (``00-common R7.8``). Where track
parts and meets again between the same stops there are several chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board
from engine.facts import GameFacts
from engine.hexes import EDGES, opposite
from engine.tiles import AtNode, Edge, Gauge, Path, Tile, TileNode
from router.errors import Unsupported

MAX_CHAINS = 50_000
"""Largest number of chains that a board may have."""
MAX_STEPS = 2_000_000
"""Largest number of track pieces walked over while they are collected."""

_FITS: Mapping[Gauge, frozenset[Gauge]] = {
    "broad": frozenset({"broad", "dual"}),
    "narrow": frozenset({"narrow", "dual"}),
    "dual": frozenset({"broad", "narrow", "dual"}),
}


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """A stop on the board that has track; there is one object for each stop of each tile in each place.

    Attributes
    ----------
    id
        Hex and part, as recorded games write it: ``L7-1``.
    index
        Number among the stops of its tile.
    rank
        Place in the order of the map.
    terminal
        Its track ends every route (``00-common R7.16``).
    """

    id: str
    hex: str
    index: int
    rank: int
    node: TileNode
    terminal: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """The track between two neighbouring stops.

    Attributes
    ----------
    a, b
        The stops, in the order of the map.
    hexes
        Hexes from ``a`` to ``b``; one hex for track inside a hex.
    track
        A name for each hex border crossed, or for the track inside the hex: what routes compete for.
    gauges
        The kinds of track used.
    """

    id: str
    a: Stop
    b: Stop
    hexes: tuple[str, ...]
    track: tuple[str, ...]
    gauges: frozenset[Gauge]


@dataclass(frozen=True, slots=True)
class _Step:
    """A path seen from one of its ends: where it leads, to a stop or over an edge."""

    gauge: Gauge
    stop: Stop | None
    edge: int


@dataclass(frozen=True, slots=True)
class Track:
    """The track of one hex: its stops, and where one gets from each stop and from each edge."""

    stops: tuple[Stop, ...]
    from_stop: Mapping[str, tuple[_Step, ...]]
    from_edge: Mapping[int, tuple[_Step, ...]]


@dataclass(frozen=True, slots=True)
class _Ways:
    """The chains that begin at a stop, the steps it took to find them, and the hexes that were looked at."""

    chains: tuple[Chain, ...]
    steps: int
    seen: frozenset[str]


class TrackMap:
    """The track of every tile in every place of one map, worked out when first asked for."""

    def __init__(self, facts: GameFacts) -> None:
        self._facts = facts
        self._place = {hex_id: number for number, hex_id in enumerate(facts.map.hexes)}
        self._laid: dict[tuple[str, str, int], Track] = {}
        self.printed = {
            hex_id: _track(hex_id, item.printed, self._place[hex_id])
            for hex_id, item in facts.map.hexes.items()
            if item.printed.paths
        }
        self.across = {hex_id: self._borders(hex_id) for hex_id in facts.map.hexes}
        self._walked: tuple[Mapping[str, Track], dict[str, _Ways]] = ({}, {})

    def ways(self, tracks: Mapping[str, Track]) -> dict[str, _Ways]:
        """Return a store of the chains from single stops, with those that hold from the board before.

        One board differs little from the next one in a game; what was walked over where nothing has changed
        is not walked again.
        """
        before, known = self._walked
        changed = {
            hex_id for hex_id in tracks.keys() | before.keys() if tracks.get(hex_id) is not before.get(hex_id)
        }
        if changed:
            known = {stop: ways for stop, ways in list(known.items()) if changed.isdisjoint(ways.seen)}
            self._walked = (tracks, known)
        return known

    def on(self, board: Board) -> dict[str, Track]:
        """Return the track on each hex of a board that has any."""
        found = dict(self.printed)
        for hex_id, laid in board.laid.items():
            key = (hex_id, laid.tile, laid.rotation)
            track = self._laid.get(key)
            if track is None:
                tile = self._facts.tiles[laid.tile].rotated(laid.rotation)
                track = self._laid[key] = _track(hex_id, tile, self._place[hex_id])
            found[hex_id] = track
        return found

    def _borders(self, hex_id: str) -> dict[int, tuple[str, int, str]]:
        """Return by edge: the hex beyond, its edge, the name of the border.

        Track that meets at a border joins unless the border is impassable: a printed hex that cannot be
        entered has no track there, or has been built over (``00-common R4.6``).
        """
        item = self._facts.map.hexes[hex_id]
        walls = _walls(item.printed)
        found = {}
        for edge in EDGES:
            beyond = item.links.get(edge) or item.blocked.get(edge)
            if beyond is None:
                continue
            if edge in walls and opposite(edge) in _walls(self._facts.map.hexes[beyond].printed):
                continue
            first = (hex_id, beyond) if self._place[hex_id] < self._place[beyond] else (beyond, hex_id)
            found[edge] = (beyond, opposite(edge), "|".join(first))
        return found


@lru_cache(maxsize=256)
def track_map(facts: GameFacts) -> TrackMap:
    """Return the track map of a game."""
    return TrackMap(facts)


@dataclass(frozen=True, eq=False)
class Network:
    """Stops and chains, both in the order of the map."""

    stops: tuple[Stop, ...]
    chains: tuple[Chain, ...]


def whole_network(board: Board) -> Network:
    """Return all stops that have track, and all chains."""
    tracks = track_map(board.facts).on(board)
    walk = _Walk(board.facts, tracks)
    stops = sorted((stop for track in tracks.values() for stop in track.stops), key=_rank)
    for stop in stops:
        walk.add(chain for chain in walk.chains(stop) if chain.a is stop)
    return walk.network(stops)


def reachable_network(board: Board, company: str, *, past_blocked: bool = False) -> Network:
    """Return what routes of a company can use: all that hangs together with its tokens.

    This is a flood over chains through stops that the company may pass; it can be larger than what single
    routes reach, never smaller.

    Parameters
    ----------
    past_blocked
        Some routes may pass stops that block the company.
    """
    tracks = track_map(board.facts).on(board)
    walk = _Walk(board.facts, tracks)
    reached: dict[str, Stop] = {}
    for hex_id in board.hexes_by_company.get(company, ()):
        if hex_id in tracks:
            for stop in tracks[hex_id].stops:
                if board.has_token(company, hex_id, stop.node):
                    reached[stop.id] = stop
    ahead = sorted(reached.values(), key=_rank)
    sources = frozenset(reached)
    while ahead:
        stop = ahead.pop()
        ends = stop.terminal or stop.node.kind == "offboard"
        ends = ends or (not past_blocked and board.blocks(company, stop.hex, stop.node))
        if ends and stop.id not in sources:
            continue
        found = walk.chains(stop)
        walk.add(found)
        for chain in found:
            other = chain.b if chain.a is stop else chain.a
            if other.id not in reached:
                reached[other.id] = other
                ahead.append(other)
    return walk.network(sorted(reached.values(), key=_rank))


def _too_much() -> Unsupported:
    return Unsupported(f"the board has more than {MAX_CHAINS} ways between neighbouring stops")


def _rank(stop: Stop) -> int:
    return stop.rank


def _order(chain: Chain) -> tuple[int, int, int, tuple[str, ...]]:
    return chain.a.rank, chain.b.rank, len(chain.hexes), chain.hexes


class _Walk:
    """Collects chains."""

    def __init__(self, facts: GameFacts, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._across = track_map(facts).across
        self._known = track_map(facts).ways(tracks)
        self._steps = 0
        self._found: dict[str, Chain] = {}

    def add(self, chains: Iterable[Chain]) -> None:
        """Keep chains; one that is there already is the same."""
        for chain in chains:
            self._found[chain.id] = chain
        if len(self._found) > MAX_CHAINS or self._steps > MAX_STEPS:
            raise _too_much()

    def network(self, stops: Iterable[Stop]) -> Network:
        """Return what was collected."""
        return Network(tuple(stops), tuple(sorted(self._found.values(), key=_order)))

    def chains(self, start: Stop) -> tuple[Chain, ...]:
        """Return all chains that begin at a stop: no border is crossed twice (``00-common R7.8``)."""
        ways = self._known.get(start.id)
        if ways is None:
            ways = self._known[start.id] = self._ways(start)
        self._steps += ways.steps
        return ways.chains

    def _ways(self, start: Stop) -> _Ways:
        tracks, across = self._tracks, self._across
        found: list[Chain] = []
        seen = {start.hex}
        taken = 0
        ahead: list[tuple[str, int, Gauge, tuple[str, ...], tuple[str, ...], frozenset[Gauge]]] = []
        for step in tracks[start.hex].from_stop[start.id]:
            if step.stop is None:
                ahead.append((start.hex, step.edge, step.gauge, (start.hex,), (), frozenset({step.gauge})))
            elif step.stop is not start:
                a, b = (start, step.stop) if start.rank < step.stop.rank else (step.stop, start)
                name = f"{a.id}/{b.id}"
                found.append(Chain(name, a, b, (start.hex,), (name,), frozenset({step.gauge})))
        while ahead:
            hex_id, edge, gauge, hexes, crossed, gauges = ahead.pop()
            border = across[hex_id].get(edge)
            if border is None or border[2] in crossed:
                continue
            beyond, entry, name = border
            seen.add(beyond)
            track = tracks.get(beyond)
            if track is None:
                continue
            steps = track.from_edge.get(entry, ())
            taken += len(steps)
            if self._steps + taken > MAX_STEPS or len(found) > MAX_CHAINS:
                raise _too_much()
            fitting = _FITS[gauge]
            for step in steps:
                if step.gauge not in fitting:
                    continue
                if step.stop is None:
                    kinds = gauges if step.gauge in gauges else gauges | {step.gauge}
                    ahead.append((beyond, step.edge, step.gauge, (*hexes, beyond), (*crossed, name), kinds))
                elif step.stop is not start:
                    found.append(
                        _chain(start, step.stop, (*hexes, beyond), (*crossed, name), gauges | {step.gauge})
                    )
        return _Ways(tuple(found), taken, frozenset(seen))


def _chain(
    start: Stop, end: Stop, hexes: tuple[str, ...], track: tuple[str, ...], gauges: frozenset[Gauge]
) -> Chain:
    if end.rank < start.rank:
        start, end, hexes, track = end, start, hexes[::-1], track[::-1]
    between = ".".join(hexes[1:-1])
    name = f"{start.id}/{end.id}:{between}" if between else f"{start.id}/{end.id}"
    return Chain(name, start, end, hexes, track, gauges)


def _track(hex_id: str, tile: Tile, place: int) -> Track:
    terminal = {node for path in tile.paths if path.terminal for node in path.nodes}
    used = sorted({node for path in tile.paths for node in path.nodes})
    stops = {
        index: Stop(
            f"{hex_id}-{tile.nodes[index].part}",
            hex_id,
            index,
            place * 100 + tile.nodes[index].part,
            tile.nodes[index],
            index in terminal,
        )
        for index in used
    }
    from_stop: dict[str, list[_Step]] = {stop.id: [] for stop in stops.values()}
    from_edge: dict[int, list[_Step]] = {}
    for path in tile.paths:
        for here, there in ((path.a, path.b), (path.b, path.a)):
            step = _step(path, there, stops, hex_id)
            if step is None:
                continue
            if isinstance(here, Edge):
                from_edge.setdefault(here.edge, []).append(step)
            elif isinstance(here, AtNode):
                from_stop[stops[here.node].id].append(step)
    return Track(
        tuple(stops.values()),
        {name: tuple(steps) for name, steps in from_stop.items()},
        {edge: tuple(steps) for edge, steps in from_edge.items()},
    )


def _step(path: Path, end: object, stops: Mapping[int, Stop], hex_id: str) -> _Step | None:
    """Return the step over a path to its ``end``.

    Terminal track without a stop gives none: it is the first or last piece of no route (``00-common R7.16``).
    """
    if isinstance(end, AtNode):
        return _Step(path.gauge, stops[end.node], -1)
    if path.terminal and not path.nodes:
        return None
    if isinstance(end, Edge):
        return _Step(path.gauge, None, end.edge)
    raise Unsupported(f"{hex_id} has a junction without stop; such track cannot be run yet")


def _walls(tile: Tile) -> frozenset[int]:
    return frozenset(border.edge for border in tile.borders if border.kind == "impassable")
