"""The stock round of 1861: shares, majors, auctions of minors (rules, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Free
from engine.core.certificates import move
from engine.core.companies import Company
from engine.core.market import Place
from engine.core.owners import Player
from engine.core.shares import settle_presidency
from engine.core.tokens import Spot
from engine.games.g1861.auction import MinorAuction, below_limit, can_open, least_bid, on_offer
from engine.games.g1861.prices import FOR_MAJORS, cells
from engine.games.g1861.state import available_majors, bids, russia
from engine.reach import Search
from engine.rounds.stock import StockRound
from engine.steps.base import Step, choice
from engine.steps.trade import Trade

if TYPE_CHECKING:
    from engine.game import Entity, Game


def home_spots(game: Game) -> Iterator[Spot]:
    """Yield the cities in which a new major may place its first token (R6.3)."""
    board, search = game.map, Search(game.map, russia(game).national)
    for hex_id, cities in board.cities.items():
        spots = [Spot(hex_id, number) for number in range(len(cities))]
        if any(search.leaves(spot) for spot in spots):
            continue
        for spot, city in zip(spots, cities, strict=True):
            if not city.tokens and any(
                token is None and not (slot < len(city.reserved) and city.reserved[slot])
                for slot, token in enumerate(city.slots)
            ):
                yield spot


class PlaceHome(Step):
    """A major that was just started places its home token (R6.2)."""

    @property
    def entity(self) -> Company | None:
        """The major that has no home yet."""
        return cast(RussianStockRound, self.round).homeless

    def actors(self) -> Iterable[Entity]:
        """Return the major."""
        return () if self.entity is None else (self.entity,)

    def skip(self) -> None:
        """Stay open: a major is started in the middle of a turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``place_token``."""
        return ("place_token",) if self.entity is not None and entity is self.entity else ()

    def do_place_token(self, action: Action, entity: Entity) -> None:
        """Place the first token free of charge."""
        major, board = cast(Company, entity), self.game.map
        spot = board.city_named(action.text("city"), entity)
        if spot not in list(home_spots(self.game)):
            raise self.refuse("R6.3", entity, f"the city in {spot.hex} cannot be its home")
        token, slot = major.next_token, board.free_slot(major, spot)
        assert token is not None and slot is not None
        board.place(token, spot, slot)
        cast(RussianStockRound, self.round).homeless = None

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every possible home."""
        major, board = cast(Company, entity), self.game.map
        for spot in home_spots(self.game):
            slot = board.free_slot(major, spot)
            yield choice("place_token", major, city=board.city_id(spot), slot=Free(slot))


class RussianTrade(Trade):
    """A player's turn: sales, then one share, one new major, or the opening of an auction (R4.2.1)."""

    @property
    def auction(self) -> MinorAuction:
        """The auction of this round."""
        return next(step for step in self.round.steps if isinstance(step, MinorAuction))

    def may_start(self, player: Player) -> bool:
        """Tell whether the player is asked for a major, though no price may suit him (R4.2.3)."""
        game = self.game
        return (
            game.phases.has_begun("4")
            and bool(available_majors(game))
            and player.cash >= least_bid(game)
            and below_limit(game, player)
        )

    def _par_cells(self, player: Player) -> list[Place]:
        return [place for place in cells(self.game, FOR_MAJORS) if 2 * place.price <= player.cash]

    def starts(self, player: Player) -> Iterator[Choice]:
        """Yield every major at every price that the player can pay, if there is a home for it."""
        if next(home_spots(self.game), None) is None or not below_limit(self.game, player):
            return
        for major in available_majors(self.game):
            for place in self._par_cells(player):
                yield choice("par", player, corporation=major.sym, share_price=place.id)

    def do_par(self, action: Action, entity: Entity) -> None:
        """Start a major (R4.2.10)."""
        game, player, sym = self.game, self.player, action.text("corporation")
        major = next((item for item in available_majors(game) if item.sym == sym), None)
        if major is None or not game.phases.has_begun("4"):
            raise self.refuse("R4.2.10", entity, f"{sym} cannot be started now")
        place = game.market.named(action.text("share_price"), entity)
        if place not in cells(game, FOR_MAJORS):
            raise self.refuse("R4.2.10a", entity, f"no major starts in cell {place.id}")
        if 2 * place.price > player.cash:
            raise self.refuse("R4.2.10", entity, f"has {player.cash}; {sym} costs {2 * place.price}")
        if not below_limit(game, player):
            raise self.refuse("00-common R8.14", entity, "is at the certificate limit")
        if next(home_spots(game), None) is None:
            raise self.refuse("R6.3", entity, f"there is no home for {sym}")
        start_major(game, major, place)
        player.pay(2 * place.price, major)
        give_presidency(game, major, player)
        self.bought = True
        self.stock_round.note_action(player)
        cast(RussianStockRound, self.round).homeless = major

    def more_types(self, player: Player) -> tuple[str, ...]:
        """Return ``bid`` if the player could put a minor up."""
        return ("bid",) if can_open(self.game, player) else ()

    def more_choices(self, player: Player) -> Iterator[Choice]:
        """Yield the minors that can be put up."""
        if "bid" in self.types(player):
            least = least_bid(self.game)
            for minor in on_offer(self.game):
                price = bids(self.game, least, player.cash)
                yield choice("bid", player, corporation=minor.sym, price=price)

    def do_bid(self, action: Action, entity: Entity) -> None:
        """Put a minor up for auction (R4.2.13)."""
        self.auction.begin(action, self.player)


class RussianStockRound(StockRound):
    """The stock round.

    Attributes
    ----------
    homeless
        A major that was just started and has no home yet.
    """

    step_types = (PlaceHome, MinorAuction, RussianTrade)

    def __init__(self, game: Game, number: int = 1) -> None:
        super().__init__(game, number)
        self.homeless: Company | None = None

    def end_turn_of(self, winner: Player) -> None:
        """Let the turn go on as if it had been that of an auction's winner (R4.2.17)."""
        self.place = self.entities.index(winner)
        self.note_action(winner)
        for step in self.steps:
            if isinstance(step, RussianTrade):
                step.bought = True

    def finish(self) -> None:
        """Let the prices of majors rise that players hold whole (R4.2.18); give priority."""
        game = self.game
        majors = [item for item in game.rules.operating_order(game) if item.kind == "major"]
        for major in majors:
            if sum(major.percent_of(player) for player in game.players) == 100:
                game.market.move(major, "up")
        super().finish()


def start_major(game: Game, major: Company, place: Place) -> None:
    """Set a major on the market; who gets its certificates is another matter."""
    game.market.put(major, place)
    major.par = place.price
    major.started = major.floated = True


def give_presidency(game: Game, major: Company, player: Player) -> None:
    """Give the president's certificate of the treasury to a player."""
    move(major.certificates[:1], player)
    settle_presidency(major, game.players, game.pool, exchange_at=player)
