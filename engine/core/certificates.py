"""Certificates and bundles of them (``00-common`` section 8.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.core.companies import Company
from engine.core.journal import Journal, State
from engine.core.owners import Owner
from engine.refusal import IllegalAction


class Certificate(State):
    """A certificate; number 0 is the president's. ``id`` is ``B&A_0``."""

    def __init__(self, journal: Journal, company: Company, number: int, percent: int) -> None:
        super().__init__(journal)
        self.company = company
        self.number = number
        self.percent = percent
        self.id = f"{company.sym}_{number}"
        self.holder: Owner | None = None

    def __repr__(self) -> str:
        return f"<Certificate {self.id}>"

    @property
    def is_presidents(self) -> bool:
        """Whether it makes its holder president."""
        return self.number == 0


@dataclass(frozen=True, slots=True)
class Bundle:
    """Certificates of one company with one holder.

    Attributes
    ----------
    percent
        What changes hands; less than the sum if the president's certificate is split (R8.8).
    """

    company: Company
    holder: Owner
    certificates: tuple[Certificate, ...]
    percent: int

    @property
    def shares(self) -> int:
        """The number of normal shares."""
        return self.percent // self.company.share_percent

    @property
    def has_presidents(self) -> bool:
        """Whether the president's certificate is in it."""
        return any(certificate.is_presidents for certificate in self.certificates)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the certificates."""
        return tuple(certificate.id for certificate in self.certificates)


def issue(journal: Journal, company: Company, percents: Iterable[int], holder: Owner) -> None:
    """Give a company its certificates and lay them down with their first holder."""
    company.certificates = tuple(
        Certificate(journal, company, number, percent) for number, percent in enumerate(percents)
    )
    move(company.certificates, holder)


def move(certificates: Sequence[Certificate], to: Owner | None) -> None:
    """Hand certificates of one company over; they go to the end of the new holder's list (R8.20).

    Without a new holder they leave the game.
    """
    if not certificates:
        return
    company = certificates[0].company
    holdings = dict(company.holdings)
    for certificate in certificates:
        holder = certificate.holder
        if holder is not None:
            left = tuple(item for item in holdings[holder] if item is not certificate)
            if left:
                holdings[holder] = left
            else:
                del holdings[holder]
        if to is not None:
            holdings[to] = (*holdings.get(to, ()), certificate)
        certificate.holder = to
    company.holdings = holdings


def bundle_of(certificates: Sequence[Certificate], percent: int | None, entity: object) -> Bundle:
    """Return the bundle that an action names.

    Raises
    ------
    IllegalAction
        If the certificates are not of one company and one holder, or the percentage does not fit (R8.8).
    """
    company, holder = certificates[0].company, certificates[0].holder
    if holder is None or any(
        item.company is not company or item.holder is not holder for item in certificates
    ):
        raise IllegalAction("00-common R8.8", entity, "a bundle is of one company and from one holder")
    total = sum(item.percent for item in certificates)
    if percent is None:
        percent = total
    has_presidents = any(item.is_presidents for item in certificates)
    spare = certificates[0].company.certificates[0].percent - company.share_percent if has_presidents else 0
    if percent > total or percent < total - spare or percent <= 0 or percent % company.share_percent:
        raise IllegalAction("00-common R8.8", entity, f"{percent} % of {company.sym} is no part of {total} %")
    return Bundle(company, holder, tuple(certificates), percent)


def prefixes(company: Company, holder: Owner) -> Iterator[Bundle]:
    """Yield the bundles that a holder can offer, small ones first (R8.9)."""
    held = company.held_by(holder)
    ordinary = [item for item in held if not item.is_presidents]
    presidents = [item for item in held if item.is_presidents]
    taken: list[Certificate] = []
    for item in sorted(ordinary, key=lambda item: item.percent):
        taken.append(item)
        yield Bundle(company, holder, tuple(taken), sum(one.percent for one in taken))
    for item in presidents:
        taken.append(item)
        total = sum(one.percent for one in taken)
        unit = company.share_percent
        for missing in range(item.percent // unit - 1, 0, -1):
            yield Bundle(company, holder, tuple(taken), total - missing * unit)
        yield Bundle(company, holder, tuple(taken), total)
