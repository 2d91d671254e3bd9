"""What came of a game, for people: the result table, and what was found besides."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from engine.cli.output import dumps, print_rich, write

MOST_NOTES = 20
"""How many notes are listed at most; JSON has all."""


def print_standings(document: Mapping[str, Any]) -> None:
    """Print the result table of a game and what was found."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    recorded = document["recorded"] if document["finished"] else {}
    _say(title(document))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", overflow="fold")
    table.add_column("score", justify="right")
    if recorded:
        table.add_column("recorded", justify="right")
    table.add_column("cash", justify="right")
    table.add_column("shares", overflow="fold")
    for line in document["standings"]:
        held = ", ".join(f"{sym} {percent}%" for sym, percent in line["holdings"].items())
        score = str(line["score"])
        cells: list[str | Text] = [Text(plain(str(line["name"]))), score]
        if recorded:
            told = recorded.get(str(line["id"]), "-")
            style = "" if told == line["score"] else "bold red"
            cells.append(Text(plain(str(told)), style))
        cells += [str(line["cash"]), Text(plain("bankrupt" if line.get("bankrupt") else held))]
        table.add_row(*cells)
    print_rich(table)
    for text in (*findings(document), *remarks(document)):
        _say(text)


def title(document: Mapping[str, Any]) -> str:
    """Return the line above the table."""
    name = f"{document['game']}, game {document['id']}: {_counted(document['actions'], 'action')}"
    if document["finished"]:
        return f"{name}, ended in {document['round']} ({document['reason']})"
    return f"{name}, not finished, in {document['round']}"


def findings(document: Mapping[str, Any]) -> list[str]:
    """Return what is not as it should be; nothing if all is well."""
    found = []
    refused = document.get("refused")
    if refused:
        found.append(f"action {refused['action']} ({refused['type']}) is refused: {refused['why']}")
    for difference in document.get("differences", ()):
        expected, got = dumps(difference["expected"]), dumps(difference["got"])
        found.append(f"not as recorded: {difference['key']}: expected {expected}, got {got}")
    verification = document.get("verification")
    if verification and verification["divergence"]:
        told = verification["divergence"]
        place = "set-up" if told["action"] is None else f"action {told['action']}"
        expected, got = dumps(told["expected"]), dumps(told["got"])
        found.append(
            f"not as in the trace, first after {place}: {told['key']}: expected {expected}, got {got}"
        )
    return found


def remarks(document: Mapping[str, Any]) -> list[str]:
    """Return what else is worth telling."""
    found = []
    if document.get("asRecorded"):
        found.append("scores and end as recorded")
    verification = document.get("verification")
    if verification and not verification["divergence"]:
        found.append(
            f"as in the trace: {verification['values']} values compared, "
            f"after set-up and {_counted(verification['actions'], 'action')}"
        )
    notes = document["leniencies"]
    if "runs" in document:
        judged = f"{_counted(document['runs'], 'run')} judged and priced"
        believed = f"the record is believed against a rule {_counted(len(notes), 'time')}:"
        found.append(f"{judged}; {believed if notes else 'nothing against the rules'}")
    found += [f"  action {note}" for note in notes[:MOST_NOTES]]
    if len(notes) > MOST_NOTES:
        found.append(f"  and {len(notes) - MOST_NOTES} more; --json lists all")
    return found


def plain(text: str) -> str:
    """Return a text without characters that a terminal would act on."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _say(text: str) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write(plain(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")
