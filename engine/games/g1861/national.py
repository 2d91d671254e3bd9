"""The state railway takes over: companies, private companies, places for its tokens (rules, section 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.depot import hand_over
from engine.core.tokens import Spot, Token
from engine.games.g1861.loans import repay
from engine.games.g1861.privates import acquire, real_privates
from engine.games.g1861.state import russia
from engine.steps.closing import close
from engine.tiles import TileNode

if TYPE_CHECKING:
    from engine.game import Game

CAPITAL, MOSCOW = "E1", "H8"
MOSCOW_TILE = "639"
"""With this tile the state railway comes to Moscow (R10.64)."""


def nationalize(game: Game, company: Company) -> None:
    """Let the state railway take a company over (R10.31)."""
    national = russia(game).national
    repay(game, company)
    game.market.move(company, "left", 1 + len(company.loans))
    game.loans.give_back(company, len(company.loans))
    for private in company.privates:
        acquire(private, national)
    for train in company.trains:
        hand_over(train, national)
    company.pay(company.cash, national)
    unit = 2 if company.kind == "minor" else 1
    for player in game.players:
        game.bank.pay(company.price * unit * company.shares_of(player), player)
    for token in sorted(company.placed_tokens, key=lambda token: _rank(game, token), reverse=True):
        _replace(game, token)
    if company.kind == "minor":
        close(game, company)
    else:
        reset(game, company)


def _rank(game: Game, token: Token) -> tuple[int, str]:
    """Return the value of the city in which a token lies, and its hex (R10.31)."""
    spot = token.spot
    assert spot is not None
    return city_value(game.map.tile(spot.hex).cities[spot.city]), spot.hex


def city_value(node: TileNode) -> int:
    """Return the largest revenue of a city."""
    return node.revenue if isinstance(node.revenue, int) else max(node.revenue.values())


def _replace(game: Game, token: Token) -> None:
    """Take a token off; the state railway takes the place if it wants it (R10.31)."""
    pieces, spot = russia(game), token.spot
    assert spot is not None
    national = pieces.national
    new = national.next_token
    if new is None or game.map.has_token(national, spot.hex):
        game.map.lift(token)
        return
    game.map.forget_reservation_in(spot.hex, national.sym)
    spare = sum(item.spot is None for item in national.tokens)
    if spot.hex in pieces.outstanding:
        pieces.outstanding = pieces.outstanding - {spot.hex}
        game.map.exchange(token, new)
    elif spare > len(pieces.outstanding):
        game.map.exchange(token, new)
    else:
        game.map.lift(token)


def reset(game: Game, major: Company) -> None:
    """Put a major back into the box, from which it can come again (R10.31, R16.16)."""
    game.market.remove(major)
    for certificate in major.certificates:
        certificate.holder = major
    major.holdings = {major: major.certificates}
    major.tokens = tuple(Token(game.journal, major, price) for price in major.facts.token_prices)
    major.president = major.par = None
    major.started = major.floated = major.operated = major.must_own_train = False


def nationalize_privates(game: Game) -> None:
    """Let the state railway take all private companies for their face value (R10.50)."""
    national = russia(game).national
    for private in real_privates(game):
        if private.owner is not None and private.owner is not national:
            game.bank.pay(private.facts.value, private.owner)
            acquire(private, national)


def come_to_capital(game: Game) -> None:
    """Place the token that the state railway keeps for the capital (R10.61)."""
    pieces = russia(game)
    token, cities = pieces.national.next_token, game.map.cities[CAPITAL]
    if CAPITAL not in pieces.outstanding or token is None or game.map.has_token(pieces.national, CAPITAL):
        return
    spot = Spot(CAPITAL, len(cities) - 1)
    slot = game.map.city(spot).slot_for(pieces.national)
    if slot is not None:
        game.map.place(token, spot, slot)
        pieces.outstanding = pieces.outstanding - {CAPITAL}


def come_to_moscow(game: Game) -> None:
    """Place a token in Moscow when its last tile is laid (R10.64)."""
    pieces = russia(game)
    token, spot = pieces.national.next_token, Spot(MOSCOW, 0)
    if not pieces.outstanding or token is None or game.map.has_token(pieces.national, MOSCOW):
        return
    slot = game.map.city(spot).slot_for(pieces.national)
    if slot is not None:
        game.map.place(token, spot, slot)
        pieces.outstanding = pieces.outstanding - {MOSCOW}
