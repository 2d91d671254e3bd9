"""The methods of ``GameService``; their work is done by :mod:`engine.service.jobs` in the workers."""

from __future__ import annotations

import grpc

from engine.v1 import game_service_pb2 as pb
from router.service.envelopes import Envelope
from router.service.servicer import Context

GAME_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"].full_name
JOBS = "engine.service.jobs"


def register(server: grpc.Server, context: Context) -> None:
    """Add ``engine.v1.GameService``."""
    context.preload(JOBS)
    solve = Envelope(pb.SolvePositionRequest, "position", 1)
    stream = Envelope(pb.StreamSolvePositionRequest, "position", 4)
    check = Envelope(pb.CheckPositionRequest, "check position")
    handlers = {
        "SolvePosition": context.unary("SolvePosition", f"{JOBS}:solve", solve),
        "StreamSolvePosition": context.stream("StreamSolvePosition", f"{JOBS}:stream_solve", stream),
        "CheckPosition": context.unary("CheckPosition", f"{JOBS}:check", check),
    }
    context.add(server, GAME_SERVICE, handlers)
