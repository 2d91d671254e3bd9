"""What the referee looks up again and again in one problem, and a route with its names looked up."""

from __future__ import annotations

from dataclasses import dataclass, field

from router.problem import ChainBonus, Node, RequiredRoute, RouteProblem, Segment, StopBonus, Train
from router.solution import Route

_KEY = "_referee_book"


class Book:
    """A problem, opened at the pages that the referee needs."""

    __slots__ = (
        "chain_of",
        "chain_terms",
        "nodes",
        "problem",
        "required",
        "segments",
        "stop_bonuses",
        "trains",
    )

    def __init__(self, problem: RouteProblem) -> None:
        self.problem = problem
        self.nodes = problem.node_by_id
        self.segments = problem.segment_by_id
        self.trains: dict[str, Train] = {}
        for train in problem.trains:
            self.trains[train.id] = train
            for name in train.route_ids:
                self.trains[name] = train
        self.required = [c for c in problem.conditions if type(c) is RequiredRoute]
        self.stop_bonuses = [t for t in problem.terms if type(t) is StopBonus]
        self.chain_terms = [t for t in problem.terms if type(t) is ChainBonus]
        self.chain_of = {kind: term for term in self.chain_terms for kind in term.trains}


def open_book(problem: RouteProblem) -> Book:
    """Return the book of ``problem``, made once and kept with it."""
    book = problem.__dict__.get(_KEY)
    if book is None:
        book = problem.__dict__[_KEY] = Book(problem)
    assert isinstance(book, Book)
    return book


@dataclass(slots=True, eq=False)
class Run:
    """A proposed route with its names looked up.

    ``train`` is ``None`` if there is no such train.
    """

    index: int
    route: Route
    train: Train | None
    ids: tuple[str, ...]
    nodes: list[Node]
    segments: list[Segment]
    _hexes: frozenset[str] | None = field(default=None, init=False)

    @property
    def hexes(self) -> frozenset[str]:
        """All hexes run through."""
        if self._hexes is None:
            self._hexes = frozenset().union(*[segment.hexes for segment in self.segments])
        return self._hexes

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of both ends."""
        return self.ids[0], self.ids[-1]

    @property
    def runner(self) -> Train:
        """The train; only for routes of which all is known."""
        assert self.train is not None
        return self.train
