"""Who holds money and certificates: players, the bank, the market pool (companies have a module)."""

from __future__ import annotations

from engine.actions import PlayerId
from engine.core.journal import Journal, State
from engine.refusal import IllegalAction


class Owner(State):
    """Somebody with a purse.

    Attributes
    ----------
    key
        How traces name the owner.
    """

    def __init__(self, journal: Journal, key: str, name: str) -> None:
        super().__init__(journal)
        self.key = key
        self.name = name
        self.cash = 0

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.key}>"

    def give(self, amount: int) -> None:
        """Take ``amount`` out of the purse (``00-common R8.3``).

        Raises
        ------
        IllegalAction
            If there is not so much in it.
        """
        if amount > self.cash:
            raise IllegalAction("00-common R8.3", self, f"has {self.cash}, not {amount}")
        self.cash -= amount

    def pay(self, amount: int, to: Owner) -> None:
        """Pay somebody; 0 is not paid.

        Raises
        ------
        IllegalAction
            If there is not so much in the purse, or the amount is negative.
        """
        if amount < 0:
            raise IllegalAction("00-common R8.1", self, f"cannot pay {amount}")
        if amount:
            self.give(amount)
            to.cash += amount


class Player(Owner):
    """A player; ``bankrupt`` players take no part any more."""

    def __init__(self, journal: Journal, id: PlayerId, name: str) -> None:
        super().__init__(journal, str(id), name)
        self.id = id
        self.bankrupt = False


class Bank(Owner):
    """The bank; certificates that it holds form the IPO of companies that keep none themselves.

    Attributes
    ----------
    broken
        It once could not pay in full (``00-common R8.2``); it pays on.
    """

    def __init__(self, journal: Journal, cash: int | None) -> None:
        super().__init__(journal, "ipo", "the bank")
        self.unlimited = cash is None
        self.cash = cash or 0
        self.broken = False

    def give(self, amount: int) -> None:
        """Take ``amount`` out; the bank may go below 0."""
        if amount > self.cash and not self.unlimited and not self.broken:
            self.broken = True
        self.cash -= amount


class Pool(Owner):
    """The market: where certificates lie that somebody sold."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, "market", "the market")
