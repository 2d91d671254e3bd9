"""Loans of 1861: taken only when something must be paid, repaid as soon as possible (rules, section 10.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.companies import Company

if TYPE_CHECKING:
    from engine.game import Game

LOAN = 50
INTEREST = 5
LIMITS = {"minor": 2, "major": 5, "national": 100}
"""How many loans a company may have (R10.20)."""


def room(company: Company) -> int:
    """Return how many loans a company may still take; below 0 if it has too many (R10.19)."""
    return LIMITS[company.kind] - len(company.loans)


def buying_power(company: Company) -> int:
    """Return what a company can pay with all the loans that it may take (R9.4)."""
    return company.cash + (LOAN - INTEREST) * room(company)


def take_loan(game: Game, company: Company) -> None:
    """Take one loan; its first interest is paid at once (R10.20)."""
    game.loans.take(company)
    game.bank.pay(LOAN - INTEREST, company)


def borrow(game: Game, company: Company, amount: int) -> None:
    """Take loans until the company can pay an amount, or may take no more (R5.7, R9.5)."""
    while company.cash < amount and room(company) > 0:
        take_loan(game, company)


def pay_interest(game: Game, company: Company, due: int) -> bool:
    """Pay interest, if need be by further loans; tell whether it could be paid (R10.21)."""
    borrow(game, company, due)
    if due > company.cash:
        return False
    company.pay(due, game.bank)
    return True


def repay(game: Game, company: Company) -> None:
    """Repay as many loans as the company can (R10.21)."""
    while company.loans and company.cash >= LOAN:
        company.pay(LOAN, game.bank)
        game.loans.give_back(company)
