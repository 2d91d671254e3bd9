"""The share market (``00-common`` section 8.7)."""

from __future__ import annotations

import pytest

from engine.core.companies import Company
from engine.core.journal import Journal
from engine.core.market import Direction, Market
from engine.facts import CompanyFacts
from engine.notation import parse_market
from engine.refusal import IllegalAction

GRID = """
60 70 80e 90
50 60 70
40 50 .  80
"""
LINE = "10 20 30 40e"


def make(text: str, *places: tuple[int, int]) -> tuple[Market, list[Company]]:
    journal = Journal()
    market = Market(journal, parse_market(text, {"e": "endgame"}, one_d=text == LINE))
    companies = [Company(journal, CompanyFacts(f"C{n}", "", "major")) for n in range(len(places))]
    for company, place in zip(companies, places, strict=True):
        cell = market.at(*place)
        assert cell is not None
        market.put(company, cell)
    return market, companies


@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [
        ((1, 0), "right", (1, 1)),
        ((1, 2), "right", (0, 2)),
        ((0, 3), "right", (0, 3)),
        ((1, 1), "left", (1, 0)),
        ((1, 0), "left", (2, 0)),
        ((2, 0), "left", (2, 0)),
        ((1, 2), "down", (1, 2)),
        ((0, 0), "up", (0, 0)),
        ((2, 1), "right", (2, 1)),
    ],
)
def test_moves_on_a_grid(start: tuple[int, int], direction: Direction, end: tuple[int, int]) -> None:
    market, (company,) = make(GRID, start)
    market.move(company, direction)
    assert company.place is not None
    assert (company.place.row, company.place.column) == end


def test_a_line_has_two_directions() -> None:
    market, (company,) = make(LINE, (0, 1))
    for direction, price in (("up", 30), ("down", 20), ("left", 10), ("left", 10), ("right", 20)):
        market.move(company, direction)  # type: ignore[arg-type]
        assert company.price == price


def test_only_a_real_move_goes_behind_the_others() -> None:
    """R8.28."""
    market, (one, other) = make(LINE, (0, 0), (0, 0))
    market.move(one, "left")
    assert sorted((other, one), key=market.order) == [one, other]
    market.move(one, "right")
    market.move(one, "left")
    assert sorted((other, one), key=market.order) == [other, one]


def test_the_order_of_companies() -> None:
    """R8.29: price, then column, then row."""
    market, companies = make(GRID, (1, 0), (0, 0), (1, 1), (0, 1), (2, 1))
    assert [company.sym for company in sorted(companies, key=market.order)] == ["C3", "C2", "C1", "C4", "C0"]


def test_moving_into_the_last_cell_ends_the_game_starting_there_does_not() -> None:
    market, (_, other) = make(LINE, (0, 3), (0, 2))
    assert not market.ended
    market.move(other, "right", 2)
    assert market.ended


@pytest.mark.parametrize("name", ["50,1,1", "60,9,9", "60,1", "x,y,z", "60,-1,1", ""])
def test_cells_that_are_not_there(name: str) -> None:
    market, _ = make(GRID)
    assert market.named("60,1,1", "").price == 60
    with pytest.raises(IllegalAction):
        market.named(name, "P1")
