"""Selling certificates to the market (``00-common`` section 8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.choices import Choice, Default, SomeOf
from engine.core.certificates import Bundle
from engine.core.owners import Player
from engine.core.shares import transfer
from engine.refusal import IllegalAction
from engine.steps.base import choice

if TYPE_CHECKING:
    from engine.game import Game


def sale_fault(game: Game, player: Player, bundle: Bundle) -> IllegalAction | None:
    """Say why a player cannot sell a bundle (R8.18), the order of a turn aside."""
    company = bundle.company
    if not game.rules.may_sell_now(game, company):
        return IllegalAction("00-common R8.18", player, f"{company} cannot be sold yet")
    limit = game.facts.constants.market_share_limit
    if company.percent_of(game.pool) + bundle.percent > limit:
        return IllegalAction(
            "00-common R8.18", player, f"the market takes no more than {limit} % of {company}"
        )
    if bundle.has_presidents:
        if len(bundle.certificates) < len(company.held_by(player)):
            return IllegalAction(
                "00-common R8.9", player, f"the president's certificate of {company} is sold last"
            )
        least = company.certificates[0].percent
        others = (other for other in game.players if other is not player)
        if not any(company.percent_of(other) >= least for other in others):
            return IllegalAction("00-common R8.18", player, f"nobody else can be president of {company}")
    return None


def sell(game: Game, player: Player, bundle: Bundle, price: int | None = None) -> None:
    """Sell a bundle: certificates, money, presidency, price (R8.19)."""
    company = bundle.company
    if price is None:
        price = game.rules.share_price(game, bundle.certificates[0])
    by_president = company.president is player
    transfer(bundle, game.pool, game.players, game.pool)
    game.bank.pay(price * bundle.shares, player)
    game.rules.price_after_sale(game, bundle, by_president)


def sale_choice(player: Player, bundle: Bundle) -> Choice:
    """Return the choice of selling as much as a bundle; equal certificates may stand for each other."""
    held = bundle.company.held_by(player)
    always = tuple(item.id for item in bundle.certificates if item.is_presidents)
    ordinary = tuple(item.id for item in held if not item.is_presidents)
    count = len(bundle.certificates) - len(always)
    whole = bundle.percent == sum(item.percent for item in bundle.certificates)
    percent = Default(bundle.percent) if whole else bundle.percent
    return choice("sell_shares", player, shares=SomeOf(ordinary, count, always), percent=percent)
