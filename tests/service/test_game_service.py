"""Every method of GameService, against the functions of this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from service_support import code_of, details

from engine import convert
from engine.encoding import SiteRoute
from engine.position import Position
from engine.registry import GAMES
from engine.solving import check_position, solve_position
from engine.v1 import game_service_pb2 as pb
from engine.v1 import position_pb2
from engine.v1.game_service_pb2_grpc import GameServiceStub
from router.errors import Unsupported
from support import read_jsonl

Recorded = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def stub(channel: grpc.Channel) -> GameServiceStub:
    return GameServiceStub(channel)


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Recorded:
    """Return some recorded runs of a game, early and late ones."""

    def lines(game: str) -> list[dict[str, Any]]:
        found = list(read_jsonl(shared / "positions" / f"{game}.jsonl"))
        return found[:: max(1, len(found) // 3)][:4]

    return lines


def message_of(position: dict[str, Any]) -> position_pb2.Position:
    return json_format.ParseDict(position, position_pb2.Position())


@pytest.mark.parametrize("game", GAMES)
def test_solve_stream_and_check(stub: GameServiceStub, recorded: Recorded, game: str) -> None:
    for line in recorded(game):
        position = Position.from_json(line["position"])
        request = pb.SolvePositionRequest(id=line["id"], position=message_of(line["position"]))
        try:
            expected = solve_position(position, id=line["id"])
        except Unsupported:
            with pytest.raises(grpc.RpcError) as caught:
                stub.SolvePosition(request, timeout=60)
            assert code_of(caught.value) is grpc.StatusCode.UNIMPLEMENTED
            continue
        solution = stub.SolvePosition(request, timeout=60).solution
        assert convert.solution_from_proto(solution) == expected
        assert solution.revenue >= line["repriced"]["revenue"]

        stream_request = pb.StreamSolvePositionRequest.FromString(request.SerializeToString())
        events = list(stub.StreamSolvePosition(stream_request, timeout=60))
        kinds = [event.WhichOneof("event") for event in events]
        assert kinds.count("final") == 1
        assert events[-1].final == solution

        routes = SiteRoute.list_from_json(line["recorded"]["routes"])
        check = pb.CheckPositionRequest(
            id=line["id"], position=request.position, routes=convert.site_routes_to_proto(routes)
        )
        verdict = stub.CheckPosition(check, timeout=60)
        assert convert.verdict_from_proto(verdict) == check_position(position, routes, id=line["id"])
        assert (verdict.legal, verdict.revenue) == (True, line["repriced"]["revenue"])


def test_stream_request_is_the_plain_request() -> None:
    """The jobs read one like the other."""

    def shape(message: Any) -> list[tuple[object, ...]]:
        return [(it.name, it.number, it.type, it.is_repeated) for it in message.DESCRIPTOR.fields]

    assert shape(pb.SolvePositionRequest) == shape(pb.StreamSolvePositionRequest)


def test_all_faults_of_a_request_are_named(stub: GameServiceStub, recorded: Recorded) -> None:
    request = pb.SolvePositionRequest(position=message_of(recorded("1861")[0]["position"]), alternatives=-1)
    request.position.company = "nobody"
    request.position.tiles.add(hex="H8", tile="none such", rotation=7)
    request.fixed_routes.add(connections=[position_pb2.Chain()])
    request.time_limit.seconds = -1
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolvePosition(request, timeout=20)
    assert code_of(caught.value) is grpc.StatusCode.INVALID_ARGUMENT
    found = details(caught.value)
    assert found["ErrorInfo"].reason == "INVALID_INPUT"
    fields = [it.field for it in found["BadRequest"].field_violations]
    last = len(request.position.tiles) - 1
    for field in (
        f"position.tiles[{last}].rotation",
        "fixedRoutes[0].train",
        "fixedRoutes[0].connections[0]",
        "timeLimit",
        "alternatives",
    ):
        assert field in fields, fields


def test_empty_request(stub: GameServiceStub) -> None:
    for call in (
        lambda: stub.SolvePosition(pb.SolvePositionRequest(), timeout=20),
        lambda: list(stub.StreamSolvePosition(pb.StreamSolvePositionRequest(), timeout=20)),
        lambda: stub.CheckPosition(pb.CheckPositionRequest(), timeout=20),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call()
        assert code_of(caught.value) is grpc.StatusCode.INVALID_ARGUMENT
        fields = [it.field for it in details(caught.value)["BadRequest"].field_violations]
        assert "position.game" in fields


def test_fixed_routes(stub: GameServiceStub, recorded: Recorded) -> None:
    line = next(it for it in recorded("1861") if len(it["recorded"]["routes"]) > 1)
    routes = SiteRoute.list_from_json(line["recorded"]["routes"])[:1]
    request = pb.SolvePositionRequest(
        position=message_of(line["position"]), fixed_routes=convert.site_routes_to_proto(routes)
    )
    solution = stub.SolvePosition(request, timeout=60).solution
    expected = solve_position(Position.from_json(line["position"]), fixed_routes=routes)
    assert convert.solution_from_proto(solution) == expected
    assert routes[0].train in [route.train for route in solution.routes]


def test_illegal_fixed_routes(stub: GameServiceStub, recorded: Recorded) -> None:
    line = recorded("1861")[-1]
    request = pb.SolvePositionRequest(position=message_of(line["position"]))
    request.fixed_routes.add(train="no such train", connections=[position_pb2.Chain(hexes=["A1", "A3"])])
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolvePosition(request, timeout=60)
    found = details(caught.value)
    assert found["ErrorInfo"].reason == "INVALID_ROUTES"
    assert found["BadRequest"].field_violations[0].field == "fixedRoutes[0]"
