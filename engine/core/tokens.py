"""The tokens of companies and the cities in which they lie (``00-common R5.30``, ``R9.40``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.core.companies import Company
from engine.core.journal import Journal, State


class Spot(NamedTuple):
    """A city on the map."""

    hex: str
    city: int


class Token(State):
    """A token.

    Attributes
    ----------
    spot
        The city in which it lies, ``None`` while it is unused.
    neutral
        It keeps its city open for everybody (``00-common R6.3``).
    """

    def __init__(self, journal: Journal, company: Company, price: int, neutral: bool = False) -> None:
        super().__init__(journal)
        self.company = company
        self.price = price
        self.neutral = neutral
        self.spot: Spot | None = None

    def __repr__(self) -> str:
        return f"<Token {self.company.sym} {self.spot}>"


@dataclass(frozen=True, slots=True)
class City:
    """The slots of a city.

    Attributes
    ----------
    slots
        The token in each slot.
    reserved
        By place the company for which a slot is kept; it may be shorter or longer than ``slots``.
    extra
        Tokens beside the slots.
    """

    slots: tuple[Token | None, ...]
    reserved: tuple[str | None, ...] = ()
    extra: tuple[Token, ...] = ()

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, those beside the slots last."""
        return (*(token for token in self.slots if token is not None), *self.extra)

    def has(self, company: Company) -> bool:
        """Tell whether a company has a token here."""
        return any(token.company is company for token in self.tokens)

    @property
    def is_full(self) -> bool:
        """Whether every slot holds a token."""
        return all(token is not None for token in self.slots)

    def blocks(self, company: Company) -> bool:
        """Tell whether a company cannot pass (``00-common R6.3``)."""
        return self.is_full and not any(token.company is company or token.neutral for token in self.tokens)

    def slot_for(self, company: Company) -> int | None:
        """Return the slot that a token of a company would take (R5.30), ``None`` if there is none."""
        kept = None
        for slot, token in enumerate(self.slots):
            owner = self.reserved[slot] if slot < len(self.reserved) else None
            if token is not None:
                continue
            if owner == company.sym:
                return slot
            if owner is None and kept is None:
                kept = slot
        return kept

    def with_token(self, token: Token, slot: int) -> City:
        """Return the city with a token in a slot; the reservation of its company is used up."""
        slots = (*self.slots[:slot], token, *self.slots[slot + 1 :])
        return replace(self, slots=slots).without_reservation(token.company.sym)

    def without_token(self, token: Token) -> City:
        """Return the city without a token."""
        return replace(
            self,
            slots=tuple(None if item is token else item for item in self.slots),
            extra=tuple(item for item in self.extra if item is not token),
        )

    def without_reservation(self, name: str) -> City:
        """Return the city without the reservation of a company; its place in the list stays."""
        if name not in self.reserved:
            return self
        return replace(self, reserved=tuple(None if item == name else item for item in self.reserved))
