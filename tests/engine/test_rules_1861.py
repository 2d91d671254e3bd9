"""The rules of 1861: the worked example and single rules (its sections 4 to 14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.certificates import Bundle, move
from engine.core.companies import Company
from engine.core.draw import Draw
from engine.core.market import Place
from engine.core.shares import transfer
from engine.game import Game
from engine.games.g1861.auction import place_home
from engine.games.g1861.loans import pay_interest, repay, take_loan
from engine.games.g1861.national import nationalize
from engine.games.g1861.operating import DistantToken, RussianOperatingRound, ShareRevenue
from engine.games.g1861.prices import FOR_MAJORS, FOR_MINORS, HIGHEST_MINOR_PAR, best_cell, merger_cell
from engine.games.g1861.privates import real_privates
from engine.games.g1861.state import russia
from engine.games.g1861.stock import give_presidency, home_spots, start_major
from engine.record import Record
from engine.refusal import IllegalAction
from engine.replay import replay
from engine.steps.purchase import buy_from_bank

SALES = (("TSR", 20, 2), ("BSS", 30, 3), ("MYR", 40, 4), ("MRR", 50, 2), ("WVR", 60, 3))


class Table:
    """A game of four players; everybody passes where nothing else is told."""

    def __init__(self, players: int = 4) -> None:
        self.game = Game.new("1861", players)

    def do(self, entity: int | str, type: str, **fields: object) -> None:
        kind = "player" if isinstance(entity, int) else "corporation"
        self.game.apply({"type": type, "entity": entity, "entity_type": kind, **fields})

    def idle_until(self, entity: str, *types: str) -> None:
        """Let everybody pass until somebody stands before a step."""
        while self.acting != entity or not set(types) <= set(self.game.action_types()):
            choices = self.game.legal_actions()
            self.game.apply(next((item for item in choices if item.type == "pass"), choices[0]).action())

    def sell_privates(self) -> None:
        """Sell the private companies to all but player 1."""
        for sym, price, buyer in SALES:
            self.idle_until(str(buyer), "bid")
            self.do(buyer, "bid", company=sym, price=price)
            while self.game.privates[sym].owner is None:
                self.do(int(self.acting), "pass")
        self.idle_until("1", "bid")

    @property
    def acting(self) -> str:
        return str(getattr(self.game.acting, "key", None))

    def run(self, company: str) -> None:
        """Run the best routes."""
        self.idle_until(company, "run_routes")
        routes = [
            {"train": route.train, "connections": [list(chain) for chain in route.connections]}
            for route in self.game.best_routes().routes
        ]
        self.do(company, "run_routes", routes=routes)

    def money(self, company: str) -> tuple[int, int, int]:
        """Return the cash of player 1, and cash and price of a company."""
        found = self.game.companies[company]
        return self.game.all_players[0].cash, found.cash, found.price


def test_the_worked_example() -> None:
    table = Table()
    game = table.game
    table.sell_privates()
    assert game.round.name == "SR 1 1"
    for player, price in [(1, 100), (2, 120), (3, None), (4, None), (1, 140), (2, None)]:
        if price is None:
            table.do(player, "pass")
        else:
            table.do(player, "bid", corporation="N", price=price)
    assert table.money("N") == (175, 140, 70)
    table.idle_until("2", "bid")
    table.do(2, "bid", corporation="KB", price=100)
    table.idle_until("N", "buy_train")
    table.do("N", "buy_train", train="2-0", price=100)
    assert table.money("N") == (175, 40, 65)
    for round_, cash, treasury, price in [
        ("OR 1 2", 215, 80, 70),
        ("OR 2 1", 255, 120, 80),
        ("OR 2 2", 295, 160, 90),
    ]:
        table.run("N")
        assert game.round.name == round_
        assert table.money("N") == (cash, treasury, price)
    while game.depot.upcoming[0].name == "2":
        game.depot.take(game.depot.upcoming[0])
    game.bank.pay(300, game.companies["KB"])
    table.idle_until("KB", "buy_train")
    table.do("KB", "buy_train", train="3-0", price=225)
    assert game.phase.name == "3"
    table.idle_until("N", "merge")
    assert game.round.name == "MR 2 2"
    with pytest.raises(IllegalAction, match="not allowed now"):
        table.do("N", "convert")
    table.run("N")
    assert game.round.name == "OR 3 1"
    assert table.money("N") == (335, 200, 100)
    table.idle_until("N", "convert")
    table.do("N", "convert")
    table.do("N", "merge", corporation="GRR")
    major = game.companies["GRR"]
    assert table.money("GRR") == (335, 200, 100)
    assert [train.id for train in major.trains] == ["2-0"]
    assert major.percent_of(game.all_players[0]) == 20
    assert [token.spot.hex for token in major.placed_tokens if token.spot] == ["H8"]
    assert major.place == Place(4, 5, 100, major.place.types if major.place else ())
    for share in ("GRR_1", "GRR_2"):
        table.do(1, "buy_shares", shares=[share], percent=10)
    assert table.money("GRR") == (135, 400, 100)
    assert major.percent_of(game.all_players[0]) == 40
    table.run("GRR")
    assert game.round.name == "OR 3 2"
    table.do("GRR", "dividend", kind="payout")
    assert table.money("GRR") == (167, 448, 100)
    table.idle_until("GRR", "buy_train")
    table.do("GRR", "buy_train", train="3-1", price=225)
    assert table.money("GRR") == (167, 223, 100)
    table.idle_until("1", "bid")
    assert game.round.name == "SR 4 1"
    assert table.money("GRR") == (167, 223, 100)


@pytest.mark.parametrize(
    ("bid", "price"),
    [(105, 50), (110, 55), (115, 55), (150, 70), (165, 80), (175, 80), (250, 120), (330, 135)],
)
def test_a_bid_makes_a_price(bid: int, price: int) -> None:
    place = best_cell(Game.new("1861"), FOR_MINORS, min(bid // 2, HIGHEST_MINOR_PAR))
    assert place is not None
    assert place.price == price


@pytest.mark.parametrize(
    ("prices", "par"),
    [
        ([100, 70], 165),
        ([100, 60], 150),
        ([70, 70], 135),
        ([70, 65], 135),
        ([150, 110], 200),
        ([110, 80], 180),
        ([90, 70, 65], 150),
        ([40, 40], 100),
    ],
)
def test_minors_make_a_price(prices: list[int], par: int) -> None:
    game = Game.new("1861")
    minors = tuple(list(game.companies.values())[: len(prices)])
    for minor, price in zip(minors, prices, strict=True):
        game.market.put(minor, next(place for place in game.market if place.price == price))
    assert merger_cell(game, minors).price == par


@pytest.mark.parametrize(
    ("price", "cell"),
    [(165, (1, 7)), (150, (2, 7)), (135, (2, 6)), (120, (3, 6)), (110, (3, 5)), (100, (4, 5))],
)
def test_conversion_cells(price: int, cell: tuple[int, int]) -> None:
    place = best_cell(Game.new("1861"), FOR_MAJORS, price)
    assert place is not None
    assert (place.row, place.column) == cell


@pytest.mark.parametrize(
    ("seed", "removed"),
    [
        (1, {"BSS", "MYR"}),
        (2, {"TSR", "MYR"}),
        (7, {"BSS", "MYR"}),
        (42, {"WVR", "MYR"}),
        (12345, {"MRR", "BSS"}),
    ],
)
def test_two_players_lack_two_privates(seed: int, removed: set[str]) -> None:
    game = Game.new("1861", 2, seed=seed)
    assert {"TSR", "BSS", "MYR", "MRR", "WVR"} - {item.sym for item in real_privates(game)} == removed
    assert game.depot.kinds_left(6) == [("2", 7), ("3", 5), ("4", 3), ("5", 3), ("6", 1), ("7", 1)]


def test_draws() -> None:
    draw = Draw(42)
    assert [draw.number() for _ in range(5)] == [1250496027, 1116302264, 1000676753, 1668674806, 908095735]


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("I13", "H8", 3),
        ("F18", "D14", 3),
        ("B4", "D14", 6),
        ("H8", "K7", 3),
        ("L12", "G15", 5),
        ("H8", "G15", 4),
    ],
)
def test_distances(one: str, other: str, distance: int) -> None:
    assert Game.new("1861").facts.map.distance(one, other) == distance


@pytest.mark.parametrize(
    ("name", "before", "homes"),
    [
        ("29683", 541, {"F18", "K17", "L12", "M19", "P2", "P8"}),
        ("167259", 601, {"F18", "L12", "M19", "P2", "P8"}),
    ],
)
def test_homes_of_majors(shared: Path, name: str, before: int, homes: set[str]) -> None:
    record = Record.load(shared / "games" / "1861" / f"{name}.json")
    last = [action.id or 0 for action in record.actions() if (action.id or 0) < before][-1]
    game = replay(record, until=last)
    assert {spot.hex for spot in home_spots(game)} == homes


def test_the_tokens_of_the_state_railway(shared: Path) -> None:
    game = replay(Record.load(shared / "games" / "1861" / "167259.json"), until=673)
    spots = [token.spot.hex for token in russia(game).national.tokens if token.spot]
    assert spots == ["E1", "D14", "D20", "K17", "I19", "H8", "B4", "E9"]


def operating(game: Game) -> RussianOperatingRound:
    """Return an operating round of a game."""
    game.round = RussianOperatingRound(game)
    return game.round


def major_at(game: Game, sym: str, row: int, column: int) -> Company:
    """Start a major for the first player."""
    major, place = game.companies[sym], game.market.at(row, column)
    assert place is not None
    start_major(game, major, place)
    give_presidency(game, major, game.players[0])
    return major


@pytest.mark.parametrize(("revenue", "kept"), [(310, 150), (450, 220), (950, 470), (10, 0)])
def test_half_dividends(revenue: int, kept: int) -> None:
    game = Game.new("1861")
    step = ShareRevenue(operating(game))
    assert step.kept(major_at(game, "NW", 0, 8), "half", revenue) == kept


def test_a_company_without_money_is_nationalized() -> None:
    game = Game.new("1861")
    major = major_at(game, "NW", 0, 8)
    for _ in range(5):
        take_loan(game, major)
    major.pay(major.cash - 60, game.bank)
    owner = game.players[0]
    cash = owner.cash
    operating(game)
    nationalize(game, major)
    assert russia(game).national.cash == 10
    assert owner.cash == cash + 2 * 120
    assert (major.started, major.floated, major.president, major.place) == (False, False, None, None)
    assert major.percent_of(major) == 100
    assert major.loans == ()


def test_interest_and_repayment() -> None:
    game = Game.new("1861")
    minor = game.companies["KB"]
    for _ in range(2):
        take_loan(game, minor)
    assert minor.cash == 90
    assert pay_interest(game, minor, 10)
    repay(game, minor)
    assert (minor.cash, len(minor.loans)) == (30, 1)
    minor.pay(30, game.bank)
    assert pay_interest(game, minor, 5)
    assert (minor.cash, len(minor.loans)) == (40, 2)
    minor.pay(40, game.bank)
    assert not pay_interest(game, minor, 10)


def test_half_of_the_presidents_certificate_is_sold() -> None:
    game = Game.new("1861")
    major = major_at(game, "NW", 4, 5)
    seller, challenger = game.players[0], game.players[1]
    move([major.certificates[number] for number in (1, 3, 5)], seller)
    move([major.certificates[number] for number in (2, 6, 7)], challenger)
    certificates = tuple(major.certificates[number] for number in (1, 3, 5, 0))
    transfer(Bundle(major, seller, certificates, 40), game.pool, game.players, game.pool)

    def numbers(holder: object) -> list[int]:
        return [item.number for item in major.held_by(holder)]  # type: ignore[arg-type]

    assert numbers(game.pool) == [3, 5, 2, 6]
    assert numbers(seller) == [1]
    assert numbers(challenger) == [7, 0]
    assert major.president is challenger


def test_prices_at_the_edges_of_the_grid() -> None:
    game = Game.new("1861")
    market, minor, major = game.market, game.companies["RO"], game.companies["NW"]

    def after(company: Company, row: int, column: int, direction: str) -> tuple[int, int]:
        place = market.at(row, column)
        assert place is not None
        market.put(company, place)
        market.move(company, direction)  # type: ignore[arg-type]
        assert company.place is not None
        return company.place.row, company.place.column

    assert after(minor, 0, 6, "right") == (0, 6)
    assert after(minor, 3, 6, "right") == (2, 6)
    assert after(major, 3, 6, "right") == (3, 7)
    assert after(major, 0, 10, "up") == (1, 11)
    assert after(major, 0, 18, "right") == (0, 18)
    assert after(major, 4, 9, "right") == (3, 9)
    assert after(major, 0, 4, "left") == (1, 4)
    assert after(major, 3, 11, "down") == (3, 11)


def test_the_line_of_prices() -> None:
    game = Game.new("1861", optional_rules=["column_market"])
    market, minor, major = game.market, game.companies["RO"], game.companies["NW"]
    place = next(item for item in market if item.price == 165)
    for company, price in ((minor, 165), (major, 180)):
        market.put(company, place)
        market.move(company, "right")
        assert company.price == price


def test_the_second_and_third_token_cost_by_distance() -> None:
    game = Game.new("1861")
    step = DistantToken(operating(game))
    major = major_at(game, "NW", 4, 5)
    place_home(game, game.companies["MV"])
    token = game.companies["MV"].placed_tokens[0]
    game.map.exchange(token, major.tokens[0])
    target = next(spot for spot in home_spots(game) if spot.hex == "L12")
    assert step.price(major, target) == 20 * game.facts.map.distance("I13", "L12")


def test_the_first_minor_comes_first() -> None:
    table = Table()
    table.sell_privates()
    with pytest.raises(IllegalAction, match="cannot be put up for auction now") as caught:
        table.do(1, "bid", corporation="RO", price=100)
    assert caught.value.rule == "1861 R4.2.13"


def test_the_first_eight_lengthens_the_present_set() -> None:
    for number, last in ((1, 1), (2, 2)):
        game = Game.new("1861")
        game.round = RussianOperatingRound(game, number)
        game.phases.number = len(game.phases.all) - 1
        game.bank.broken = True
        game.rules.check_end(game)
        assert (game.ending.reason, game.ending.final_turn) == ("final_phase", last)
        assert game.rules.operating_rounds(game) == (3 if last == 1 else 2)


def test_a_broken_bank_ends_the_game_with_the_round() -> None:
    game = Game.new("1861")
    game.round = RussianOperatingRound(game, 1)
    game.bank.pay(game.bank.cash, game.players[0])
    assert not game.rules.end_is_due(game)
    game.bank.pay(1, game.players[0])
    assert game.rules.end_is_due(game)
    assert game.ending.reason == "bank"


def test_loans_lower_prices_at_the_end() -> None:
    game = Game.new("1861")
    major = major_at(game, "NW", 4, 5)
    for _ in range(2):
        take_loan(game, major)
    owner = game.players[0]
    worth = game.rules.value_of(game, owner)
    assert worth == owner.cash + 2 * 80
    game.finish("bank")
    assert (major.price, major.loans) == (80, ())
    assert game.rules.value_of(game, owner) == worth


def test_minors_that_nobody_started_leave_in_phase_5() -> None:
    game = Game.new("1861")
    assert game.map.city(game.map.city_named("D14-0-1", None)).reserved
    game.rules.train_event(game, "minors_cannot_start", None)
    assert {company.kind for company in game.open_companies} == {"major"}
    assert not any(
        item
        for cities in game.map.cities.values()
        for city in cities
        for item in city.reserved
        if item != "RSR"
    )


def test_a_discarded_train_brings_nothing_about_again() -> None:
    game = Game.new("1861")
    operating(game)
    buyer = game.companies["KB"]
    game.bank.pay(1000, buyer)
    train = game.depot.trains["3-0"]
    buy_from_bank(game, buyer, train, 225)
    assert (game.phase.name, game.privates["3"].closed) == ("3", True)
    game.privates["3"].closed = False
    game.depot.discard(train)
    buy_from_bank(game, buyer, train, 225)
    assert buyer.trains == (train,)
    assert not game.privates["3"].closed


def test_the_national_railway_takes_the_slot_of_the_token() -> None:
    game = Game.new("1861")
    operating(game)
    minor, national = game.companies["SPW"], russia(game).national
    place_home(game, minor)
    nationalize(game, minor)
    assert [token.spot.hex for token in national.placed_tokens if token.spot] == ["E1"]
    assert minor.closed
    assert russia(game).outstanding == {"H8"}
    assert not any("RSR" in city.reserved for city in game.map.cities["E1"])
