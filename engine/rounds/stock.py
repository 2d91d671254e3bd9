"""The stock round (``00-common`` section 9.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.companies import Company
from engine.core.owners import Player
from engine.rounds.base import Round

if TYPE_CHECKING:
    from engine.game import Game


class StockRound(Round):
    """Players buy and sell until all have passed.

    Attributes
    ----------
    passed
        Those whose last turn was a pass.
    acted
        The player whose turn it is has done something.
    last_to_act
        The last player who did something.
    sold
        Whose certificates each player sold in this round.
    """

    kind = "SR"
    title = "Stock Round"

    def __init__(self, game: Game, number: int = 1) -> None:
        super().__init__(game, number)
        self.passed: frozenset[Player] = frozenset()
        self.acted = False
        self.last_to_act: Player | None = None
        self.sold: Mapping[Player, frozenset[Company]] = {}

    def set_up(self) -> None:
        """Let the players act in seat order."""
        self.entities = tuple(player for player in self.game.players if not player.bankrupt)

    def begin_turn(self) -> None:
        """Open the steps for the next player."""
        self.acted = False
        super().begin_turn()

    def note_action(self, player: Player) -> None:
        """Note that the player did something; he has not passed then."""
        self.acted = True
        self.last_to_act = player

    def note_sale(self, player: Player, company: Company) -> None:
        """Note that the player may not buy certificates of a company in this round."""
        self.sold = {**self.sold, player: self.sold.get(player, frozenset()) | {company}}

    def end_turn(self) -> None:
        """Mark the player as passed if he did nothing (R9.13)."""
        player = self.entity
        if isinstance(player, Player):
            self.passed = self.passed - {player} if self.acted else self.passed | {player}

    def advance(self) -> None:
        """Go to the next player, or end the round when all have passed (R9.13)."""
        if self.passed.issuperset(self._players()):
            self.over = True
            self.finish()
        else:
            self.place = (self.place + 1) % len(self.entities)

    def _players(self) -> list[Player]:
        return [entity for entity in self.entities if isinstance(entity, Player)]

    def finish(self) -> None:
        """Give priority to the player after the last who acted (R9.14); prices may rise before."""
        if self.last_to_act is not None:
            players = self.game.players
            place = players.index(self.last_to_act)
            self.game.rotate_players(players[(place + 1) % len(players)])
