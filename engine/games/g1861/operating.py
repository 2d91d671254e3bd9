"""The operating round of 1861 and the turn of a company (rules, sections 4.3, 5, 6, 8 and 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.tokens import Spot
from engine.games.g1861 import loans
from engine.games.g1861.national import MOSCOW, MOSCOW_TILE, come_to_capital, come_to_moscow, nationalize
from engine.games.g1861.privates import BuyPrivate, BuyPrivateStep
from engine.games.g1861.state import russia
from engine.games.g1861.train import RussianBuyTrain
from engine.rounds.operating import OperatingRound
from engine.steps.base import Step, choice
from engine.steps.discard import DiscardTrain
from engine.steps.dividend import Dividend
from engine.steps.redeem import Redeem
from engine.steps.route import Run
from engine.steps.token import PlaceToken
from engine.steps.track import Track

if TYPE_CHECKING:
    from engine.game import Entity, Game


class Decide(Step):
    """Majors that lost their last train choose whether they are nationalized (R10.42)."""

    @property
    def entity(self) -> Company | None:
        """The first major that has to decide."""
        return next(iter(cast(RussianOperatingRound, self.round).undecided), None)

    def actors(self) -> Iterable[Entity]:
        """Return the major that has to decide."""
        return () if self.entity is None else (self.entity,)

    def skip(self) -> None:
        """Stay open: decisions come up at any time."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``choose`` and ``pass``."""
        return ("choose", "pass") if self.entity is not None and entity is self.entity else ()

    def do_choose(self, action: Action, entity: Entity) -> None:
        """Be nationalized."""
        if action.fields.get("choice") != "nationalize":
            raise self.refuse("R10.42", entity, "chooses 'nationalize', or passes")
        self._decided()
        cast(RussianOperatingRound, self.round).nationalize(cast(Company, entity))

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Stay independent."""
        self._decided()

    def _decided(self) -> None:
        operating = cast(RussianOperatingRound, self.round)
        operating.undecided = operating.undecided[1:]

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield both."""
        company = cast(Company, entity)
        yield choice("pass", company)
        yield choice("choose", company, choice="nationalize")


class RussianRedeem(Redeem):
    """A major redeems its certificates from the market, once in its turn (R4.3.2)."""

    rule = "1861 R4.3.2"


class RussianTrack(Track):
    """Two tiles, the second for 20; loans may pay for them (R5.1, R5.4, R5.7)."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``lay_tile`` and ``pass`` while the company could pay the next entry of the quota."""
        if entity is not self.entity or not isinstance(entity, Company) or entity.kind == "national":
            return ()
        entry = self.entry(entity)
        if entry is None or loans.buying_power(entity) < entry.cost:
            return ()
        return super().types(entity)

    def funds(self, company: Company) -> int:
        """Return the cash with all loans that may be taken."""
        return max(company.cash, loans.buying_power(company))

    def provide(self, company: Company, cost: int) -> None:
        """Take loans, if they help."""
        if company.cash < cost <= loans.buying_power(company):
            loans.borrow(self.game, company, cost)

    def after_lay(self, company: Company, hex_id: str, lifted: tuple[object, ...]) -> None:
        """Bring the state railway to Moscow with its last tile (R10.64)."""
        if hex_id == MOSCOW and self.game.map.laid[hex_id].tile == MOSCOW_TILE:
            come_to_moscow(self.game)


class DistantToken(PlaceToken):
    """A token costs its price for every hex of distance (R6.5)."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``place_token`` and ``pass`` for majors."""
        return super().types(entity) if isinstance(entity, Company) and entity.kind == "major" else ()

    def price(self, company: Company, spot: Spot) -> int:
        """Return the price of the next token in a city."""
        token = company.next_token
        hexes = [item.spot.hex for item in company.placed_tokens if item.spot is not None]
        if token is None or not hexes:
            return 0
        return token.price * min(self.game.facts.map.distance(spot.hex, hex_id) for hex_id in hexes)


class ShareRevenue(Dividend):
    """Minors share alike with their owner, majors choose, the state railway keeps all (R8.1, R8.2, R8.6)."""

    kinds = ("payout", "withhold", "half")

    def automatic(self, company: Company) -> bool:
        """Tell that only majors have a choice."""
        return company.kind != "major"

    def skip(self) -> None:
        """Split the revenue of a minor; others keep it."""
        self.settle(self.company, "half" if self.company.kind == "minor" else "withhold")

    def move_price(self, company: Company, paid: int, kind: str) -> None:
        """Move the price: left without payment, right if it is enough (R8.1, R8.5)."""
        if not paid:
            self.game.market.move(company, "left")
        elif company.kind == "minor" or paid >= company.price:
            self.game.market.move(company, "right")


class Loans(Step):
    """Interest and repayment, without any decision (R10.21)."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def skip(self) -> None:
        """Pay interest on the loans that the company had when the round started, then repay."""
        company, operating = self.company, cast(RussianOperatingRound, self.round)
        self.closed = True
        due = loans.INTEREST * operating.loans_at_start.get(company, 0)
        if loans.pay_interest(self.game, company, due):
            loans.repay(self.game, company)
        else:
            operating.nationalize(company)


class RussianOperatingRound(OperatingRound):
    """Minors, then majors, then the state railway (R3.7, R4.3).

    Attributes
    ----------
    loans_at_start
        The loans on which each company pays interest in this round.
    undecided
        Majors that have to decide about their nationalization.
    gone
        Companies that were nationalized in this round; they do not operate any more (R3.8).
    """

    step_types = (
        Decide,
        DiscardTrain,
        BuyPrivate,
        RussianRedeem,
        RussianTrack,
        DistantToken,
        Run,
        ShareRevenue,
        BuyPrivateStep,
        Loans,
        RussianBuyTrain,
        BuyPrivateStep,
    )

    def __init__(self, game: Game, number: int = 1) -> None:
        super().__init__(game, number)
        self.loans_at_start: Mapping[Company, int] = {}
        self.undecided: tuple[Company, ...] = ()
        self.gone: frozenset[Company] = frozenset()

    @property
    def national(self) -> Company:
        """The state railway."""
        return russia(self.game).national

    def set_up(self) -> None:
        """Fix order, controller and interest, pay incomes, make trains ready (R4.3.1)."""
        self.national.president = self.game.players[0]
        super().set_up()
        self.entities = (*self.entities, self.national)

    def prepare(self, order: list[Company]) -> None:
        """Note the loans, make the trains of the state railway ready."""
        companies = [*order, self.national]
        self.loans_at_start = {company: len(company.loans) for company in companies}
        for train in self.national.trains:
            train.ran = False

    def start(self) -> None:
        """Begin with the first company that operates; there may be none."""
        self.set_up()
        self.place = -1
        self.advance()
        if not self.over:
            self.begin_turn()
            self.settle()

    def begin_turn(self) -> None:
        """Open the steps; the state railway comes to the capital first (R10.61)."""
        if self.entity is self.national:
            come_to_capital(self.game)
        super().begin_turn()

    def advance(self) -> None:
        """Go to the next company that operates (R3.8)."""
        self.place += 1
        while isinstance(self.entity, Company) and not self._operates(self.entity):
            self.place += 1
        self.over = self.entity is None

    def _operates(self, company: Company) -> bool:
        if company is self.national:
            return "national_operates" in self.game.phase.status
        return not company.closed and company not in self.gone

    def turn_is_void(self) -> bool:
        """Tell whether the company is gone; decisions and discards come before that (R4.3.6)."""
        entity = self.entity
        gone = isinstance(entity, Company) and (entity.closed or entity in self.gone)
        return gone and not self._interrupted()

    def _interrupted(self) -> bool:
        return any(step.blocks() for step in self.steps if isinstance(step, Decide | DiscardTrain))

    def _waits(self) -> bool:
        return super()._waits() or self._interrupted()

    def nationalize(self, company: Company) -> None:
        """Nationalize a company; it has no turn any more in this round."""
        self.gone = self.gone | {company}
        self.undecided = tuple(item for item in self.undecided if item is not company)
        nationalize(self.game, company)

    def check_trainless(self) -> None:
        """Nationalize minors without trains, let majors without trains decide (R9.15)."""
        order = self.game.rules.operating_order(self.game)
        trainless = [company for company in order if company.operated and not company.trains]
        for company in trainless:
            if company.kind == "minor":
                self.nationalize(company)
        majors = tuple(company for company in trainless if company.kind == "major")
        self.undecided = (*self.undecided, *(item for item in majors if item not in self.undecided))

    def nationalize_minors(self) -> None:
        """Nationalize every minor, in operating order (R10.51)."""
        for company in self.game.rules.operating_order(self.game):
            if company.kind == "minor":
                self.nationalize(company)
