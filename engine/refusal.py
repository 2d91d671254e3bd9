"""How the engine says no: an action that the rules do not allow."""

from __future__ import annotations

from router.errors import TrunklineError


class IllegalAction(TrunklineError):
    """An action that is not allowed now; the state of the game is what it was before.

    Attributes
    ----------
    rule
        The rule that forbids it, such as ``18NewEngland R5.6`` or ``00-common R9.2``.
    entity
        Who tried.
    why
        What is wrong and what would be right.
    """

    def __init__(self, rule: str, entity: object, why: str) -> None:
        self.rule = rule
        self.entity = str(entity)
        self.why = why
        super().__init__(f"{self.entity}: {why} ({rule})")

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[str, str, str]]:
        """Keep the fields when the error crosses a process boundary."""
        return type(self), (self.rule, self.entity, self.why)


class UnreadableRecord(TrunklineError):
    """A file that is no recorded game; the message names the field."""
