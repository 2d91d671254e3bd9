"""One action of a recorded game: who does what (``00-common`` section 1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.refusal import IllegalAction, UnreadableRecord

PlayerId = int | str

_COMMON = ("type", "entity", "entity_type", "id", "auto_actions")
_WITHOUT_EFFECT = ("created_at", "user", "skip", "original_id")
ENTITY_TYPES = ("player", "corporation", "minor", "company")


@dataclass(frozen=True, slots=True)
class Action:
    """An action.

    Attributes
    ----------
    entity, entity_type
        Who acts; the id of a player, or the symbol of a company.
    fields
        What belongs to this type of action, as recorded.
    auto_actions
        Actions that programs of the players added; each is carried out after this one (``00-common R1.9``).
    notes
        What the record tells besides, without effect on the game.
    """

    type: str
    entity: PlayerId
    entity_type: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    id: int | None = None
    auto_actions: tuple[Action, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def from_json(value: object, where: str = "action") -> Action:
        """Read one entry of the log.

        Raises
        ------
        UnreadableRecord
            If it is no action in form.
        """
        if not isinstance(value, dict):
            raise UnreadableRecord(f"{where} is {type(value).__name__}; expected an object")
        kind, entity = value.get("type"), value.get("entity")
        entity_type, number = value.get("entity_type"), value.get("id")
        if not isinstance(kind, str):
            raise UnreadableRecord(f"{where}.type is {kind!r}; expected the type of an action")
        if isinstance(entity, bool) or not isinstance(entity, int | str):
            raise UnreadableRecord(f"{where}.entity is {entity!r}; expected an id")
        if entity_type not in ENTITY_TYPES:
            raise UnreadableRecord(
                f"{where}.entity_type is {entity_type!r}; expected {', '.join(ENTITY_TYPES)}"
            )
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise UnreadableRecord(f"{where}.id is {number!r}; expected a number")
        nested = value.get("auto_actions") or []
        if not isinstance(nested, list):
            raise UnreadableRecord(f"{where}.auto_actions is no list")
        return Action(
            kind,
            entity,
            entity_type,
            {
                name: item
                for name, item in value.items()
                if name not in _COMMON and name not in _WITHOUT_EFFECT and item is not None
            },
            number,
            tuple(
                Action.from_json(item, f"{where}.auto_actions[{index}]") for index, item in enumerate(nested)
            ),
            {name: value[name] for name in _WITHOUT_EFFECT if value.get(name) is not None},
        )

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the log."""
        found: dict[str, Any] = {"type": self.type, "entity": self.entity, "entity_type": self.entity_type}
        if self.id is not None:
            found["id"] = self.id
        found.update(self.notes)
        if self.auto_actions:
            found["auto_actions"] = [action.to_json() for action in self.auto_actions]
        found.update(self.fields)
        return found

    def numbered(self, number: int) -> Action:
        """Return this action with an id."""
        return replace(self, id=number)

    def text(self, name: str) -> str:
        """Return a field that must be a text.

        Raises
        ------
        IllegalAction
            If it is missing or something else.
        """
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self._malformed(name, value, "a text")
        return value

    def number(self, name: str, default: int | None = None) -> int:
        """Return a field that must be a whole number."""
        value = self.fields.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._malformed(name, value, "a whole number")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a field that must be a list of texts without repetition, not empty."""
        value = self.fields.get(name)
        if (
            not isinstance(value, list | tuple)
            or not value
            or not all(isinstance(item, str) for item in value)
        ):
            raise self._malformed(name, value, "a list of texts")
        if len(set(value)) != len(value):
            raise self._malformed(name, value, "a list without repetition")
        return tuple(value)

    def items(self, name: str) -> tuple[Any, ...]:
        """Return a field that must be a list, empty if it is missing."""
        value = self.fields.get(name, ())
        if not isinstance(value, list | tuple):
            raise self._malformed(name, value, "a list")
        return tuple(value)

    def _malformed(self, name: str, value: object, expected: str) -> IllegalAction:
        told = "is missing" if value is None else f"is {value!r}"
        return IllegalAction(
            "00-common R1.6", self.entity, f"{name} of {self.type} {told}; expected {expected}"
        )
