"""The step machine of every round (``00-common`` section 9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.journal import State
from engine.core.owners import Player
from engine.refusal import IllegalAction

if TYPE_CHECKING:
    from engine.game import Entity, Game
    from engine.steps.base import Step


class Round(State):
    """A round: entities take turns, a turn goes through steps.

    Attributes
    ----------
    kind, title
        How traces and records call such a round.
    entities
        Whose turns follow one another.
    place
        The entity whose turn it is.
    over
        No turn is left.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    step_types: ClassVar[Sequence[type[Step]]]

    def __init__(self, game: Game, number: int = 1) -> None:
        super().__init__(game.journal)
        self.game = game
        self.turn = game.turn
        self.number = number
        self.entities: tuple[Player | Company, ...] = ()
        self.place = 0
        self.over = False
        self.steps: tuple[Step, ...] = tuple(step(self) for step in self.step_types)

    @property
    def name(self) -> str:
        """How traces call this round: ``OR 3 1``."""
        return f"{self.kind} {self.turn} {self.number}"

    @property
    def entity(self) -> Player | Company | None:
        """Whose turn it is."""
        return self.entities[self.place] if self.place < len(self.entities) else None

    @property
    def acting(self) -> Entity | None:
        """Who must act: the entity of the first step that waits (R9.1)."""
        step = self.waiting_step()
        return self.entity if step is None else step.entity

    def waiting_step(self) -> Step | None:
        """Return the first step that blocks."""
        return next((step for step in self.steps if step.blocks()), None)

    def types(self, entity: Entity) -> Iterator[str]:
        """Yield the types of action that an entity may take now (R9.2)."""
        for step in self.steps:
            if not step.closed:
                yield from step.types(entity)
                if step.blocks():
                    return

    def choices(self) -> Iterator[Choice]:
        """Yield everything that is allowed now."""
        for step in self.steps:
            if not step.closed:
                for entity in step.actors():
                    if step.types(entity):
                        yield from step.choices(entity)
                if step.blocks():
                    return

    def start(self) -> None:
        """Begin the round; it may be over at once."""
        self.set_up()
        if not self.entities:
            self.over = True
            return
        self.begin_turn()
        self.settle()

    def perform(self, action: Action, entity: Entity) -> None:
        """Carry out an action of this round (R9.2).

        Raises
        ------
        IllegalAction
            If no open step accepts it.
        """
        for step in self.steps:
            if step.closed:
                continue
            if action.type in step.types(entity):
                step.perform(action, entity)
                self.settle()
                return
            if step.blocks():
                break
        raise self._refusal(action, entity)

    def _refusal(self, action: Action, entity: Entity) -> IllegalAction:
        acting = self.acting
        if acting is not None and acting is not entity:
            return IllegalAction("00-common R9.2", entity, f"it is the turn of {acting}")
        allowed = ", ".join(sorted(set(self.types(entity)))) or "nothing"
        return IllegalAction(
            "00-common R9.2", entity, f"{action.type} is not allowed now; allowed: {allowed}"
        )

    def settle(self) -> None:
        """Close what has nothing to offer and go on, until somebody must act (R9.3, R9.4)."""
        while not self.over and not self._waits():
            self.end_turn()
            self.advance()
            if not self.over:
                self.begin_turn()

    def _waits(self) -> bool:
        for step in self.steps:
            if self.turn_is_void():
                return False
            if step.closed or not step.blocking:
                continue
            if step.blocks():
                return True
            step.skip()
        return False

    def turn_is_void(self) -> bool:
        """Tell whether the turn ends at once because its entity is gone (R9.6)."""
        return isinstance(self.entity, Company) and self.entity.closed

    # Hooks

    def set_up(self) -> None:
        """Fix the entities, and do what happens when the round starts."""
        raise NotImplementedError

    def begin_turn(self) -> None:
        """Open the steps for the next entity."""
        for step in self.steps:
            step.open()

    def end_turn(self) -> None:
        """Do what happens when no step of a turn is left."""

    def advance(self) -> None:
        """Go to the next entity, or end the round."""
        self.place += 1
        while isinstance(self.entity, Company) and self.entity.closed:
            self.place += 1
        self.over = self.entity is None
