"""What a server may answer, whatever it is sent."""

from __future__ import annotations

from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

EXPECTED = {"OK", "INVALID_ARGUMENT", "UNIMPLEMENTED", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"}
"""Codes of requests that are odd but harm nobody; UNAVAILABLE would be a lost worker, INTERNAL our fault."""


def complaint(code: str, trailers: Any) -> str:
    """Return what is wrong with an answer, empty if nothing is."""
    if code not in EXPECTED:
        return f"unexpected code {code}"
    if code == "OK":
        return ""
    data = next((value for key, value in trailers or () if key == "grpc-status-details-bin"), None)
    if data is None:
        return "" if code in ("DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED") else f"{code} without details"
    status = status_pb2.Status.FromString(bytes(data))
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        for message in (info, bad):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    if info.domain != "trunkline" or not info.reason:
        return f"{code} without a reason"
    if code == "INVALID_ARGUMENT" and not bad.field_violations:
        return f"INVALID_ARGUMENT without fields: {status.message}"
    return ""


def sent(channel: grpc.Channel, method: str, payload: bytes, timeout: float = 30) -> tuple[str, str]:
    """Send a request; return the code and what is wrong with the answer."""
    try:
        if "/Stream" in method:
            list(channel.unary_stream(method)(payload, timeout=timeout))
        else:
            channel.unary_unary(method)(payload, timeout=timeout)
    except grpc.RpcError as error:
        found: Any = error
        return found.code().name, complaint(found.code().name, found.trailing_metadata())
    return "OK", ""
