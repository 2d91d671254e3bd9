"""What can go wrong, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with an input.

    Attributes
    ----------
    where
        Path of the field, such as ``trains[2].visit[0].most``.
    why
        What is wrong and what would be right.
    """

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


class TrunklineError(Exception):
    """Base of all errors that Trunkline raises on purpose."""


class InvalidInput(TrunklineError):
    """An input that cannot be worked on; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[tuple[Fault, ...]]]:
        """Keep the faults when the error crosses a process boundary."""
        return type(self), (self.faults,)


class InvalidProblem(InvalidInput):
    """A route problem that contradicts itself."""


class InvalidRoutes(InvalidInput):
    """Routes handed in (to check or to keep) that are no legal run."""


class Unsupported(TrunklineError):
    """A problem uses a word of the vocabulary that the solver asked for cannot search yet."""


class InternalError(TrunklineError):
    """The referee refused an answer of the search; never expected."""
