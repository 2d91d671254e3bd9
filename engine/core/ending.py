"""Why and when a game ends."""

from __future__ import annotations

from engine.core.journal import Journal, State


class Ending(State):
    """What was found to end the game (``00-common R9.60``, ``R9.61``).

    Attributes
    ----------
    reason, timing
        ``None`` as long as nothing ends it.
    final_turn
        The turn with whose last operating round it ends, if that was fixed.
    """

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.reason: str | None = None
        self.timing: str | None = None
        self.final_turn: int | None = None
