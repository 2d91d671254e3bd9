"""What may be done now: actions with the values that are left open (``legal_actions``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.actions import Action, PlayerId


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from ``least`` to ``most`` in steps."""

    least: int
    most: int
    step: int = 1

    def default(self) -> int:
        """Return the smallest."""
        return self.least

    def allows(self, value: Any) -> bool:
        """Tell whether a number is one of them."""
        return (
            isinstance(value, int)
            and self.least <= value <= self.most
            and (value - self.least) % self.step == 0
        )

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {"least": self.least, "most": self.most, "step": self.step}


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any one of some equal values."""

    values: tuple[Any, ...]

    def default(self) -> Any:
        """Return the first."""
        return self.values[0]

    def allows(self, value: Any) -> bool:
        """Tell whether it is one of them."""
        return value in self.values

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {"oneOf": list(self.values)}


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Any ``count`` of some equal values, and ``always`` some others, as a list."""

    values: tuple[str, ...]
    count: int
    always: tuple[str, ...] = ()

    def default(self) -> list[str]:
        """Return the first ones."""
        return [*self.values[: self.count], *self.always]

    def allows(self, value: Any) -> bool:
        """Tell whether a list is such a choice."""
        if not isinstance(value, list | tuple) or len(value) != self.count + len(self.always):
            return False
        free = [item for item in value if item not in self.always]
        return len(free) == self.count == len(set(free)) and set(free) <= set(self.values)

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {"someOf": list(self.values), "count": self.count, "always": list(self.always)}


@dataclass(frozen=True, slots=True)
class Free:
    """A value that is not bound (routes, fields without effect); ``value`` is a valid one."""

    value: Any

    def default(self) -> Any:
        """Return the valid one."""
        return self.value

    def allows(self, value: Any) -> bool:
        """Tell that any will do."""
        return True

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {"any": True, "example": self.value}


@dataclass(frozen=True, slots=True)
class Default:
    """A value that may be left out, as it follows from the rest."""

    value: Any

    def default(self) -> Any:
        """Return the value."""
        return self.value

    def allows(self, value: Any) -> bool:
        """Tell whether it is the value, or nothing."""
        return value is None or bool(value == self.value)

    def to_json(self) -> Any:
        """Return the value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that is allowed now.

    Attributes
    ----------
    fields
        Values, or what is open about them.
    """

    type: str
    entity: PlayerId
    entity_type: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def action(self, **chosen: Any) -> Action:
        """Return the action with the values chosen, the others by default."""
        values = {
            name: chosen[name] if name in chosen else _default(value) for name, value in self.fields.items()
        }
        return Action(self.type, self.entity, self.entity_type, values)

    def covers(self, action: Action) -> bool:
        """Tell whether an action is this one; fields that the choice does not know do not matter."""
        if (action.type, action.entity, action.entity_type) != (self.type, self.entity, self.entity_type):
            return False
        return all(_allows(value, action.fields.get(name)) for name, value in self.fields.items())

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        found: dict[str, Any] = {"type": self.type, "entity": self.entity, "entity_type": self.entity_type}
        for name, value in self.fields.items():
            found[name] = value.to_json() if isinstance(value, _OPEN) else value
        return found


_OPEN = (Range, OneOf, SomeOf, Free, Default)


def _default(value: Any) -> Any:
    return value.default() if isinstance(value, _OPEN) else value


def _allows(value: Any, given: Any) -> bool:
    if isinstance(value, _OPEN):
        return value.allows(given)
    if isinstance(value, list | tuple):
        return list(value) == list(given or ())
    return bool(value == given)
