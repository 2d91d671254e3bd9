"""Errors as a caller over gRPC sees them; used in the server and in its workers, without gRPC itself.

Each error carries a ``google.rpc.Status`` with one ``ErrorInfo``; bad input also a ``BadRequest`` that lists
the fields, a full server also a ``RetryInfo``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2, status_pb2

from router.client import Stopped
from router.errors import Fault, InvalidInput, InvalidProblem, InvalidRoutes, Unsupported
from router.service.limits import TooLarge

DOMAIN = "trunkline"
MAX_DETAILS = 4096
"""Bytes of faults that are sent: they travel in the trailing metadata, which many clients cap at 8 KiB."""
MAX_MESSAGE = 300
RETRY = 0.1
"""Seconds after which a call may be tried again that failed through no fault of its own."""

INVALID_PROBLEM = "INVALID_PROBLEM"
INVALID_ROUTES = "INVALID_ROUTES"
INVALID_INPUT = "INVALID_INPUT"
LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
MEMORY_LIMIT = "MEMORY_LIMIT"
RATE_LIMITED = "RATE_LIMITED"
UNAUTHENTICATED = "UNAUTHENTICATED"
UNSUPPORTED = "UNSUPPORTED"
STOPPED = "STOPPED"
STOPPING = "STOPPING"
TOO_LATE = "TOO_LATE"
OVERDUE = "OVERDUE"
SERVER_FULL = "SERVER_FULL"
WORKER_LOST = "WORKER_LOST"
CANCELLED = "CANCELLED"
INTERNAL = "INTERNAL"


class Refused(Exception):
    """Ends a call with ``status``."""

    def __init__(self, status: status_pb2.Status) -> None:
        self.status = status
        super().__init__(status.message)


def make(
    code: int,
    reason: str,
    message: str,
    *,
    faults: Sequence[Fault] = (),
    retry_after: float | None = None,
    metadata: Mapping[str, str] | None = None,
) -> status_pb2.Status:
    """Return a status with its details."""
    if len(message) > MAX_MESSAGE:
        message = message[: MAX_MESSAGE - 3] + "..."
    status = status_pb2.Status(code=code, message=message)
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    if faults:
        info.metadata["faults"] = str(len(faults))
    status.details.add().Pack(info)
    if faults:
        status.details.add().Pack(_bad_request(faults))
    if retry_after is not None:
        delay = Duration()
        delay.FromMilliseconds(max(1, round(1000 * retry_after)))
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    return status


def _bad_request(faults: Sequence[Fault]) -> error_details_pb2.BadRequest:
    request = error_details_pb2.BadRequest()
    size = 0
    for number, fault in enumerate(faults):
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_clean(fault.where)[:200], description=_clean(fault.why)[:500]
        )
        size += violation.ByteSize() + 3
        if size > MAX_DETAILS:
            request.field_violations.add(description=f"and {len(faults) - number} more")
            break
        request.field_violations.append(violation)
    return request


def _clean(text: str) -> str:
    """Replace what the protocol cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read(payload: bytes) -> status_pb2.Status:
    """Read a status from its bytes."""
    return status_pb2.Status.FromString(payload)


def full(retry_after: float, why: str) -> Refused:
    """Return the refusal of a call for which there is no room."""
    return Refused(make(code_pb2.RESOURCE_EXHAUSTED, SERVER_FULL, why, retry_after=retry_after))


def lost(why: str) -> Refused:
    """Return the refusal of a call whose worker ended; the caller may try again."""
    return Refused(make(code_pb2.UNAVAILABLE, WORKER_LOST, why, retry_after=RETRY))


def may_spare_others(error: BaseException) -> bool:
    """Tell whether an error says nothing of another call for the same.

    A worker ended by itself, or there was none within the time of this call.
    """
    return isinstance(error, Refused) and reason(error) in {WORKER_LOST, SERVER_FULL, TOO_LATE}


def reason(refused: Refused) -> str:
    """Return the reason of a refusal."""
    info = error_details_pb2.ErrorInfo()
    refused.status.details[0].Unpack(info)
    return str(info.reason)


def cancelled() -> Refused:
    """Return the refusal of a call that its caller has given up."""
    return Refused(make(code_pb2.CANCELLED, CANCELLED, "the caller cancelled"))


def stopping() -> Refused:
    """Return the refusal of a call that comes while the server stops; another one may take it."""
    return Refused(make(code_pb2.UNAVAILABLE, STOPPING, "the server is stopping", retry_after=RETRY))


def too_late(why: str = "no legal run was known by the deadline") -> Refused:
    """Return the refusal of a call for which nothing was known in time; sent just before its deadline."""
    return Refused(make(code_pb2.DEADLINE_EXCEEDED, TOO_LATE, why))


def overdue() -> Refused:
    """Return the refusal of a call whose worker had to be ended because it did not heed its limit."""
    why = "the search did not stop in time; its worker was ended"
    return Refused(make(code_pb2.UNAVAILABLE, OVERDUE, why, retry_after=RETRY))


def memory(limit: int, *, killed: bool) -> status_pb2.Status:
    """Return the refusal of a call that needs more memory than a call may have.

    It is UNAVAILABLE if the worker had to be ended, RESOURCE_EXHAUSTED if it only had to be told so.
    """
    return make(
        code_pb2.UNAVAILABLE if killed else code_pb2.RESOURCE_EXHAUSTED,
        MEMORY_LIMIT,
        f"the search needs more than {limit} bytes of memory, the most that one may take here",
        retry_after=RETRY,
        metadata={"limit": "max_memory_bytes", "max": str(limit)},
    )


def too_often(identity: str, rate: float, retry_after: float) -> Refused:
    """Return the refusal of a call of somebody who calls more often than allowed."""
    why = f"more than {rate:g} calls a second from {identity}"
    return Refused(
        make(
            code_pb2.RESOURCE_EXHAUSTED,
            RATE_LIMITED,
            why,
            retry_after=retry_after,
            metadata={"limit": "rate", "max": f"{rate:g}"},
        )
    )


def unknown_caller(why: str) -> Refused:
    """Return the refusal of a call without a valid token."""
    return Refused(make(code_pb2.UNAUTHENTICATED, UNAUTHENTICATED, why))


def internal(incident: str) -> status_pb2.Status:
    """Return what a caller may know of an unexpected error; the log has the rest under ``incident``."""
    message = f"internal error; the server's log has more under incident {incident}"
    return make(code_pb2.INTERNAL, INTERNAL, message, metadata={"incident": incident})


def expected(error: BaseException) -> status_pb2.Status | None:
    """Return the status of an error that is the caller's to mend, else None."""
    match error:
        case Refused():
            return error.status
        case InvalidInput():
            reason = INVALID_INPUT
            limits = None
            if isinstance(error, TooLarge):
                reason = LIMIT_EXCEEDED
                limits = error.limits
            elif isinstance(error, InvalidProblem):
                reason = INVALID_PROBLEM
            elif isinstance(error, InvalidRoutes):
                reason = INVALID_ROUTES
            message = _clean("; ".join(str(fault) for fault in error.faults[:3]))
            if len(error.faults) > 3:
                message = f"{message[:200]}; and {len(error.faults) - 3} more"
            return make(code_pb2.INVALID_ARGUMENT, reason, message, faults=error.faults, metadata=limits)
        case Unsupported():
            return make(code_pb2.UNIMPLEMENTED, UNSUPPORTED, _clean(str(error)))
        case Stopped():
            return make(code_pb2.DEADLINE_EXCEEDED, STOPPED, _clean(str(error)))
        case _:
            return None
