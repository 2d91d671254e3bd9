"""Errors of a call, as the exceptions that the same call in this process would raise."""

from __future__ import annotations

from typing import cast

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from router.client import RemoteError, Stopped
from router.errors import (
    Fault,
    InternalError,
    InvalidInput,
    InvalidProblem,
    InvalidRoutes,
    TrunklineError,
    Unsupported,
)

_INPUT: dict[str, type[InvalidInput]] = {
    "INVALID_PROBLEM": InvalidProblem,
    "INVALID_ROUTES": InvalidRoutes,
    "INVALID_INPUT": InvalidInput,
    "LIMIT_EXCEEDED": InvalidInput,
}
_OTHER: dict[str, type[TrunklineError]] = {
    "UNSUPPORTED": Unsupported,
    "INTERNAL": InternalError,
    "STOPPED": Stopped,
}


def error_of(error: grpc.RpcError) -> TrunklineError:
    """Return the exception that stands for a failed call."""
    call = cast(grpc.Call, error)
    code = call.code().name
    why = call.details() or ""
    status = _status(error)
    if status is None:
        return RemoteError(code, why)
    info, bad, retry = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
        error_details_pb2.RetryInfo(),
    )
    for detail in status.details:
        for message in (info, bad, retry):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    if info.reason in _INPUT:
        faults = [Fault(it.field.removeprefix("problem."), it.description) for it in bad.field_violations]
        return _INPUT[info.reason](faults or [Fault("", why)])
    if info.reason in _OTHER:
        return _OTHER[info.reason](why)
    delay = retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None
    return RemoteError(code, why, delay, info.reason)


def _status(error: grpc.RpcError) -> status_pb2.Status | None:
    try:
        status: status_pb2.Status | None = rpc_status.from_call(cast(grpc.Call, error))
    except ValueError:  # details that contradict the code, put there by something in between
        return None
    return status
