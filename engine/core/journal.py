"""Undoing changes: every piece of state writes down what an assignment replaces.

State lives in the attributes of :class:`State` objects. The values are never changed in place (tuples,
mappings that are replaced as a whole, other state objects); so to take changes back means to put the old
values back, last first. That is cheap: it costs as much as what was changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_ABSENT: Any = object()


class Journal:
    """The changes of one game since its start."""

    def __init__(self) -> None:
        self._notes: list[tuple[State, str, Any]] = []

    def note(self, changed: State, name: str, old: Any) -> None:
        """Write down what an attribute was."""
        self._notes.append((changed, name, old))

    def mark(self) -> int:
        """Return the present moment, to which :meth:`restore` goes back."""
        return len(self._notes)

    def restore(self, mark: int) -> None:
        """Take back every change since ``mark``."""
        while len(self._notes) > mark:
            changed, name, old = self._notes.pop()
            if old is _ABSENT:
                del changed.__dict__[name]
            else:
                changed.__dict__[name] = old


class State:
    """Something that changes in the course of a game; each change is written into the journal."""

    _journal: Journal

    def __init__(self, journal: Journal) -> None:
        self.__dict__["_journal"] = journal

    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            fields = self.__dict__
            fields["_journal"].note(self, name, fields.get(name, _ABSENT))
            fields[name] = value

    @property
    def journal(self) -> Journal:
        """The journal of the game."""
        return self._journal
