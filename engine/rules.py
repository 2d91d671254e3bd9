"""What games differ in: the named hooks that a game overrides, with what most games do.

A game is a subclass of :class:`Rules` (without state of its own: what changes lies in ``game.extra``), some
steps and rounds, and the data modules of its folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from engine.core.certificates import Bundle, Certificate, issue
from engine.core.companies import Company
from engine.core.depot import Train
from engine.core.journal import Journal, State
from engine.core.market import Market
from engine.core.owners import Owner, Player
from engine.core.privates import Private
from engine.facts import CompanyFacts, GameFacts, PhaseFacts, TileLay
from engine.laying import Laying
from engine.position import Position
from engine.refusal import IllegalAction
from engine.registry import GAMES, UnknownGame
from router.solution import Code

if TYPE_CHECKING:
    from engine.game import Entity, Game
    from engine.rounds.base import Round

_MODULES = {
    "1861": "engine.games.g1861.rules",
    "18NewEngland": "engine.games.g18newengland.rules",
}
PLAYABLE: tuple[str, ...] = tuple(_MODULES)
"""The games whose rules are complete."""

TIMINGS = ("immediate", "current_round", "current_or", "full_or", "one_more_full_or_set")
"""When a game can end, the earliest first (``00-common R9.60``)."""


@cache
def find_rules(game: str) -> Rules:
    """Return the rules of a game.

    Raises
    ------
    UnknownGame
        If there is no such game, or it cannot be played yet.
    """
    if game not in _MODULES:
        known = ", ".join(PLAYABLE)
        what = "cannot be played yet" if game in GAMES else "is no game"
        raise UnknownGame(f"{game!r} {what}; games that can be played: {known}")
    rules: Rules = import_module(_MODULES[game]).RULES
    return rules


class Rules:
    """The rules of a game as far as rounds and steps ask for them."""

    game: ClassVar[str]
    laying: Laying = Laying()
    timings: ClassVar[Sequence[str]] = TIMINGS
    route_rules: ClassVar[Mapping[Code, str]] = {}
    """Rules of this game that routes can break, by what the referee says."""

    # Set-up

    def company_order(self, facts: GameFacts) -> Iterable[CompanyFacts]:
        """Return the companies that are there from the start, in the order of the game's own list."""
        return facts.companies.values()

    def special_companies(self, game: Game) -> Iterable[Company]:
        """Return companies that are not on the list, such as a national railway without shares."""
        return ()

    def make_market(self, journal: Journal, facts: GameFacts) -> Market:
        """Return the share market."""
        return Market(journal, facts.market)

    def make_extra(self, game: Game) -> State:
        """Return the state that only this game has."""
        return State(game.journal)

    def loan_count(self, facts: GameFacts) -> int:
        """Return how many loans there are."""
        return 0

    def set_up(self, game: Game) -> None:
        """Hand out the starting cash, and whatever a game does besides (``00-common R3.5``)."""
        for player in game.players:
            game.bank.pay(game.facts.starting_cash, player)

    def issue_certificates(self, game: Game, company: Company) -> None:
        """Lay a company's certificates down where they are at the start (R8.4)."""
        holders: dict[str, Owner] = {"company": company, "bank": game.bank, "market": game.pool}
        issue(game.journal, company, company.facts.shares, holders[company.facts.shares_held_by])

    # Rounds

    def first_round(self, game: Game) -> Round:
        """Return the round with which the game begins."""
        raise NotImplementedError

    def next_round(self, game: Game, finished: Round) -> Round:
        """Return the round that follows; this is where the turn number rises."""
        raise NotImplementedError

    def operating_order(self, game: Game) -> list[Company]:
        """Return the companies that operate, in order (R8.29, R9.22)."""
        floated = [company for company in game.open_companies if company.floated]
        return sorted(floated, key=game.market.order)

    def controller(self, game: Game, entity: Entity) -> Player | None:
        """Return the player who decides for somebody."""
        if isinstance(entity, Player):
            return entity
        if isinstance(entity, Company):
            return entity.owner
        return entity.owner if isinstance(entity.owner, Player) else None

    # Shares

    def share_price(self, game: Game, certificate: Certificate) -> int:
        """Return what a normal share of this holder costs (R8.6)."""
        company = certificate.company
        at_par = certificate.holder in (game.bank, company) and company.par is not None
        return company.par or 0 if at_par else company.price

    def pay_for_share(self, game: Game, buyer: Owner, bundle: Bundle, price: int) -> None:
        """Move the money of a purchase (R8.12): the holder gets it, for the market the bank."""
        buyer.pay(price, game.bank if bundle.holder is game.pool else bundle.holder)

    def certificates_named(self, game: Game, names: Sequence[str], entity: object) -> list[Certificate]:
        """Return the certificates that an action names (R2.9)."""
        found = []
        for name in names:
            sym, _, number = name.rpartition("_")
            company = game.companies.get(sym)
            all_of_it = company.certificates if company is not None and not company.closed else ()
            certificate = next((item for item in all_of_it if str(item.number) == number), None)
            if certificate is None or certificate.holder is None:
                raise IllegalAction("00-common R2.9", entity, f"{name!r} is no certificate")
            found.append(certificate)
        return found

    def check_float(self, game: Game, company: Company) -> None:
        """Float a company when enough of it has left its first holder (R8.11)."""
        needed = company.facts.float_percent
        holders: dict[str, Owner] = {"company": company, "bank": game.bank, "market": game.pool}
        first = holders[company.facts.shares_held_by]
        if not company.floated and needed is not None and company.percent_of(first) <= 100 - needed:
            company.floated = True
            self.pay_capital(game, company)

    def pay_capital(self, game: Game, company: Company) -> None:
        """Pay a company that has floated its capital (R8.12)."""
        if company.facts.capitalization == "full":
            game.bank.pay((company.par or 0) * company.total_shares, company)

    def may_sell_now(self, game: Game, company: Company) -> bool:
        """Tell whether certificates of a company may be sold already (section 10)."""
        timing = game.facts.constants.sell_after
        if timing == "first":
            return game.turn > 1
        return company.operated if timing == "operate" else True

    def price_after_sale(self, game: Game, bundle: Bundle, by_president: bool) -> None:
        """Move the price after a sale (R8.19)."""
        game.market.move(bundle.company, "down", bundle.shares)

    def holding_limit(self, game: Game, company: Company) -> int:
        """Return the percentage that a player may hold (R8.14)."""
        return company.facts.max_ownership_percent or 60

    def certificate_limit(self, game: Game) -> int:
        """Return how many certificates a player may hold."""
        return game.facts.cert_limit

    def certificates_of(self, game: Game, player: Player) -> int:
        """Return how many certificates of a player count (R8.16)."""
        found = sum(len(company.held_by(player)) for company in game.open_companies)
        if game.facts.constants.cert_limit_includes_privates:
            found += sum(private.owner is player and not private.closed for private in game.privates.values())
        return found

    # Operating

    def tile_lays(self, game: Game, company: Company) -> Sequence[TileLay]:
        """Return the track quota of a turn (R5.27)."""
        return game.facts.constants.tile_lays

    def train_limit(self, game: Game, company: Company) -> int:
        """Return how many trains a company may own."""
        return game.phase.limit(company.kind)

    def runnable(self, game: Game, company: Company) -> tuple[Train, ...]:
        """Return the trains that a company can run."""
        return company.trains

    def must_buy_train(self, game: Game, company: Company) -> bool:
        """Tell whether a company has the duty to buy a train (R9.47)."""
        return not company.trains and bool(game.depot.on_sale(game.phases.begun))

    def finish_position(self, game: Game, company: Company, position: Position) -> Position:
        """Add to a position what only this game has."""
        return position

    def begin_phase(self, game: Game, phase: PhaseFacts) -> None:
        """Do what a phase brings with it besides its figures."""

    def train_event(self, game: Game, event: str, buyer: Company | None) -> None:
        """Do what the first train of a type brings about (R9.45)."""

    def private_income(self, game: Game, private: Private) -> int:
        """Return what a private pays when an operating round starts."""
        return private.facts.revenue if isinstance(private.facts.revenue, int) else 0

    # Traces

    def trace_par(self, game: Game, company: Company) -> int | None:
        """Return the par price as traces tell it; games without fixed par price tell the market price."""
        return company.par

    def trace_priority(self, game: Game) -> Player | None:
        """Return who has priority, where traces tell it."""
        return None

    def trace_more(self, game: Game) -> dict[str, object]:
        """Return what traces tell of this game only."""
        return {}

    # The end

    def end_conditions(self, game: Game) -> Iterator[str]:
        """Yield the conditions for the end that are true now (R9.63)."""
        checks = game.facts.constants.game_end_check
        if "bank" in checks and game.bank.broken:
            yield "bank"
        if "stock_market" in checks and game.market.ended:
            yield "stock_market"
        if "final_phase" in checks and game.phases.is_last:
            yield "final_phase"
        if "final_train" in checks and not game.depot.upcoming:
            yield "final_train"

    def check_end(self, game: Game) -> None:
        """Fix why and when the game ends; what would end it sooner replaces what was fixed (R9.60)."""
        ending = game.ending
        for reason in self.end_conditions(game):
            timing = game.facts.constants.game_end_check[reason]
            if ending.timing is None or self.timings.index(timing) < self.timings.index(ending.timing):
                ending.reason, ending.timing = reason, timing
                ending.final_turn = game.turn + 1 if timing == "one_more_full_or_set" else None
                if timing == "immediate":
                    game.finish(reason)

    def end_is_due(self, game: Game) -> bool:
        """Tell whether the game ends with the round that is just over (R9.61)."""
        ending, finished = game.ending, game.round
        if ending.timing is None:
            return False
        if ending.timing == "current_round":
            return True
        if finished.kind != "OR":
            return False
        if ending.timing == "current_or":
            return True
        if finished.number < self.operating_rounds(game):
            return False
        return ending.timing == "full_or" or game.turn == ending.final_turn

    def operating_rounds(self, game: Game) -> int:
        """Return how many operating rounds the present set has."""
        return game.phase.operating_rounds

    def at_end(self, game: Game) -> None:
        """Settle what is settled when the game ends, before scores are counted."""

    def value_of(self, game: Game, player: Player) -> int:
        """Return what a player is worth (R9.65)."""
        value = player.cash
        for company in game.open_companies:
            if company.started:
                value += sum(
                    -(-self.share_price(game, item) * item.percent // company.share_percent)
                    for item in company.held_by(player)
                )
        return value + sum(
            private.facts.value
            for private in game.privates.values()
            if private.owner is player and not private.closed
        )
