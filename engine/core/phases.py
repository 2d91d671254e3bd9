"""The phase of the game and what its trains bring about (``00-common R9.45``)."""

from __future__ import annotations

from engine.core.journal import Journal, State
from engine.facts import PhaseFacts


class Phases(State):
    """The phases in their order, and the present one."""

    def __init__(self, journal: Journal, phases: tuple[PhaseFacts, ...]) -> None:
        super().__init__(journal)
        self.all = phases
        self.number = 0

    @property
    def current(self) -> PhaseFacts:
        """The present phase."""
        return self.all[self.number]

    @property
    def begun(self) -> tuple[str, ...]:
        """The names of the phases that have begun."""
        return tuple(phase.name for phase in self.all[: self.number + 1])

    @property
    def is_last(self) -> bool:
        """Whether no other phase follows."""
        return self.number + 1 == len(self.all)

    def has_begun(self, name: str) -> bool:
        """Tell whether a phase has begun."""
        return name in self.begun

    def advance(self, *trains: str) -> tuple[PhaseFacts, ...]:
        """Begin the phases that these names of a train bring; return them in order."""
        begun: list[PhaseFacts] = []
        while not self.is_last and self.all[self.number + 1].on in trains:
            self.number += 1
            begun.append(self.current)
        return tuple(begun)
