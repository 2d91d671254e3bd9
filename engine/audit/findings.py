"""What an audit finds: about one run, and about one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from engine.answer import PositionSolution, PositionVerdict
from engine.position import Position

State = Literal["done", "failed", "unsupported", "unreadable"]
"""Audited to the end; up to an action that is refused; a game that cannot be replayed; no record at all."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a company as the record has it.

    Attributes
    ----------
    number
        Place among the runs of the record, from 1.
    round
        As traces call it: ``OR 3 1``.
    president
        Id of the player who decides, as text; none where nobody does.
    stored_revenue, stored_subsidy
        What the record says the run brought; none where it does not say it of every route.
    shares
        Into how many shares a payout is divided; none for a company without shares.
    position
        Before the run, with the trains that could run.
    routes
        As recorded.
    """

    number: int
    action: int | None
    round: str
    phase: str
    company: str
    company_name: str
    president: str | None
    president_name: str | None
    trains: tuple[str, ...]
    stored_revenue: int | None
    stored_subsidy: int | None
    shares: int | None
    position: Position
    routes: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class AuditedRun:
    """A run, what the referee says of it, and the best one.

    Attributes
    ----------
    seconds
        How long it took to judge the run and to find the best one.
    """

    run: Run
    verdict: PositionVerdict
    best: PositionSolution
    seconds: float

    @property
    def revenue(self) -> int | None:
        """What exactly these routes bring; none if they are not legal."""
        return self.verdict.revenue if self.verdict.legal else None

    @property
    def confirmed(self) -> bool | None:
        """Whether the stored money is right; none if the record stores none."""
        if self.run.stored_revenue is None:
            return None
        stored = self.run.stored_revenue, self.run.stored_subsidy or 0
        return self.verdict.legal and stored == (self.verdict.revenue, self.verdict.subsidy)

    @property
    def best_revenue(self) -> int:
        """The most that is known to be possible; with status OPTIMAL the most there is."""
        return max(self.best.revenue, self.revenue or 0)

    @property
    def lost(self) -> int | None:
        """How much less than the best the run brought; at least, if the best is not proved."""
        return None if self.revenue is None else self.best_revenue - self.revenue

    @property
    def lost_at_most(self) -> int | None:
        """How much less than the best the run can have brought."""
        return None if self.revenue is None else max(self.best.bound, self.best_revenue) - self.revenue

    @property
    def lost_per_share(self) -> int | None:
        """How much more one share would have been paid, had all been paid out (fractions are rounded up)."""
        shares = self.run.shares
        if self.revenue is None or not shares:
            return None
        return -(-self.best_revenue // shares) + (-self.revenue // shares)


@dataclass(frozen=True, slots=True)
class Header:
    """What is to say of a record as a whole.

    Attributes
    ----------
    digest
        Of the content of the file.
    players
        Names by id as text, in the order of the seats.
    why, action
        Why it is not done, and the action at which it ended.
    actions
        How many were carried out.
    runs
        How many were audited.
    proved
        Every best run is proved.
    limit
        Seconds that a search was given.
    signature
        Of the code that did it.
    """

    digest: str
    state: State
    game: str = ""
    id: str = ""
    players: Mapping[str, str] | None = None
    options: tuple[str, ...] = ()
    why: str = ""
    action: int | None = None
    actions: int = 0
    finished: bool = False
    runs: int = 0
    proved: bool = True
    limit: float = 0.0
    signature: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        return {**asdict(self), "options": list(self.options), "players": dict(self.players or {})}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Header:
        """Read the public form.

        Raises
        ------
        TypeError
            If a field is missing.
        """
        known = {item.name: value[item.name] for item in fields(Header) if item.name in value}
        known["options"] = tuple(known.get("options", ()))
        return Header(**known)


@dataclass(frozen=True, slots=True)
class Audited:
    """A record that was audited, as far as it goes."""

    header: Header
    runs: tuple[AuditedRun, ...] = ()
