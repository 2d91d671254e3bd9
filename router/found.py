"""What a search is asked for and what it has found."""

from __future__ import annotations

from dataclasses import dataclass

from router.graph import Profile


@dataclass(frozen=True, slots=True)
class Slot:
    """Trains that are alike: a profile and how many routes of it may run."""

    profile: Profile
    count: int


@dataclass(frozen=True, slots=True)
class Found:
    """A set of routes: per route the slot, and the route as a node followed by segments."""

    value: int
    routes: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(slots=True)
class Best:
    """The best sets known, best first, and the proved bound."""

    sets: list[Found]
    bound: int = 1 << 60

    @property
    def value(self) -> int:
        """Money of the best set, 0 if none is known: to run nothing is always possible."""
        return self.sets[0].value if self.sets else 0
