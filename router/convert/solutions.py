"""Routes, verdicts and answers: dataclasses <-> protocol buffers."""

from __future__ import annotations

from collections.abc import Iterable

from router.convert.names import CODES, STATUSES
from router.solution import (
    Bonus,
    Code,
    PaidStop,
    PricedRoute,
    Route,
    RouteSet,
    Solution,
    Status,
    Verdict,
    Violation,
)
from router.v1 import solution_pb2 as pb


def routes_to_proto(routes: Iterable[Route]) -> list[pb.Route]:
    """Write routes as messages."""
    return [pb.Route(train=it.train, nodes=it.nodes, segments=it.segments) for it in routes]


def routes_from_proto(messages: Iterable[pb.Route]) -> tuple[Route, ...]:
    """Read routes from messages."""
    return tuple(Route(it.train, tuple(it.nodes), tuple(it.segments)) for it in messages)


def route_set_to_proto(routes: RouteSet) -> pb.RouteSet:
    """Write a set of routes as a message."""
    return pb.RouteSet(
        revenue=routes.revenue, subsidy=routes.subsidy, routes=[_priced_to_proto(it) for it in routes.routes]
    )


def route_set_from_proto(message: pb.RouteSet) -> RouteSet:
    """Read a set of routes from a message."""
    return RouteSet(message.revenue, message.subsidy, _priced(message.routes))


def solution_to_proto(solution: Solution, id: str = "") -> pb.Solution:
    """Write an answer as a message that echoes the request's ``id``."""
    return pb.Solution(
        id=id,
        status=STATUSES.numbers[solution.status],
        revenue=solution.revenue,
        subsidy=solution.subsidy,
        bound=solution.bound,
        routes=[_priced_to_proto(route) for route in solution.routes],
        alternatives=[route_set_to_proto(routes) for routes in solution.alternatives],
        stats=solution.stats,
        why=solution.why,
    )


def solution_from_proto(message: pb.Solution) -> Solution:
    """Read an answer from a message.

    Raises
    ------
    ValueError
        If the message claims nothing that this version knows.
    """
    return Solution(
        status=Status(STATUSES.by_number.get(message.status, f"status {message.status}")),
        revenue=message.revenue,
        subsidy=message.subsidy,
        bound=message.bound,
        routes=_priced(message.routes),
        alternatives=tuple(route_set_from_proto(routes) for routes in message.alternatives),
        stats=dict(sorted(message.stats.items())),
        why=message.why,
    )


def verdict_to_proto(verdict: Verdict) -> pb.Verdict:
    """Write a verdict as a message."""
    return pb.Verdict(
        legal=verdict.legal,
        revenue=verdict.revenue,
        subsidy=verdict.subsidy,
        routes=[_priced_to_proto(route) for route in verdict.routes],
        violations=[
            pb.Violation(code=CODES.numbers[it.code], route=it.route, why=it.why) for it in verdict.violations
        ],
    )


def verdict_from_proto(message: pb.Verdict) -> Verdict:
    """Read a verdict from a message.

    Raises
    ------
    ValueError
        If the message names a rule that this version does not know.
    """
    violations = tuple(
        Violation(
            Code(CODES.by_number.get(it.code, f"code {it.code}")),
            it.route if it.HasField("route") else None,
            it.why,
        )
        for it in message.violations
    )
    return Verdict(message.legal, message.revenue, message.subsidy, _priced(message.routes), violations)


def _priced_to_proto(route: PricedRoute) -> pb.PricedRoute:
    return pb.PricedRoute(
        train=route.train,
        nodes=route.nodes,
        segments=route.segments,
        revenue=route.revenue,
        subsidy=route.subsidy,
        stops=[pb.PaidStop(node=stop.node, revenue=stop.revenue) for stop in route.stops],
        bonuses=[pb.Bonus(kind=it.kind, amount=it.amount, why=it.why) for it in route.bonuses],
    )


def _priced(messages: Iterable[pb.PricedRoute]) -> tuple[PricedRoute, ...]:
    return tuple(
        PricedRoute(
            train=route.train,
            nodes=tuple(route.nodes),
            segments=tuple(route.segments),
            revenue=route.revenue,
            subsidy=route.subsidy,
            stops=tuple(PaidStop(stop.node, stop.revenue) for stop in route.stops),
            bonuses=tuple(Bonus(it.kind, it.amount, it.why) for it in route.bonuses),
        )
        for route in messages
    )
