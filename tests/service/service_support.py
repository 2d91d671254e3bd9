"""Helpers of the tests of the service."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import grpc
import service_jobs
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from engine.service import register as register_games
from router.service import Config

REGISTRARS = (register_games, service_jobs.register)


def config(**settings: object) -> Config:
    """Return settings for a test: any free port, two workers."""
    defaults: dict[str, object] = {
        "port": 0,
        "workers": 2,
        "log_level": "error",
        "patience": 1.0,
        "grace": 5.0,
    }
    return Config(**{**defaults, **settings})  # type: ignore[arg-type]


def code_of(error: BaseException | None) -> grpc.StatusCode:
    """Return the code of a failed call."""
    assert isinstance(error, grpc.RpcError)
    found: grpc.StatusCode = error.code()  # type: ignore[attr-defined]
    return found


def details(error: Any) -> dict[str, Any]:
    """Return the details of a failed call by the name of their type."""
    found: dict[str, Any] = {}
    for detail in rpc_status.from_call(error).details:
        kind = getattr(error_details_pb2, detail.TypeName().rpartition(".")[2])
        message = kind()
        assert detail.Unpack(message)
        assert kind.__name__ not in found
        found[kind.__name__] = message
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
