"""A game in progress: what lies on the table, and how one action changes it.

``Game.new("18NewEngland", players=4, seed=7)`` begins a game, ``Game.from_record(record)`` the one that was
recorded (without its actions; see :mod:`engine.replay`). :meth:`Game.apply` carries out an action or refuses
it, :meth:`Game.legal_actions` lists what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.actions import Action, PlayerId
from engine.choices import Choice
from engine.core.companies import Company
from engine.core.depot import Depot
from engine.core.draw import Draw
from engine.core.ending import Ending
from engine.core.gamemap import GameMap
from engine.core.journal import Journal, State
from engine.core.loans import LoanStock
from engine.core.market import Market
from engine.core.owners import Bank, Player, Pool
from engine.core.phases import Phases
from engine.core.privates import Private
from engine.core.tokens import Token
from engine.facts import CompanyFacts, PhaseFacts
from engine.position import OwnedTrain, Position
from engine.record import Record, Seat
from engine.refusal import IllegalAction
from engine.registry import find_game

if TYPE_CHECKING:
    from engine.answer import PositionSolution
    from engine.rounds.base import Round
    from engine.rules import Rules
    from engine.solving import Solver

Entity = Player | Company | Private

LAST_TURN = 100
"""A game stops when this turn begins (``00-common R9.64``)."""
WITHOUT_EFFECT = frozenset({"message", "log"})
"""Actions that change nothing; so do all whose type begins with ``program_``."""


class Game(State):
    """A game.

    Attributes
    ----------
    players
        In the present seat order: the first has priority (``00-common R9.15``).
    companies
        Every company that can take part, in the order of the game's own list; closed ones stay.
    turn
        Counts the stock rounds.
    trusting
        Old records are believed where the reference does so too (``00-common R1.15``); each time is noted in
        ``leniencies``.
    judging
        Recorded runs are judged and priced although they are believed; differences are noted too.
    leniencies
        What was believed, with the id of the action.
    log
        The actions so far.
    """

    round: Round

    def __init__(
        self,
        rules: Rules,
        seats: Iterable[Seat],
        optional_rules: Iterable[str] = (),
        start_number: int = 0,
        *,
        trusting: bool = False,
        judging: bool = False,
        id: int | str = 0,
        seed: int | str | None = None,
    ) -> None:
        super().__init__(Journal())
        journal = self.journal
        seats = tuple(seats)
        facts = find_game(rules.game).facts(len(seats), optional_rules)
        self.facts = facts
        self.rules = rules
        self.id = id
        self.seed = seed
        self.trusting = trusting
        self.judging = judging
        self.leniencies: tuple[str, ...] = ()
        self.log: tuple[Action, ...] = ()
        self.marks: tuple[int, ...] = ()
        self.seats = seats
        self.draw = Draw(start_number)
        self.bank = Bank(journal, facts.constants.bank_cash)
        self.pool = Pool(journal)
        self.players: tuple[Player, ...] = tuple(Player(journal, seat.id, seat.name) for seat in seats)
        self.all_players = self.players
        self.companies: Mapping[str, Company] = {}
        self.privates: Mapping[str, Private] = {
            sym: Private(journal, item) for sym, item in facts.privates.items()
        }
        self.market: Market = rules.make_market(journal, facts)
        self.depot = Depot(journal, facts.trains.values())
        self.phases = Phases(journal, tuple(facts.phases.values()))
        self.map = GameMap(journal, facts)
        self.loans = LoanStock(journal, rules.loan_count(facts))
        self.turn = 1
        self.ending = Ending(journal)
        self.finished = False
        self.current_action: int | None = None
        for item in rules.company_order(facts):
            self.add_company(item)
        self.extra: State = rules.make_extra(self)
        rules.set_up(self)
        self.round = rules.first_round(self)
        self.round.start()

    @staticmethod
    def new(
        game: str,
        players: int | Iterable[str] = 4,
        optional_rules: Iterable[str] = (),
        seed: int = 0,
    ) -> Game:
        """Begin a game; the players' ids are numbers from 1.

        Parameters
        ----------
        players
            How many, or their names.
        """
        from engine.rules import find_rules

        names = [f"Player {n + 1}" for n in range(players)] if isinstance(players, int) else list(players)
        seats = [Seat(number, name) for number, name in enumerate(names, 1)]
        return Game(find_rules(game), seats, optional_rules, seed, id=seed, seed=seed)

    @staticmethod
    def from_record(record: Record, *, trusting: bool = False, judging: bool = False) -> Game:
        """Begin the game of a record; none of its actions is carried out."""
        from engine.rules import find_rules

        return Game(
            find_rules(record.game),
            record.players,
            record.optional_rules,
            record.start_number,
            trusting=trusting,
            judging=judging,
            id=record.id,
            seed=record.seed,
        )

    @property
    def phase(self) -> PhaseFacts:
        """The present phase."""
        return self.phases.current

    @property
    def open_companies(self) -> tuple[Company, ...]:
        """The companies that have not closed, in the order of the game's own list."""
        return tuple(company for company in self.companies.values() if not company.closed)

    def add_company(self, facts: CompanyFacts) -> Company:
        """Bring a company into the game, at the end of the list, with its certificates and tokens."""
        company = Company(self.journal, facts)
        company.tokens = tuple(Token(self.journal, company, price) for price in facts.token_prices)
        self.rules.issue_certificates(self, company)
        self.companies = {**self.companies, company.sym: company}
        return company

    def company_named(self, sym: object) -> Company | None:
        """Return the company with a symbol: of the list, or a special one of the game."""
        found = self.companies.get(str(sym))
        if found is not None:
            return found
        return next((item for item in self.rules.special_companies(self) if item.sym == sym), None)

    def player(self, id: PlayerId) -> Player | None:
        """Return the player with an id."""
        return next((player for player in self.all_players if player.id == id), None)

    def rule(self, number: str) -> str:
        """Return the full name of a rule of this game."""
        return f"{self.rules.game} {number}"

    def entity_of(self, action: Action) -> Entity:
        """Return who acts.

        Raises
        ------
        IllegalAction
            If there is nobody of that name.
        """
        found: Entity | None
        if action.entity_type == "player":
            found = self.player(action.entity)
        elif action.entity_type == "company":
            found = self.privates.get(str(action.entity))
        else:
            found = self.company_named(action.entity)
        if found is None or (isinstance(found, Company | Private) and found.closed):
            raise IllegalAction(
                "00-common R1.4", action.entity, f"no {action.entity_type} of that name is there"
            )
        return found

    @property
    def acting(self) -> Entity | None:
        """Whose turn it is; nobody's after the end."""
        return None if self.round.over else self.round.acting

    @property
    def deciders(self) -> tuple[Player, ...]:
        """The players of whom an action is awaited; any of them if nobody controls who must act."""
        acting = self.acting
        player = None if acting is None else self.rules.controller(self, acting)
        return self.players if player is None else (player,)

    def action_types(self) -> tuple[str, ...]:
        """Return the types of action that :attr:`acting` may take now, sorted."""
        acting = self.acting
        if acting is None or self.finished:
            return ()
        return tuple(sorted(set(self.round.types(acting))))

    def legal_actions(self) -> list[Choice]:
        """Return everything that is allowed now, by anybody who may act."""
        return [] if self.finished else list(self.round.choices())

    def apply(self, action: Action | Mapping[str, Any]) -> None:
        """Carry out an action, then those that are nested in it.

        Raises
        ------
        IllegalAction
            If the rules do not allow it; nothing has changed then.
        """
        if not isinstance(action, Action):
            action = Action.from_json(action)
        with self._whole():
            if action.id is None:
                last = max((item.id or 0 for item in self.log[-1:]), default=0)
                action = replace(action, id=last + 1)
            self.current_action = action.id
            self._perform(action)
            for nested in action.auto_actions:
                self._perform(nested)
            self.log = (*self.log, action)

    def undo(self) -> None:
        """Take the last action back."""
        if self.marks:
            self.journal.restore(self.marks[-1])

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Try actions out: on leaving, everything is as it was."""
        mark = self.journal.mark()
        try:
            yield
        finally:
            self.journal.restore(mark)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Make what happens inside a whole: it happens, or on any error nothing has changed."""
        mark = self.journal.mark()
        try:
            yield
        except BaseException:
            self.journal.restore(mark)
            raise
        self.marks = (*self.marks, mark)

    def _perform(self, action: Action) -> None:
        entity = self.entity_of(action)
        if action.type in WITHOUT_EFFECT or action.type.startswith("program_"):
            return
        if self.finished:
            raise IllegalAction("00-common R9.7", action.entity, "the game is over")
        if action.type == "end_game":
            self.finish("manually_ended")
            return
        self.round.perform(action, entity)
        self._go_on()

    def _go_on(self) -> None:
        """Look whether the game ends, and begin rounds as long as one is over (``00-common R9.5``)."""
        self.rules.check_end(self)
        while self.round.over and not self.finished:
            if self.rules.end_is_due(self):
                self.finish(self.ending.reason or "")
                return
            self.round = self.rules.next_round(self, self.round)
            if self.turn >= LAST_TURN:
                self.round.set_up()
                self.finish("dnf")
                return
            self.round.start()

    def finish(self, reason: str) -> None:
        """End the game."""
        self.rules.at_end(self)
        self.ending.reason = reason
        self.finished = True

    def lenient(self, rule: str, entity: object, why: str) -> None:
        """Note what an old record is believed in, or refuse it.

        Raises
        ------
        IllegalAction
            If this game is not trusting.
        """
        if not self.trusting:
            raise IllegalAction(rule, entity, why)
        self.leniencies = (*self.leniencies, f"{self.current_action}: {entity}: {why} ({rule})")

    def rotate_players(self, first: Player) -> None:
        """Make a player the first of the seat order."""
        place = self.players.index(first)
        self.players = (*self.players[place:], *self.players[:place])

    def scores(self) -> dict[str, int]:
        """Return the players' scores by their ids as text, the best first (``00-common R9.65``)."""
        found = {player.key: self.rules.value_of(self, player) for player in self.all_players}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def position(self, company: Company | None = None) -> Position:
        """Return the position of a company, by default of the one whose turn it is."""
        if company is None:
            acting = self.acting
            if not isinstance(acting, Company):
                raise ValueError("no company is operating")
            company = acting
        plain = Position(
            game=self.rules.game,
            players=len(self.all_players),
            company=company.sym,
            phase=self.phase.name,
            optional_rules=self.facts.options,
            tiles=self.map.laid_tiles(),
            tokens=tuple(self.map.placed_tokens()),
            trains=tuple(OwnedTrain(train.id, train.name) for train in self.rules.runnable(self, company)),
        )
        return self.rules.finish_position(self, company, plain)

    def best_routes(self, solver: Solver | None = None, **options: Any) -> PositionSolution:
        """Return the best run of the operating company with the trains that have not run yet.

        Parameters
        ----------
        solver
            A function like ``router.solve``, for instance a client's; by default the one of this process.
        options
            See :func:`engine.solving.solve_position`.
        """
        from engine.solving import solve_position

        position = self.position()
        rested = [train for train in position.trains if not self.depot.trains[train.id].ran]
        return solve_position(replace(position, trains=tuple(rested)), solver=solver, **options)

    def record(self) -> Record:
        """Return the game so far as a record."""
        return Record(
            id=self.id,
            game=self.rules.game,
            players=self.seats,
            optional_rules=self.facts.options,
            seed=self.seed,
            log=self.log,
            result=self.scores() if self.finished else {},
            end_reason=self.ending.reason if self.finished else None,
            other={
                "status": "finished" if self.finished else "active",
                "turn": self.turn,
                "round": self.round.title,
                "acting": [player.id for player in self.deciders],
            },
        )
