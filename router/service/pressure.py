"""How fast a queue moves, and whether it is a burst of calls or more calls than the workers can do."""

from __future__ import annotations

import math

CALM = 0.25
"""Seconds without a queue after which all that was before is forgotten."""
LEARNING = 0.05
"""Weight of the last gap between two workers that became free, among all before it."""


class Pressure:
    """What there is to know of a queue before it makes sense to join it.

    Where calls come in bursts the queue grows and empties again, and is worth its length. Once more calls
    have joined it than a burst that there is room for could hold, it does not empty any more: it only makes
    everybody wait.

    Parameters
    ----------
    room
        Calls of the largest burst that there is room for.
    gap
        A first guess at the seconds between two workers that become free.

    Attributes
    ----------
    gap
        Those seconds, as learned.
    """

    def __init__(self, room: int, gap: float) -> None:
        self.gap = gap
        self._room = room
        self._level = 0.0
        self._empty_since = -math.inf
        self._begun = self._handed_at = 0.0
        self._handed = 0

    @property
    def standing(self) -> bool:
        """Whether more calls come than a burst explains."""
        return self._level >= self._room

    def joined(self, now: float, first: bool) -> None:
        """Note that a call joins the queue; ``first``: it was empty."""
        if first:
            self._level = max(0.0, self._level - self._room * (now - self._empty_since) / CALM)
            self._begun = self._handed_at = now
            self._handed = 0
        self._level = min(self._level + 1, self._room)

    def handed(self, now: float) -> None:
        """Note that a worker became free for the first in the queue."""
        self.gap += LEARNING * (now - self._handed_at - self.gap)
        self._handed_at = now
        self._handed += 1

    def emptied(self, now: float) -> None:
        """Note that the queue is empty."""
        self._empty_since = now

    def at_least(self, waiting: int, now: float, enough: int) -> float:
        """Return how long a call would surely wait behind so many.

        Nothing is sure before ``enough`` calls have got their workers since the queue began.
        """
        if self._handed < enough:
            return 0.0
        return min(self.gap, (now - self._begun) / self._handed) * (waiting + 1)
