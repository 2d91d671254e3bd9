"""Being on time although a search may not look at its clock: the best so far, kept ready to be sent."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

MIN_MARGIN = 0.05
MAX_MARGIN = 0.25
"""Bounds of the seconds kept back of a call's deadline: a search looks at its limit now and then only."""


def margin(left: float) -> float:
    """Return how many of the seconds ``left`` until a deadline are kept back for the way of the answer."""
    return min(max(MIN_MARGIN, left / 5), MAX_MARGIN, left / 2)


def last_call(left: float) -> float:
    """Return how many of the seconds ``left`` until a deadline the server needs to send what it has."""
    return min(0.03, left / 4)


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


SOON = 0.04
"""Seconds after which a search is worth a first draft; most are over by then."""
AGAIN = 0.1
"""Seconds between two drafts of a search, and between two looks at whether there is a better one."""
UNTIL_FIRST = 0.01
"""Seconds between two looks at whether there is anything to draft at all."""


class Watch:
    """A thread that does something again and again, from a certain time on until it is told to stop."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._at: float | None = None
        self._action: Callable[[], bool] | None = None
        threading.Thread(target=self._run, name="trunkline-watch", daemon=True).start()

    def arm(self, at: float, action: Callable[[], bool]) -> None:
        """Do ``action`` at ``at``, a time of ``time.monotonic``, and again and again from then on.

        Parameters
        ----------
        action
            Returns whether there is no hurry to do it again.
        """
        with self._condition:
            sooner = self._at is None or at < self._at
            self._at, self._action = at, action
            if sooner:
                self._condition.notify()

    def disarm(self) -> None:
        """Do nothing more; returns once an action that had begun has ended."""
        with self._condition:
            self._action = None

    def _run(self) -> None:
        while True:
            with self._condition:
                now = time.monotonic()
                if self._at is None or now < self._at:
                    self._condition.wait(None if self._at is None else self._at - now)
                    continue
                self._at = None
                if self._action is not None:
                    # A search that ends meanwhile has its own answer; a server that has gone needs none.
                    pause = AGAIN
                    with contextlib.suppress(Exception):
                        pause = AGAIN if self._action() else UNTIL_FIRST
                    self._at = time.monotonic() + pause
