"""Reading requests in a worker: every fault of a request, with the path of its field."""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message

from router.convert.names import OBJECTIVES, Faults
from router.errors import Fault, InvalidInput
from router.service.limits import TooLarge

MAX_ALTERNATIVES = 100
"""Largest number of next best sets that a request may ask for."""

_M = TypeVar("_M", bound=Message)

MAX_SECONDS = 10**9


def parse(kind: type[_M], payload: bytes) -> _M:
    """Return the message that ``payload`` holds.

    Raises
    ------
    InvalidInput
        If it holds none.
    """
    try:
        return kind.FromString(payload)
    except DecodeError:
        raise InvalidInput([Fault("", f"the bytes are no {kind.DESCRIPTOR.full_name}")]) from None


def below(field: str, error: InvalidInput) -> InvalidInput:
    """Return ``error`` with the paths of its faults below ``field``."""
    return type(error)([Fault(f"{field}.{it.where}" if it.where else field, it.why) for it in error.faults])


class Options:
    """What the requests to solve have in common; faults are collected in ``faults``.

    Parameters
    ----------
    request
        A message with the fields ``objective``, ``time_limit`` and ``alternatives``.
    limit_name
        How the field ``time_limit`` is called in faults.
    """

    def __init__(self, request: Any, limit_name: str = "time_limit") -> None:
        self.faults = Faults()
        self.objective = self.faults.name(OBJECTIVES, request.objective, "objective", "revenue")
        self.time_limit = time_limit(request, self.faults, limit_name)
        self.alternatives: int = request.alternatives
        if not 0 <= self.alternatives <= MAX_ALTERNATIVES:
            why = f"must be 0 to {MAX_ALTERNATIVES}, not {self.alternatives}"
            self.faults.add("alternatives", why)


def refuse(faults: Faults | None, *errors: InvalidInput | None) -> None:
    """Raise all faults of a request together, if there are any.

    Raises
    ------
    InvalidInput
        Of the class of the first of ``errors``.
    """
    found = [error for error in errors if error is not None]
    listed = [fault for error in found for fault in error.faults] + (faults.found if faults else [])
    if listed:
        raise (type(found[0]) if found else InvalidInput)(listed)


def time_limit(request: Any, faults: Faults, name: str = "time_limit") -> float | None:
    """Return the seconds in the field ``time_limit``, None if it is absent; faults call it ``name``."""
    if not request.HasField("time_limit"):
        return None
    limit: Duration = request.time_limit
    seconds = limit.seconds + limit.nanos / 1e9
    if not (0 < seconds <= MAX_SECONDS and 0 <= limit.nanos < 10**9):
        faults.add(name, f"must be more than 0 and at most {MAX_SECONDS} seconds")
        return None
    return seconds


def judge_time(limit: float | None, most: float, name: str = "time_limit") -> None:
    """Refuse a time limit that this server does not grant.

    Raises
    ------
    TooLarge
        If it is longer than ``most`` seconds.
    """
    if limit is not None and limit > most:
        why = f"{limit:g} s; this server searches {most:g} s at most"
        raise TooLarge([Fault(name, why)], {"max_time_limit": f"{most:g}"})
