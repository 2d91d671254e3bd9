"""The right of a call to a worker."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Protocol

from router.service.drafts import last_call

LATE = 0.05
"""Seconds after a time limit in which the worker itself may still answer before its draft is taken."""


class Stoppable(Protocol):
    """What works or waits for a ticket."""

    def cancel(self) -> None:
        """Stop, or stop waiting; must return at once."""


class Ticket:
    """The right of one call to a worker; ``cancel`` may come from any thread at any time.

    Parameters
    ----------
    limit
        Seconds that the search may take, counted from now.
    deadline
        When the caller stops waiting, as a time of ``time.monotonic``; None: never.

    Attributes
    ----------
    known
        Whether the server has heard of a legal answer.
    """

    def __init__(self, limit: float, deadline: float | None = None) -> None:
        self.arrived = time.monotonic()
        self.limit = limit
        self.deadline = deadline
        self.waited = 0.0
        self.known = False
        self.cancelled_at: float | None = None
        self._lock = threading.Lock()
        self._held: Stoppable | None = None

    def cancel(self) -> None:
        """Give up the call: wake it if it waits, stop its search if it runs."""
        with self._lock:
            if self.cancelled_at is None:
                self.cancelled_at = time.monotonic()
            if self._held is not None:
                self._held.cancel()

    def hold(self, holder: Stoppable | None) -> None:
        """Note what to cancel."""
        with self._lock:
            self._held = holder
            if holder is not None and self.cancelled_at is not None:
                holder.cancel()

    @property
    def end(self) -> float:
        """When the search must have ended: at its limit or at the caller's deadline."""
        end = self.arrived + self.limit
        return end if self.deadline is None else min(end, self.deadline)

    @property
    def last_moment(self) -> float:
        """When something must be sent to arrive before the caller's deadline."""
        if self.deadline is None:
            return math.inf
        return self.deadline - last_call(self.deadline - self.arrived)

    @property
    def answer_by(self) -> float:
        """When the best that is known must be sent, should the search go on."""
        return min(self.arrived + self.limit + LATE, self.last_moment)


class Waiting:
    """A place in the queue; ``cancel`` and ``hand`` wake whoever waits in it."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Wake it."""
        self._event.set()

    def wait(self, seconds: float, done: Callable[[], bool]) -> None:
        """Wait until woken, at most so many seconds, unless there is nothing to wait for."""
        if not done():
            self._event.wait(max(0.0, seconds))
            self._event.clear()
