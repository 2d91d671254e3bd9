"""Answers in the words of a board: the public Solution and verdict, and their JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.compile import Compiled
from engine.encoding import Codec
from engine.words import Words
from router.solution import Bonus, Code, PricedRoute, RouteSet, Solution, Status, Violation


@dataclass(frozen=True, slots=True)
class PositionStop:
    """A stop that pays; ``node`` is its index among the stops of its tile."""

    hex: str
    node: int
    revenue: int


@dataclass(frozen=True, slots=True)
class PositionRoute:
    """A route with its money, in the encoding of 18xx.games (``00-common`` section 7.1)."""

    train: str
    revenue: int
    subsidy: int
    hexes: tuple[str, ...]
    connections: tuple[tuple[str, ...], ...]
    nodes: tuple[str, ...]
    stops: tuple[PositionStop, ...]
    bonuses: tuple[Bonus, ...]

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {
            "train": self.train,
            "revenue": self.revenue,
            "subsidy": self.subsidy,
            "hexes": list(self.hexes),
            "connections": [list(chain) for chain in self.connections],
            "nodes": list(self.nodes),
            "stops": [{"hex": stop.hex, "node": stop.node, "revenue": stop.revenue} for stop in self.stops],
            "bonuses": [
                {"kind": bonus.kind, "amount": bonus.amount, "why": bonus.why} for bonus in self.bonuses
            ],
        }


@dataclass(frozen=True, slots=True)
class PositionRouteSet:
    """Routes that run together, and what they bring."""

    revenue: int
    subsidy: int
    routes: tuple[PositionRoute, ...]

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {
            "revenue": self.revenue,
            "subsidy": self.subsidy,
            "routes": [route.to_json() for route in self.routes],
        }


@dataclass(frozen=True, slots=True)
class PositionSolution:
    """An answer; see :class:`router.solution.Solution` for what the fields claim."""

    status: Status
    revenue: int
    subsidy: int
    bound: int
    routes: tuple[PositionRoute, ...]
    alternatives: tuple[PositionRouteSet, ...] = ()
    stats: Mapping[str, int] = field(default_factory=dict)
    why: str = ""
    id: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        found: dict[str, object] = {
            "id": self.id,
            "status": str(self.status),
            "revenue": self.revenue,
            "subsidy": self.subsidy,
            "bound": self.bound,
            "routes": [route.to_json() for route in self.routes],
            "alternatives": [routes.to_json() for routes in self.alternatives],
            "stats": dict(self.stats),
        }
        if self.why:
            found["why"] = self.why
        return found


@dataclass(frozen=True, slots=True)
class PositionViolation:
    """A broken rule; ``route`` is the index of the route, None if the whole set breaks it."""

    code: Code
    route: int | None
    why: str

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {"code": str(self.code), "route": self.route, "why": self.why}


@dataclass(frozen=True, slots=True)
class PositionVerdict:
    """What the referee says of routes that somebody proposes; illegal routes bring nothing."""

    legal: bool
    revenue: int
    subsidy: int
    routes: tuple[PositionRoute, ...]
    violations: tuple[PositionViolation, ...]
    id: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {
            "id": self.id,
            "legal": self.legal,
            "revenue": self.revenue,
            "subsidy": self.subsidy,
            "routes": [route.to_json() for route in self.routes],
            "violations": [violation.to_json() for violation in self.violations],
        }


class Answers:
    """Puts what the router says about one board into the words of that board."""

    def __init__(self, compiled: Compiled, codec: Codec | None = None) -> None:
        self._codec = codec or Codec(compiled)
        self._words = Words(compiled)
        self._stops = {stop.id: stop for stop in compiled.network.stops}
        self._idle = compiled.idle

    def route(self, route: PricedRoute) -> PositionRoute:
        """Return a priced route."""
        written = self._codec.encode(route)
        stops = [(self._stops[paid.node], paid.revenue) for paid in route.stops]
        return PositionRoute(
            written.train,
            route.revenue,
            route.subsidy,
            written.hexes,
            written.connections,
            written.nodes,
            tuple(PositionStop(stop.hex, stop.index, revenue) for stop, revenue in stops),
            tuple(Bonus(bonus.kind, bonus.amount, self._words.say(bonus.why)) for bonus in route.bonuses),
        )

    def routes(self, routes: Iterable[PricedRoute]) -> tuple[PositionRoute, ...]:
        """Return priced routes."""
        return tuple(self.route(route) for route in routes)

    def route_set(self, routes: RouteSet) -> PositionRouteSet:
        """Return routes that run together."""
        return PositionRouteSet(routes.revenue, routes.subsidy, self.routes(routes.routes))

    def violation(self, violation: Violation, route: int | None, train: str = "") -> PositionViolation:
        """Return a broken rule, of the route with this index and this train."""
        why = self._words.say(violation.why)
        if violation.code is Code.UNKNOWN_TRAIN and train in self._idle:
            why = f"train {train} does not run: {self._idle[train]}"
        return PositionViolation(violation.code, route, why)

    def solution(self, solution: Solution, request: str) -> PositionSolution:
        """Return an answer to the request of that id."""
        return PositionSolution(
            solution.status,
            solution.revenue,
            solution.subsidy,
            solution.bound,
            self.routes(solution.routes),
            tuple(self.route_set(routes) for routes in solution.alternatives),
            solution.stats,
            self._words.say(solution.why),
            request,
        )
