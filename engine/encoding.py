"""Routes as 18xx.games writes them, to and from routes over stops and segments (``00-common`` section 7.1).

There a route is a list of chains in travel order, each the hexes from one stop to the next in either
direction.
The ``nodes`` only choose where several readings are possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from engine.compile import Compiled
from engine.network import Chain, Network, Stop
from engine.position import MAX_LIST
from engine.reading import Reader, listed
from router.errors import InvalidInput
from router.solution import Code, PricedRoute, Route

MAX_READINGS = 20_000
"""Largest number of partial readings of one route that are tried."""

_ROUTE = (
    "train",
    "connections",
    "nodes",
    "hexes",
    "revenue",
    "revenueStr",
    "subsidy",
    "halts",
    "abilities",
    "stops",
    "bonuses",
)


@dataclass(frozen=True, slots=True)
class SiteRoute:
    """A route in the encoding of 18xx.games."""

    train: str
    connections: tuple[tuple[str, ...], ...]
    nodes: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    @staticmethod
    def list_from_json(value: object, where: str = "routes") -> tuple[SiteRoute, ...]:
        """Read a list of routes; fields that only say what a route brings are not looked at.

        Raises
        ------
        InvalidInput
            With everything that is wrong in form.
        """
        reader = Reader()
        items = reader.items({where: value}, where, "", MAX_LIST)
        routes = tuple(_read(reader, item, f"{where}[{index}]") for index, item in enumerate(items))
        if reader.faults:
            raise InvalidInput(reader.faults)
        return routes


def _read(reader: Reader, value: object, place: str) -> SiteRoute:
    fields = reader.fields(value, place, _ROUTE)
    if fields is None:
        return SiteRoute("", ())
    place += "."
    connections = []
    for index, chain in enumerate(reader.items(fields, "connections", place, MAX_LIST)):
        name = f"connections[{index}]"
        hexes = reader.texts({name: chain}, name, place, MAX_LIST, repeats=True)
        if not hexes and chain in (None, []):
            reader.fault(place + name, "is empty; expected the hexes from one stop to the next")
        connections.append(hexes)
    return SiteRoute(
        reader.text(fields, "train", place),
        tuple(connections),
        reader.texts(fields, "nodes", place, MAX_LIST, repeats=True),
        reader.texts(fields, "hexes", place, MAX_LIST, repeats=True),
    )


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A route that names track which is not there, or chains that do not meet."""

    train: str
    code: Code
    why: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chain as it is written: from one stop to the other."""

    chain: Chain
    start: Stop
    end: Stop


_Reading: TypeAlias = tuple[tuple[_Piece, ...], tuple[Stop, ...]]


class Codec:
    """Translates the routes of one board."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._network: Network = compiled.network
        self._chains: dict[tuple[str, ...], list[_Piece]] = {}
        self._by_id = {chain.id: chain for chain in self._network.chains}
        self._inside = _inside(self._network.chains)
        for chain in self._network.chains:
            forward, backward = _Piece(chain, chain.a, chain.b), _Piece(chain, chain.b, chain.a)
            self._chains.setdefault(chain.hexes, []).append(forward)
            self._chains.setdefault(chain.hexes[::-1], []).append(backward)
            if len(chain.hexes) == 1:
                self._chains.setdefault((_inside_name(chain),), []).extend((forward, backward))

    def decode(self, routes: Iterable[SiteRoute]) -> list[Route | Unreadable]:
        """Read routes, each for itself.

        Chains of one spelling use the same track, so the rule that later routes keep off the track of earlier
        ones (R7.9) chooses nothing.
        """
        return [self._read(route) for route in routes]

    def encode(self, route: Route | PricedRoute) -> SiteRoute:
        """Write a route: every chain in travel order and direction (R7.2, R7.4, R7.6)."""
        connections: list[tuple[str, ...]] = []
        for start, name in zip(route.nodes, route.segments, strict=False):
            chain = self._by_id[name]
            if len(chain.hexes) == 1:
                several = self._inside[chain.hexes[0]] > 1
                connections.append((_inside_name(chain),) if several else chain.hexes)
            else:
                connections.append(chain.hexes if chain.a.id == start else chain.hexes[::-1])
        hexes = tuple(self._compiled.problem.node_by_id[name].hex for name in route.nodes)
        return SiteRoute(route.train, tuple(connections), tuple(dict.fromkeys(route.nodes)), hexes)

    def _read(self, route: SiteRoute) -> Route | Unreadable:
        if not route.connections:
            return Unreadable(route.train, Code.TOO_SHORT, "has no track; expected two stops or more")
        choices = []
        for hexes in route.connections:
            pieces = self._chains.get(hexes)
            if not pieces:
                return Unreadable(route.train, Code.UNKNOWN_TRACK, self._missing(hexes))
            choices.append(pieces)
        for simple in (True, False):
            readings = _lines(choices, simple)
            best = min(readings, key=lambda reading: self._preference(route, reading), default=None)
            if best is not None:
                taken, stops = best
                return Route(
                    route.train,
                    tuple(stop.id for stop in stops),
                    tuple(piece.chain.id for piece in taken),
                )
        return Unreadable(route.train, Code.NOT_JOINED, _apart(route.connections, choices))

    def _preference(self, route: SiteRoute, reading: _Reading) -> tuple[bool, int, bool, int]:
        """Rank readings, the lowest first (R7.10): as the nodes tell, from an own token, short."""
        pieces, stops = reading
        told = dict.fromkeys(stop.id for piece in pieces for stop in (piece.start, piece.end))
        tokens = self._compiled.problem.node_by_id
        return (
            tuple(told) != route.nodes,
            -sum(name in told for name in dict.fromkeys(route.nodes)),
            len(pieces) == 1 and not any(tokens[stop.id].token for stop in stops),
            sum(len(piece.chain.hexes) for piece in pieces),
        )

    def _missing(self, hexes: tuple[str, ...]) -> str:
        """Say why there is no such chain."""
        if hexes[0] == "local":
            return "is a local run, which uses no track; expected track between two stops"
        known = self._compiled.board.facts.map
        names = [name.partition(" ")[0] for name in hexes]
        for name in names:
            if name not in known.hexes:
                return f"{name} is no hex of the map"
        for one, other in pairwise(names):
            if known.distance(one, other) != 1:
                return f"{one} and {other} are no neighbours"
        stops = {stop.hex for stop in self._network.stops}
        for name in (names[0], names[-1]):
            if name not in stops:
                return f"there is no stop with track in {name}"
        if len(names) == 1:
            return f"no track joins two stops inside {names[0]}"
        over = f" over {listed(names[1:-1])}" if len(names) > 2 else ""
        return (
            f"no track leads from a stop in {names[0]}{over} to a stop in {names[-1]} without another between"
        )


def _inside(chains: Iterable[Chain]) -> dict[str, int]:
    """Return how many chains lie inside each hex that has any."""
    found: dict[str, int] = {}
    for chain in chains:
        if len(chain.hexes) == 1:
            found[chain.hexes[0]] = found.get(chain.hexes[0], 0) + 1
    return found


def _inside_name(chain: Chain) -> str:
    """Return how track inside a hex is called where there is more of it: ``H5 0.2`` (R7.4)."""
    first, second = sorted((chain.a.node.part, chain.b.node.part))
    return f"{chain.hexes[0]} {first}.{second}"


def _lines(choices: Sequence[Sequence[_Piece]], simple: bool) -> Iterator[_Reading]:
    """Yield the ways to take one piece per chain that make one line; if ``simple``, without a loop."""
    ahead: list[_Reading] = []
    for piece in reversed(choices[0]):
        if len(choices) > 1:
            ahead.append(((piece,), (piece.end, piece.start)))
        ahead.append(((piece,), (piece.start, piece.end)))
    tried = 0
    while ahead and tried < MAX_READINGS:
        pieces, stops = ahead.pop()
        tried += 1
        if len(pieces) == len(choices):
            yield pieces, stops
            continue
        here = stops[-1]
        for piece in reversed(choices[len(pieces)]):
            if here is not piece.start and here is not piece.end:
                continue
            there = piece.end if here is piece.start else piece.start
            if not simple or there not in stops:
                ahead.append(((*pieces, piece), (*stops, there)))


def _apart(connections: Sequence[tuple[str, ...]], choices: Sequence[Sequence[_Piece]]) -> str:
    """Say which chains do not meet."""
    for number, (one, other) in enumerate(pairwise(choices)):
        ends = {stop for piece in one for stop in (piece.start, piece.end)}
        if not any(piece.start in ends or piece.end in ends for piece in other):
            first, second = connections[number], connections[number + 1]
            return f"the track {'-'.join(first)} and the track {'-'.join(second)} have no stop in common"
    return "the track does not make one line from stop to stop"
