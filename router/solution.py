"""Routes, priced routes, verdicts and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """What an answer claims."""

    OPTIMAL = "OPTIMAL"
    """Proved: no legal run brings more."""
    FEASIBLE = "FEASIBLE"
    """Legal; ``bound`` says how much more is possible at most."""
    INFEASIBLE = "INFEASIBLE"
    """Proved: there is no legal run."""
    UNKNOWN = "UNKNOWN"
    """Stopped before a legal run was found."""


class Code(StrEnum):
    """Everything that can make a set of routes illegal."""

    UNKNOWN_TRAIN = "UNKNOWN_TRAIN"
    UNKNOWN_TRACK = "UNKNOWN_TRACK"
    TRAIN_TWICE = "TRAIN_TWICE"
    NOT_JOINED = "NOT_JOINED"
    TOO_SHORT = "TOO_SHORT"
    TOO_LONG = "TOO_LONG"
    NODE_TWICE = "NODE_TWICE"
    HEX_TWICE = "HEX_TWICE"
    GROUP_TWICE = "GROUP_TWICE"
    TRACK_TWICE = "TRACK_TWICE"
    BLOCKED = "BLOCKED"
    TERMINAL = "TERMINAL"
    NO_TOKEN = "NO_TOKEN"
    NO_ENTRY = "NO_ENTRY"
    BAD_END = "BAD_END"
    ENDS_ALIKE = "ENDS_ALIKE"
    NO_HOME = "NO_HOME"
    NOT_TOUCHING = "NOT_TOUCHING"
    CHAIN = "CHAIN"
    REQUIRED = "REQUIRED"


@dataclass(frozen=True, slots=True)
class Route:
    """A route as somebody proposes it: ``nodes`` in travel order, ``segments`` between them.

    ``train`` is a train's id or one of its ``route_ids``.
    """

    train: str
    nodes: tuple[str, ...]
    segments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaidStop:
    """A stop that pays, with the money it brings (multiplier included)."""

    node: str
    revenue: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """Money beside the stops: ``kind`` is the name of the term, ``why`` says what earned it."""

    kind: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class PricedRoute:
    """A route with its money: ``revenue`` = sum of ``stops`` and ``bonuses``."""

    train: str
    nodes: tuple[str, ...]
    segments: tuple[str, ...]
    revenue: int
    subsidy: int = 0
    stops: tuple[PaidStop, ...] = ()
    bonuses: tuple[Bonus, ...] = ()

    @property
    def route(self) -> Route:
        """The bare route."""
        return Route(self.train, self.nodes, self.segments)


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule; ``route`` is the index in the list checked, ``None`` if the whole set breaks it."""

    code: Code
    route: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says. An illegal set has ``revenue`` and ``subsidy`` 0 and no priced routes."""

    legal: bool
    revenue: int
    subsidy: int
    routes: tuple[PricedRoute, ...]
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class RouteSet:
    """Routes that run together, and what they bring."""

    revenue: int
    subsidy: int
    routes: tuple[PricedRoute, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer of the router.

    Attributes
    ----------
    bound
        No legal run brings more than this (revenue, or revenue + subsidy under the objective ``"total"``).
    alternatives
        The next best sets, best first.
    stats
        Work counters (``expansions``, ``candidates``, ``nodes``, ...): same input, same counters.
    why
        Why there is no legal run, or what stopped the search.
    """

    status: Status
    revenue: int
    subsidy: int
    bound: int
    routes: tuple[PricedRoute, ...]
    alternatives: tuple[RouteSet, ...] = ()
    stats: Mapping[str, int] = field(default_factory=dict)
    why: str = ""
