"""Taking messages from a worker as they come, however slowly the caller reads them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from router.service.worker import EVENT, Frame

MOST = 64
"""Events that wait to be read; further ones are dropped until there is room. The answer never is."""


class Pump:
    """Moves the messages of one call from its worker to its caller.

    Without it, a caller that does not read would keep a worker that has long found the answer.

    Parameters
    ----------
    frames
        The messages; taken in a thread of its own.
    """

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
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

    def __iter__(self) -> Iterator[Frame]:
        """Yield the messages, and at last raise what ended them, if anything did."""
        while True:
            with self._condition:
                self._condition.wait_for(self._something)
                if not self._waiting:
                    break
                frame = self._waiting.popleft()
            yield frame
        if self._failure is not None:
            raise self._failure

    def _something(self) -> bool:
        return bool(self._waiting) or self._over
