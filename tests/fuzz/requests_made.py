"""Requests of all kinds: messages made field by field from their descriptors, and bytes with faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from hypothesis import strategies as st

from engine.cli.problems import problem_from_json
from engine.v1 import game_service_pb2 as games
from router import convert
from router.v1 import router_service_pb2 as routes

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
METHODS: dict[str, type[Message]] = {
    "/engine.v1.GameService/SolvePosition": games.SolvePositionRequest,
    "/engine.v1.GameService/StreamSolvePosition": games.StreamSolvePositionRequest,
    "/engine.v1.GameService/CheckPosition": games.CheckPositionRequest,
    "/router.v1.RouterService/SolveRoutes": routes.SolveRoutesRequest,
    "/router.v1.RouterService/StreamSolveRoutes": routes.StreamSolveRoutesRequest,
    "/router.v1.RouterService/CheckRoutes": routes.CheckRoutesRequest,
    "/router.v1.RouterService/CountRoutes": routes.CountRoutesRequest,
}
WORDS = (
    *("", "a", "b", "ab", "1", "2", "2-0", "3", "4", "5+5E", "A1", "B2", "E1", "G5", "H8", "I6", "J5", "N"),
    *("MKN", "WNR", "1861", "1862", "18GB", "18NewEngland", "1873", "city", "town", "x" * 300, "ä🚂", "\x00"),
    *("-1", "H8-1", "position"),
)
NUMBERS = (
    0,
    0,
    1,
    1,
    2,
    3,
    4,
    5,
    6,
    10,
    20,
    30,
    100,
    1000,
    10**6,
    -1,
    -2,
    2**31 - 1,
    -(2**31),
    2**62,
    -(2**63),
)
LONGEST = 4
DEEPEST = 6


def valid() -> dict[str, list[bytes]]:
    """Return requests that are right, by method."""
    lines = [json.loads(it) for it in (EXAMPLES / "demo.jsonl").read_text("utf-8").splitlines() if it]
    lines += [json.loads(it) for it in (EXAMPLES / "1873.jsonl").read_text("utf-8").splitlines() if it]
    positions = [it["position"] for it in lines if "position" in it]
    problems = [it["problem"] for it in lines if "problem" in it]
    found: dict[str, list[bytes]] = {}
    for method, kind in METHODS.items():
        if "GameService" in method:
            messages = [ParseDict({"position": it}, kind()) for it in positions]
        else:
            messages = [kind(problem=convert.problem_to_proto(problem_from_json(it))) for it in problems]  # type: ignore[call-arg]
        found[method] = [it.SerializeToString() for it in messages]
    return found


Draw = Callable[[int], int]
"""Gives a number from 0 up to the one given, that one left out."""


def _scalar(field: FieldDescriptor, draw: Draw) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return WORDS[draw(len(WORDS))]
        case FieldDescriptor.CPPTYPE_BOOL:
            return bool(draw(2))
        case FieldDescriptor.CPPTYPE_ENUM:
            return draw(12)
        case FieldDescriptor.CPPTYPE_INT32:
            return max(-(2**31), min(2**31 - 1, NUMBERS[draw(len(NUMBERS))]))
        case _:
            return NUMBERS[draw(len(NUMBERS))]


def fill(message: Any, draw: Draw, depth: int = 0) -> None:
    """Fill a message by chance."""
    descriptor: Descriptor = message.DESCRIPTOR
    if descriptor.full_name == "google.protobuf.Duration":
        message.seconds, message.nanos = (0, -1, 0, 2, 10**6)[draw(5)], (50_000_000, 1, -1, 10**9)[draw(4)]
        return
    for field in descriptor.fields:
        if not draw(3):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entry = field.message_type.fields_by_name
            for _ in range(draw(LONGEST)):
                found, key = getattr(message, field.name), _scalar(entry["key"], draw)
                if entry["value"].message_type is None:
                    found[key] = _scalar(entry["value"], draw)
                elif depth < DEEPEST:
                    fill(found[key], draw, depth + 1)
        elif field.is_repeated:
            for _ in range(draw(LONGEST)):
                if field.message_type is None:
                    getattr(message, field.name).append(_scalar(field, draw))
                elif depth < DEEPEST:
                    fill(getattr(message, field.name).add(), draw, depth + 1)
        elif field.message_type is not None:
            if depth < DEEPEST:
                getattr(message, field.name).SetInParent()
                fill(getattr(message, field.name), draw, depth + 1)
        else:
            setattr(message, field.name, _scalar(field, draw))


def altered(payload: bytes, draw: Draw) -> bytes:
    """Return bytes with a few changes."""
    data = bytearray(payload)
    for _ in range(1 + draw(4)):
        at = draw(len(data) + 1)
        match draw(4):
            case 0 if data:
                data[at % len(data)] = draw(256)
            case 1:
                data.insert(at, draw(256))
            case 2:
                del data[at : at + 1 + draw(8)]
            case _:
                data = data[:at]
    return bytes(data)


def request(draw: Draw, known: dict[str, list[bytes]]) -> tuple[str, bytes]:
    """Return a method and what to send to it: made up, or right but for a change to message or bytes."""
    methods = sorted(METHODS)
    method = methods[draw(len(methods))]
    kind = METHODS[method]
    right = known[method][draw(len(known[method]))]
    match draw(4):
        case 0:
            message = kind()
            fill(message, draw)
            return method, message.SerializeToString()
        case 1:
            return method, altered(right, draw)
        case 2:
            message = kind.FromString(right)
            fill(message, lambda most: 0 if most == 3 and draw(8) else draw(most))
            return method, message.SerializeToString()
        case _:
            message = kind.FromString(right)
            extra = kind()
            fill(extra, draw)
            for field in ("objective", "alternatives", "method", "expansion_limit", "train", "id"):
                if field in kind.DESCRIPTOR.fields_by_name:
                    setattr(message, field, getattr(extra, field))
            return method, message.SerializeToString()


KNOWN = valid()


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, bytes]:
    """Make requests with hypothesis."""
    return request(lambda most: draw(st.integers(0, max(0, most - 1))), KNOWN)
