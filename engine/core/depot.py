"""Trains: those that are still to come, those that were discarded (``00-common`` section 9.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.companies import Company
from engine.core.journal import Journal, State
from engine.facts import TrainFacts, TrainVariant


class Train(State):
    """A train card.

    Attributes
    ----------
    id
        Name of the type and number of the copy, for ever (``00-common R2.7``).
    variant
        The side under which it was bought.
    owner
        The company that has it.
    ran
        It has run in this operating round (``00-common R7.20``).
    obsolete
        It may run once more and cannot be traded.
    """

    def __init__(self, journal: Journal, facts: TrainFacts, number: int) -> None:
        super().__init__(journal)
        self.facts = facts
        self.number = number
        self.id = f"{facts.name}-{number}"
        self.variant: TrainVariant = facts.variants[0]
        self.owner: Company | None = None
        self.ran = False
        self.obsolete = False

    def __repr__(self) -> str:
        return f"<Train {self.id}>"

    @property
    def name(self) -> str:
        """The printed name."""
        return self.variant.name

    @property
    def price(self) -> int:
        """The face value."""
        return self.variant.price


class Depot(State):
    """The bank's trains.

    Attributes
    ----------
    upcoming
        The supply, the next train first; of an unlimited type one copy lies here at a time.
    discarded
        The pile of discarded trains, which are for sale too.
    trains
        Every train that was ever there, by id.
    """

    def __init__(self, journal: Journal, types: Iterable[TrainFacts]) -> None:
        super().__init__(journal)
        self.upcoming: tuple[Train, ...] = tuple(
            Train(journal, facts, number)
            for facts in types
            for number in range(1 if facts.count is None else facts.count)
        )
        self.discarded: tuple[Train, ...] = ()
        self.trains: Mapping[str, Train] = {train.id: train for train in self.upcoming}

    def on_sale(self, phase_names: Iterable[str] = ()) -> tuple[Train, ...]:
        """Return what the bank sells: the first of the supply, early types, one per discarded name (R9.43).

        Parameters
        ----------
        phase_names
            The phases that have begun, on which early types depend.
        """
        begun = set(phase_names)
        found: dict[str, Train] = {}
        for train in self.upcoming:
            if train is self.upcoming[0] or train.facts.available_on in begun:
                found.setdefault(train.name, train)
        listed = list(found.values())
        names: set[str] = set()
        for train in self.discarded:
            if train.name not in names:
                names.add(train.name)
                listed.append(train)
        return tuple(listed)

    def holds(self, train: Train) -> bool:
        """Tell whether the bank has a train."""
        return train in self.upcoming or train in self.discarded

    def take(self, train: Train) -> None:
        """Take a train out of the bank; of an unlimited type the next copy appears (R2.7)."""
        if train in self.upcoming:
            place = self.upcoming.index(train)
            rest = tuple(item for item in self.upcoming if item is not train)
            if train.facts.count is None and not any(item.facts is train.facts for item in rest):
                following = Train(self.journal, train.facts, train.number + 1)
                self.trains = {**self.trains, following.id: following}
                rest = (*rest[:place], following, *rest[place:])
            self.upcoming = rest
        self.discarded = tuple(item for item in self.discarded if item is not train)

    def discard(self, train: Train) -> None:
        """Lay a company's train on the pile of discarded trains."""
        drop(train)
        self.discarded = (*self.discarded, train)

    def kinds_left(self, count: int) -> list[tuple[str, int]]:
        """Return the next kinds of the supply with the number of copies left."""
        left: dict[str, int] = {}
        for train in self.upcoming:
            left[train.facts.name] = left.get(train.facts.name, 0) + 1
        return list(left.items())[:count]


def drop(train: Train) -> None:
    """Take a train from its owner, if it has one; it goes nowhere."""
    if train.owner is not None:
        train.owner.trains = tuple(item for item in train.owner.trains if item is not train)
        train.owner = None


def hand_over(train: Train, company: Company) -> None:
    """Give a train to a company, behind those that it has."""
    drop(train)
    train.owner = company
    company.trains = (*company.trains, train)
