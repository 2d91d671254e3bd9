"""What runs in a worker process: jobs, one at a time, until the pipe to the server closes.

gRPC is never loaded here. A job gets the bytes of a request and gives back the bytes of the answer.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import pickle
import select
import signal
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

from router.service import logs, statuses
from router.stop import AnyOf, Deadline, NodeBudget, Stop

EVENT = 0
ANSWER = 1
ERROR = 2
READY = 3

MIN_MARGIN = 0.05
MAX_MARGIN = 0.25
"""Bounds of the seconds kept back of a call's deadline: a search looks at its limit now and then only."""


class Task(NamedTuple):
    """One call, as a worker gets it; times are of ``time.monotonic``, which all processes share."""

    job: str
    number: int
    payload: bytes
    arrived: float
    limit: float
    deadline: float | None


class Answer(NamedTuple):
    """The bytes of an answer, and a label for logs and metrics."""

    payload: bytes
    label: str = ""


class Frame(NamedTuple):
    """One message of a worker: an event, the answer, or an error (a ``google.rpc.Status``)."""

    kind: int
    payload: bytes = b""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """Stops job ``number`` when the server cancels it; shared with the server."""

    cell: ctypes.c_int64
    number: int

    def reached(self, expansions: int) -> str:
        """Stop when cancelled."""
        return "cancelled" if self.cell.value >= self.number else ""


@dataclass(slots=True)
class Punctual:
    """Stops before ``end``, once the next look might come too late, judging by the gaps between looks."""

    end: float
    _last: float | None = None
    _gap: float = 0.0

    def reached(self, expansions: int) -> str:
        """Stop when the deadline is near."""
        now = time.monotonic()
        if self._last is not None:
            self._gap = max(now - self._last, 0.95 * self._gap)
        self._last = now
        return "deadline of the call" if now + 1.5 * self._gap >= self.end else ""


class Call:
    """What a job may know of its call."""

    def __init__(self, task: Task, pipe: Connection, cell: ctypes.c_int64) -> None:
        self._task = task
        self._pipe = pipe
        self._flag = Flag(cell, task.number)

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return bool(self._flag.reached(0))

    def seconds(self, time_limit: float | None = None) -> float:
        """Return how long the job may still take: the sooner of the limits, counted from the call's arrival.

        The deadline of the call is cut short a little, so that the answer arrives before it.
        """
        task, now = self._task, time.monotonic()
        limit = task.limit if time_limit is None else min(task.limit, time_limit)
        end = task.arrived + limit
        if task.deadline is not None:
            left = task.deadline - now
            margin = min(max(MIN_MARGIN, left / 5), MAX_MARGIN, left / 2)
            end = min(end, task.deadline - margin)
        return max(0.0, end - now)

    def stop(self, time_limit: float | None = None, expansions: int | None = None) -> Stop:
        """Return when the search of this job must stop."""
        criteria: list[Stop] = [self._flag, Deadline(self.seconds(time_limit))]
        if self._task.deadline is not None:
            criteria.append(Punctual(self._task.deadline - MIN_MARGIN))
        if expansions is not None:
            criteria.append(NodeBudget(expansions))
        return AnyOf(tuple(criteria))

    def emit(self, payload: bytes) -> None:
        """Send an event, unless earlier ones wait to be read: a slow reader must not stall the search."""
        if select.select([], [self._pipe], [], 0)[1]:
            _send(self._pipe, Frame(EVENT, payload))


Job: TypeAlias = Callable[[bytes, Call], Answer]


@cache
def find_job(name: str) -> Job:
    """Return the function ``package.module:function``."""
    module, _, function = name.partition(":")
    job: Job = getattr(importlib.import_module(module), function)
    return job


def _send(pipe: Connection, frame: Frame) -> None:
    pipe.send_bytes(pickle.dumps(tuple(frame), pickle.HIGHEST_PROTOCOL))


def _perform(task: Task, call: Call, log: Any) -> Frame:
    try:
        answer = find_job(task.job)(task.payload, call)
        return Frame(ANSWER, answer.payload, answer.label)
    except Exception as error:
        status = statuses.expected(error)
        if status is None:
            incident = uuid.uuid4().hex[:12]
            log.exception("job failed", job=task.job, incident=incident)
            status = statuses.internal(incident)
        return Frame(ERROR, status.SerializeToString())


def main(pipe: Connection, cell: ctypes.c_int64, warm: tuple[str, ...], log_level: str) -> None:
    """Work until the server closes its end of ``pipe``.

    Signals are left to the server, which closes the pipe when it stops.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    log = logs.configure(log_level)
    # The server may have gone; then there is nobody to tell.
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        for name in warm:
            importlib.import_module(name)
        _send(pipe, Frame(READY))
        while True:
            task = Task(*pickle.loads(pipe.recv_bytes()))
            _send(pipe, _perform(task, Call(task, pipe, cell), log))
