"""The work of one search: counters, and the question whether to stop."""

from __future__ import annotations

from router.stop import AnyOf, Deadline, Never, Stop


class Interrupted(Exception):
    """A stop criterion was reached; carries the reason."""


class Work:
    """Counts what a search does and asks its stop criterion between slices.

    Attributes
    ----------
    expansions
        Track segments appended while walking routes, plus candidates tried while packing them.
    counters
        Further figures by name; the same input gives the same figures.
    """

    SLICE = 400_000
    """Expansions between two looks at the stop criterion."""

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop: Stop = stop or Never()
        self.expansions = 0
        self.counters: dict[str, int] = {}

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter."""
        self.counters[name] = self.counters.get(name, 0) + amount

    def done(self, expansions: int) -> None:
        """Book finished expansions and stop if it is time.

        Raises
        ------
        Interrupted
            If the stop criterion is reached.
        """
        self.expansions += expansions
        self.look()

    def look(self) -> None:
        """Stop if it is time."""
        why = self.stop.reached(self.expansions)
        if why:
            raise Interrupted(why)

    def seconds_left(self) -> float | None:
        """Return the least of the time limits, ``None`` if there is none."""
        return _seconds_left(self.stop)


def _seconds_left(stop: Stop) -> float | None:
    if isinstance(stop, Deadline):
        return stop.remaining
    if isinstance(stop, AnyOf):
        return min((left for left in map(_seconds_left, stop.criteria) if left is not None), default=None)
    return None
