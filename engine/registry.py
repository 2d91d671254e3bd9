"""The games that are known, by name: ``find_game("1862").facts(players=4)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module

from engine.facts import GameFacts

_MODULES = {
    "1861": "engine.games.g1861",
    "1862": "engine.games.g1862",
    "18GB": "engine.games.g18gb",
    "18NewEngland": "engine.games.g18newengland",
    "1873": "engine.games.g1873",
}
GAMES: tuple[str, ...] = tuple(_MODULES)


class UnknownGame(KeyError):
    """No game of that name; the message names those that are known."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Game:
    """A game as it is offered.

    Attributes
    ----------
    title
        Its name in recorded games.
    players
        The numbers of players it can be played with.
    options
        Its optional rules, each with the numbers of players that may use it.
    build
        Makes the facts for a number of players, the options in force and the companies drawn (if told).
    """

    name: str
    title: str
    players: tuple[int, ...]
    build: Callable[[int, frozenset[str], tuple[str, ...] | None], GameFacts] = field(repr=False)
    options: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def facts(
        self, players: int = 4, options: Iterable[str] = (), in_play: Iterable[str] | None = None
    ) -> GameFacts:
        """Return the facts of the game (made once, then remembered).

        Parameters
        ----------
        options
            Optional rules; one that does not fit the number of players is dropped (``00-common R1.3``).
        in_play
            Symbols of the companies and privates that take part, where a draw at set-up decides that. If not
            told, all that can take part are there.

        Raises
        ------
        ValueError
            If the game is not played with so many players, or has no such option.
        """
        if players not in self.players:
            raise ValueError(f"{self.name} is for {_list(self.players)} players, not {players}")
        wanted = frozenset(options)
        unknown = sorted(wanted - self.options.keys())
        if unknown:
            raise ValueError(
                f"{self.name} has no option {_list(unknown)}; its options: {_list(self.options) or 'none'}"
            )
        valid = frozenset(option for option in wanted if players in self.options[option])
        return _facts(self, players, valid, None if in_play is None else tuple(in_play))


@lru_cache(maxsize=256)
def _facts(game: Game, players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    return game.build(players, options, in_play)


@cache
def find_game(name: str) -> Game:
    """Return the game called ``name``; its data are loaded on first use.

    Raises
    ------
    UnknownGame
        If there is no such game.
    """
    if name not in _MODULES:
        raise UnknownGame(f"unknown game {name!r}; known games: {_list(GAMES)}")
    game: Game = import_module(_MODULES[name]).GAME
    return game


def _list(items: Iterable[object]) -> str:
    return ", ".join(map(str, items))
