"""What all steps have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.journal import State
from engine.core.owners import Player
from engine.refusal import IllegalAction

if TYPE_CHECKING:
    from engine.game import Entity, Game
    from engine.rounds.base import Round


class Step(State):
    """Something that an entity may or must do in its turn (``00-common R9.1``).

    A step has one method per type of action, of the same name with ``do_`` before it.

    Attributes
    ----------
    blocking
        The turn waits for this step if it has something to offer.
    closed
        It is done for this turn.
    """

    blocking: ClassVar[bool] = True

    def __init__(self, round: Round) -> None:
        super().__init__(round.journal)
        self.round = round
        self.game: Game = round.game
        self.closed = False
        self.reset()

    def reset(self) -> None:
        """Forget what happened in the last turn."""

    def open(self) -> None:
        """Open the step for a new turn."""
        self.closed = False
        self.reset()

    def skip(self) -> None:
        """Close the step because it has nothing to offer; some steps act here (R9.3)."""
        self.closed = True

    @property
    def entity(self) -> Player | Company | None:
        """Who acts in this step."""
        return self.round.entity

    @property
    def company(self) -> Company:
        """The company whose turn it is."""
        entity = self.round.entity
        if not isinstance(entity, Company):
            raise TypeError(f"no company has the turn in {self.round.name}")
        return entity

    def actors(self) -> Iterable[Entity]:
        """Return everybody who may act in this step, not only the one who must."""
        return () if self.entity is None else (self.entity,)

    def blocks(self) -> bool:
        """Tell whether the turn waits for this step."""
        if self.closed or not self.blocking:
            return False
        entity = self.entity
        return entity is not None and bool(self.types(entity))

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return the types of action that an entity may take in this step."""
        raise NotImplementedError

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield what an entity may do in this step."""
        raise NotImplementedError

    def perform(self, action: Action, entity: Entity) -> None:
        """Carry out an action whose type this step accepts."""
        getattr(self, f"do_{action.type}")(action, entity)

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Close the step."""
        self.closed = True

    def refuse(self, rule: str, entity: object, why: str) -> IllegalAction:
        """Return the refusal of an action; a rule without the name of a document is one of this game."""
        return IllegalAction(rule if " " in rule else self.game.rule(rule), entity, why)


def choice(type: str, entity: Entity, **fields: object) -> Choice:
    """Return a choice of an entity."""
    if isinstance(entity, Player):
        return Choice(type, entity.id, "player", fields)
    if isinstance(entity, Company):
        return Choice(type, entity.sym, "corporation", fields)
    return Choice(type, entity.sym, "company", fields)
