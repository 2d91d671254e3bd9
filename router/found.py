"""What a search is asked for and what it has found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from router.profile import Profile

Path: TypeAlias = "tuple[int, tuple[int, ...]]"
"""A route: its slot, and a node followed by segments."""

Settle: TypeAlias = "Callable[[Sequence[Path]], int | None]"
"""Gives the score of a complete set, ``None`` if it is not legal."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Trains that are alike: a profile and how many routes of it may run."""

    profile: Profile
    count: int


@dataclass(frozen=True, slots=True)
class Found:
    """A set of routes and its score."""

    value: int
    routes: tuple[Path, ...]


@dataclass(slots=True)
class Best:
    """The best sets known, best first, and the proved bound."""

    sets: list[Found]
    bound: int = 1 << 60

    @property
    def value(self) -> int:
        """Score of the best set, 0 if none is known."""
        return self.sets[0].value if self.sets else 0
