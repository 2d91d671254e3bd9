"""The merger round of 18 New England: minors become majors (rules, section 10.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice, Default, OneOf
from engine.core.certificates import bundle_of, move
from engine.core.companies import Company
from engine.core.depot import hand_over
from engine.core.market import Place
from engine.core.owners import Player
from engine.core.shares import transfer
from engine.core.tokens import Spot
from engine.games.g18newengland.meta import Constants18NewEngland
from engine.reach import reaches_city
from engine.rounds.base import Round
from engine.steps.base import Step, choice
from engine.steps.closing import close
from engine.steps.trade import not_started, purchase_fault

if TYPE_CHECKING:
    from engine.game import Entity, Game

CONVERSION_VALUE = 200
"""What a converted minor is worth: its owner pays what twice its value falls short of it (R10.3.7)."""
TOKEN_PRICE = 40
"""Price of the tokens that took over the places of minors (R6.2)."""


class MergerRound(Round):
    """The minors may convert or merge, one after the other.

    Attributes
    ----------
    major
        The major that was formed in this turn.
    """

    kind = "MR"
    title = "Merger Round"

    def __init__(self, game: Game, number: int) -> None:
        super().__init__(game, number)
        self.major: Company | None = None

    def set_up(self) -> None:
        """Let all formed minors take part, in operating order (R10.3.1)."""
        order = self.game.rules.operating_order(self.game)
        self.entities = tuple(company for company in order if company.kind == "minor")

    def begin_turn(self) -> None:
        """Begin the turn of the next minor."""
        self.major = None
        super().begin_turn()

    def turn_is_void(self) -> bool:
        """Tell that the turn goes on after the minor has closed."""
        return False


class RemoveToken(Step):
    """A major with two tokens in one hex removes one (R10.3.9)."""

    @property
    def entity(self) -> Company | None:
        """The new major, if it has two tokens in one hex."""
        major = cast(MergerRound, self.round).major
        if major is None or major.closed:
            return None
        hexes = [token.spot.hex for token in major.placed_tokens if token.spot is not None]
        return major if len(set(hexes)) < len(hexes) else None

    def skip(self) -> None:
        """Stay open: the major is formed later in the turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``remove_token``."""
        return ("remove_token",) if entity is self.entity else ()

    def do_remove_token(self, action: Action, entity: Entity) -> None:
        """Take a token back; it becomes the cheapest unused one."""
        major, board = cast(Company, entity), self.game.map
        spot = board.city_named(action.text("city"), entity)
        slot, city = action.number("slot"), board.city(spot)
        tokens = (*city.slots, *city.extra)
        token = tokens[slot] if 0 <= slot < len(tokens) else None
        if token is None or token.company is not major:
            raise self.refuse("R10.3.9", entity, f"has no token in slot {slot} of that city")
        if token not in self._removable(major):
            raise self.refuse("R10.3.9", entity, f"need not remove a token from {spot.hex}")
        board.lift(token)
        major.tokens = (
            *(item for item in major.tokens if item.spot is not None),
            *sorted((item for item in major.tokens if item.spot is None), key=lambda item: item.price),
        )

    def _removable(self, major: Company) -> list[object]:
        spots = [token.spot.hex for token in major.placed_tokens if token.spot is not None]
        return [token for token in major.placed_tokens if token.spot and spots.count(token.spot.hex) > 1]

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the tokens of which one must go."""
        major, board = cast(Company, entity), self.game.map
        for token in major.placed_tokens:
            if token in self._removable(major) and token.spot is not None:
                city = board.city(token.spot)
                slot = (*city.slots, *city.extra).index(token)
                yield choice("remove_token", major, city=board.city_id(token.spot), slot=slot)


class PresidentBuys(Step):
    """The new president buys shares of his major (R10.3.10)."""

    @property
    def major(self) -> Company | None:
        """The new major."""
        return cast(MergerRound, self.round).major

    @property
    def entity(self) -> Player | None:
        """The new president, as long as he can buy."""
        return None if self.major is None else self.major.owner

    def skip(self) -> None:
        """Stay open: the major is formed later in the turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``buy_shares`` and ``pass`` while he can buy."""
        if self.major is None or not isinstance(entity, Player) or entity is not self.entity:
            return ()
        pile = self.major.held_by(self.game.bank)
        if not pile or purchase_fault(self.game, entity, pile[0], self.major.price) is not None:
            return ()
        return ("buy_shares", "pass")

    def do_buy_shares(self, action: Action, entity: Entity) -> None:
        """Buy one certificate of the IPO."""
        game, player, major = self.game, cast(Player, entity), cast(Company, self.major)
        certificates = game.rules.certificates_named(game, action.texts("shares"), entity)
        percent = action.number("percent") if "percent" in action.fields else None
        bundle = bundle_of(certificates, percent, entity)
        if bundle.company is not major or bundle.holder is not game.bank or len(certificates) != 1:
            raise self.refuse("R10.3.10", entity, f"buys one certificate of {major} from the IPO at a time")
        fault = purchase_fault(game, player, certificates[0], major.price)
        if fault is not None:
            raise fault
        game.rules.pay_for_share(game, player, bundle, major.price)
        transfer(bundle, player, game.players, game.pool)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the purchase and the pass."""
        player, major = cast(Player, entity), cast(Company, self.major)
        yield choice("pass", player)
        ids = tuple([item.id] for item in major.held_by(self.game.bank))
        yield choice("buy_shares", player, shares=OneOf(ids), percent=Default(major.share_percent))


class Merge(Step):
    """A minor converts alone or merges with another of its owner (R10.3.2).

    Attributes
    ----------
    chosen
        The minors that become a major, once that is decided; the major is named next.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.chosen: tuple[Company, ...] = ()

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return what the minor may do."""
        if entity is not self.entity or not isinstance(entity, Company) or entity.closed:
            return ()
        if self.chosen:
            return ("merge",)
        convert, merge = self.can_convert(entity), bool(self.partners(entity))
        if convert:
            return ("convert", "merge", "pass")
        return ("merge", "pass") if merge else ("pass",)

    def majors(self) -> list[Company]:
        """Return the majors that can be formed (R10.3.4)."""
        return not_started(self.game, "major")

    def can_convert(self, minor: Company) -> bool:
        """Tell whether a minor can become a major alone."""
        owner = minor.owner
        return owner is not None and bool(self.majors()) and owner.cash >= self.contribution(minor)

    def contribution(self, minor: Company) -> int:
        """Return what the owner pays for a conversion."""
        return max(0, CONVERSION_VALUE - 2 * minor.price)

    def partners(self, minor: Company) -> list[Company]:
        """Return the minors with which one can merge."""
        if not self.majors():
            return []
        return [
            other
            for other in self.game.open_companies
            if other.kind == "minor"
            and other.started
            and other is not minor
            and other.owner is minor.owner
            and self._connected(minor, other)
        ]

    def _connected(self, minor: Company, other: Company) -> bool:
        """Tell whether a minor's track reaches the token of another, or both stand in one hex."""
        mine = [token.spot for token in minor.placed_tokens]
        theirs = [token.spot for token in other.placed_tokens]
        if not mine or not theirs or mine[0] is None or theirs[0] is None:
            return False
        return mine[0].hex == theirs[0].hex or reaches_city(self.game.map, minor, [theirs[0]])

    def do_convert(self, action: Action, entity: Entity) -> None:
        """Decide for a conversion."""
        minor = cast(Company, entity)
        if not self.can_convert(minor):
            raise self.refuse("R10.3.2", entity, "cannot convert")
        self.chosen = (minor,)

    def do_merge(self, action: Action, entity: Entity) -> None:
        """Name the other minor, or then the major."""
        minor, name = cast(Company, entity), action.text("corporation")
        company = self.game.companies.get(name)
        if not self.chosen:
            if company not in self.partners(minor):
                raise self.refuse("R10.3.2", entity, f"cannot merge with {name}")
            self.chosen = (minor, company)
            return
        if company not in self.majors():
            raise self.refuse("R10.3.4", entity, f"{name} cannot be formed")
        self._form(company, self.chosen)
        self.closed = True

    def _form(self, major: Company, minors: tuple[Company, ...]) -> None:
        """Form a major of one or two minors (R10.3.5 to R10.3.8)."""
        game, owner = self.game, minors[0].owner
        assert owner is not None
        place = par_place(game, minors)
        game.market.put(major, place)
        major.par = place.price
        move(major.certificates[:1], owner)
        major.president = owner
        major.started = major.floated = True
        if len(minors) == 1:
            owner.pay(self.contribution(minors[0]), major)
        for minor, token in zip(minors, major.tokens, strict=False):
            spots = [old.spot for old in minor.placed_tokens]
            minor.pay(minor.cash, major)
            for train in minor.trains:
                hand_over(train, major)
            close(game, minor)
            token.price = TOKEN_PRICE
            if spots and spots[0] is not None:
                self._put(major, token, spots[0])
        cast(MergerRound, self.round).major = major

    def _put(self, major: Company, token: object, spot: Spot) -> None:
        from engine.core.tokens import Token

        assert isinstance(token, Token)
        slot = self.game.map.city(spot).slot_for(major)
        if slot is not None:
            self.game.map.place(token, spot, slot)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield what the minor may do."""
        minor = cast(Company, entity)
        if self.chosen:
            for major in self.majors():
                yield choice("merge", minor, corporation=major.sym)
            return
        yield choice("pass", minor)
        if self.can_convert(minor):
            yield choice("convert", minor)
        for other in self.partners(minor):
            yield choice("merge", minor, corporation=other.sym)


MergerRound.step_types = (RemoveToken, PresidentBuys, Merge)


def par_place(game: Game, minors: tuple[Company, ...]) -> Place:
    """Return the cell of a new major: 100, or the sum of two values rounded down (R10.3.5)."""
    row = game.facts.typed(Constants18NewEngland).major_row
    value = 100 if len(minors) == 1 else sum(minor.price for minor in minors)
    cells = [place for place in game.market if place.row == row and place.type == "par"]
    return max((place for place in cells if place.price <= value), key=lambda place: place.price)
