"""Random numbers as 18xx.games draws them (``00-common`` section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A series of random numbers (R3.1); used at set-up only."""

    def __init__(self, start: int) -> None:
        self._state = start % 2**31

    def number(self) -> int:
        """Return the next number."""
        self._state = (1103515245 * self._state + 12345) % 2**31
        return self._state

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items sorted by one number drawn for each (R3.3)."""
        numbers = [self.number() for _ in items]
        return [item for _, item in sorted(zip(numbers, items, strict=True), key=lambda pair: pair[0])]
