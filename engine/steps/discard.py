"""Discarding surplus trains (``00-common R9.46``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.steps.base import Step, choice

if TYPE_CHECKING:
    from engine.game import Entity


class DiscardTrain(Step):
    """Companies above the train limit discard; the first of them is asked before anything else goes on."""

    def crowded(self) -> list[Company]:
        """Return the companies above the limit, in the order of the game's own list."""
        rules, game = self.game.rules, self.game
        return [
            company
            for company in game.open_companies
            if len(company.trains) > 1
            and sum(not train.obsolete for train in company.trains) > rules.train_limit(game, company)
        ]

    @property
    def entity(self) -> Company | None:
        """The first company above the limit."""
        return next(iter(self.crowded()), None)

    def actors(self) -> Iterable[Entity]:
        """Return every company above the limit."""
        return self.crowded()

    def skip(self) -> None:
        """Stay open: the limit can fall at any time."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``discard_train`` for companies above the limit."""
        return ("discard_train",) if entity in self.crowded() else ()

    def do_discard_train(self, action: Action, entity: Entity) -> None:
        """Lay a train on the bank's pile."""
        name = action.text("train")
        train = self.game.depot.trains.get(name)
        if train is None or train.owner is not entity:
            raise self.refuse("00-common R9.46", entity, f"has no train {name!r}")
        self.game.depot.discard(train)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every train."""
        if isinstance(entity, Company):
            for train in entity.trains:
                yield choice("discard_train", entity, train=train.id)
