"""Trains, phases, tiles of unlimited supply, money (``00-common`` sections 8.1, 9.8)."""

from __future__ import annotations

import pytest

from engine.core.companies import Company
from engine.core.depot import Depot, drop, hand_over
from engine.core.draw import Draw
from engine.core.journal import Journal
from engine.core.loans import LoanStock
from engine.core.owners import Bank, Player
from engine.core.phases import Phases
from engine.core.supply import Supply
from engine.facts import CompanyFacts, PhaseFacts, TrainFacts
from engine.notation import parse_tiles
from engine.refusal import IllegalAction

TYPES = (
    TrainFacts("2", 2, 100, 2),
    TrainFacts("4", 1, 300, 4),
    TrainFacts("8", None, 800, 8, available_on="4"),
)


def company(name: str = "X") -> Company:
    return Company(Journal(), CompanyFacts(name, name, "major"))


def names(depot: Depot) -> list[str]:
    return [train.id for train in depot.upcoming]


def test_an_unlimited_type_never_runs_out() -> None:
    """R2.7."""
    depot = Depot(Journal(), TYPES)
    for _ in range(3):
        depot.take(depot.upcoming[0])
    assert names(depot) == ["8-0"]
    depot.take(depot.trains["8-0"])
    assert names(depot) == ["8-1"]
    assert depot.kinds_left(2) == [("8", 1)]


def test_what_is_on_sale() -> None:
    """R9.43: the next train, early types, one of each discarded name."""
    depot, buyer = Depot(Journal(), TYPES), company()
    assert [train.id for train in depot.on_sale()] == ["2-0"]
    assert [train.id for train in depot.on_sale(("2", "4"))] == ["2-0", "8-0"]
    for name in ("2-0", "2-1"):
        depot.take(depot.trains[name])
        hand_over(depot.trains[name], buyer)
    for name in ("2-1", "2-0"):
        depot.discard(depot.trains[name])
    assert [train.id for train in depot.on_sale()] == ["4-0", "2-1"]
    assert buyer.trains == ()


def test_trains_change_hands_in_order() -> None:
    depot, one, other = Depot(Journal(), TYPES), company(), company("Y")
    for name in ("2-0", "4-0"):
        hand_over(depot.trains[name], one)
    hand_over(depot.trains["2-0"], other)
    assert [train.id for train in one.trains] == ["4-0"]
    drop(depot.trains["2-0"])
    assert other.trains == ()
    assert depot.trains["2-0"].owner is None


def test_phases_follow_the_trains() -> None:
    rules = [PhaseFacts(name, (), 4, 2, on=on) for name, on in (("2", None), ("3", "3"), ("4", "4"))]
    phases = Phases(Journal(), tuple(rules))
    assert phases.advance("2") == ()
    assert [phase.name for phase in phases.advance("3")] == ["3"]
    assert phases.advance("3") == ()
    assert phases.begun == ("2", "3")
    assert not phases.is_last
    phases.advance("4")
    assert phases.is_last


def test_fresh_copies_of_unlimited_tiles() -> None:
    """R2.2."""
    supply = Supply(Journal(), parse_tiles("7 x* yellow | 0-1\n8 x2 yellow | 0-2"))
    supply.take("7", 0)
    assert supply.copies["7"] == (1,)
    supply.take("7", 1)
    supply.put_back("7", 0)
    assert supply.copies["7"] == (2, 0)
    supply.take("8", 0)
    supply.take("8", 1)
    assert not supply.has("8")
    assert [tile.name for tile in supply] == ["7"]


def test_the_bank_breaks_once() -> None:
    """R8.2: to have exactly nothing left is not to be broken."""
    bank, player = Bank(Journal(), 100), Player(Journal(), 1, "Ada")
    bank.pay(100, player)
    assert (bank.cash, bank.broken) == (0, False)
    bank.pay(30, player)
    assert (bank.cash, bank.broken, player.cash) == (-30, True, 130)


def test_nobody_else_pays_what_he_has_not() -> None:
    player, bank = Player(Journal(), 1, "Ada"), Bank(Journal(), None)
    bank.pay(20, player)
    assert not bank.broken
    for amount in (21, -1):
        with pytest.raises(IllegalAction, match=r"R8"):
            player.pay(amount, bank)
    assert (player.cash, bank.cash) == (20, -20)


def test_loans_go_out_and_back() -> None:
    stock, debtor = LoanStock(Journal(), 3), company()
    stock.take(debtor)
    stock.take(debtor)
    assert (debtor.loans, stock.left) == ((0, 1), (2,))
    stock.give_back(debtor)
    assert (debtor.loans, stock.left) == ((0,), (2, 1))


def test_random_numbers() -> None:
    """R3.2."""
    draw = Draw(1)
    numbers = [draw.number() for _ in range(5)]
    assert numbers == [1103527590, 377401575, 662824084, 1147902781, 2035015474]
