"""Paying dividends (``00-common`` section 9.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.depot import drop
from engine.core.owners import Owner
from engine.steps.base import Step, choice
from engine.steps.route import Run

if TYPE_CHECKING:
    from engine.game import Entity


class Dividend(Step):
    """The company pays out what its trains brought, or keeps it; without revenue it keeps nothing at once.

    Games override which kinds there are and how the price moves.
    """

    kinds: Sequence[str] = ("payout", "withhold")

    @property
    def run(self) -> Run:
        """The run of this turn."""
        return next(step for step in self.round.steps if isinstance(step, Run))

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``dividend`` if there is revenue and somebody to choose (R9.8)."""
        if entity is not self.entity or not isinstance(entity, Company):
            return ()
        return ("dividend",) if self.run.revenue and not self.automatic(entity) else ()

    def automatic(self, company: Company) -> bool:
        """Tell whether a company has no choice."""
        return False

    def skip(self) -> None:
        """Split the revenue of a company without choice, or withhold 0 (R9.3)."""
        self.settle(self.company, "half" if self.automatic(self.company) else "withhold")

    def do_dividend(self, action: Action, entity: Entity) -> None:
        """Pay as the company chooses."""
        kind = action.text("kind")
        if kind not in self.kinds:
            raise self.refuse("00-common R9.31", entity, f"{kind!r} is not one of {', '.join(self.kinds)}")
        self.settle(self.company, kind)

    def settle(self, company: Company, kind: str) -> None:
        """Pay, then move the price (R9.34)."""
        revenue = self.run.revenue
        self.closed = True
        company.operated = True
        for train in company.trains:
            train.ran = True
            if train.obsolete:
                drop(train)
        kept = self.kept(company, kind, revenue)
        self.game.bank.pay(kept + self.run.subsidy, company)
        self.distribute(company, revenue - kept)
        self.move_price(company, revenue - kept, kind)

    def kept(self, company: Company, kind: str, revenue: int) -> int:
        """Return what goes into the treasury (R9.31)."""
        if kind == "withhold":
            return revenue
        if kind == "half":
            return revenue // 2 // company.total_shares * company.total_shares
        return 0

    def distribute(self, company: Company, amount: int) -> None:
        """Pay the shareholders: players in seat order, then companies (R9.32)."""
        total = company.total_shares
        holders: list[Owner] = [*self.game.players, *self.game.open_companies]
        for holder in holders:
            shares = self.paying_shares(company, holder)
            if shares and amount:
                self.game.bank.pay(-(-shares * amount // total), holder)

    def paying_shares(self, company: Company, holder: Owner) -> int:
        """Return for how many shares a holder is paid (R9.33)."""
        return company.shares_of(holder)

    def move_price(self, company: Company, paid: int, kind: str) -> None:
        """Move the price (R9.34)."""
        self.game.market.move(company, "right" if paid else "left")

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every kind."""
        for kind in self.kinds:
            yield choice("dividend", self.company, kind=kind)
