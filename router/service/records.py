"""What is known of a call while it runs: the one line of the log, the figures and the trace come from it."""

from __future__ import annotations

import threading
import time
import weakref
from dataclasses import dataclass, field
from typing import Any

import grpc

from router.service.tickets import Ticket


@dataclass(slots=True)
class Record:
    """One call.

    Attributes
    ----------
    caller
        Who calls.
    id
        The id of the request.
    source
        Where the answer comes from: ``worker``, ``shared`` (another call's search) or ``cache``.
    status
        The status of the answer.
    notes
        Sizes, revenue, bound and work.
    queued, solved
        Seconds in the queue, and in the worker.
    ticket
        Its right to a worker, once it has one.
    """

    method: str
    begun: float = field(default_factory=time.monotonic)
    wall: int = field(default_factory=time.time_ns)
    caller: str = ""
    id: str = ""
    source: str = ""
    status: str = ""
    notes: dict[str, Any] = field(default_factory=dict)
    queued: float = 0.0
    solved: float = 0.0
    parent: str = ""
    ticket: Ticket | None = None

    @property
    def late(self) -> bool | None:
        """Whether a legal answer was known to a call whose deadline passed unanswered, None to any other."""
        ticket = self.ticket
        if self.source or ticket is None or ticket.deadline is None:
            return None
        return ticket.known if time.monotonic() >= ticket.last_moment else None

    def line(self) -> dict[str, Any]:
        """Return what the log says of it."""
        found: dict[str, Any] = {"method": self.method, "caller": self.caller, "id": self.id}
        if self.source:
            found |= {"source": self.source, "status": self.status, **self.notes}
            found |= {"queue_ms": round(1e3 * self.queued, 3), "solve_ms": round(1e3 * self.solved, 3)}
        if self.late is not None:
            found["known"] = self.late
        return {name: value for name, value in found.items() if value != ""}


class Records:
    """The records of the calls that run, by their context."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: weakref.WeakKeyDictionary[grpc.ServicerContext, Record] = weakref.WeakKeyDictionary()

    def open(self, context: grpc.ServicerContext, method: str) -> Record:
        """Begin a record."""
        record = Record(method)
        with self._lock:
            self._open[context] = record
        return record

    def of(self, context: grpc.ServicerContext) -> Record:
        """Return the record of a call; an empty one if nobody began it."""
        with self._lock:
            return self._open.get(context) or Record("")
