"""A company in play: its purse, certificates, price, trains and tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.journal import Journal
from engine.core.owners import Owner, Player
from engine.facts import CompanyFacts

if TYPE_CHECKING:
    from engine.core.certificates import Certificate
    from engine.core.depot import Train
    from engine.core.market import Place
    from engine.core.privates import Private
    from engine.core.tokens import Token


class Company(Owner):
    """A company.

    Attributes
    ----------
    certificates
        All its certificates by number, the president's first.
    holdings
        Who holds which of them, in the order of arrival (``00-common R8.20``).
    president
        Who decides for it: a player, or the market (receivership).
    place
        Its cell in the market.
    par
        The price at which it was started, for ever.
    started
        Its president's certificate was sold, or it has a president (``00-common R8.10``).
    operated
        It has passed a dividend step at least once (``00-common R9.35``).
    must_own_train
        It was once found to have a route (``00-common R6.10``).
    """

    def __init__(self, journal: Journal, facts: CompanyFacts) -> None:
        super().__init__(journal, facts.sym, facts.sym)
        self.sym = facts.sym
        self.facts = facts
        self.kind = facts.kind
        self.certificates: tuple[Certificate, ...] = ()
        self.holdings: Mapping[Owner, tuple[Certificate, ...]] = {}
        self.president: Owner | None = None
        self.place: Place | None = None
        self.par: int | None = None
        self.started = False
        self.floated = False
        self.closed = False
        self.operated = False
        self.must_own_train = False
        self.trains: tuple[Train, ...] = ()
        self.tokens: tuple[Token, ...] = ()
        self.privates: tuple[Private, ...] = ()
        self.loans: tuple[int, ...] = ()

    @property
    def owner(self) -> Player | None:
        """The player who is president, if one is."""
        return self.president if isinstance(self.president, Player) else None

    @property
    def price(self) -> int:
        """The share price; 0 for a company without one."""
        return self.place.price if self.place is not None else 0

    @property
    def share_percent(self) -> int:
        """The percent of a normal share (``00-common R8.5``)."""
        if not self.certificates:
            return 10
        if len(self.certificates) > 1:
            return self.certificates[1].percent
        return self.certificates[0].percent

    @property
    def total_shares(self) -> int:
        """The number of normal shares."""
        return 100 // self.share_percent

    def held_by(self, holder: Owner) -> tuple[Certificate, ...]:
        """Return a holder's certificates of this company, the oldest first."""
        return self.holdings.get(holder, ())

    def percent_of(self, holder: Owner) -> int:
        """Return a holder's percentage."""
        return sum(certificate.percent for certificate in self.held_by(holder))

    def shares_of(self, holder: Owner) -> int:
        """Return a holder's number of normal shares."""
        return self.percent_of(holder) // self.share_percent

    @property
    def next_token(self) -> Token | None:
        """The first token that is not on the map; its price is what the next one costs."""
        return next((token for token in self.tokens if token.spot is None), None)

    @property
    def placed_tokens(self) -> tuple[Token, ...]:
        """The tokens on the map."""
        return tuple(token for token in self.tokens if token.spot is not None)
