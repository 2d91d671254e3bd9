"""Answers that several calls may have: those at hand, and those that are being worked on."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from router.service import statuses
from router.service.tickets import Ticket
from router.service.worker import Frame

GLANCE = 0.05
"""Seconds between two looks at whether a call that waits for another's answer is still wanted."""
LEARNING = 0.02
"""Weight of the last call among all before it, in the part of them that needed no worker of their own."""
WORTHWHILE = 0.05
"""Part of the calls that must have needed no worker lately for others to try their luck."""
OVERHEAD = 256
"""Bytes that an answer at hand takes beside its own."""

WORKER = "worker"
SHARED = "shared"
CACHE = "cache"


class Cache:
    """The answers asked for last, up to so many bytes; safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._frames: OrderedDict[bytes, Frame] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._frames)

    def get(self, key: bytes) -> Frame | None:
        """Return an answer, if it is at hand."""
        with self._lock:
            frame = self._frames.get(key)
            if frame is not None:
                self._frames.move_to_end(key)
            return frame

    def put(self, key: bytes, frame: Frame) -> None:
        """Keep an answer; those not asked for lately make room."""
        cost = len(frame.payload) + OVERHEAD
        if cost * 4 > self._most:
            return
        with self._lock:
            if key in self._frames:
                return
            self._frames[key] = frame
            self.size += cost
            while self.size > self._most:
                _, old = self._frames.popitem(last=False)
                self.size -= len(old.payload) + OVERHEAD


class Caller(Protocol):
    """A call, as far as sharing goes."""

    def on_leave(self, action: Callable[[], None]) -> None:
        """Do something once the caller has gone, at once if it has."""


@dataclass(slots=True)
class _Flight:
    """A search that is under way, and how many want its answer."""

    ticket: Ticket
    members: int = 1
    frame: Frame | None = None
    failure: Exception | None = None
    landed: threading.Event = field(default_factory=threading.Event)


class Desk:
    """Gives each call its answer: from the cache, from a search under way, or from one of its own."""

    def __init__(self, cache_bytes: int) -> None:
        self.cache = Cache(cache_bytes)
        self.served: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._flights: dict[bytes, _Flight] = {}
        self._sharing = 0
        self._luck = 1.0

    @property
    def sharing(self) -> int:
        """How many calls wait for the answer to another."""
        return self._sharing

    @property
    def worthwhile(self) -> bool:
        """Whether many calls find their answers here."""
        return self._luck >= WORTHWHILE

    def at_hand(self, key: bytes) -> Frame | None:
        """Return an answer from the cache."""
        found = self.cache.get(key)
        if found is not None:
            self.served[CACHE] += 1
        return found

    def keep(self, key: bytes, frame: Frame) -> None:
        """Take an answer into the cache if it is worth keeping."""
        if frame.settled:
            self.cache.put(key, frame._replace(seconds=0.0))

    def answer(
        self, key: bytes, ticket: Ticket, caller: Caller, search: Callable[[Ticket], Frame]
    ) -> tuple[Frame, str]:
        """Return the answer of a call and where it comes from.

        A search goes on while anybody waits for it. Its answer is shared even if it is not proved, unless a
        caller has more than half of its time left: then that one searches again. So does, once, a caller that
        waited for a search whose worker was lost, or which got none in its own, shorter time.

        Raises
        ------
        Refused
            Why there is none.
        """
        found = self.at_hand(key)
        if found is not None:
            self._learn(lucky=True)
            return found, CACHE
        flight, leads = self._board(key, ticket)
        self._learn(lucky=not leads)
        seat = [flight]
        caller.on_leave(lambda: self._leave(seat[0], ticket))
        if not leads:
            frame = self._wait(flight, ticket, forgiving=True)
            if frame is None and flight.failure is not None:
                seat[0], leads = self._board(key, ticket)
                if not leads:
                    frame = self._wait(seat[0], ticket, forgiving=False)
            if frame is not None:
                self.served[SHARED] += 1
                return frame, SHARED
            if not leads:
                seat[0] = _Flight(ticket)
        return self._lead(key, seat[0], search), WORKER

    def _board(self, key: bytes, ticket: Ticket) -> tuple[_Flight, bool]:
        with self._lock:
            flight = self._flights.get(key)
            if flight is not None and flight.ticket.cancelled_at is None and flight.ticket.end <= ticket.end:
                flight.members += 1
                return flight, False
            own = _Flight(ticket)
            self._flights.setdefault(key, own)
            return own, True

    def _learn(self, *, lucky: bool) -> None:
        self._luck += LEARNING * (lucky - self._luck)

    def _leave(self, flight: _Flight, ticket: Ticket) -> None:
        with self._lock:
            flight.members -= 1
            last = flight.members == 0
        if flight.ticket is not ticket:
            ticket.cancel()
        if last:
            flight.ticket.cancel()

    def _lead(self, key: bytes, flight: _Flight, search: Callable[[Ticket], Frame]) -> Frame:
        try:
            frame = search(flight.ticket)
            self.keep(key, frame)
            flight.frame = frame
            self.served[WORKER] += 1
            return frame
        except Exception as error:
            flight.failure = error
            raise
        finally:
            with self._lock:
                if self._flights.get(key) is flight:
                    del self._flights[key]
            flight.landed.set()

    def _wait(self, flight: _Flight, ticket: Ticket, *, forgiving: bool) -> Frame | None:
        """Return the answer of another call's search, None if this call can do better.

        Parameters
        ----------
        forgiving
            Whether this call can do better than one that had no luck with its worker.
        """
        with self._lock:
            self._sharing += 1
        try:
            while not flight.landed.wait(GLANCE):
                if ticket.cancelled_at is not None:
                    ticket.known = flight.ticket.known
                    raise statuses.cancelled()
        finally:
            with self._lock:
                self._sharing -= 1
        now = time.monotonic()
        ticket.waited = now - ticket.arrived
        if flight.failure is not None:
            if forgiving and now < ticket.answer_by and statuses.may_spare_others(flight.failure):
                return None
            if isinstance(flight.failure, statuses.Refused):
                raise statuses.Refused(flight.failure.status)
            raise flight.failure
        frame = flight.frame
        assert frame is not None
        if not frame.settled and ticket.end - now > (ticket.end - ticket.arrived) / 2:
            return None
        return frame
