"""What this server can do."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata

from google.protobuf.message import Message

from router.convert.names import METHODS, OBJECTIVES
from router.service.config import Config
from router.service.requests import MAX_ALTERNATIVES
from router.v1 import problem_pb2
from router.v1 import router_service_pb2 as pb


def version() -> str:
    """Return the version of the installed software."""
    try:
        return metadata.version("trunkline")
    except metadata.PackageNotFoundError:
        return "unknown"


def _kinds(choice: type[Message]) -> list[str]:
    """Return the names of the messages among which ``choice`` has one."""
    return [field.message_type.name for field in choice.DESCRIPTOR.fields if field.message_type is not None]


def answer(config: Config, services: Iterable[str]) -> bytes:
    """Return the answer to ``GetCapabilities``."""
    response = pb.GetCapabilitiesResponse(
        version=version(),
        services=sorted(services),
        terms=_kinds(problem_pb2.Term),
        conditions=_kinds(problem_pb2.Condition),
        objectives=OBJECTIVES.numbers.values(),
        methods=METHODS.numbers.values(),
        workers=config.workers,
        max_concurrent_calls=config.max_calls,
        max_message_bytes=config.max_message_bytes,
        max_alternatives=MAX_ALTERNATIVES,
        max_hexes=config.max_hexes,
        max_nodes=config.max_nodes,
        max_segments=config.max_segments,
        max_trains=config.max_trains,
        max_memory_bytes=config.max_memory_bytes,
    )
    response.max_time_limit.FromMilliseconds(round(1000 * config.max_time_limit))
    return response.SerializeToString()
