"""When a call may be tried again: waits that spread callers out, a budget that spares a server in trouble."""

from __future__ import annotations

import random
import threading

FIRST_DELAY = 0.05
MAX_DELAY = 2.0


class Budget:
    """How many further tries are allowed: a few in any case, else a share of the calls.

    Without a budget, callers of a server that is too slow multiply its load just then.

    Parameters
    ----------
    share
        Further tries that each call pays for.
    reserve
        Further tries that may be saved up, and that there are at first.
    """

    def __init__(self, share: float = 0.1, reserve: float = 10.0) -> None:
        self._share = share
        self._reserve = reserve
        self._left = reserve
        self._lock = threading.Lock()

    def earn(self) -> None:
        """Count a call."""
        with self._lock:
            self._left = min(self._reserve, self._left + self._share)

    def spend(self) -> bool:
        """Take one further try; tell whether there was one."""
        with self._lock:
            if self._left < 1:
                return False
            self._left -= 1
            return True


def delay(tries: int, hint: float | None, chance: random.Random) -> float:
    """Return the seconds to wait before the next try.

    Parameters
    ----------
    tries
        How many tries have failed, at least 1.
    hint
        The least that the server asks for.
    """
    longest = min(MAX_DELAY, FIRST_DELAY * 2 ** min(tries, 10))
    return (hint or 0.0) + chance.uniform(0, longest)
