"""Positions and answers as protocol buffers; the JSON form of a position is the public one."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given
from hypothesis import strategies as st

from engine import convert
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
from engine.v1 import game_service_pb2, position_pb2
from router.errors import InvalidInput
from router.solution import Bonus, Code, Status
from support import read_jsonl


def positions(shared: Path) -> list[dict[str, Any]]:
    """Return every position of the reference data."""
    files = sorted([*shared.glob("positions/*.jsonl"), *shared.glob("positions/*.jsonl.gz")])
    assert len(files) == 10
    return [line["position"] for file in files for line in read_jsonl(file)]


def spoken(value: Any) -> Any:
    """Leave out what means the same when left out: false, 0, and empty texts and lists."""
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items() if item not in (False, 0, "", [])}
    if isinstance(value, list):
        return [spoken(item) for item in value]
    return value


def test_json_of_every_position_is_proto3_json(shared: Path) -> None:
    for plain in positions(shared):
        message = json_format.ParseDict(plain, position_pb2.Position())
        again = json_format.MessageToDict(message)
        assert spoken(again) == spoken(plain)
        assert position_pb2.Position.FromString(message.SerializeToString()) == message
        assert spoken(convert.position_to_plain(message)) == spoken(plain)


def test_every_position_round_trips(shared: Path) -> None:
    for plain in positions(shared)[::10]:
        message = json_format.ParseDict(plain, position_pb2.Position())
        position = convert.position_from_proto(message)
        assert position == Position.from_json(plain)
        assert convert.position_to_proto(position) == message


def test_rare_fields_round_trip() -> None:
    plain = {
        "game": "1873",
        "players": 3,
        "company": "X",
        "phase": "2",
        "tokens": [{"hex": "A1", "city": 1, "slot": 2, "company": "X", "extra": True, "offCity": True}],
        "trains": [{"id": "2-0", "name": "2", "subtrains": ["2-1"], "leased": True}],
        "hexBonuses": [{"source": "P", "hexes": ["A1"], "amount": 10}],
        "g1862": {"permits": ["local"], "sharePrice": 54},
        "g1873": {"openMines": ["1", "2"]},
    }
    message = json_format.ParseDict(plain, position_pb2.Position())
    assert json_format.MessageToDict(message) == plain
    assert spoken(convert.position_to_plain(message)) == plain


def test_faults_are_those_of_the_json_form() -> None:
    message = position_pb2.Position(game="1861", tiles=[position_pb2.Tile(hex="", tile="9", rotation=9)])
    with pytest.raises(InvalidInput) as caught:
        convert.position_from_proto(message)
    places = [fault.where for fault in caught.value.faults]
    for place in ("players", "company", "phase", "tiles[0].hex", "tiles[0].rotation"):
        assert place in places


TEXT = st.sampled_from(
    ["", "1861", "1862", "18GB", "18NewEngland", "1873", "A1", "H8", "2", "9", "NW", "local"]
)
NUMBER = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 99, -1, 2**31 - 1, -(2**31)])


def messages(descriptor: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return any values of any fields of a message, as arguments of its constructor."""
    return st.fixed_dictionaries({}, optional={field.name: values(field) for field in descriptor.fields})


def values(field: Any) -> st.SearchStrategy[Any]:
    item: st.SearchStrategy[Any] = NUMBER
    if field.message_type is not None:
        item = messages(field.message_type)
    elif field.type == FieldDescriptor.TYPE_STRING:
        item = TEXT
    elif field.type == FieldDescriptor.TYPE_BOOL:
        item = st.booleans()
    return st.lists(item, max_size=2) if field.is_repeated else item


@given(messages(position_pb2.Position.DESCRIPTOR))
def test_no_message_raises_anything_but_invalid_input(fields: dict[str, Any]) -> None:
    message = position_pb2.Position(**fields)
    try:
        position = convert.position_from_proto(message)
    except InvalidInput as error:
        assert error.faults
    else:
        assert convert.position_from_proto(convert.position_to_proto(position)) == position


@given(st.lists(messages(position_pb2.Route.DESCRIPTOR), max_size=3))
def test_no_routes_raise_anything_but_invalid_input(fields: list[dict[str, Any]]) -> None:
    found = [position_pb2.Route(**it) for it in fields]
    try:
        routes = convert.site_routes_from_proto(found, "fixedRoutes")
    except InvalidInput as error:
        assert all(fault.where.startswith("fixedRoutes[") for fault in error.faults)
    else:
        assert convert.site_routes_from_proto(convert.site_routes_to_proto(routes)) == routes


def test_site_routes_round_trip() -> None:
    routes = (SiteRoute("2-0", (("A1", "B2"), ("L7",)), ("A1-0", "B2-1")), SiteRoute("3-1", (("A1", "C3"),)))
    assert convert.site_routes_from_proto(convert.site_routes_to_proto(routes)) == routes


ROUTE = PositionRoute(
    "2-0",
    60,
    10,
    ("A1", "B2"),
    (("A1", "B2"), ("L7",)),
    ("A1-0", "B2-1"),
    (PositionStop("A1", 0, 40), PositionStop("B2", 1, 0)),
    (Bonus("port", 20, "A1"),),
)
SET = PositionRouteSet(60, 10, (ROUTE,))


@pytest.mark.parametrize("status", list(Status))
def test_solution_round_trip(status: Status) -> None:
    solution = PositionSolution(status, 60, 10, 70, (ROUTE,), (SET,), {"nodes": 3}, "why", "id")
    message = convert.solution_to_proto(solution)
    assert convert.solution_from_proto(type(message).FromString(message.SerializeToString())) == solution
    assert convert.route_set_from_proto(convert.route_set_to_proto(SET)) == SET


@pytest.mark.parametrize("code", list(Code))
def test_verdict_round_trip(code: Code) -> None:
    violations = (PositionViolation(code, 0, "first"), PositionViolation(code, None, "all"))
    for verdict in (
        PositionVerdict(False, 0, 0, (), violations, "id"),
        PositionVerdict(True, 60, 10, (ROUTE,), (), "id"),
    ):
        message = convert.verdict_to_proto(verdict)
        assert convert.verdict_from_proto(type(message).FromString(message.SerializeToString())) == verdict


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (position_pb2.Position, Position),
        (position_pb2.PricedRoute, PositionRoute),
        (position_pb2.PaidStop, PositionStop),
        (position_pb2.Bonus, Bonus),
        (position_pb2.RouteSet, PositionRouteSet),
        (position_pb2.PositionSolution, PositionSolution),
        (game_service_pb2.CheckPositionResponse, PositionVerdict),
        (game_service_pb2.Violation, PositionViolation),
    ],
    ids=lambda it: it.__name__,
)
def test_messages_have_the_fields_of_the_dataclasses(message: Any, word: Any) -> None:
    """A field that is added on one side only would be lost silently."""
    assert set(message.DESCRIPTOR.fields_by_name) == {it.name for it in dataclasses.fields(word)}


def test_json_of_an_answer_is_that_of_the_message() -> None:
    """The command line writes the dataclass, a gateway the message; they agree but for names of statuses."""
    solution = PositionSolution(Status.OPTIMAL, 60, 10, 70, (ROUTE,), (SET,), {"nodes": 3}, "why", "id")
    plain = json.loads(json.dumps(solution.to_json()))
    message = json_format.MessageToDict(convert.solution_to_proto(solution))
    assert message["status"] == "STATUS_OPTIMAL"
    plain["status"] = message["status"]
    plain["stats"] = {"nodes": "3"}
    for routes in (plain, plain["alternatives"][0]):
        for route in routes["routes"]:
            route["connections"] = [{"hexes": chain} for chain in route["connections"]]
    assert spoken(message) == spoken(plain)
