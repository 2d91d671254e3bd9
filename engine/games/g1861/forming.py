"""A major takes minors over: certificates, tokens, and all that they own (rules, R10.7 to R10.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.certificates import move
from engine.core.companies import Company
from engine.core.depot import hand_over
from engine.core.owners import Player
from engine.core.shares import settle_presidency
from engine.core.tokens import Token
from engine.games.g1861.prices import merger_cell
from engine.games.g1861.privates import acquire
from engine.games.g1861.stock import give_presidency, start_major
from engine.steps.closing import close

if TYPE_CHECKING:
    from engine.game import Game

THIRD_TOKEN_PRICE = 40
"""Price of the token that a major gets when it had to remove one (R10.17)."""


def convert(game: Game, minor: Company, major: Company) -> None:
    """Form a major of one minor, whose owner gets the president's certificate (R10.7 to R10.9)."""
    owner = minor.owner
    assert owner is not None
    start_major(game, major, merger_cell(game, (minor,)))
    give_presidency(game, major, owner)
    take_over(game, (minor,), major)


def merge(game: Game, minors: tuple[Company, ...], major: Company) -> None:
    """Form a major of several minors, in operating order (R10.14)."""
    start_major(game, major, merger_cell(game, minors))
    for minor in minors:
        assert minor.owner is not None
        give_certificate(game, major, minor.owner)
    take_over(game, minors, major)


def give_certificate(game: Game, major: Company, owner: Player) -> None:
    """Give the owner of a merged minor 10 % of the major; of two the president's is made (R10.14)."""
    presidents, held = major.certificates[0], major.held_by(owner)
    if presidents.holder is major and major.percent_of(owner) == major.share_percent:
        move(held, major)
        give_presidency(game, major, owner)
        return
    move(major.held_by(major)[-1:], owner)
    settle_presidency(major, game.players, game.pool)


def take_over(game: Game, minors: tuple[Company, ...], major: Company) -> None:
    """Move everything of the minors to the major; the minors close (R10.9, R10.14, R10.15)."""
    board = game.map
    for place, minor in enumerate(minors):
        for token in major.placed_tokens:
            spot = token.spot
            if spot is not None and any(board.city(spot).has(other) for other in minors[place:]):
                board.lift(token)
        for old in minor.placed_tokens:
            new = major.next_token
            if new is None:
                new = Token(game.journal, major, 0)
                major.tokens = (*major.tokens, new)
            board.exchange(old, new)
        minor.pay(minor.cash, major)
        for private in minor.privates:
            acquire(private, major)
        major.loans = (*major.loans, *minor.loans)
        minor.loans = ()
        for train in minor.trains:
            hand_over(train, major)
        close(game, minor)


def too_many_tokens(major: Company, limit: int) -> bool:
    """Tell whether a new major has too many tokens on the map, or two in one hex (R10.16)."""
    hexes = [token.spot.hex for token in major.placed_tokens if token.spot is not None]
    return len(hexes) > limit or len(set(hexes)) < len(hexes)


def rebuild_tokens(game: Game, major: Company, limit: int) -> None:
    """Leave two tokens, those on the map first, and add one (R10.17, R10.18)."""
    placed = major.placed_tokens
    unused = sorted((token for token in major.tokens if token.spot is None), key=lambda token: token.price)
    major.tokens = (*(*placed, *unused)[:limit], Token(game.journal, major, THIRD_TOKEN_PRICE))
