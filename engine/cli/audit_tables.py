"""The sums of an audit as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.cli.output import print_rich, write
from engine.cli.standings import plain

if TYPE_CHECKING:
    from rich.table import Table

    from engine.audit.summary import Summary, Tally

MOST_ROWS = 30
"""How many rows a table has at most; those that lost most stand there."""


def print_summary(summary: Summary, folder: str) -> None:
    """Print the sums; ``folder`` is where the report lies, if there is one."""
    batch, total = summary.batch, summary.total
    parts = [
        (batch.counted("audited"), "audited"),
        (batch.counted("kept"), "taken over"),
        (batch.states("failed"), "failed"),
        (batch.states("unsupported"), "unsupported"),
        (batch.states("unreadable"), "unreadable"),
        (batch.counted("again"), "given twice"),
    ]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    _say(f"{_counted(len(batch.entries), 'file')}: {told}")
    if not summary.records:
        return
    table = _table("record", "game")
    worst = sorted(summary.records, key=lambda item: -item[1].lost)[:MOST_ROWS]
    kept = {id(entry) for entry, _ in worst}
    for entry, tally in summary.records:
        if id(entry) in kept:
            table.add_row(plain(entry.path), plain(entry.header.game), *_cells(tally))
    print_rich(table)
    _more(len(summary.records), "record")
    table = _table("player", "id")
    for player in summary.players[:MOST_ROWS]:
        table.add_row(plain(player.name), plain(player.id), *_cells(player.tally))
    print_rich(table)
    _more(len(summary.players), "player")
    _say(
        f"{_counted(total.runs, 'run')}: {total.optimal} proved best, {total.below} below the best, "
        f"{total.lost} left on the table{f', {total.unproved} not proved' if total.unproved else ''}"
    )
    right = total.told - total.wrong
    _say(
        f"{right} of {total.told} stored revenues confirmed"
        f"{f', {total.illegal} runs not legal' if total.illegal else ''}"
    )
    if folder:
        _say(f"report: {folder.rstrip('/')}/report.html")


def _table(*names: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for name in ("runs", "best", "below", "left", "most", "wrong"):
        table.add_column(name, justify="right")
    return table


def _cells(tally: Tally) -> Sequence[str]:
    return [
        str(it)
        for it in (
            tally.runs,
            tally.optimal,
            tally.below,
            tally.lost,
            tally.most,
            tally.wrong + tally.illegal,
        )
    ]


def _more(count: int, what: str) -> None:
    if count > MOST_ROWS:
        _say(f"and {_counted(count - MOST_ROWS, f'more {what}')} that lost less; the report has all")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _say(text: str) -> None:
    import sys

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write(plain(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")
