"""The operating round (``00-common`` section 9.5)."""

from __future__ import annotations

from engine.core.companies import Company
from engine.core.owners import Owner
from engine.rounds.base import Round


class OperatingRound(Round):
    """Companies operate, in an order that is fixed when the round starts."""

    kind = "OR"
    title = "Operating Round"

    def set_up(self) -> None:
        """Fix the order, pay incomes, place home tokens, make trains ready (R9.22)."""
        game = self.game
        order = game.rules.operating_order(game)
        self.entities = tuple(order)
        for private in game.privates.values():
            owner: Owner | None = private.owner
            if owner is not None and not private.closed:
                game.bank.pay(game.rules.private_income(game, private), owner)
        self.prepare(order)
        for company in order:
            for train in company.trains:
                train.ran = False

    def prepare(self, order: list[Company]) -> None:
        """Do what a game does besides when an operating round starts."""

    def sort_rest(self) -> None:
        """Sort the companies that have not begun their turn anew (R9.22)."""
        done = self.entities[: self.place + 1]
        rest = [item for item in self.game.rules.operating_order(self.game) if item in self.entities]
        self.entities = (*done, *(item for item in rest if item not in done))
