"""What the searches for the best sets of a group have in common: the sets and the bound that are known."""

from __future__ import annotations

from collections.abc import Callable

from router.candidates import Candidates
from router.found import Best, Found, Settle, Slot, known_before
from router.linking import Linker
from router.model import Model
from router.selection import select_all
from router.work import Work


class Seeker:
    """Holds the best sets of routes for slots that compete for rows, and the bound.

    Parameters
    ----------
    settle
        Scores complete sets where the model's score is a bound only; ``None``: it is exact.
    trust
        Ask ``settle`` only about sets of linked chains; the caller asks about the result.
    nothing
        Score of the empty set, ``None`` if it is not legal.
    linker
        Chooses the routes of chains where candidates stand for chains.
    slack
        How much more than the candidates' values a set may score (because of routes that are fixed).
    keep
        How many sets are wanted.
    improved, bounded
        Called with each better set and each better bound.
    """

    def __init__(
        self,
        model: Model,
        slots: list[Slot],
        work: Work,
        *,
        settle: Settle | None = None,
        trust: bool = False,
        nothing: int | None = 0,
        linker: Linker | None = None,
        slack: int = 0,
        keep: int = 1,
        improved: Callable[[Found], None] = lambda _: None,
        bounded: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.model = model
        self.slots = slots
        self.work = work
        self.keep = keep
        self.best = known_before(nothing)
        self._settle = settle
        self._linker = linker
        self._trust = trust
        self._slack = slack
        self._improved = improved
        self._bounded = bounded
        self._counts = [slot.count for slot in slots]
        # routes without money can link others or fulfil a condition
        self._least = 0 if settle is not None else 1
        self._again = not model.blocks

    @property
    def _target(self) -> int:
        """Least value of candidates that can make a set that is still wanted."""
        sets = self.best.sets
        if len(sets) >= self.keep:
            return sets[-1].value + self.model.unit - self._slack
        return (self._least if self._settle is None else 0) - self._slack

    def _add(self, found: Found) -> None:
        """Take in a set, if it is not known."""
        value, routes = found.value, found.routes
        if self.keep == 1 and value > self.best.value:
            self.best.sets = [found]
            self._improved(found)
            return
        if any(known.value == value and set(known.routes) == set(routes) for known in self.best.sets):
            return
        better = not self.best.sets or value > self.best.sets[0].value
        self.best.sets = sorted([*self.best.sets, found], key=lambda known: -known.value)[: self.keep]
        if better:
            self._improved(found)

    def _bound_by(self, bound: int) -> None:
        """Note that no set of candidates is worth more."""
        bound = (bound + self._slack) // self.model.unit * self.model.unit
        if bound < self.best.bound:
            self.best.bound = bound
            self._bounded(bound)

    def _proved(self) -> Best:
        """Return what is known, which is all."""
        if self.best.sets:
            self._bound_by(self.best.sets[0].value - self._slack)
        return self.best

    def _select(self, pools: list[Candidates]) -> bool:
        """Let CP-SAT select among candidates; return whether that was the proof."""
        return select_all(
            pools,
            self.slots,
            lambda: self._target,
            self._add,
            work=self.work,
            model=self.model,
            settle=self._settle,
            linker=self._linker,
            exact=not self._slack,
            trust=self._trust and self._linker is not None,
        )
