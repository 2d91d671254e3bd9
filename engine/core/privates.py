"""Private companies in play (``00-common`` section 9.9)."""

from __future__ import annotations

from engine.core.journal import Journal, State
from engine.core.owners import Owner
from engine.facts import PrivateFacts


class Private(State):
    """A private company; ``owner`` is a player, a company, or nobody."""

    def __init__(self, journal: Journal, facts: PrivateFacts) -> None:
        super().__init__(journal)
        self.sym = facts.sym
        self.facts = facts
        self.owner: Owner | None = None
        self.closed = False

    def __repr__(self) -> str:
        return f"<Private {self.sym}>"

    def __str__(self) -> str:
        return self.sym
