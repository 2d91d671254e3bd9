"""What runs in a worker process: jobs, one at a time, until the pipe to the server closes.

gRPC is never loaded here. A job gets the bytes of a request and gives back the bytes of the answer.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import pickle
import select
import signal
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

from router.service import logs, memory, statuses
from router.service.drafts import SOON, Punctual, Watch, margin
from router.service.limits import Sizes
from router.stop import AnyOf, Deadline, NodeBudget, Stop

EVENT = 0
ANSWER = 1
ERROR = 2
READY = 3
DRAFT = 4

LONG = 0.1
"""Seconds of work after which it is worth looking for memory to give back."""
NICENESS = 10
"""How far searches stand back for the process that speaks gRPC, which needs little but at once."""


class Task(NamedTuple):
    """One call, as a worker gets it; times are of ``time.monotonic``, which all processes share."""

    job: str
    number: int
    payload: bytes
    arrived: float
    limit: float
    deadline: float | None


class Answer(NamedTuple):
    """The bytes of an answer, and what logs and metrics may tell of it.

    Attributes
    ----------
    label
        The status of the answer.
    settled
        Whether any other search for the same would give the same bytes, however long it had.
    notes
        Figures for the log: sizes, revenue, bound, work. Never what the request says in words.
    """

    payload: bytes
    label: str = ""
    settled: bool = False
    notes: Mapping[str, str | int] = {}


class Frame(NamedTuple):
    """One message of a worker: an event, the answer, a draft of it, or an error (a ``google.rpc.Status``)."""

    kind: int
    payload: bytes = b""
    label: str = ""
    settled: bool = False
    notes: Mapping[str, str | int] = {}
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a worker is told of the server's settings."""

    sizes: Sizes = field(default_factory=Sizes)
    max_time_limit: float = 60.0
    memory: int = 0
    log_level: str = "info"


@dataclass(frozen=True, slots=True)
class Flag:
    """Stops job ``number`` when the server cancels it; shared with the server."""

    cell: ctypes.c_int64
    number: int

    def reached(self, expansions: int) -> str:
        """Stop when cancelled."""
        return "cancelled" if self.cell.value >= self.number else ""


class Line:
    """The worker's end of the pipe; two threads may send."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._sending = threading.Lock()

    def send(self, frame: Frame) -> None:
        """Send a message."""
        with self._sending:
            self._pipe.send_bytes(pickle.dumps(tuple(frame), pickle.HIGHEST_PROTOCOL))

    def free(self) -> bool:
        """Whether a message can be sent without waiting for the server."""
        return bool(select.select([], [self._pipe], [], 0)[1])

    def pending(self) -> bool:
        """Whether there is a job to do."""
        return self._pipe.poll()

    def receive(self) -> Task:
        """Wait for the next job."""
        return Task(*pickle.loads(self._pipe.recv_bytes()))


class Call:
    """What a job may know of its call."""

    def __init__(self, task: Task, line: Line, cell: ctypes.c_int64, terms: Terms, watch: Watch) -> None:
        self.terms = terms
        self._task = task
        self._line = line
        self._flag = Flag(cell, task.number)
        self._watch = watch

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
            end = min(end, task.deadline - margin(task.deadline - now))
        return max(0.0, end - now)

    def stop(self, time_limit: float | None = None, expansions: int | None = None) -> Stop:
        """Return when the search of this job must stop."""
        criteria: list[Stop] = [self._flag, Deadline(self.seconds(time_limit))]
        if self._task.deadline is not None:
            left = self._task.deadline - time.monotonic()
            criteria.append(Punctual(self._task.deadline - margin(left) / 2))
        if expansions is not None:
            criteria.append(NodeBudget(expansions))
        return AnyOf(tuple(criteria))

    def draft(self, time_limit: float | None, write: Callable[[], Answer | None]) -> None:
        """Have the best that is known sent now and then, in case the search should not heed its limit.

        Parameters
        ----------
        write
            Writes down what is known as an answer, None if there is nothing new; called in another thread.
        """
        sent = False

        def send() -> bool:
            nonlocal sent
            answer = write()
            if answer is not None:
                self._line.send(Frame(DRAFT, answer.payload, answer.label, notes=answer.notes))
                sent = True
            return sent

        self._watch.arm(time.monotonic() + min(SOON, self.seconds(time_limit) / 2), send)

    def emit(self, payload: bytes) -> None:
        """Send an event, unless earlier ones wait to be read: a slow reader must not stall the search."""
        if self._line.free():
            self._line.send(Frame(EVENT, payload))


Job: TypeAlias = Callable[[bytes, Call], Answer]


@cache
def find_job(name: str) -> Job:
    """Return the function ``package.module:function``."""
    module, _, function = name.partition(":")
    job: Job = getattr(importlib.import_module(module), function)
    return job


def _perform(task: Task, call: Call, log: Any) -> Frame:
    begun = time.monotonic()
    try:
        answer = find_job(task.job)(task.payload, call)
    except Exception as error:
        status = statuses.expected(error)
        if isinstance(error, MemoryError):
            status = statuses.memory(call.terms.memory, killed=False)
        if status is None:
            incident = uuid.uuid4().hex[:12]
            log.error("job failed", job=task.job, incident=incident, error=logs.trace(error))
            status = statuses.internal(incident)
        return Frame(ERROR, status.SerializeToString(), seconds=time.monotonic() - begun)
    seconds = time.monotonic() - begun
    return Frame(ANSWER, answer.payload, answer.label, answer.settled, answer.notes, seconds)


def main(pipe: Connection, cell: ctypes.c_int64, warm: tuple[str, ...], terms: Terms) -> None:
    """Work until the server closes its end of ``pipe``.

    Signals are left to the server, which closes the pipe when it stops.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    log = logs.configure(terms.log_level)
    line = Line(pipe)
    # The server may have gone; then there is nobody to tell.
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        for name in warm:
            importlib.import_module(name)
        os.nice(NICENESS)
        memory.settle()
        memory.bound(terms.memory)
        watch = Watch()
        line.send(Frame(READY))
        while True:
            task = line.receive()
            frame = _perform(task, Call(task, line, cell, terms, watch), log)
            watch.disarm()
            line.send(frame)
            if frame.seconds > LONG and not line.pending():
                memory.release()
