"""Taking messages from a worker as they come, however slowly the caller reads them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator

from router.service.worker import EVENT, Frame

MOST = 64
"""Events that wait to be read; further ones are dropped until there is room. The answer never is."""

STALL = 30.0
"""Seconds after the end of a search in which its caller must read something, or is taken for gone."""


class Pump:
    """Moves the messages of one call from its worker to its caller.

    Without it, a caller that does not read would keep a worker that has long found the answer.

    Parameters
    ----------
    frames
        The messages; taken in a thread of its own.
    give_up
        Ends the call; called if its caller has stopped reading.
    """

    def __init__(self, frames: Iterator[Frame], give_up: Callable[[], object] = lambda: None) -> None:
        self._frames = frames
        self._give_up = give_up
        self._taken = 0
        self._done = False
        self._condition = threading.Condition()
        self._waiting: deque[Frame] = deque()
        self._failure: BaseException | None = None
        self._over = False
        threading.Thread(target=self._run, name="trunkline-pump", daemon=True).start()

    def _run(self) -> None:
        try:
            for frame in self._frames:
                with self._condition:
                    if frame.kind != EVENT or len(self._waiting) < MOST:
                        self._waiting.append(frame)
                        self._condition.notify()
        except BaseException as error:
            self._failure = error
        with self._condition:
            self._over = True
            self._condition.notify()
        self._see_off()

    def _see_off(self) -> None:
        """Wait until all is read; a caller that reads nothing must not keep its place for ever."""
        with self._condition:
            while not self._done:
                before = self._taken
                if not self._condition.wait_for(lambda: self._done, STALL) and self._taken == before:
                    break
            else:
                return
        self._give_up()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the messages, and at last raise what ended them, if anything did."""
        try:
            while True:
                with self._condition:
                    self._condition.wait_for(self._something)
                    if not self._waiting:
                        break
                    frame = self._waiting.popleft()
                    self._taken += 1
                yield frame
        finally:
            with self._condition:
                self._done = True
                self._condition.notify_all()
        if self._failure is not None:
            raise self._failure

    def _something(self) -> bool:
        return bool(self._waiting) or self._over
