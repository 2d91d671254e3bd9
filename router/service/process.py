"""One worker process, as the server sees it."""

from __future__ import annotations

import ctypes
import pickle
import select
import time
from collections.abc import Generator
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.sharedctypes import RawValue
from typing import Any

from router.service import memory, statuses
from router.service.tickets import Ticket
from router.service.worker import ANSWER, DRAFT, ERROR, Frame, Task, Terms, main

GLANCE = 0.05
"""Seconds between two looks at whether the call is still wanted."""


class Late(Exception):
    """The call has ended before its worker said the last word."""


class Worker:
    """One process.

    Attributes
    ----------
    ended_for
        Why the server ended it: ``"memory"``, ``"overdue"``, ``"cancelled"``; empty if it ended by itself.
    clean
        Whether it has answered all it was given.
    leave_at
        When it will be ended if it is not clean by then; None: it is in use, and in time.
    """

    def __init__(self, context: ForkServerContext, warm: tuple[str, ...], terms: Terms) -> None:
        self.pipe, far_end = context.Pipe()
        self._ready = select.poll()
        self._ready.register(self.pipe.fileno(), select.POLLIN)
        self.cell: Any = RawValue(ctypes.c_int64, 0)
        self.number = 0
        self.ended_for = ""
        self.clean = True
        self.leave_at: float | None = None
        self._worked = 0.0
        self.ticket: Ticket | None = None
        self.first_size = 0
        self.born = time.monotonic()
        self.process: ForkServerProcess = context.Process(
            target=main, args=(far_end, self.cell, warm, terms), name="trunkline-worker", daemon=True
        )
        self.process.start()
        far_end.close()

    @property
    def growth(self) -> int:
        """Bytes of memory that it holds beyond those it was ready with; 0 if that cannot be told."""
        size = memory.resident(self.process.pid or 0)
        return 0 if size is None or not self.first_size else size - self.first_size

    def expect(self, leave_at: float) -> None:
        """Give it until ``leave_at`` to be clean."""
        self.leave_at = leave_at
        found = memory.work(self.process.pid or 0)
        self._worked = found[0] if found else 0.0

    def starved(self, seconds: float) -> bool:
        """Tell whether it wants to work but got a core for less than so many seconds since ``expect``."""
        found = memory.work(self.process.pid or 0)
        return found is not None and found[1] and found[0] - self._worked < seconds

    def receive(self) -> Frame:
        """Wait for the next message.

        Raises
        ------
        EOFError, OSError
            If the process has ended.
        """
        return Frame(*pickle.loads(self.pipe.recv_bytes()))

    def submit(self, job: str, payload: bytes, ticket: Ticket) -> None:
        """Hand over a job.

        Raises
        ------
        OSError
            If the process has ended; nothing of the job was done.
        """
        self.number += 1
        self.clean = False
        self.leave_at = None
        self.ticket = ticket
        task = Task(job, self.number, payload, ticket.arrived, ticket.limit, ticket.deadline)
        self.pipe.send_bytes(pickle.dumps(tuple(task), pickle.HIGHEST_PROTOCOL))

    def frames(self, ticket: Ticket) -> Generator[Frame]:
        """Yield the messages of the job at hand, the last of which is an answer or an error.

        Once the time is over, the last draft takes the place of the answer.

        Raises
        ------
        Late
            If the call was cancelled, or its time is over and there is no draft.
        EOFError, OSError
            If the process has ended.
        """
        draft: Frame | None = None
        ticket.hold(self)
        try:
            while True:
                now = time.monotonic()
                if ticket.cancelled_at is not None:
                    raise Late
                if draft is not None and now >= ticket.answer_by:
                    yield draft._replace(kind=ANSWER, seconds=now - ticket.arrived - ticket.waited)
                    return
                if now >= ticket.last_moment:
                    raise Late
                wait = min(GLANCE, max(0.0, ticket.answer_by - now)) or GLANCE
                # pipe.poll would build a selector each time
                if not self._ready.poll(1000 * wait):
                    continue
                frame = self.receive()
                if frame.kind == DRAFT:
                    draft = frame
                    ticket.known = True
                    continue
                self.clean = frame.kind in {ANSWER, ERROR}
                ticket.known |= frame.kind == ANSWER
                yield frame
                if self.clean:
                    return
        finally:
            ticket.hold(None)
            self.ticket = None

    def cancel(self) -> None:
        """Tell the job at hand to stop."""
        self.cell.value = self.number

    def hear_out(self) -> None:
        """Read what an abandoned job still has to say.

        Raises
        ------
        EOFError, OSError
            If the process has ended.
        """
        while not self.clean and self.pipe.poll():
            self.clean = self.receive().kind in {ANSWER, ERROR}

    def kill(self, why: str) -> None:
        """End the process; whoever listens to it notices."""
        self.ended_for = self.ended_for or why
        self.process.kill()

    def end(self) -> None:
        """End the process without ado; whoever listens to it must have stopped."""
        self.process.kill()
        self.process.join(1)
        self.pipe.close()

    def loss(self, limit: int) -> statuses.Refused:
        """Return why its call failed, once the process has ended."""
        if self.ended_for == "memory":
            return statuses.Refused(statuses.memory(limit, killed=True))
        if self.ended_for == "overdue":
            return statuses.overdue()
        return statuses.lost("the worker process ended while it worked on this call; try again")
