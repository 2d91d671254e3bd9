"""Certificates, bundles, presidency (``00-common`` section 8)."""

from __future__ import annotations

import pytest

from engine.core.certificates import Bundle, bundle_of, issue, move, prefixes
from engine.core.companies import Company
from engine.core.journal import Journal
from engine.core.owners import Player, Pool
from engine.core.shares import transfer
from engine.facts import CompanyFacts
from engine.refusal import IllegalAction

SHARES = (20, 10, 10, 10, 10, 10, 10, 10, 10)


class Table:
    """A company whose certificates lie with three players and the market."""

    def __init__(self, *held: tuple[int, ...], president: int = 0) -> None:
        journal = Journal()
        self.players = [Player(journal, number, f"P{number}") for number in range(4)]
        self.pool = Pool(journal)
        self.company = Company(journal, CompanyFacts("X", "X", "major"))
        issue(journal, self.company, SHARES, self.company)
        for player, numbers in zip(self.players, held, strict=False):
            move([self.company.certificates[number] for number in numbers], player)
        self.company.president = self.players[president]

    def numbers(self, holder: object) -> list[int]:
        return [item.number for item in self.company.held_by(holder)]  # type: ignore[arg-type]

    def sell(self, player: int, numbers: tuple[int, ...], percent: int | None = None) -> None:
        bundle = bundle_of([self.company.certificates[number] for number in numbers], percent, "")
        assert bundle.holder is self.players[player]
        transfer(bundle, self.pool, self.players, self.pool)

    def buy(self, player: int, number: int) -> None:
        certificate = self.company.certificates[number]
        assert certificate.holder is not None
        bundle = Bundle(self.company, certificate.holder, (certificate,), certificate.percent)
        transfer(bundle, self.players[player], self.players, self.pool)


def test_certificates_go_to_the_end_of_the_list() -> None:
    table = Table((0, 3, 1))
    table.buy(0, 2)
    assert table.numbers(table.players[0]) == [0, 3, 1, 2]
    table.sell(0, (3,))
    assert table.numbers(table.players[0]) == [0, 1, 2]
    assert table.numbers(table.pool) == [3]


def test_a_new_president_gives_his_first_two_certificates() -> None:
    """R8.22, first example: A holds 0, 3; B holds 2, 4, 5 and buys 6."""
    table = Table((0, 3), (2, 4, 5))
    table.buy(1, 6)
    assert table.company.president is table.players[1]
    assert table.numbers(table.players[1]) == [5, 6, 0]
    assert table.numbers(table.players[0]) == [3, 2, 4]


def test_who_sells_everything_leaves_the_exchange_to_the_market() -> None:
    """R8.22, second example (18NewEngland R4.2.8)."""
    table = Table((1, 0), (2, 3, 4))
    move([table.company.certificates[number] for number in (5, 6)], table.pool)
    table.sell(0, (1, 0))
    assert table.company.president is table.players[1]
    assert table.numbers(table.pool) == [5, 6, 1, 2, 3]
    assert table.numbers(table.players[1]) == [4, 0]


def test_a_split_presidents_certificate() -> None:
    """1861 R4.2.7: holder 0, 1, 3, 5 sells 1, 3, 5, 0 for 40 %; the challenger holds 2, 6, 7."""
    table = Table((0, 1, 3, 5), (2, 6, 7))
    table.sell(0, (1, 3, 5, 0), 40)
    assert table.numbers(table.pool) == [3, 5, 2, 6]
    assert table.numbers(table.players[0]) == [1]
    assert table.numbers(table.players[1]) == [7, 0]


def test_the_president_stays_on_a_tie() -> None:
    table = Table((0, 1), (2, 3))
    table.buy(1, 4)
    assert table.company.president is table.players[0]


def test_of_several_challengers_the_next_clockwise_wins() -> None:
    table = Table((2, 3, 4), (), (0, 1), (5, 6, 7), president=2)
    table.sell(2, (1,))
    assert table.company.president is table.players[3]


def test_a_challenger_needs_the_percent_of_the_certificate() -> None:
    table = Table((0,), (1,), (2,))
    table.sell(0, (0,), 10)
    assert table.company.president is table.players[0]


def test_bundles_put_the_presidents_certificate_last() -> None:
    table = Table((0, 5, 2))
    found = [(bundle.ids, bundle.percent) for bundle in prefixes(table.company, table.players[0])]
    assert found == [
        (("X_5",), 10),
        (("X_5", "X_2"), 20),
        (("X_5", "X_2", "X_0"), 30),
        (("X_5", "X_2", "X_0"), 40),
    ]


@pytest.mark.parametrize(("numbers", "percent"), [((1, 2), 10), ((0,), 30), ((0, 1), 15), ((1, 7), 20)])
def test_bundles_that_do_not_fit(numbers: tuple[int, ...], percent: int) -> None:
    table = Table((0, 1, 2), (7,))
    with pytest.raises(IllegalAction, match=r"R8\.8"):
        bundle_of([table.company.certificates[number] for number in numbers], percent, "P0")
