"""Buying trains (``00-common`` section 9.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice, Free, Range
from engine.core.certificates import Bundle, bundle_of, prefixes
from engine.core.companies import Company
from engine.core.depot import Train
from engine.core.owners import Player
from engine.facts import TrainVariant
from engine.rounds.operating import OperatingRound
from engine.steps.base import Step, choice
from engine.steps.purchase import buy_from_bank, buy_from_company
from engine.steps.selling import sale_choice, sale_fault, sell

if TYPE_CHECKING:
    from engine.game import Entity
    from engine.refusal import IllegalAction


class BuyTrain(Step):
    """The company buys trains from the bank and from other companies; its president may have to help.

    Attributes
    ----------
    sold
        The president has sold shares for a train in this turn.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.sold = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return what the company may do, or its president (R9.8, R9.47, R9.48)."""
        company = self.entity
        if not isinstance(company, Company):
            return ()
        if entity is company:
            if self.must_buy(company):
                return ("buy_train",)
            return ("buy_train", "pass") if self.may_wait(company) else ()
        if entity is company.owner and self.may_raise(company) and self._sales(company):
            return ("sell_shares",)
        return ()

    def may_raise(self, company: Company) -> bool:
        """Tell whether the president may sell shares for a train (R9.48)."""
        return self.may_help(company)

    def actors(self) -> Iterable[Entity]:
        """Return the company and its president."""
        company = self.company
        return (company,) if company.owner is None else (company, company.owner)

    def must_buy(self, company: Company) -> bool:
        """Tell whether the company cannot pass."""
        return self.has_room(company) and self.game.rules.must_buy_train(self.game, company)

    def may_wait(self, company: Company) -> bool:
        """Tell whether the turn waits for the company although it need not buy (R9.9)."""
        return self.has_room(company) and company.cash >= self.cheapest(company)

    def has_room(self, company: Company) -> bool:
        """Tell whether the company may own one more train."""
        owned = sum(not train.obsolete for train in company.trains)
        return owned < self.game.rules.train_limit(self.game, company)

    def bank_trains(self) -> tuple[Train, ...]:
        """Return what the bank sells."""
        return self.game.depot.on_sale(self.game.phases.begun)

    def offers(self) -> Iterator[tuple[Train, TrainVariant]]:
        """Yield what the bank sells, with the sides under which it can be bought."""
        for train in self.bank_trains():
            fresh = train in self.game.depot.upcoming
            for variant in train.facts.variants if fresh else (train.variant,):
                yield train, variant

    def bank_price(self) -> int:
        """Return the price of the cheapest train of the bank."""
        return min((variant.price for _, variant in self.offers()), default=10**9)

    def other_trains(self, company: Company) -> Iterator[Train]:
        """Yield the trains of other companies that this one may buy."""
        for other in self.game.open_companies:
            if other is not company:
                yield from (train for train in other.trains if not train.obsolete)

    def cheapest(self, company: Company) -> int:
        """Return the least that a train may cost; one of another company counts 1."""
        return 1 if next(self.other_trains(company), None) is not None else self.bank_price()

    def may_help(self, company: Company) -> bool:
        """Tell whether the president may add his money (R9.48)."""
        return not company.trains and company.cash < self.bank_price() and company.owner is not None

    def do_buy_train(self, action: Action, entity: Entity) -> None:
        """Buy a train (R9.44)."""
        company, name, price = self.company, action.text("train"), action.number("price")
        train = self.game.depot.trains.get(name)
        if train is None:
            raise self.refuse("00-common R2.7", entity, f"{name!r} is no train")
        if not self.has_room(company):
            raise self.refuse("00-common R9.44", entity, "is at its train limit")
        if train in self.bank_trains():
            self._buy_from_bank(action, company, train, price)
        elif train in self.other_trains(company):
            self._buy_from_other(company, train, price)
        else:
            raise self.refuse("00-common R9.43", entity, f"{name} is not for sale")

    def _buy_from_bank(self, action: Action, company: Company, train: Train, price: int) -> None:
        name = action.fields.get("variant", train.name)
        variant = next((side for one, side in self.offers() if one is train and side.name == name), None)
        if variant is None:
            raise self.refuse("00-common R9.44", company, f"{train.id} is no {name!r}")
        if price != variant.price:
            raise self.refuse("00-common R9.44", company, f"{train.id} costs {variant.price}, not {price}")
        self.provide(company, price)
        missing = price - company.cash
        if missing > 0:
            fault = self.help_fault(company, price, missing)
            if fault is not None:
                raise fault
            assert company.owner is not None
            company.owner.pay(missing, company)
        train.variant = variant
        buy_from_bank(self.game, company, train, price)

    def help_fault(self, company: Company, price: int, missing: int) -> IllegalAction | None:
        """Say why the president cannot add what is missing (R9.48)."""
        if not self.may_help(company) or price != self.bank_price():
            return self.refuse("00-common R9.48", company, f"has {company.cash}, the train costs {price}")
        if company.owner is None or company.owner.cash < missing:
            return self.refuse("00-common R9.48", company, f"its president cannot add {missing}")
        return None

    def _buy_from_other(self, company: Company, train: Train, price: int) -> None:
        if not 1 <= price <= company.cash:
            raise self.refuse("00-common R9.44", company, f"{price} is not 1 to {company.cash}")
        if self.sold:
            raise self.refuse("00-common R9.48", company, "its president sold shares for a train of the bank")
        buy_from_company(self.game, company, train, price)

    def _sales(self, company: Company) -> list[Bundle]:
        """Return the bundles that the president may sell now."""
        player = company.owner
        if player is None or self.bank_price() - company.cash - player.cash <= 0:
            return []
        return [
            bundle
            for other in self.game.open_companies
            for bundle in prefixes(other, player)
            if self.sale_fault(company, player, bundle) is None
        ]

    def sale_value(self, company: Company) -> int:
        """Return what the president could raise now: the largest sale of each company (R9.49)."""
        best: dict[Company, int] = {}
        for bundle in self._sales(company):
            price = self.game.rules.share_price(self.game, bundle.certificates[0]) * bundle.shares
            best[bundle.company] = max(price, best.get(bundle.company, 0))
        return sum(best.values())

    def sale_fault(self, company: Company, player: Player, bundle: Bundle) -> IllegalAction | None:
        """Say why the president cannot sell a bundle for a train (R9.48)."""
        needed = self.bank_price() - company.cash - player.cash
        if needed <= 0:
            return self.refuse("00-common R9.48", player, "needs no more money for a train")
        fault = sale_fault(self.game, player, bundle)
        if fault is not None:
            return fault
        price = self.game.rules.share_price(self.game, bundle.certificates[0])
        if price * (bundle.shares - 1) >= needed:
            return self.refuse(
                "00-common R9.48", player, f"a smaller sale brings the {needed} that are needed"
            )
        if self._loses_presidency(company, player, bundle):
            return self.refuse("00-common R9.48", player, f"would not stay president of {bundle.company}")
        return None

    def _loses_presidency(self, company: Company, player: Player, bundle: Bundle) -> bool:
        sold = bundle.company
        if sold.president is not player:
            return False
        if sold is not company and self.game.facts.constants.ebuy_pres_swap:
            return False
        left = sold.percent_of(player) - bundle.percent
        return any(sold.percent_of(other) > left for other in self.game.players if other is not player)

    def do_sell_shares(self, action: Action, entity: Entity) -> None:
        """Sell shares of the president for a train (R9.48)."""
        company = self.company
        assert isinstance(entity, Player)
        certificates = self.game.rules.certificates_named(self.game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        bundle = bundle_of(certificates, percent, entity)
        if bundle.holder is not entity:
            raise self.refuse("00-common R8.4", entity, "does not hold these certificates")
        fault = self.sale_fault(company, entity, bundle)
        if fault is not None:
            raise fault
        sell(self.game, entity, bundle)
        self.sold = True
        if isinstance(self.round, OperatingRound):
            self.round.sort_rest()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every train with its price, and the sales of the president."""
        company = self.company
        if isinstance(entity, Player):
            if "sell_shares" in self.types(entity):
                yield from (sale_choice(entity, bundle) for bundle in self._sales(company))
            return
        if "pass" in self.types(company):
            yield choice("pass", company)
        if not self.has_room(company):
            return
        for train, variant in self.offers():
            missing = variant.price - self.funds(company)
            if missing <= 0 or self.help_fault(company, variant.price, missing) is None:
                name = variant.name if len(train.facts.variants) > 1 else Free(variant.name)
                yield choice("buy_train", company, train=train.id, price=variant.price, variant=name)
        if company.cash and not self.sold:
            for train in self.other_trains(company):
                yield choice("buy_train", company, train=train.id, price=Range(1, company.cash))

    # Hooks

    def funds(self, company: Company) -> int:
        """Return what a company can spend on a train of the bank without help."""
        return company.cash

    def provide(self, company: Company, price: int) -> None:
        """Raise money for a train of the bank, if the game knows a way (loans)."""
