"""Positions, runs and answers: dataclasses <-> protocol buffers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.answer import (
    PositionRoute,
    PositionRouteSet,
    PositionSolution,
    PositionStop,
    PositionVerdict,
    PositionViolation,
)
from engine.encoding import SiteRoute
from engine.position import Position
from engine.v1 import game_service_pb2 as service_pb
from engine.v1 import position_pb2 as pb
from router.solution import Bonus, Code, Status

_STATUSES: Any = pb.PositionSolution.DESCRIPTOR.fields_by_name["status"].enum_type
_CODES: Any = service_pb.Violation.DESCRIPTOR.fields_by_name["code"].enum_type

# positions


def position_to_proto(position: Position) -> pb.Position:
    """Write a position as a message."""
    message = pb.Position(
        game=position.game,
        players=position.players,
        optional_rules=position.optional_rules,
        company=position.company,
        phase=position.phase,
        tiles=[pb.Tile(hex=it.hex, tile=it.tile, rotation=it.rotation) for it in position.tiles],
        tokens=[
            pb.Token(
                hex=it.hex,
                city=it.city,
                slot=it.slot,
                company=it.company,
                extra=it.extra,
                off_city=it.off_city,
            )
            for it in position.tokens
        ],
        trains=[
            pb.Train(id=it.id, name=it.name, subtrains=it.subtrains, leased=it.leased)
            for it in position.trains
        ],
        hex_bonuses=[
            pb.HexBonus(source=it.source, hexes=it.hexes, amount=it.amount) for it in position.hex_bonuses
        ],
    )
    if position.g1862 is not None:
        charter = position.g1862
        message.g1862.CopyFrom(pb.G1862(permits=charter.permits, share_price=charter.share_price))
    if position.g1873 is not None:
        message.g1873.CopyFrom(pb.G1873(open_mines=position.g1873.open_mines))
    return message


def position_from_proto(message: pb.Position) -> Position:
    """Read a position from a message.

    Raises
    ------
    InvalidInput
        With everything that is wrong, in form and against the game's own data.
    """
    return Position.from_json(position_to_plain(message))


def position_to_plain(message: pb.Position) -> dict[str, object]:
    """Return the JSON form of a position; much faster than protobuf's own."""
    plain: dict[str, object] = {
        "game": message.game,
        "players": message.players,
        "optionalRules": list(message.optional_rules),
        "company": message.company,
        "phase": message.phase,
        "tiles": [{"hex": it.hex, "tile": it.tile, "rotation": it.rotation} for it in message.tiles],
        "tokens": [
            {
                "hex": it.hex,
                "city": it.city,
                "slot": it.slot,
                "company": it.company,
                "extra": it.extra,
                "offCity": it.off_city,
            }
            for it in message.tokens
        ],
        "trains": [
            {"id": it.id, "name": it.name, "subtrains": list(it.subtrains), "leased": it.leased}
            for it in message.trains
        ],
        "hexBonuses": [
            {"source": it.source, "hexes": list(it.hexes), "amount": it.amount} for it in message.hex_bonuses
        ],
    }
    if message.HasField("g1862"):
        plain["g1862"] = {
            "permits": list(message.g1862.permits),
            "sharePrice": message.g1862.share_price,
        }
    if message.HasField("g1873"):
        plain["g1873"] = {"openMines": list(message.g1873.open_mines)}
    return plain


# routes as 18xx.games writes them


def site_routes_to_proto(routes: Iterable[SiteRoute]) -> list[pb.Route]:
    """Write proposed routes as messages."""
    return [
        pb.Route(train=it.train, connections=_chains_to_proto(it.connections), nodes=it.nodes)
        for it in routes
    ]


def site_routes_from_proto(messages: Iterable[pb.Route], where: str = "routes") -> tuple[SiteRoute, ...]:
    """Read proposed routes from messages; ``where`` is the name of the field.

    Raises
    ------
    InvalidInput
        With everything that is wrong in form.
    """
    plain = [
        {
            "train": it.train,
            "connections": [list(chain.hexes) for chain in it.connections],
            "nodes": list(it.nodes),
        }
        for it in messages
    ]
    return SiteRoute.list_from_json(plain, where)


def _chains_to_proto(chains: Iterable[Iterable[str]]) -> list[pb.Chain]:
    return [pb.Chain(hexes=chain) for chain in chains]


# answers


def solution_to_proto(solution: PositionSolution) -> pb.PositionSolution:
    """Write an answer as a message."""
    return pb.PositionSolution(
        id=solution.id,
        status=_STATUSES.values_by_name[f"STATUS_{solution.status}"].number,
        revenue=solution.revenue,
        subsidy=solution.subsidy,
        bound=solution.bound,
        routes=[_route_to_proto(route) for route in solution.routes],
        alternatives=[route_set_to_proto(routes) for routes in solution.alternatives],
        stats=solution.stats,
        why=solution.why,
    )


def solution_from_proto(message: pb.PositionSolution) -> PositionSolution:
    """Read an answer from a message.

    Raises
    ------
    ValueError
        If the message claims nothing that this version knows.
    """
    return PositionSolution(
        status=Status(_name(_STATUSES, message.status)),
        revenue=message.revenue,
        subsidy=message.subsidy,
        bound=message.bound,
        routes=_routes(message.routes),
        alternatives=tuple(route_set_from_proto(routes) for routes in message.alternatives),
        stats=dict(sorted(message.stats.items())),
        why=message.why,
        id=message.id,
    )


def route_set_to_proto(routes: PositionRouteSet) -> pb.RouteSet:
    """Write a run as a message."""
    return pb.RouteSet(
        revenue=routes.revenue, subsidy=routes.subsidy, routes=[_route_to_proto(it) for it in routes.routes]
    )


def route_set_from_proto(message: pb.RouteSet) -> PositionRouteSet:
    """Read a run from a message."""
    return PositionRouteSet(message.revenue, message.subsidy, _routes(message.routes))


def verdict_to_proto(verdict: PositionVerdict) -> service_pb.CheckPositionResponse:
    """Write a verdict as a message."""
    return service_pb.CheckPositionResponse(
        id=verdict.id,
        legal=verdict.legal,
        revenue=verdict.revenue,
        subsidy=verdict.subsidy,
        routes=[_route_to_proto(route) for route in verdict.routes],
        violations=[
            service_pb.Violation(
                code=_CODES.values_by_name[f"VIOLATION_CODE_{it.code}"].number,
                route=it.route,
                why=it.why,
            )
            for it in verdict.violations
        ],
    )


def verdict_from_proto(message: service_pb.CheckPositionResponse) -> PositionVerdict:
    """Read a verdict from a message.

    Raises
    ------
    ValueError
        If the message names a rule that this version does not know.
    """
    violations = tuple(
        PositionViolation(
            Code(_name(_CODES, it.code)),
            it.route if it.HasField("route") else None,
            it.why,
        )
        for it in message.violations
    )
    return PositionVerdict(
        message.legal, message.revenue, message.subsidy, _routes(message.routes), violations, message.id
    )


def _name(enum: Any, number: int) -> str:
    """Return the bare name of a value of an enumeration, something else if it is unknown."""
    value = enum.values_by_number.get(number)
    prefix: str = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return str(number) if value is None else str(value.name).removeprefix(prefix)


def _route_to_proto(route: PositionRoute) -> pb.PricedRoute:
    return pb.PricedRoute(
        train=route.train,
        revenue=route.revenue,
        subsidy=route.subsidy,
        hexes=route.hexes,
        connections=_chains_to_proto(route.connections),
        nodes=route.nodes,
        stops=[pb.PaidStop(hex=it.hex, node=it.node, revenue=it.revenue) for it in route.stops],
        bonuses=[pb.Bonus(kind=it.kind, amount=it.amount, why=it.why) for it in route.bonuses],
    )


def _routes(messages: Iterable[pb.PricedRoute]) -> tuple[PositionRoute, ...]:
    return tuple(
        PositionRoute(
            train=route.train,
            revenue=route.revenue,
            subsidy=route.subsidy,
            hexes=tuple(route.hexes),
            connections=tuple(tuple(chain.hexes) for chain in route.connections),
            nodes=tuple(route.nodes),
            stops=tuple(PositionStop(it.hex, it.node, it.revenue) for it in route.stops),
            bonuses=tuple(Bonus(it.kind, it.amount, it.why) for it in route.bonuses),
        )
        for route in messages
    )
