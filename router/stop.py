"""When a search must stop: criteria that any search asks between slices of work."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Protocol


class Stop(Protocol):
    """A criterion; called between slices of work with the number of expansions so far."""

    def reached(self, expansions: int) -> str:
        """Return why the search must stop, or an empty string to go on."""
        ...


@dataclass(frozen=True, slots=True)
class Never:
    """Search until the proof is complete."""

    def reached(self, expansions: int) -> str:
        """Never stop."""
        return ""


@dataclass(slots=True)
class Deadline:
    """Stop ``seconds`` after this object was made."""

    seconds: float
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    @property
    def remaining(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - time.monotonic())

    def reached(self, expansions: int) -> str:
        """Stop when the time is over."""
        return f"time limit of {self.seconds:g} s" if time.monotonic() >= self._end else ""


@dataclass(frozen=True, slots=True)
class NodeBudget:
    """Stop after ``expansions`` expansions; gives the same answer on every machine."""

    expansions: int

    def reached(self, expansions: int) -> str:
        """Stop when the budget is used up."""
        return f"budget of {self.expansions} expansions" if expansions >= self.expansions else ""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Stop when somebody sets the event."""

    event: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the search to stop soon."""
        self.event.set()

    def reached(self, expansions: int) -> str:
        """Stop when cancelled."""
        return "cancelled" if self.event.is_set() else ""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Stop when any of ``criteria`` says so."""

    criteria: tuple[Stop, ...]

    def reached(self, expansions: int) -> str:
        """Return the first reason found."""
        for criterion in self.criteria:
            why = criterion.reached(expansions)
            if why:
                return why
        return ""
