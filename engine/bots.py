"""Players without a plan: whole games with legal actions, as an example and as a source of test games.

``play("18NewEngland", players=4, seed=7)`` returns a finished game; its :meth:`~engine.game.Game.record`
replays to the same end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from engine.actions import Action
from engine.answer import PositionRouteSet, PositionSolution
from engine.choices import Choice, Range
from engine.core.companies import Company
from engine.game import Game
from engine.solving import Solver

Bot = Callable[[Game, Sequence[Choice]], Action]
"""Chooses one of the legal actions."""
BotName = Literal["random", "greedy", "careless"]

MAX_ACTIONS = 20_000
"""Actions after which a game is stopped; no game is so long."""


def play(
    game: str,
    players: int | Iterable[str] = 4,
    optional_rules: Iterable[str] = (),
    seed: int = 0,
    *,
    bot: BotName | Bot = "random",
    solver: Solver | None = None,
    watch: Callable[[Game, Action], object] | None = None,
) -> Game:
    """Play a whole game and return it.

    Parameters
    ----------
    seed
        Starts the draws of the game and those of the bot.
    solver
        Finds the best routes; by default the router of this process.
    watch
        Is called after every action.
    """
    table = Game.new(game, players, optional_rules, seed)
    choose = bot if callable(bot) else make_bot(bot, seed, solver)
    for _ in range(MAX_ACTIONS):
        if table.finished:
            break
        action = choose(table, table.legal_actions())
        table.apply(action)
        if watch is not None:
            watch(table, table.log[-1])
    return table


def make_bot(name: BotName, seed: int = 0, solver: Solver | None = None) -> Bot:
    """Return a bot by name.

    Parameters
    ----------
    name
        "random" takes any action; "greedy" buys what it can, pays out, and never goes bankrupt by choice;
        "careless" does so too, but does not always run the best routes.
    """
    kinds: dict[BotName, type[_Random]] = {"random": _Random, "greedy": _Greedy, "careless": _Careless}
    return kinds[name](seed, solver)


_WEIGHTS = {"pass": 0.2, "bankrupt": 0.02, "choose": 0.5}
"""How often the random bot takes a type of action compared with others."""


class _Random:
    """Takes an action type by lot, then one of its kind, then the values left open; runs the best routes."""

    def __init__(self, seed: int, solver: Solver | None) -> None:
        self._random = random.Random(seed)
        self._solver = solver

    def __call__(self, game: Game, choices: Sequence[Choice]) -> Action:
        kind = self.kind(game, sorted({choice.type for choice in choices}))
        return self.fill(game, self.pick(game, [choice for choice in choices if choice.type == kind]))

    def kind(self, game: Game, kinds: Sequence[str]) -> str:
        """Return the type of action to take; seldom to do nothing, very seldom to give up."""
        weights = [_WEIGHTS.get(kind, 1.0) for kind in kinds]
        return self._random.choices(kinds, weights)[0]

    def pick(self, game: Game, choices: Sequence[Choice]) -> Choice:
        """Return one of several actions of a type; trains of the bank more often than others."""
        fixed = [choice for choice in choices if isinstance(choice.fields.get("price"), int)]
        return self._random.choice(fixed if fixed and self._random.random() < 0.7 else choices)

    def fill(self, game: Game, choice: Choice) -> Action:
        """Return the action with its open values."""
        if choice.type == "run_routes":
            return choice.action(routes=self.best_routes(game))
        chosen: dict[str, Any] = {}
        for name, value in choice.fields.items():
            if isinstance(value, Range):
                chosen[name] = self.number(value)
        return choice.action(**chosen)

    def number(self, value: Range) -> int:
        """Return a number of a range."""
        most = value.most if self._random.random() < 0.3 else min(value.most, value.least + 20 * value.step)
        return self._random.randrange(value.least, most + 1, value.step)

    def best_routes(self, game: Game) -> list[dict[str, Any]]:
        """Return the run to make, as a record writes it."""
        return self.written(game.best_routes(self._solver))

    def written(self, run: PositionSolution | PositionRouteSet) -> list[dict[str, Any]]:
        """Return a run as a record writes it."""
        return [
            {
                "train": route.train,
                "connections": [list(chain) for chain in route.connections],
                "hexes": list(route.hexes),
                "nodes": list(route.nodes),
                "revenue": route.revenue,
            }
            for route in run.routes
        ]


class _Greedy(_Random):
    """Prefers what brings a company on: track, tokens, trains of the bank, dividends."""

    order = (
        "run_routes",
        "discard_train",
        "merge",
        "convert",
        "remove_token",
        "dividend",
        "place_token",
        "lay_tile",
        "buy_train",
        "par",
        "buy_shares",
        "bid",
    )

    def kind(self, game: Game, kinds: Sequence[str]) -> str:
        """Return the first type of the order; selling only where nothing else is possible."""
        for kind in self.order:
            if kind in kinds and (kind != "buy_train" or self._wants_train(game)):
                return kind
        if "pass" in kinds:
            return "pass"
        return super().kind(game, kinds)

    def _wants_train(self, game: Game) -> bool:
        company = game.acting
        if not isinstance(company, Company):
            return True
        cheapest = min((train.price for train in game.depot.on_sale(game.phases.begun)), default=0)
        return not company.trains or company.cash >= cheapest

    def pick(self, game: Game, choices: Sequence[Choice]) -> Choice:
        """Return the dearest train of the bank, the full dividend, otherwise anything."""
        if choices[0].type == "buy_train":
            fixed = [choice for choice in choices if isinstance(choice.fields["price"], int)]
            return max(fixed or choices, key=lambda choice: str(choice.fields["train"]))
        if choices[0].type == "dividend":
            return next((item for item in choices if item.fields["kind"] == "payout"), choices[0])
        return super().pick(game, choices)

    def number(self, value: Range) -> int:
        """Return the least."""
        return value.least


class _Careless(_Greedy):
    """Prefers what brings a company on, but often overlooks the best run: a source of games to audit."""

    def best_routes(self, game: Game) -> list[dict[str, Any]]:
        """Return the best run, or one of the next best."""
        solution = game.best_routes(self._solver, alternatives=3)
        known: tuple[PositionSolution | PositionRouteSet, ...] = (solution, *solution.alternatives)
        return self.written(known[0] if self._random.random() < 0.6 else self._random.choice(known))
