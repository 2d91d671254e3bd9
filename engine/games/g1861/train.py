"""Trains of 1861: loans instead of help; who ends without train is nationalized (rules, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from engine.actions import Action
from engine.core.companies import Company
from engine.games.g1861 import loans
from engine.games.g1861.state import russia
from engine.steps.purchase import buy_from_bank
from engine.steps.train import BuyTrain

if TYPE_CHECKING:
    from engine.game import Entity
    from engine.refusal import IllegalAction


class Nationalizing(Protocol):
    """An operating round in which companies are nationalized."""

    undecided: tuple[Company, ...]

    def nationalize(self, company: Company) -> None:
        """Nationalize a company."""


class RussianBuyTrain(BuyTrain):
    """A company without train must buy one as long as loans allow it (R9.4)."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return what a company may do; the state railway has no choice."""
        if isinstance(entity, Company) and entity.kind == "national":
            return ()
        return super().types(entity)

    def must_buy(self, company: Company) -> bool:
        """Tell whether cash and loans reach for a train of the bank (R9.4)."""
        return super().must_buy(company) and loans.buying_power(company) >= self.bank_price()

    def cheapest(self, company: Company) -> int:
        """Return the least that a train may cost; trains of the state railway count here too (R9.7)."""
        return 1 if russia(self.game).national.trains else super().cheapest(company)

    def may_help(self, company: Company) -> bool:
        """Tell that no player may add money (R9.6)."""
        return False

    def help_fault(self, company: Company, price: int, missing: int) -> IllegalAction | None:
        """Say that the company cannot pay."""
        return self.refuse("R9.5", company, f"has {company.cash}, the train costs {price}")

    def funds(self, company: Company) -> int:
        """Return the cash, with loans if the company must buy (R9.5)."""
        return max(company.cash, loans.buying_power(company)) if self.must_buy(company) else company.cash

    def provide(self, company: Company, price: int) -> None:
        """Take loans for a train that the company must buy."""
        if company.cash < price <= self.funds(company):
            loans.borrow(self.game, company, price)

    def do_pass(self, action: Action, entity: Entity) -> None:
        """End the step."""
        self.skip()

    def skip(self) -> None:
        """End the step: a company without train is nationalized (R9.8)."""
        if self.company.kind == "national":
            self.closed = self._buy_for_national(self.company)
            return
        self.closed = True
        if not self.company.trains:
            self.operating.nationalize(self.company)

    @property
    def operating(self) -> Nationalizing:
        """The round."""
        return cast(Nationalizing, self.round)

    def _buy_for_national(self, national: Company) -> bool:
        """Buy the cheapest train if there is none, then whatever the cash allows (R10.61).

        Returns
        -------
        bool
            Whether that is all; otherwise majors must decide before it goes on.
        """
        game = self.game
        if not national.trains:
            train = min(self.bank_trains(), key=lambda item: item.price)
            loans.borrow(game, national, train.price)
            if train.price <= national.cash:
                buy_from_bank(game, national, train, train.price)
        while not self.operating.undecided and national.cash >= game.depot.upcoming[0].price:
            train = game.depot.upcoming[0]
            buy_from_bank(game, national, train, train.price)
        return not self.operating.undecided
