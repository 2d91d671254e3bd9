"""Loans: a stock of numbered papers (``00-common R9.66``)."""

from __future__ import annotations

from engine.core.companies import Company
from engine.core.journal import Journal, State


class LoanStock(State):
    """The loans that nobody has taken."""

    def __init__(self, journal: Journal, count: int) -> None:
        super().__init__(journal)
        self.left: tuple[int, ...] = tuple(range(count))

    def take(self, company: Company) -> None:
        """Give a company the next loan; what it is paid for it is another matter."""
        loan, *left = self.left
        self.left = tuple(left)
        company.loans = (*company.loans, loan)

    def give_back(self, company: Company, count: int = 1) -> None:
        """Take loans of a company back, the last ones first."""
        kept = len(company.loans) - count
        self.left = (*self.left, *company.loans[kept:])
        company.loans = company.loans[:kept]
