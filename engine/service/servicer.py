"""The methods of ``GameService``; their work is done by :mod:`engine.service.jobs` in the workers."""

from __future__ import annotations

import grpc

from engine.v1 import game_service_pb2 as pb
from router.service.servicer import Context

GAME_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"].full_name
JOBS = "engine.service.jobs"


def register(server: grpc.Server, context: Context) -> None:
    """Add ``engine.v1.GameService``."""
    context.preload(JOBS)
    handlers = {
        "SolvePosition": context.unary("SolvePosition", f"{JOBS}:solve"),
        "StreamSolvePosition": context.stream("StreamSolvePosition", f"{JOBS}:stream_solve"),
        "CheckPosition": context.unary("CheckPosition", f"{JOBS}:check"),
    }
    context.add(server, GAME_SERVICE, handlers)
