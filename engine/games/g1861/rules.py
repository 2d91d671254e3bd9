"""The rules of 1861 as far as they differ from the shared ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from engine.core.certificates import Bundle, Certificate
from engine.core.companies import Company
from engine.core.gamemap import GameMap
from engine.core.journal import Journal, State
from engine.core.market import Market
from engine.core.owners import Player
from engine.facts import CompanyFacts, GameFacts
from engine.games.g1861 import loans, meta
from engine.games.g1861.merging import MergerRound
from engine.games.g1861.national import nationalize_privates
from engine.games.g1861.operating import RussianOperatingRound
from engine.games.g1861.prices import RussianMarket
from engine.games.g1861.privates import PrivateAuction, real_privates
from engine.games.g1861.state import NATIONAL, Russia, russia
from engine.games.g1861.stock import RussianStockRound
from engine.hexes import EDGES
from engine.laying import Laying
from engine.position import HexBonus, Position
from engine.rules import Rules
from engine.steps.closing import close
from engine.tiles import Tile, turned

if TYPE_CHECKING:
    from engine.game import Game
    from engine.rounds.base import Round

RULES_PRIVATE = "3"
"""A private that nobody owns; it keeps some hexes closed until phase 3 (R1.3)."""
MERGER_PHASES = ("3", "4", "5", "6", "7")


class RussianLaying(Laying):
    """On hexes with a city only the tiles with most exits may be laid (R5.11)."""

    preference_rule = "1861 R5.11"

    def preferred(
        self, board: GameMap, company: Company, colors: Collection[str], hex_id: str, tile: Tile
    ) -> str:
        """Return a tile with more exits that can be laid on a city."""
        if not board.tile(hex_id).cities:
            return ""
        for better in board.supply:
            if _ends(better) <= _ends(tile) or self.tile_fault(board, colors, hex_id, better) is not None:
                continue
            if any(self._fits(board, company, hex_id, better, rotation) for rotation in EDGES):
                return better.name
        return ""

    def _fits(self, board: GameMap, company: Company, hex_id: str, tile: Tile, rotation: int) -> bool:
        new = turned(tile, rotation)
        return (
            self.turn_fault(board, hex_id, new, tile) is None
            and self.reach_fault(board, company, hex_id, new, tile) is None
        )


def _ends(tile: Tile) -> int:
    """Return the number of ends of track at the edges (``00-common R5.21``)."""
    return sum(len(path.edges) for path in tile.paths)


class Rules1861(Rules):
    """1861: The Railways of the Russian Empire."""

    game: ClassVar[str] = meta.NAME
    laying = RussianLaying()
    timings = meta.CONSTANTS.game_end_timing_priority

    # Set-up

    def company_order(self, facts: GameFacts) -> Iterable[CompanyFacts]:
        """Return all but the state railway (R1.6, R1.9)."""
        return (item for item in facts.companies.values() if item.sym != NATIONAL)

    def special_companies(self, game: Game) -> Iterable[Company]:
        """Return the state railway."""
        return (russia(game).national,)

    def make_market(self, journal: Journal, facts: GameFacts) -> Market:
        """Return the market."""
        return RussianMarket(journal, facts.market)

    def make_extra(self, game: Game) -> State:
        """Return the state railway."""
        return Russia(game)

    def loan_count(self, facts: GameFacts) -> int:
        """Return enough loans for all that may be taken (R10.20)."""
        return sum(loans.LIMITS[item.kind] for item in facts.companies.values())

    def set_up(self, game: Game) -> None:
        """Take two private companies out when two play (R13.1)."""
        super().set_up(game)
        if len(game.players) == 2:
            removed = game.draw.shuffled(real_privates(game))[:2]
            game.privates = {sym: item for sym, item in game.privates.items() if item not in removed}

    # Rounds

    def first_round(self, game: Game) -> Round:
        """Return the auction of the private companies."""
        return PrivateAuction(game)

    def next_round(self, game: Game, finished: Round) -> Round:
        """Return the next round (R3.1 to R3.3)."""
        if finished.kind == "ISR":
            return RussianStockRound(game)
        if finished.kind == "SR":
            return RussianOperatingRound(game, 1)
        if finished.kind == "OR" and game.phase.name in MERGER_PHASES:
            return MergerRound(game, finished.number)
        if finished.number < self.operating_rounds(game):
            return RussianOperatingRound(game, finished.number + 1)
        game.turn += 1
        return RussianStockRound(game)

    def operating_rounds(self, game: Game) -> int:
        """Return 2, or 3 in the last set (R3.4)."""
        return 3 if game.ending.final_turn == game.turn else 2

    def operating_order(self, game: Game) -> list[Company]:
        """Return minors, then majors, each by price (R3.7)."""
        return sorted(super().operating_order(game), key=lambda company: company.kind != "minor")

    # Shares

    def share_price(self, game: Game, certificate: Certificate) -> int:
        """Return the present price everywhere; a minor's certificate is two shares (R1.7, R4.2.9)."""
        company = certificate.company
        return 2 * company.price if company.kind == "minor" else company.price

    def price_after_sale(self, game: Game, bundle: Bundle, by_president: bool) -> None:
        """Move the price one cell down if the president sold (R4.2.6)."""
        if by_president:
            game.market.move(bundle.company, "down")

    # Operating

    def train_event(self, game: Game, event: str, buyer: Company | None) -> None:
        """Do what the first train of a type brings about (R9.14)."""
        if event == "green_minors_available":
            game.privates[RULES_PRIVATE].closed = True
        elif event == "minors_cannot_start":
            for company in game.open_companies:
                if company.kind == "minor" and not company.started:
                    close(game, company)
        elif event == "nationalize_companies":
            nationalize_privates(game)
        elif isinstance(game.round, RussianOperatingRound):
            if event == "trainless_nationalization":
                game.round.check_trainless()
            elif event == "minors_nationalized":
                game.round.nationalize_minors()

    def finish_position(self, game: Game, company: Company, position: Position) -> Position:
        """Add the bonuses of the company's private companies (R7.16)."""
        bonuses = tuple(
            HexBonus(private.sym, ability.hexes, ability.amount)
            for private in company.privates
            for ability in private.facts.abilities
            if ability.kind == "hex_bonus"
        )
        return replace(position, hex_bonuses=bonuses)

    # Traces

    def trace_par(self, game: Game, company: Company) -> int | None:
        """Return the price: there is no other for buyers (R4.2.9)."""
        return company.price

    # The end

    def check_end(self, game: Game) -> None:
        """Let the present set have three operating rounds if its first one brought phase 8 (R12.5)."""
        known = game.ending.final_turn
        super().check_end(game)
        ending, finished = game.ending, game.round
        if known is None and ending.final_turn is not None and finished.kind == "OR" and finished.number == 1:
            ending.final_turn = game.turn

    def end_is_due(self, game: Game) -> bool:
        """Tell the same as usual, also of a round that was over at once (``00-common R9.62``)."""
        self.check_end(game)
        return super().end_is_due(game)

    def value_of(self, game: Game, player: Player) -> int:
        """Return what a player is worth; loans lower prices (R12.8, R12.9)."""
        value = super().value_of(game, player)
        assert isinstance(game.market, RussianMarket)
        for company in game.open_companies:
            shares = company.shares_of(player) * (2 if company.kind == "minor" else 1)
            if company.loans and shares:
                value -= shares * (company.price - game.market.after_loans(company))
        return value

    def at_end(self, game: Game) -> None:
        """Let prices fall by one cell for each loan (R12.8)."""
        for company in game.open_companies:
            if company.loans:
                game.market.move(company, "left", len(company.loans))
                game.loans.give_back(company, len(company.loans))


RULES = Rules1861()
