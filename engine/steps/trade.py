"""A player's turn in a stock round: sell, then buy (``00-common`` sections 8.3 to 8.5 and 9.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Default, OneOf
from engine.core.certificates import Bundle, Certificate, bundle_of, prefixes
from engine.core.companies import Company
from engine.core.owners import Player
from engine.core.shares import transfer
from engine.refusal import IllegalAction
from engine.rounds.stock import StockRound
from engine.steps.base import Step, choice
from engine.steps.selling import sale_choice, sale_fault, sell

if TYPE_CHECKING:
    from engine.game import Entity, Game


def purchase_fault(game: Game, player: Player, certificate: Certificate, price: int) -> IllegalAction | None:
    """Say why a player cannot take a certificate at a price: money and limits (R8.14)."""
    company = certificate.company
    if price > player.cash:
        return IllegalAction("00-common R8.14", player, f"has {player.cash}; {certificate.id} costs {price}")
    limit = game.rules.holding_limit(game, company)
    if company.percent_of(player) + certificate.percent > limit:
        return IllegalAction("00-common R8.14", player, f"would hold more than {limit} % of {company}")
    if game.rules.certificates_of(game, player) >= game.rules.certificate_limit(game):
        return IllegalAction("00-common R8.14", player, "is at the certificate limit")
    return None


class Trade(Step):
    """The player sells any number of times, then buys once; that ends the turn.

    Attributes
    ----------
    bought
        He bought or started something in this turn.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.bought = False

    @property
    def stock_round(self) -> StockRound:
        """The round."""
        return cast(StockRound, self.round)

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return cast(Player, self.entity)

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return what the player can do; nothing if only passing is left (R9.12)."""
        if entity is not self.entity or self.bought or not isinstance(entity, Player):
            return ()
        sells = next(self.sales(entity), None) is not None
        if sells and self.must_sell(entity):
            return ("sell_shares",)
        found = []
        if next(self.purchases(entity), None) is not None:
            found.append("buy_shares")
        if self.may_start(entity):
            found.append("par")
        if sells:
            found.append("sell_shares")
        found.extend(self.more_types(entity))
        return (*found, "pass") if found else ()

    def do_pass(self, action: Action, entity: Entity) -> None:
        """End the turn."""
        self.closed = True

    # Selling

    def must_sell(self, player: Player) -> bool:
        """Tell whether the player is above a limit (R8.17)."""
        game = self.game
        return game.rules.certificates_of(game, player) > game.rules.certificate_limit(game) or any(
            company.percent_of(player) > game.rules.holding_limit(game, company)
            for company in game.open_companies
        )

    def sales(self, player: Player) -> Iterator[Bundle]:
        """Yield what the player can sell."""
        for company in self.game.open_companies:
            for bundle in prefixes(company, player):
                if self.sale_fault(player, bundle) is None:
                    yield bundle

    def sale_fault(self, player: Player, bundle: Bundle) -> IllegalAction | None:
        """Say why the player cannot sell a bundle (R8.18)."""
        if self.bought:
            return IllegalAction("00-common R8.18", player, "has bought already in this turn")
        return sale_fault(self.game, player, bundle)

    def do_sell_shares(self, action: Action, entity: Entity) -> None:
        """Sell a bundle."""
        bundle = self._bundle(action, entity)
        if bundle.holder is not entity:
            raise self.refuse("00-common R8.4", entity, f"does not hold {', '.join(bundle.ids)}")
        fault = self.sale_fault(self.player, bundle)
        if fault is not None:
            raise fault
        sell(self.game, self.player, bundle, self.special_price(action, bundle))
        self.stock_round.note_sale(self.player, bundle.company)
        self.stock_round.note_action(self.player)

    def special_price(self, action: Action, bundle: Bundle) -> int | None:
        """Return a price per share that a record tells (R1.18); most games know none."""
        if action.fields.get("share_price"):
            raise self.refuse("00-common R1.18", action.entity, "no special price is allowed here")
        return None

    def _bundle(self, action: Action, entity: Entity) -> Bundle:
        certificates = self.game.rules.certificates_named(self.game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        return bundle_of(certificates, percent, entity)

    # Buying

    def purchases(self, player: Player) -> Iterator[Certificate]:
        """Yield one certificate of each kind that the player can buy, by company and holder."""
        for company in self.game.open_companies:
            if not company.started:
                continue
            for holder, certificates in company.holdings.items():
                if holder not in (self.game.bank, self.game.pool, company):
                    continue
                seen = set()
                for certificate in certificates:
                    kind = (certificate.percent, certificate.is_presidents)
                    if kind not in seen and self.purchase_fault(player, certificate) is None:
                        yield certificate
                    seen.add(kind)

    def purchase_fault(self, player: Player, certificate: Certificate) -> IllegalAction | None:
        """Say why the player cannot buy a certificate (R8.14)."""
        company, game = certificate.company, self.game
        if not company.started or certificate.is_presidents:
            return IllegalAction("00-common R8.14", player, f"{certificate.id} is not for sale")
        if certificate.holder not in (game.bank, game.pool, company):
            return IllegalAction(
                "00-common R8.14", player, f"{certificate.id} belongs to {certificate.holder}"
            )
        if self.bought:
            return IllegalAction("00-common R8.15", player, "has bought already in this turn")
        if company in self.stock_round.sold.get(player, ()):
            return IllegalAction("00-common R8.14", player, f"has sold {company} in this round")
        return purchase_fault(game, player, certificate, game.rules.share_price(game, certificate))

    def do_buy_shares(self, action: Action, entity: Entity) -> None:
        """Buy a certificate."""
        bundle, player = self._bundle(action, entity), self.player
        if len(bundle.certificates) != 1 or bundle.percent != bundle.certificates[0].percent:
            raise self.refuse("00-common R8.15", entity, "one whole certificate is bought at a time")
        fault = self.purchase_fault(player, bundle.certificates[0])
        if fault is not None:
            raise fault
        self.special_price(action, bundle)
        game = self.game
        game.rules.pay_for_share(game, player, bundle, game.rules.share_price(game, bundle.certificates[0]))
        transfer(bundle, player, game.players, game.pool)
        game.rules.check_float(game, bundle.company)
        self._note_purchase(player)

    def _note_purchase(self, player: Player) -> None:
        self.bought = True
        self.stock_round.note_action(player)

    # Choices

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield what the player can do."""
        player, types = self.player, self.types(entity)
        if "pass" in types:
            yield choice("pass", player)
        if "sell_shares" in types:
            for bundle in self.sales(player):
                yield sale_choice(player, bundle)
        if "buy_shares" in types:
            for certificate in self.purchases(player):
                yield self._purchase_choice(player, certificate)
        if "par" in types:
            yield from self.starts(player)
        yield from self.more_choices(player)

    def _purchase_choice(self, player: Player, certificate: Certificate) -> Choice:
        holder = certificate.holder
        assert holder is not None
        equal = tuple(
            item.id
            for item in certificate.company.held_by(holder)
            if item.percent == certificate.percent and not item.is_presidents
        )
        return choice(
            "buy_shares",
            player,
            shares=OneOf(tuple([name] for name in equal)),
            percent=Default(certificate.percent),
        )

    # Hooks

    def may_start(self, player: Player) -> bool:
        """Tell whether the player can start a company."""
        return False

    def starts(self, player: Player) -> Iterator[Choice]:
        """Yield the companies that the player can start, with their prices."""
        yield from ()

    def do_par(self, action: Action, entity: Entity) -> None:
        """Start a company."""
        raise self.refuse("00-common R8.10", entity, "no company can be started so")

    def more_types(self, player: Player) -> tuple[str, ...]:
        """Return further types of action."""
        return ()

    def more_choices(self, player: Player) -> Iterator[Choice]:
        """Yield the choices of further types."""
        yield from ()


def not_started(game: Game, kind: str) -> list[Company]:
    """Return the companies of a kind that nobody has started."""
    return [item for item in game.open_companies if item.kind == kind and not item.started]
