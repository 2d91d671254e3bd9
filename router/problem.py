"""The route problem: everything the router knows about a board, as plain data.

A :class:`RouteProblem` names stops, the track between them, the trains, and the money. It names no game.
What a *single* route must obey stands on its :class:`Train`; what binds *several* routes stands on the
problem. The vocabulary is closed: a rule that cannot be said with these words needs a new general word,
never a callback. ``docs/problem.md`` explains every word with an example.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from router.errors import Fault, InvalidProblem
from router.terms import (
    AreaBonus,
    ChainBonus,
    Condition,
    DistanceBonus,
    HexSubsidy,
    LargestTrainBonus,
    MustRun,
    RequiredRoute,
    RoutesTouch,
    StopBonus,
    Term,
    TrackBonus,
    VisitHome,
)

NodeKind: TypeAlias = Literal["city", "town", "offboard", "halt"]
HexVisits: TypeAlias = Literal["free", "once", "consecutive"]
Scope: TypeAlias = Literal["route", "class", "all"]

NODE_KINDS: frozenset[str] = frozenset({"city", "town", "offboard", "halt"})
MAX_MONEY = 1_000_000
"""Largest amount of money (and largest multiplier x value) that a problem may hold."""
MAX_SIZE = 100_000
"""Largest number of nodes, segments or trains that a problem may hold."""


@dataclass(frozen=True, slots=True)
class Hex:
    """A place, in axial coordinates; only terms that measure distance read the coordinates."""

    id: str
    q: int = 0
    r: int = 0

    def distance(self, other: Hex) -> int:
        """Return the number of hex steps to ``other`` as the crow flies."""
        dq, dr = self.q - other.q, self.r - other.r
        return max(abs(dq), abs(dr), abs(dq + dr))


@dataclass(frozen=True, slots=True)
class Node:
    """A stop.

    Attributes
    ----------
    value, values
        Money a paying stop brings, before the train's multiplier; ``values`` overrides it by train kind.
    token
        The company has a token here.
    blocked
        No route passes through; it may end here.
    terminal
        A route may only begin or end here (an off-board area is always terminal).
    groups
        Names of which one route may visit each at most once.
    counts_as
        Stops with the same name are the same stop where stops pay only once (``RouteProblem.count``);
        by default the node's own id. It is looked at when stops are paid, not when a train chooses them.
    """

    id: str
    kind: NodeKind
    hex: str
    value: int = 0
    values: Mapping[str, int] = field(default_factory=dict)
    token: bool = False
    blocked: bool = False
    terminal: bool = False
    groups: tuple[str, ...] = ()
    counts_as: str = ""

    def worth(self, kind: str) -> int:
        """Return the money that a stop of a train of ``kind`` brings here."""
        return self.values.get(kind, self.value)

    @property
    def end_only(self) -> bool:
        """Whether no route at all passes through this stop."""
        return self.blocked or self.terminal or self.kind == "offboard"


@dataclass(frozen=True, slots=True)
class Segment:
    """The track between two neighbouring stops, without another stop in between.

    Attributes
    ----------
    track
        Names of the track pieces used; a name is used at most once within ``RouteProblem.track_scope``.
    hexes
        Hexes run through in order from ``a`` to ``b``, both ends included; one hex for track inside a hex.
    marks
        Names that a :class:`TrackBonus` can refer to.
    """

    id: str
    a: str
    b: str
    track: tuple[str, ...]
    hexes: tuple[str, ...]
    marks: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """Hex edges crossed."""
        return len(self.hexes) - 1

    def other(self, node: str) -> str:
        """Return the end that is not ``node``."""
        return self.b if node == self.a else self.a


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` stops whose kind is in ``kinds``."""

    kinds: frozenset[str]
    most: int


@dataclass(frozen=True, slots=True)
class Train:
    """A train and what a route of it must obey.

    A route visits its stops; of these, some *pay*. The paying stops are any set of visited stops of the
    ``paying`` kinds that holds every visited stop of the ``must_pay`` kinds and obeys each limit of
    ``pay``; the set that brings most is taken.

    Attributes
    ----------
    kind
        Name that values and bonuses of the problem refer to.
    visit
        Limits on visited stops (empty: unbounded).
    max_edges
        Largest number of hex edges crossed.
    pay, paying, must_pay
        See above. ``must_pay`` is ``paying`` when not given and no limit of ``pay`` is given.
    token_pays
        At least one paying stop must hold a token.
    needs_token
        At least one visited stop must hold a token.
    multiplier
        Factor on the stops' values, not on bonuses.
    hex_visits
        ``"free"``; ``"once"``: no two visited stops in one hex; ``"consecutive"``: only if they follow each
        other.
    hex_pays_once
        Of several paying stops in one hex only the first in travel order brings money.
    ends, through, stops
        Node ids at which a route may end, that it may pass, that it may visit at all; ``None``: no
        restriction.
    track_class
        Trains of the same class share track and counting where the scope is ``"class"``.
    routes
        How many routes the train runs at most, ``None``: any number.
    route_ids
        Names for these routes, used in answers in this order; the train's id if empty.
    routes_touch
        The routes of this train hang together by shared stops that are not blocked.
    """

    id: str
    kind: str
    visit: tuple[Limit, ...] = ()
    max_edges: int | None = None
    pay: tuple[Limit, ...] = ()
    paying: frozenset[str] = NODE_KINDS
    must_pay: frozenset[str] | None = None
    token_pays: bool = False
    needs_token: bool = True
    multiplier: int = 1
    hex_visits: HexVisits = "free"
    hex_pays_once: bool = False
    ends: frozenset[str] | None = None
    through: frozenset[str] | None = None
    stops: frozenset[str] | None = None
    track_class: str = ""
    routes: int | None = 1
    route_ids: tuple[str, ...] = ()
    routes_touch: bool = False

    @property
    def always_pays(self) -> frozenset[str]:
        """Kinds of which every visited stop pays."""
        if self.must_pay is not None:
            return self.must_pay
        return frozenset() if self.pay else self.paying


@dataclass(frozen=True)
class RouteProblem:
    """A board, seen by one company that runs its trains.

    Attributes
    ----------
    track_scope
        Where a track piece is used at most once: within each ``"route"``, over the routes of a track
        ``"class"``, or over ``"all"`` routes. Within one route it is never used twice.
    count
        Where a stop pays at most once: on each ``"route"``, over a track ``"class"``, or over ``"all"``
        routes.
    end_sets
        Of each set of node ids a route may have at most one of its two ends.

    Raises
    ------
    InvalidProblem
        On construction, with all faults.
    """

    nodes: tuple[Node, ...]
    segments: tuple[Segment, ...]
    trains: tuple[Train, ...]
    hexes: tuple[Hex, ...] = ()
    terms: tuple[Term, ...] = ()
    conditions: tuple[Condition, ...] = ()
    track_scope: Scope = "all"
    count: Scope = "route"
    end_sets: tuple[frozenset[str], ...] = ()
    id: str = ""

    def __post_init__(self) -> None:
        """Refuse a problem that contradicts itself."""
        from router.validate import faults

        found = faults(self)
        if found:
            raise InvalidProblem(found)

    @cached_property
    def node_by_id(self) -> dict[str, Node]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def segment_by_id(self) -> dict[str, Segment]:
        """The segments by id."""
        return {segment.id: segment for segment in self.segments}

    @cached_property
    def train_by_id(self) -> dict[str, Train]:
        """The trains by id."""
        return {train.id: train for train in self.trains}

    @cached_property
    def hex_by_id(self) -> dict[str, Hex]:
        """The hexes by id."""
        return {hex_.id: hex_ for hex_ in self.hexes}


def kinds(*names: NodeKind) -> frozenset[str]:
    """Return a set of node kinds; short hand for :class:`Limit` and :class:`Train`."""
    return frozenset(names)


__all__ = [
    "MAX_MONEY",
    "MAX_SIZE",
    "NODE_KINDS",
    "AreaBonus",
    "ChainBonus",
    "Condition",
    "DistanceBonus",
    "Fault",
    "Hex",
    "HexSubsidy",
    "HexVisits",
    "LargestTrainBonus",
    "Limit",
    "MustRun",
    "Node",
    "NodeKind",
    "RequiredRoute",
    "RouteProblem",
    "RoutesTouch",
    "Scope",
    "Segment",
    "StopBonus",
    "Term",
    "TrackBonus",
    "Train",
    "VisitHome",
    "kinds",
]
