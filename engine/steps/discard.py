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
        return [company for company in self.game.companies.values() if self._is_crowded(company)]

    def _is_crowded(self, company: Company) -> bool:
        trains = company.trains
        if len(trains) < 2 or company.closed:
            return False
        return sum(not train.obsolete for train in trains) > self.game.rules.train_limit(self.game, company)

    @property
    def entity(self) -> Company | None:
        """The first company above the limit."""
        return next((item for item in self.game.companies.values() if self._is_crowded(item)), None)

    def actors(self) -> Iterable[Entity]:
        """Return every company above the limit."""
        return self.crowded()

    def skip(self) -> None:
        """Stay open: the limit can fall at any time."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``discard_train`` for companies above the limit."""
        if not isinstance(entity, Company) or self.game.companies.get(entity.sym) is not entity:
            return ()
        return ("discard_train",) if self._is_crowded(entity) else ()

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
