"""Players buy shares of a major that minors have just formed (rules, R10.20a to R10.20f)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Default, OneOf
from engine.core.certificates import Certificate, bundle_of, move
from engine.core.companies import Company
from engine.core.owners import Player
from engine.core.shares import transfer
from engine.games.g1861.stock import give_presidency
from engine.steps.base import Step, choice
from engine.steps.trade import purchase_fault

if TYPE_CHECKING:
    from engine.game import Entity


class BuyNewShares(Step):
    """The owners of the minors buy as many shares as they like, then everybody one.

    Attributes
    ----------
    major
        Whose shares are sold.
    buyers
        Whose turns to buy are still to come, with how many each may buy (``None``: any number).
    owners_first
        The owners of merged minors are buying; all players follow.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.major: Company | None = None
        self.buyers: tuple[tuple[Player, int | None], ...] = ()
        self.owners_first = False

    def after_conversion(self, major: Company) -> None:
        """Ask the president, then the others, for one share each (R10.20a)."""
        self.major = major
        president = major.owner
        assert president is not None
        first, *others = self._from(president)
        self.buyers = ((first, None), *((player, 1) for player in others))
        self._drop_unable()

    def after_merger(self, major: Company, owners: Sequence[Player]) -> None:
        """Ask the owners of the minors (R10.20b)."""
        self.major = major
        self.buyers = tuple((player, None) for player in self._from(owners[0]) if player in owners)
        self.owners_first = True
        self._go_on(None)

    def _from(self, first: Player) -> tuple[Player, ...]:
        players = self.game.players
        place = players.index(first)
        return (*players[place:], *players[:place])

    def _go_on(self, passer: Player | None) -> None:
        """Leave out who cannot buy; after the owners ask all, but not him who ended that (R10.20c)."""
        self._drop_unable()
        if self.buyers or not self.owners_first or self.major is None:
            return
        president = self.major.owner
        if president is None:
            raise self.refuse("R10.20f", passer or self.major, f"nobody is president of {self.major}")
        self.owners_first = False
        self.buyers = tuple((player, 1) for player in self._from(president))
        self._drop_unable()
        if self.entity is not None and self.entity is passer:
            self.buyers = self.buyers[1:]
            self._drop_unable()

    def _drop_unable(self) -> None:
        while self.buyers and self._certificate(self.buyers[0][0]) is None:
            self.buyers = self.buyers[1:]

    @property
    def entity(self) -> Player | None:
        """The next buyer who can buy."""
        return self.buyers[0][0] if self.buyers else None

    def actors(self) -> Iterable[Entity]:
        """Return the next buyer."""
        return () if self.entity is None else (self.entity,)

    def skip(self) -> None:
        """Stay open: the major is formed later in the turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``buy_shares`` and ``pass``."""
        return ("buy_shares", "pass") if self.buyers and entity is self.entity else ()

    def _certificate(self, player: Player) -> Certificate | None:
        """Return a certificate that a player can buy (R10.20d)."""
        major = cast(Company, self.major)
        found = next((item for item in major.held_by(major) if not item.is_presidents), None)
        if found is None or purchase_fault(self.game, player, found, major.price) is not None:
            return None
        return found

    def do_buy_shares(self, action: Action, entity: Entity) -> None:
        """Buy one certificate of the treasury."""
        game, player, major = self.game, cast(Player, entity), cast(Company, self.major)
        certificates = game.rules.certificates_named(game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        bundle = bundle_of(certificates, percent, entity)
        if bundle.company is not major or bundle.holder is not major or len(certificates) != 1:
            raise self.refuse("R10.20d", entity, f"buys one certificate of the treasury of {major} at a time")
        if bundle.has_presidents:
            raise self.refuse("R10.20d", entity, "buys no president's certificate")
        if action.fields.get("share_price"):
            raise self.refuse("00-common R1.18", entity, "no special price is allowed here")
        fault = purchase_fault(game, player, certificates[0], major.price)
        if fault is not None:
            raise fault
        player.pay(major.price, major)
        if major.certificates[0].holder is major and major.percent_of(player) == major.share_percent:
            move((*major.held_by(player), *certificates), major)
            give_presidency(game, major, player)
        else:
            transfer(bundle, player, game.players, game.pool)
        limit = self.buyers[0][1]
        if limit is not None:
            self.buyers = self.buyers[1:]
        self._go_on(None)

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Buy no more."""
        player = cast(Player, entity)
        self.buyers = self.buyers[1:]
        self._go_on(player)

    def _must_buy(self, player: Player) -> bool:
        """Tell whether the merger would fail without this player (R10.20f)."""
        if not self.owners_first or cast(Company, self.major).owner is not None:
            return False
        return not any(self._certificate(other) is not None for other, _ in self.buyers[1:])

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the purchase and the pass."""
        player, major = cast(Player, entity), cast(Company, self.major)
        if not self._must_buy(player):
            yield choice("pass", player)
        ids = tuple([item.id] for item in major.held_by(major) if not item.is_presidents)
        yield choice("buy_shares", player, shares=OneOf(ids), percent=Default(major.share_percent))
