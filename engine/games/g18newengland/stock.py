"""The stock rounds of 18 New England: the first with reservations, the later ones (rules, section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Free
from engine.core.companies import Company
from engine.core.market import Place
from engine.core.owners import Player
from engine.games.g18newengland.state import Minors, minors
from engine.rounds.stock import StockRound
from engine.steps.base import Step, choice
from engine.steps.trade import Trade

if TYPE_CHECKING:
    from engine.game import Entity

_DUMMY = "50,1,3"


def _minor(step: Step, action: Action, entity: Entity) -> Company:
    """Return the minor that a ``par`` names, if it can be formed."""
    company = step.game.companies.get(action.text("corporation"))
    if company is None or company.kind != "minor":
        raise step.refuse("R4.2.5", entity, f"{action.text('corporation')!r} is no minor")
    if company not in minors(step.game).available():
        raise step.refuse("R2.5", entity, f"{company} cannot be formed now")
    return company


def _form(step: Step, action: Action, player: Player, minor: Company) -> None:
    """Form a minor at the value that an action names (R4.1.2, R4.2.4)."""
    pieces = minors(step.game)
    place = step.game.market.named(action.text("share_price"), player)
    if place not in pieces.free_cells():
        raise step.refuse("R1.8", player, f"no minor can be formed in cell {place.id}")
    if 2 * place.price > player.cash:
        raise step.refuse("R4.1.3", player, f"has {player.cash}; {minor} costs {2 * place.price}")
    if not _below_limit(step, player):
        raise step.refuse("00-common R8.14", player, "is at the certificate limit")
    pieces.form(player, minor, place)


def _below_limit(step: Step, player: Player) -> bool:
    rules, game = step.game.rules, step.game
    return rules.certificates_of(game, player) < rules.certificate_limit(game)


def _affordable(pieces: Minors, player: Player) -> list[Place]:
    return [place for place in pieces.free_cells() if 2 * place.price <= player.cash]


class ReservationRound(StockRound):
    """The first stock round: a snake of turns, in each a reservation or a formation (R4.1)."""

    def set_up(self) -> None:
        """Let the players act in a snake (R4.1.1)."""
        super().set_up()
        self.entities = (*self.entities, *reversed(self.entities))

    def end_turn(self) -> None:
        """Note a pass, and give up the reservations of the player who passes (R4.1.6, R4.1.7)."""
        player = cast(Player, self.entity)
        if self.acted:
            self.passed = frozenset()
            return
        self.passed = self.passed | {player}
        pieces = minors(self.game)
        if player in pieces.reservations.values():
            pieces.reservations = {
                minor: holder for minor, holder in pieces.reservations.items() if holder is not player
            }
            pieces.relinquished = pieces.relinquished | {player}

    def finish(self) -> None:
        """Let the remaining reservations lapse; the player with most cash comes first (R3.3, R4.1.8)."""
        pieces = minors(self.game)
        pieces.reservations = {}
        self.game.rotate_players(max(self.game.players, key=lambda player: player.cash))


class Reserve(Step):
    """The player reserves a minor, or forms one that he reserved (R4.1.2)."""

    def reset(self) -> None:
        """Forget the last turn."""
        self.done = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``par`` and ``pass`` as long as the player can pay the cheapest minor (R4.1.4)."""
        if entity is not self.entity or not isinstance(entity, Player) or self.done:
            return ()
        if entity in minors(self.game).relinquished:
            return ()
        return ("par", "pass") if self._may_reserve(entity) else ()

    def _may_reserve(self, player: Player) -> bool:
        cost = minors(self.game).lowest_cost()
        return cost is not None and cost <= player.cash

    def do_par(self, action: Action, entity: Entity) -> None:
        """Reserve, or form if the player holds the reservation."""
        player = cast(Player, entity)
        pieces, minor = minors(self.game), _minor(self, action, entity)
        holder = pieces.reservations.get(minor)
        if holder is player:
            _form(self, action, player, minor)
            pieces.reservations = {
                other: reserver for other, reserver in pieces.reservations.items() if other is not minor
            }
        elif holder is None:
            pieces.reservations = {**pieces.reservations, minor: player}
        else:
            raise self.refuse("R4.1.2", entity, f"{minor} is reserved by {holder}")
        self.done = True
        cast(ReservationRound, self.round).note_action(player)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield what can be reserved or formed, and the pass."""
        player, pieces = cast(Player, entity), minors(self.game)
        yield choice("pass", player)
        for minor in pieces.available():
            holder = pieces.reservations.get(minor)
            if holder is None:
                yield choice("par", player, corporation=minor.sym, share_price=Free(_DUMMY))
            elif holder is player and _below_limit(self, player):
                for place in _affordable(pieces, player):
                    yield choice("par", player, corporation=minor.sym, share_price=place.id)


ReservationRound.step_types = (Reserve,)


class TradeOrForm(Trade):
    """The turn of a later stock round: sales, then one share or one minor (R4.2)."""

    def may_start(self, player: Player) -> bool:
        """Tell whether the player can form some minor (R4.2.7)."""
        pieces = minors(self.game)
        cost = pieces.lowest_cost()
        affordable = cost is not None and cost <= player.cash
        return affordable and bool(pieces.available()) and _below_limit(self, player)

    def starts(self, player: Player) -> Iterator[Choice]:
        """Yield every minor at every value that the player can pay."""
        pieces = minors(self.game)
        for minor in pieces.available():
            for place in _affordable(pieces, player):
                yield choice("par", player, corporation=minor.sym, share_price=place.id)

    def do_par(self, action: Action, entity: Entity) -> None:
        """Form a minor (R4.2.4)."""
        player = cast(Player, entity)
        _form(self, action, player, _minor(self, action, entity))
        self.bought = True
        self.stock_round.note_action(player)


class LaterStockRound(StockRound):
    """A stock round from the second on (R4.2)."""

    step_types = (TradeOrForm,)
