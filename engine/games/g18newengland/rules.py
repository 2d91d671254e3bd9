"""The rules of 18 New England as far as they differ from the shared ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.core.certificates import Bundle, Certificate
from engine.core.companies import Company
from engine.core.gamemap import GameMap
from engine.core.journal import State
from engine.core.owners import Owner
from engine.facts import CompanyFacts, GameFacts, TileLay
from engine.games.g18newengland import meta
from engine.games.g18newengland.merging import MergerRound
from engine.games.g18newengland.operating import NewEnglandOperatingRound
from engine.games.g18newengland.state import Minors, minors
from engine.games.g18newengland.stock import LaterStockRound, ReservationRound
from engine.hexes import EDGES
from engine.laying import Laying
from engine.rules import Rules
from engine.tiles import Tile, turned
from router.solution import Code

if TYPE_CHECKING:
    from engine.game import Game
    from engine.rounds.base import Round


class NewEnglandLaying(Laying):
    """Three printed hexes have upgrades of their own; the brown city with six exits comes first."""

    preference_rule = "18NewEngland R5.8"

    def exception(self, hex_id: str, old: Tile, new: Tile) -> bool:
        """Tell whether a printed hex takes a tile that does not fit by the shared rules (R5.7)."""
        return old.name == hex_id and new.name in meta.CONSTANTS.preprinted_upgrades.get(hex_id, ())

    def preferred(
        self, board: GameMap, company: Company, colors: Collection[str], hex_id: str, tile: Tile
    ) -> str:
        """Return 63 for 611 where 63 can be laid (R5.8)."""
        if tile.name != "611":
            return ""
        better = board.facts.tiles["63"]
        if self.tile_fault(board, colors, hex_id, better) is not None:
            return ""
        fits = any(
            self.turn_fault(board, hex_id, turned(better, rotation), better) is None
            and self.reach_fault(board, company, hex_id, turned(better, rotation), better) is None
            for rotation in EDGES
        )
        return better.name if fits else ""


class NewEngland(Rules):
    """18 New England."""

    game: ClassVar[str] = meta.NAME
    laying = NewEnglandLaying()
    route_rules: ClassVar[Mapping[Code, str]] = {
        Code.HEX_TWICE: "R7.7",
        Code.TOO_LONG: "R7.10",
        Code.UNKNOWN_TRAIN: "R7.2",
    }

    def company_order(self, facts: GameFacts) -> Iterable[CompanyFacts]:
        """Return majors first (R9.6)."""
        return sorted(facts.companies.values(), key=lambda item: item.kind == "minor")

    def make_extra(self, game: Game) -> State:
        """Return what is known of the minors."""
        return Minors(game)

    def set_up(self, game: Game) -> None:
        """Draw the minors that are there from the start (R2.4)."""
        super().set_up(game)
        all_minors = [company for company in game.companies.values() if company.kind == "minor"]
        drawn = game.draw.shuffled(all_minors)
        minors(game).starting = frozenset(drawn[: meta.CONSTANTS.num_start_minors])

    def first_round(self, game: Game) -> Round:
        """Return the round of reservations."""
        return ReservationRound(game)

    def next_round(self, game: Game, finished: Round) -> Round:
        """Return the next round; from phase 3 a merger round follows each operating round (R3)."""
        if finished.kind == "OR" and game.phases.has_begun("3"):
            return MergerRound(game, finished.number)
        if finished.kind == "SR":
            return NewEnglandOperatingRound(game, 1)
        if finished.number < self.operating_rounds(game):
            return NewEnglandOperatingRound(game, finished.number + 1)
        game.turn += 1
        return LaterStockRound(game)

    def operating_order(self, game: Game) -> list[Company]:
        """Return minors first (R3.6)."""
        return sorted(super().operating_order(game), key=lambda company: company.kind != "minor")

    def share_price(self, game: Game, certificate: Certificate) -> int:
        """Return the market price everywhere (R4.2.3); a minor's only share is worth twice its value."""
        company = certificate.company
        return 2 * company.price if company.kind == "minor" else company.price

    def pay_for_share(self, game: Game, buyer: Owner, bundle: Bundle, price: int) -> None:
        """Move the money of a purchase; for the IPO the bank gives the company the old par price (R4.2.3)."""
        super().pay_for_share(game, buyer, bundle, price)
        if bundle.holder is game.bank:
            game.bank.pay(bundle.company.par or 0, bundle.company)

    def price_after_sale(self, game: Game, bundle: Bundle, by_president: bool) -> None:
        """Move the price one cell left per share that the president sells (R4.2.2)."""
        if by_president:
            game.market.move(bundle.company, "left", bundle.shares)

    def tile_lays(self, game: Game, company: Company) -> Sequence[TileLay]:
        """Return one lay for minors (R5.1)."""
        return meta.CONSTANTS.minor_tile_lays if company.kind == "minor" else meta.CONSTANTS.tile_lays

    def trace_par(self, game: Game, company: Company) -> int | None:
        """Return the price: there is no other for buyers (R4.2.3)."""
        return company.price


RULES = NewEngland()
