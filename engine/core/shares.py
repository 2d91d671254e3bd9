"""Moving certificates and settling who is president (``00-common R8.21`` to ``R8.24``)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.certificates import Bundle, move
from engine.core.companies import Company
from engine.core.owners import Owner, Player


def transfer(bundle: Bundle, to: Owner, seats: Sequence[Player], pool: Owner) -> None:
    """Hand a bundle over and settle the presidency; money is another matter.

    Parameters
    ----------
    seats
        The players in the present seat order.
    pool
        Where certificates lie that nobody holds after a sale.
    """
    company, seller = bundle.company, bundle.holder
    move(bundle.certificates, to)
    settle_presidency(company, seats, pool, exchange_at=to if bundle.has_presidents else None)
    change = sum(item.percent for item in bundle.certificates) - bundle.percent
    if change:
        move(company.held_by(to)[: change // company.share_percent], seller)


def settle_presidency(
    company: Company, seats: Sequence[Player], pool: Owner, exchange_at: Owner | None = None
) -> None:
    """Make the player with most shares president, if the president has fewer (R8.21, R8.22).

    Parameters
    ----------
    exchange_at
        Who received the president's certificate in this transfer, ``None`` if it did not move.
    """
    if not company.certificates:
        return
    presidents = company.certificates[0]
    old = company.president
    bought = exchange_at is presidents.holder and isinstance(exchange_at, Player)
    if bought and old is None:
        company.president = exchange_at
        return
    most = max((company.percent_of(player) for player in seats), default=0)
    if old is not None and company.percent_of(old) >= most and isinstance(old, Player):
        return
    able = [
        player
        for player in clockwise_from(seats, old)
        if company.percent_of(player) == most and most >= presidents.percent and not player.bankrupt
    ]
    if not able:
        return
    new = able[0]
    company.president = new
    if presidents.holder is new:
        return
    count = presidents.percent // company.share_percent
    given = company.held_by(new)[:count]
    keeps = old is not None and company.percent_of(old) >= presidents.percent
    receiver = old if keeps and old is not None else pool
    if not isinstance(presidents.holder, Player) and presidents.holder is not None and not keeps:
        receiver = presidents.holder
    move(given, receiver)
    move((presidents,), new)


def clockwise_from(seats: Sequence[Player], start: Owner | None) -> list[Player]:
    """Return the players beginning after ``start`` (with the first seat if he has none)."""
    if start not in seats:
        return list(seats)
    place = [player is start for player in seats].index(True)
    return [*seats[place + 1 :], *seats[: place + 1]]
