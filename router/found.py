"""What a search is asked for and what it has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from router.candidates import Candidates
from router.graph import Words
from router.profile import Profile

Path: TypeAlias = "tuple[int, tuple[int, ...]]"
"""A route: its team, and a node followed by segments."""


class Settle(Protocol):
    """Gives the score of a complete set, ``None`` if it is not legal; ``enough`` is the most it can be."""

    def __call__(self, routes: Sequence[Path], enough: int | None = None) -> int | None:
        """Return the score."""
        ...


@dataclass(slots=True, eq=False)
class Slot:
    """Trains that are alike, or blocks of trains that form chains.

    Attributes
    ----------
    count
        How many routes of the profile, or chains of ``pool``, may run.
    taken
        Track that is taken from them.
    team
        Number of the team; of chains, that of one of their teams.
    islands
        Into how many parts the routes may fall, 0 if into any number.
    pool
        All candidates, where they are not to be walked but stand for chains.
    walks
        Walks that are done, by threshold, candidates wanted and budget; plans share them.
    thinned
        The candidates of a walk without those that others dominate, by identity.
    """

    profile: Profile
    count: int
    taken: Words
    team: int
    islands: int = 0
    pool: Candidates | None = None
    walks: dict[tuple[int, int, int], Candidates] = field(default_factory=dict, compare=False, repr=False)
    thinned: dict[int, Candidates] = field(default_factory=dict, compare=False, repr=False)


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


def known_before(nothing: int | None) -> Best:
    """Return what is known before a search: the empty set, of this score; ``None``: it is not legal."""
    return Best([] if nothing is None else [Found(nothing, ())])
