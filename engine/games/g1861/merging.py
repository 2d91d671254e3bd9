"""The merger round of 1861: minors become majors, alone or together (rules, sections 10.1 to 10.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from engine.actions import Action
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.tokens import Token
from engine.games.g1861.forming import convert, merge, rebuild_tokens, too_many_tokens
from engine.games.g1861.partners import can_succeed, partners
from engine.games.g1861.shares import BuyNewShares
from engine.games.g1861.state import available_majors
from engine.rounds.base import Round
from engine.steps.base import Step, choice
from engine.steps.discard import DiscardTrain

if TYPE_CHECKING:
    from engine.game import Entity, Game


class RemoveToken(Step):
    """A new major with too many tokens removes some (R10.16)."""

    @property
    def limit(self) -> int:
        """How many tokens it may keep."""
        return self.game.facts.constants.limit_tokens_after_merger or 0

    @property
    def entity(self) -> Company | None:
        """The new major, if it has too many."""
        major = cast(MergerRound, self.round).major
        if major is None or major.closed or cast(MergerRound, self.round).tokens_settled:
            return None
        return major if too_many_tokens(major, self.limit) else None

    def actors(self) -> Iterable[Entity]:
        """Return the new major."""
        return () if self.entity is None else (self.entity,)

    def skip(self) -> None:
        """Stay open: the major is formed later in the turn."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``remove_token``."""
        return ("remove_token",) if self.entity is not None and entity is self.entity else ()

    def do_remove_token(self, action: Action, entity: Entity) -> None:
        """Take a token back."""
        major, board = cast(Company, entity), self.game.map
        spot = board.city_named(action.text("city"), entity)
        slot, city = action.number("slot"), board.city(spot)
        tokens = (*city.slots, *city.extra)
        token = tokens[slot] if 0 <= slot < len(tokens) else None
        if token is None or token.company is not major:
            raise self.refuse("R10.16", entity, f"has no token in slot {slot} of that city")
        if token not in self._removable(major):
            raise self.refuse("R10.16", entity, "would have tokens in one hex only")
        board.lift(token)
        if not too_many_tokens(major, self.limit):
            rebuild_tokens(self.game, major, self.limit)
            cast(MergerRound, self.round).tokens_settled = True

    def _removable(self, major: Company) -> list[Token]:
        """Return the tokens that may go: two hexes must be left if there are two (R10.16)."""
        hexes = [token.spot.hex for token in major.placed_tokens if token.spot is not None]
        several = len(set(hexes)) > 1
        found = []
        for token in major.placed_tokens:
            assert token.spot is not None
            rest = list(hexes)
            rest.remove(token.spot.hex)
            if not several or len(set(rest)) > 1:
                found.append(token)
        return found

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the tokens that may go."""
        major, board = cast(Company, entity), self.game.map
        for token in self._removable(major):
            assert token.spot is not None
            city = board.city(token.spot)
            slot = (*city.slots, *city.extra).index(token)
            yield choice("remove_token", major, city=board.city_id(token.spot), slot=slot)


class Merge(Step):
    """A minor converts, or merges with minors that it is connected to (R10.2).

    Attributes
    ----------
    chosen
        The minors that become a major.
    named
        They are complete; the major is named next.
    alone
        The minor converts.
    """

    def reset(self) -> None:
        """Forget the last turn."""
        self.chosen: tuple[Company, ...] = ()
        self.named = False
        self.alone = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return what the minor may do."""
        if entity is not self.entity or not isinstance(entity, Company) or entity.closed:
            return ()
        if self.named:
            return ("merge",)
        if not self.chosen and self.can_convert(entity):
            return ("convert", "merge", "pass")
        return ("merge", "pass")

    def can_convert(self, minor: Company) -> bool:
        """Tell whether a minor may become a major alone (R10.5)."""
        place = minor.place
        return place is not None and "convert_range" in place.types and bool(available_majors(self.game))

    def do_convert(self, action: Action, entity: Entity) -> None:
        """Decide for a conversion."""
        minor = cast(Company, entity)
        if self.chosen or not self.can_convert(minor):
            raise self.refuse("R10.5", entity, "cannot convert")
        self.chosen, self.named, self.alone = (minor,), True, True

    def do_pass(self, action: Action, entity: Entity) -> None:
        """Do nothing, or end the list of minors (R10.10)."""
        if not self.chosen:
            self.closed = True
            return
        if not can_succeed(self.game, self.chosen):
            self.game.lenient(self.game.rule("R10.13"), entity, "nobody could become president of the major")
        self.named = True

    def do_merge(self, action: Action, entity: Entity) -> None:
        """Add a minor, or name the major (R10.10)."""
        minor, name = cast(Company, entity), action.text("corporation")
        company = self.game.companies.get(name)
        if not self.named:
            chosen = self.chosen or (minor,)
            if company is None or company not in partners(self.game, chosen):
                raise self.refuse("R10.11", entity, f"cannot merge with {name}")
            if not self._leads_on((*chosen, company)):
                self.game.lenient(
                    self.game.rule("R10.13"), entity, "nobody could become president of the major"
                )
            self.chosen = (*chosen, company)
            self.named = not partners(self.game, self.chosen)
            return
        if company is None or company not in available_majors(self.game):
            raise self.refuse("R10.10", entity, f"{name} cannot be formed")
        self.closed = True
        merger_round = cast(MergerRound, self.round)
        buyers = next(step for step in self.round.steps if isinstance(step, BuyNewShares))
        if self.alone:
            convert(self.game, minor, company)
            merger_round.major = company
            buyers.after_conversion(company)
        else:
            order = self.game.rules.operating_order(self.game)
            minors = tuple(item for item in order if item in self.chosen)
            owners = [item.owner for item in minors if item.owner is not None]
            merge(self.game, minors, company)
            merger_round.major = company
            buyers.after_merger(company, owners)

    def _leads_on(self, chosen: tuple[Company, ...]) -> bool:
        """Tell whether a merger can succeed, perhaps with one more minor (R10.13)."""
        return can_succeed(self.game, chosen) or any(
            can_succeed(self.game, (*chosen, other)) for other in partners(self.game, chosen)
        )

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield what the minor may do."""
        minor = cast(Company, entity)
        if self.named:
            for major in available_majors(self.game):
                yield choice("merge", minor, corporation=major.sym)
            return
        if not self.chosen or can_succeed(self.game, self.chosen):
            yield choice("pass", minor)
        if not self.chosen and self.can_convert(minor):
            yield choice("convert", minor)
        chosen = self.chosen or (minor,)
        for other in partners(self.game, chosen):
            if self._leads_on((*chosen, other)):
                yield choice("merge", minor, corporation=other.sym)


class MergerRound(Round):
    """Each minor may convert or merge, one after the other (R10.1 to R10.4).

    Attributes
    ----------
    major
        The major that was formed in this turn.
    tokens_settled
        It has reduced its tokens already.
    """

    kind = "MR"
    title = "Merger Round"
    step_types = (RemoveToken, BuyNewShares, DiscardTrain, Merge)

    def __init__(self, game: Game, number: int) -> None:
        super().__init__(game, number)
        self.major: Company | None = None
        self.tokens_settled = False

    def set_up(self) -> None:
        """Let all minors take part, in operating order (R10.1)."""
        order = self.game.rules.operating_order(self.game)
        self.entities = tuple(company for company in order if company.kind == "minor")

    def begin_turn(self) -> None:
        """Begin the turn of the next minor."""
        self.major, self.tokens_settled = None, False
        super().begin_turn()

    def turn_is_void(self) -> bool:
        """Tell that the turn goes on after the minor has closed."""
        return False
