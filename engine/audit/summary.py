"""Sums over the runs of a batch: in all, per record, per player, and the runs that lost most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.audit.batch import Batch, Entry

COLUMNS = (
    "run",
    "action",
    "round",
    "company",
    "president",
    "president_name",
    "legal",
    "confirmed",
    "status",
    "revenue",
    "stored_revenue",
    "best_revenue",
    "lost",
)
"""What of a row is looked at."""
WORST = 50
"""How many of the runs that lost most a report lists."""
_PROVED = ("OPTIMAL", "INFEASIBLE")


@dataclass
class Tally:
    """Runs counted.

    Attributes
    ----------
    optimal
        Runs that are proved to be a best one.
    below
        Runs that are known to bring less than another; ``lost`` in all, ``most`` at most.
    unproved
        Runs of which it is not proved what the best one brings.
    told, wrong
        Runs of which the record stores the money, and those where it is not right.
    illegal
        Runs that break a rule.
    """

    runs: int = 0
    optimal: int = 0
    below: int = 0
    lost: int = 0
    most: int = 0
    unproved: int = 0
    told: int = 0
    wrong: int = 0
    illegal: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a run."""
        lost = row["lost"] or 0
        proved = row["status"] in _PROVED
        self.runs += 1
        self.optimal += proved and row["lost"] == 0
        self.below += lost > 0
        self.lost += lost
        self.most = max(self.most, lost)
        self.unproved += not proved
        self.told += row["confirmed"] is not None
        self.wrong += row["confirmed"] is False
        self.illegal += not row["legal"]

    def to_json(self) -> dict[str, int]:
        """Return the public form."""
        return asdict(self)


@dataclass
class Player:
    """A player over all records; runs without a player are counted for nobody."""

    id: str
    name: str
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Finding:
    """A run that is not as it should be, with the record it belongs to."""

    entry: Entry
    row: Mapping[str, Any]


@dataclass
class Summary:
    """Sums over a batch.

    Attributes
    ----------
    records
        The records that were audited, each content once, with their sums.
    below
        The runs that lost something, the worst first.
    wrong
        The runs whose stored money is not right, or that are not legal.
    """

    batch: Batch
    total: Tally = field(default_factory=Tally)
    records: list[tuple[Entry, Tally]] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    below: list[Finding] = field(default_factory=list)
    wrong: list[Finding] = field(default_factory=list)

    @property
    def worst(self) -> list[Finding]:
        """The runs that lost most."""
        return self.below[:WORST]

    def over(self, threshold: int) -> list[Finding]:
        """Return the runs that lost so much or more, the worst first."""
        return [item for item in self.below if item.row["lost"] >= threshold]

    def to_json(self) -> dict[str, Any]:
        """Return the public form."""
        batch = self.batch
        return {
            "records": len(batch.entries),
            "audited": batch.counted("audited"),
            "kept": batch.counted("kept"),
            "again": batch.counted("again"),
            **{name: batch.states(name) for name in ("done", "failed", "unsupported", "unreadable")},
            "total": self.total.to_json(),
            "games": [
                {
                    "path": entry.path,
                    "record": entry.header.digest,
                    "game": entry.header.game,
                    "id": entry.header.id,
                    "state": entry.header.state,
                    **tally.to_json(),
                }
                for entry, tally in self.records
            ],
            "players": [
                {"id": player.id, "name": player.name, **player.tally.to_json()} for player in self.players
            ],
        }


def summarize(batch: Batch, rows: Iterable[tuple[Entry, Iterable[Mapping[str, Any]]]]) -> Summary:
    """Return the sums.

    Parameters
    ----------
    rows
        Each record that was audited with its runs.
    """
    found = Summary(batch)
    players: dict[tuple[str, str], Player] = {}
    for entry, runs in rows:
        tally = Tally()
        for row in runs:
            key = row["president"] or "", row["president_name"] or "nobody"
            for one in (tally, found.total, players.setdefault(key, Player(*key)).tally):
                one.add(row)
            if row["lost"]:
                found.below.append(Finding(entry, row))
            if row["confirmed"] is False or not row["legal"]:
                found.wrong.append(Finding(entry, row))
        found.records.append((entry, tally))
    found.below.sort(key=_loss)
    found.players = sorted(players.values(), key=lambda player: (-player.tally.lost, player.id, player.name))
    return found


def _loss(finding: Finding) -> tuple[int, str, int]:
    return -finding.row["lost"], finding.entry.path, finding.row["run"]
