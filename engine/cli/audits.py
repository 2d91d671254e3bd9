"""What ``audit`` does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.audit.batch import Batch, Entry, run_batch
from engine.audit.pool import Pool, Unreachable
from engine.audit.report import audited, games_table, lines, sums, write_report
from engine.audit.signature import code_signature
from engine.audit.source import find
from engine.audit.store import CannotStore, Store
from engine.cli.answering import BAD, FINDINGS, OK
from engine.cli.audit_tables import print_summary
from engine.cli.commands import cores
from engine.cli.output import complain, dumps, write

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from engine.audit.summary import Finding, Summary


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of the command.

    Attributes
    ----------
    threshold
        A run that loses so much is a finding.
    """

    jobs: int
    cluster: str
    time_limit: float
    threshold: int | None
    report: bool
    as_json: bool


def audit_games(paths: Sequence[str], out: str, wishes: Wishes) -> int:
    """Audit the games at some paths into a folder and return the exit code."""
    folder = Path(out)
    store = Store(folder, code_signature(), wishes.time_limit)
    pool = Pool(wishes.jobs or cores(), wishes.cluster)
    sources = find(paths, but=folder)
    for path, why in sources.problems:
        complain(f"{path}: {why}")
    if not sources.files:
        complain("there is nothing to audit")
        return BAD
    try:
        with store.opened(), pool.opened():
            batch = _audit(sources.files, store, pool, wishes)
            summary = sums(batch, store)
            store.write("games.parquet", games_table(batch))
            failed = _report(summary, store, pool) if wishes.report else []
            if wishes.as_json:
                for row in lines(batch, store):
                    write(dumps(row) + "\n")
    except (CannotStore, Unreachable) as error:
        complain(str(error))
        return BAD
    if wishes.as_json:
        write(dumps({"summary": summary.to_json()}) + "\n")
    else:
        print_summary(summary, out if wishes.report else "")
    others = store.besides({entry.header.digest for entry in audited(batch)})
    if others:
        complain(f"{out} holds results of {others} other records besides")
    findings = _findings(summary, wishes.threshold)
    for text in findings:
        complain(text)
    for path in failed:
        complain(f"{path}: its page could not be made, the process dies")
    bad = batch.states("failed") + batch.states("unreadable") + len(sources.problems) + len(failed)
    nothing = not audited(batch)
    return BAD if bad or nothing else FINDINGS if findings else OK


def _audit(files: Sequence[str], store: Store, pool: Pool, wishes: Wishes) -> Batch:
    with _Progressing("games", len(files)) as progress:

        def tell(entry: Entry) -> None:
            progress.tick(entry.how == "audited")
            if entry.how == "again":
                progress.say(f"{entry.path}: has the content of {entry.same_as}; it counts once")
            elif entry.header.why:
                progress.say(f"{entry.path}: {entry.header.why}")

        return run_batch(files, store, pool, limit=wishes.time_limit, tell=tell)


def _report(summary: Summary, store: Store, pool: Pool) -> list[str]:
    with _Progressing("pages", len(summary.records)) as progress:
        return write_report(summary, store, pool, lambda: progress.tick(True))


MOST_FINDINGS = 20
"""How many findings are told one by one at most."""


def _findings(summary: Summary, threshold: int | None) -> list[str]:
    """Return what is not as it should be, in a line each."""
    found = [_wrong(item) for item in summary.wrong]
    over = summary.over(threshold) if threshold is not None else []
    found += [_below(item) for item in over]
    if len(found) > MOST_FINDINGS:
        more = len(found) - MOST_FINDINGS
        found = [*found[:MOST_FINDINGS], f"and {more} more; the tables and --json have all"]
    return found


def _wrong(item: Finding) -> str:
    row = item.row
    place = f"{item.entry.path}: action {row['action']}: {row['company']}"
    if not row["legal"]:
        return f"{place}: the run is not legal"
    return f"{place}: the run brings {row['revenue']}, not {row['stored_revenue']} as stored"


def _below(item: Finding) -> str:
    row = item.row
    return (
        f"{item.entry.path}: action {row['action']}: {row['company']}: the run brings {row['revenue']}, "
        f"{row['lost']} less than the best"
    )


class _Progressing:
    """Shows on stderr how far a batch is, with rate and time left, if stderr is a terminal."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._shown: tuple[Progress, TaskID] | None = None
        self._fresh = 0

    def __enter__(self) -> _Progressing:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
            )
            progress.start()
            self._shown = progress, progress.add_task(self._what, total=self._total, rate="")
        return self

    def tick(self, fresh: bool) -> None:
        """Count an item; ``fresh`` ones took work."""
        self._fresh += fresh
        if self._shown is not None:
            progress, task = self._shown
            elapsed = progress.tasks[task].elapsed or 0.0
            rate = f"{self._fresh / elapsed:.1f}/s" if elapsed > 1 and self._fresh else ""
            progress.update(task, advance=1, rate=rate)

    def say(self, text: str) -> None:
        """Write a line to stderr, above the bar."""
        complain(text)

    def __exit__(self, *error: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()
