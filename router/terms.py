"""Money beside the stops, and conditions that a set of routes must meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class StopBonus:
    """Money, once per route, if each of the node sets ``all_of`` holds a paying stop of the route.

    ``amounts`` overrides ``amount`` by train kind. One set: a bonus of a stop; two sets: a bonus of a pair.
    """

    name: str
    amount: int
    all_of: tuple[frozenset[str], ...]
    amounts: Mapping[str, int] = field(default_factory=dict)

    def worth(self, kind: str) -> int:
        """Return the amount for a train of ``kind``."""
        return self.amounts.get(kind, self.amount)


@dataclass(frozen=True, slots=True)
class TrackBonus:
    """Money, once per route, if the route uses a segment with the mark."""

    name: str
    amount: int
    mark: str


@dataclass(frozen=True, slots=True)
class DistanceBonus:
    """Money per hex of straight-line distance between the outermost visited stops of ``between`` kinds."""

    name: str
    per_hex: int
    trains: frozenset[str]
    between: frozenset[str] = frozenset({"city", "offboard"})


@dataclass(frozen=True, slots=True)
class AreaBonus:
    """Money for sets of meeting routes that together touch two areas.

    The routes are partitioned into sets; a set of two or more hangs together by shared visited stops of the
    ``meeting`` kinds. Each set earns each pair of areas it touches, once. The partition that brings most is
    taken.
    """

    name: str
    areas: Mapping[str, frozenset[str]]
    pairs: tuple[tuple[str, str, int], ...]
    meeting: frozenset[str] = frozenset({"city", "town"})


@dataclass(frozen=True, slots=True)
class LargestTrainBonus:
    """Money paid to one route only: of all that visit one of ``nodes``, the one with the largest amount.

    ``amounts`` by train kind. It is lost if that route's stop there is in ``lost_at``.
    """

    name: str
    nodes: frozenset[str]
    amounts: Mapping[str, int]
    lost_at: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class HexSubsidy:
    """Subsidy per distinct hex that the routes of the ``trains`` kinds run through, stops or not."""

    name: str
    per_hex: int
    trains: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChainBonus:
    """Routes that are linked end to end and pay only at the ends of the chain, plus distance.

    Attributes
    ----------
    trains
        Train kinds that form chains.
    dependent
        Kinds that all belong to one chain, and to one with another kind if any other runs.
    per_hex, far_per_hex
        Money per hex strictly between the chain's ends; ``far_per_hex`` if an end is in ``far``.
    from_last_hex
        Node kinds that are measured from the last hex before them, plus one.
    """

    name: str
    trains: frozenset[str]
    dependent: frozenset[str]
    per_hex: int
    far_per_hex: int
    far: frozenset[str]
    from_last_hex: frozenset[str] = frozenset({"offboard"})


Term: TypeAlias = (
    StopBonus | TrackBonus | DistanceBonus | AreaBonus | LargestTrainBonus | HexSubsidy | ChainBonus
)


@dataclass(frozen=True, slots=True)
class VisitHome:
    """At least one route visits one of ``nodes``."""

    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class RoutesTouch:
    """All routes hang together by shared visited stops."""


@dataclass(frozen=True, slots=True)
class RequiredRoute:
    """One route of each of ``track_classes`` runs through exactly these hexes.

    A route that runs through all of them may pass blocked stops.
    """

    name: str
    hexes: frozenset[str]
    track_classes: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class MustRun:
    """At least one route of the track class runs."""

    track_class: str = ""


Condition: TypeAlias = VisitHome | RoutesTouch | RequiredRoute | MustRun
