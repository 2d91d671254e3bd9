"""A company buys its own certificates back from the market."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice, Default, SomeOf
from engine.core.certificates import bundle_of
from engine.core.companies import Company
from engine.core.shares import transfer
from engine.steps.base import Step, choice

if TYPE_CHECKING:
    from engine.game import Entity


class Redeem(Step):
    """The company redeems certificates, once in its turn, at the present price."""

    rule = "00-common R8.12"

    def reset(self) -> None:
        """Forget the last turn."""
        self.redeemed = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``buy_shares`` (and ``pass`` if the turn waits) if a certificate can be paid."""
        if entity is not self.entity or not isinstance(entity, Company) or not self.affordable(entity):
            return ()
        return ("buy_shares", "pass") if self.blocking else ("buy_shares",)

    def affordable(self, company: Company) -> int:
        """Return how many certificates the company can redeem."""
        if self.redeemed or not company.price:
            return 0
        return min(len(self.redeemable(company)), company.cash // company.price)

    def redeemable(self, company: Company) -> tuple[str, ...]:
        """Return the ids of the certificates in the market."""
        return tuple(item.id for item in company.held_by(self.game.pool) if not item.is_presidents)

    def do_buy_shares(self, action: Action, entity: Entity) -> None:
        """Redeem a bundle; the price does not move."""
        company, game = self.company, self.game
        certificates = game.rules.certificates_named(game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        bundle = bundle_of(certificates, percent, entity)
        if bundle.company is not company or bundle.holder is not game.pool:
            raise self.refuse(self.rule, entity, "redeems only its own certificates from the market")
        if bundle.percent != sum(item.percent for item in certificates) or bundle.has_presidents:
            raise self.refuse(self.rule, entity, "redeems only whole ordinary certificates")
        cost = bundle.shares * company.price
        if cost > company.cash:
            raise self.refuse(self.rule, entity, f"needs {cost}, has {company.cash}")
        company.pay(cost, game.bank)
        transfer(bundle, company, game.players, game.pool)
        self.redeemed = True

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every number of certificates."""
        company = self.company
        if self.blocking:
            yield choice("pass", company)
        ids = self.redeemable(company)
        for count in range(1, self.affordable(company) + 1):
            percent = count * company.share_percent
            yield choice("buy_shares", company, shares=SomeOf(ids, count), percent=Default(percent))
