"""The operating round of 18 New England (rules, sections 4.3, 5 to 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice, Default, SomeOf
from engine.core.certificates import Certificate, bundle_of
from engine.core.companies import Company
from engine.core.depot import hand_over
from engine.core.owners import Owner
from engine.core.shares import transfer
from engine.core.tokens import Spot
from engine.rounds.operating import OperatingRound
from engine.steps.base import Step, choice
from engine.steps.closing import close
from engine.steps.discard import DiscardTrain
from engine.steps.dividend import Dividend
from engine.steps.redeem import Redeem
from engine.steps.route import Run
from engine.steps.token import PlaceToken
from engine.steps.track import Track
from engine.steps.train import BuyTrain

if TYPE_CHECKING:
    from engine.game import Entity, Game


class Bankrupt(Step):
    """A major whose president cannot pay the cheapest train gives up (R11.5)."""

    blocking = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``bankrupt`` for the operating company; whether it is legal is asked later."""
        return ("bankrupt",) if entity is self.entity else ()

    def fault(self, company: Company) -> str:
        """Say why a company cannot go bankrupt, "" if it can."""
        player = company.owner
        if company.kind != "major" or player is None:
            return "minors cannot go bankrupt"
        step = self.round.waiting_step()
        price = min((train.price for train in self.game.depot.on_sale()), default=0)
        funds = company.cash + player.cash
        if isinstance(step, BuyTrain):
            funds += step.sale_value(company)
        return f"{funds} pay the cheapest train at {price}" if funds >= price else ""

    def do_bankrupt(self, action: Action, entity: Entity) -> None:
        """Close every company of the president and take his cash."""
        company, game = self.company, self.game
        fault = self.fault(company)
        if fault:
            raise self.refuse("R11.5", entity, fault)
        if company.trains:
            game.lenient(game.rule("R11.6"), entity, "goes bankrupt although it has a train")
        player = company.owner
        assert player is not None
        player.pay(player.cash, game.bank)
        for other in game.open_companies:
            if other.president is player:
                close(game, other)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the bankruptcy if it is legal."""
        if not self.fault(self.company) and not self.company.trains:
            yield choice("bankrupt", self.company)


class RedeemAnytime(Redeem):
    """A major redeems while another step waits, unless it has issued (R10.1)."""

    blocking = False
    rule = "18NewEngland R10.1.1"

    def affordable(self, company: Company) -> int:
        """Return how many certificates a major can redeem."""
        issue = next(step for step in self.round.steps if isinstance(step, Issue))
        return 0 if company.kind != "major" or issue.issued else super().affordable(company)


class ShareRevenue(Dividend):
    """Minors share alike with their owner; majors choose (R8.1 to R8.4)."""

    kinds = ("payout", "withhold", "half")

    def automatic(self, company: Company) -> bool:
        """Tell that minors have no choice."""
        return company.kind == "minor"

    def paying_shares(self, company: Company, holder: Owner) -> int:
        """Pay players, and the major for its certificates in IPO and treasury (R8.3)."""
        own = company.shares_of(holder)
        return own + company.shares_of(self.game.bank) if holder is company else own

    def move_price(self, company: Company, paid: int, kind: str) -> None:
        """Move the price of a major by what it paid, at most two cells (R8.4)."""
        if company.kind == "minor":
            return
        if not paid:
            self.game.market.move(company, "left")
        elif paid >= company.price:
            self.game.market.move(company, "right", 2 if paid >= 2 * company.price else 1)


class BuyTrainOrClose(BuyTrain):
    """A major without train must buy one; a minor closes if it passes without (R9.7)."""

    def must_buy(self, company: Company) -> bool:
        """Tell whether the company is a major without train."""
        return company.kind == "major" and super().must_buy(company)

    def may_wait(self, company: Company) -> bool:
        """Tell whether the turn waits; it always does for a minor without train (R9.3, R9.7)."""
        return (company.kind == "minor" and not company.trains) or super().may_wait(company)

    def may_raise(self, company: Company) -> bool:
        """Tell whether the president may sell shares; old records know it with a train too (R11.6)."""
        return self.may_help(company) or (self.game.trusting and bool(company.trains))

    def do_sell_shares(self, action: Action, entity: Entity) -> None:
        """Sell shares of the president for a train."""
        if self.company.trains:
            self.game.lenient(
                self.game.rule("R11.6"), entity, f"sells shares though {self.company} has a train"
            )
        super().do_sell_shares(action, entity)

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Close a minor without train."""
        super().do_pass(action, entity)
        company = self.company
        if company.kind == "minor" and not company.trains:
            close(self.game, company)


class Issue(Step):
    """A major sells certificates of its IPO or treasury to the market (R10.2).

    Attributes
    ----------
    issued
        How many shares it has issued in this turn; the price moves when the step ends.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.issued = 0

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``sell_shares`` and ``pass`` if a share can be issued."""
        if entity is not self.entity or not isinstance(entity, Company) or entity.kind != "major":
            return ()
        redeem = next(step for step in self.round.steps if isinstance(step, RedeemAnytime))
        if redeem.redeemed or not self._room(entity) or not any(self._piles(entity)):
            return ()
        return ("sell_shares", "pass")

    def _room(self, company: Company) -> int:
        """Return how many shares the market still takes."""
        limit = self.game.facts.constants.market_share_limit
        return (limit - company.percent_of(self.game.pool)) // company.share_percent

    def _piles(self, company: Company) -> tuple[tuple[Certificate, ...], ...]:
        return company.held_by(self.game.bank), company.held_by(company)

    def _price(self, company: Company, holder: Owner) -> int:
        """Return what the bank pays for a share (R10.2.2)."""
        return company.par or 0 if holder is self.game.bank else company.price

    def do_sell_shares(self, action: Action, entity: Entity) -> None:
        """Issue a bundle (R10.2.1)."""
        company, game = self.company, self.game
        certificates = game.rules.certificates_named(game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        bundle = bundle_of(certificates, percent, entity)
        if bundle.company is not company or bundle.holder not in (game.bank, company):
            raise self.refuse("R10.2.1", entity, "issues only its own certificates of IPO or treasury")
        if bundle.shares > self._room(company):
            raise self.refuse("R10.2.1", entity, f"the market takes {self._room(company)} more shares")
        price = self._price(company, bundle.holder)
        told = action.fields.get("share_price")
        if told and told != price:
            raise self.refuse("R10.2.2", entity, f"a share brings {price}, not {told}")
        transfer(bundle, game.pool, game.players, game.pool)
        game.bank.pay(price * bundle.shares, company)
        self.issued += bundle.shares

    def do_pass(self, action: Action, entity: Entity) -> None:
        """End the step."""
        self.skip()

    def skip(self) -> None:
        """Move the price one cell left for every share issued (R10.2.3)."""
        self.closed = True
        self.game.market.move(self.company, "left", self.issued)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every number of shares from each pile."""
        company = self.company
        yield choice("pass", company)
        for pile in self._piles(company):
            ids = tuple(item.id for item in pile)
            for count in range(1, min(len(pile), self._room(company)) + 1):
                holder = pile[0].holder
                assert holder is not None
                yield choice(
                    "sell_shares",
                    company,
                    shares=SomeOf(ids, count),
                    percent=Default(count * company.share_percent),
                    share_price=Default(self._price(company, holder)),
                )


class NewEnglandOperatingRound(OperatingRound):
    """Minors operate before majors (R3.6); at the start minors get their homes, the first ones a train."""

    step_types = (
        Bankrupt,
        RedeemAnytime,
        Track,
        PlaceToken,
        Run,
        ShareRevenue,
        DiscardTrain,
        BuyTrainOrClose,
        Issue,
    )

    def prepare(self, order: list[Company]) -> None:
        """Place the home tokens of new minors; in turn 1 each buys a train before (R4.1.9, R4.3.1)."""
        for minor in order:
            if minor.kind == "minor" and minor.next_token is not None:
                if self.game.turn == 1:
                    buy_first_train(self.game, minor)
                place_home(self.game, minor)


def buy_first_train(game: Game, minor: Company) -> None:
    """Let a minor buy its first train; it triggers nothing (R9.5)."""
    train = game.depot.upcoming[0]
    minor.pay(train.price, game.bank)
    game.depot.take(train)
    hand_over(train, minor)


def place_home(game: Game, minor: Company) -> None:
    """Place the only token of a minor in its home city."""
    token, home = minor.next_token, minor.facts.home
    assert token is not None and home is not None
    cities = game.map.cities[home]
    city = next((n for n, item in enumerate(cities) if minor.sym in item.reserved), 0)
    slot = cities[city].slot_for(minor)
    if slot is not None:
        game.map.place(token, Spot(home, city), slot)
