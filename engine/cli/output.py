"""Writing answers: lines of JSON, or a table for people; complaints and progress go to stderr."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engine.cli.answering import Outcome

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

TABLE_WIDTH = 110
"""Columns of a table that does not go to a terminal."""
SOON = 1.0
"""Seconds after which a batch counts as long and shows its progress."""


class CannotWrite(Exception):
    """The output cannot be written to, for example because the disk is full."""


def dumps(document: object) -> str:
    """Return the one line that stands for a value: plain ASCII, so that any terminal and pipe takes it."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True)


def write(text: str) -> None:
    """Write a text to stdout at once.

    Raises
    ------
    BrokenPipeError
        If nobody reads it any more.
    CannotWrite
        If it cannot be written for another reason.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.EPIPE:
            raise BrokenPipeError from None
        raise CannotWrite(getattr(error, "strerror", None) or str(error)) from None


def silence_stdout() -> None:
    """Let whatever is still to be written vanish, so that the end of the process stays quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no file, as in tests
        return


def complain(text: str) -> None:
    """Write a line to stderr; characters that a terminal would act on are escaped."""
    safe = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    line = safe.encode(encoding, "backslashreplace").decode(encoding)
    try:
        sys.stderr.write(f"trunkline: {line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


class Progressing:
    """Shows on stderr how far a long batch is, if stderr is a terminal."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._begun = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None
        self._wanted = sys.stderr.isatty()
        self._lines = 0
        self._bytes = 0

    def tick(self, outcome: Outcome) -> None:
        """Count a line that is done."""
        self._lines += 1
        self._bytes += outcome.size + 1
        if not self._wanted:
            return
        if self._shown is None and time.monotonic() - self._begun > SOON:
            self._shown = self._show()
        if self._shown is not None:
            progress, task = self._shown
            progress.update(task, completed=self._bytes, lines=self._lines)

    def _show(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        progress = Progress(
            BarColumn(),
            TextColumn("{task.fields[lines]} lines"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            # Answers go to stdout meanwhile.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        progress.start()
        return progress, progress.add_task("", total=self._total, lines=self._lines)

    def close(self) -> None:
        """Take the display away."""
        if self._shown is not None:
            self._shown[0].stop()
            self._shown = None


def print_table(outcomes: Iterable[Outcome]) -> None:
    """Print a table of answers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("id", "answer"):
        table.add_column(name, no_wrap=name == "answer", overflow="fold")
    for name in ("revenue", "bound"):
        table.add_column(name, justify="right")
    table.add_column("routes", overflow="fold")
    for outcome in outcomes:
        answer, style, revenue, bound, routes = _row(outcome.document)
        table.add_row(_plain(outcome.document["id"]), Text(answer, style), revenue, bound, Text(routes))
    print_rich(table)


def print_explanation(outcome: Outcome) -> None:
    """Print where the money of an answer comes from."""
    lines = [_line(outcome.document["id"])]
    lines += [f"  {_line(line)}" for line in outcome.document.get("explanation", ())]
    if "error" in outcome.document:
        lines.append(f"  {_row(outcome.document)[4]}")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = "".join(f"{line}\n" for line in lines)
    write(text.encode(encoding, "backslashreplace").decode(encoding))


def print_rich(renderable: object) -> None:
    """Print something of rich to stdout, as plain text of a fixed width if that is no terminal."""
    import io

    from rich.console import Console

    if sys.stdout.isatty():
        console = Console(file=(buffer := io.StringIO()), force_terminal=True, width=Console().width)
    else:
        console = Console(file=(buffer := io.StringIO()), width=TABLE_WIDTH, force_terminal=False)
    console.print(renderable)
    lines = buffer.getvalue().splitlines()
    write("".join(f"{line.rstrip()}\n" for line in lines if line.strip()))


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text("".join(char if char.isprintable() else "?" for char in text))


def _row(document: dict[str, Any]) -> tuple[str, str, str, str, str]:
    """Return the cells for a document: answer and its style, revenue, bound, routes or why there are none."""
    if "error" in document:
        error = document["error"]
        why = "; ".join(": ".join(t for t in (it["field"], it["why"]) if t) for it in error["faults"][:3])
        return error["code"].lower().replace("_", " "), "bold red", "", "", _line(why)
    if "status" in document:
        answer = document["status"].lower()
        style = {"optimal": "green", "infeasible": "yellow"}.get(answer, "bold yellow")
        bound = str(document["bound"])
        lines = [_route(route) for route in document["routes"]]
        if document.get("why"):
            lines.append(document["why"])
        for number, other in enumerate(document["alternatives"], 1):
            lines.append(f"next best {number}: {_money(other)}")
            lines += [f"  {_route(route)}" for route in other["routes"]]
    else:
        answer, style = ("legal", "green") if document["legal"] else ("illegal", "bold red")
        bound = ""
        lines = [_route(route) for route in document["routes"]]
        lines += [_violation(violation) for violation in document["violations"]]
    return answer, style, _money(document), bound, "\n".join(_line(line) for line in lines)


def _line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def _money(document: dict[str, Any]) -> str:
    return f"{document['revenue']}" + (f" + {document['subsidy']}" if document["subsidy"] else "")


def _route(route: dict[str, Any]) -> str:
    """Return a route as ``2-0: H8 G5 E1 = 80``."""
    places = route.get("hexes") or route["nodes"]
    bonuses = ", ".join(f"{it['kind']} {it['amount']}" for it in route["bonuses"])
    told = f" (with {bonuses})" if bonuses else ""
    return f"{route['train']}: {' '.join(places)} = {_money(route)}{told}"


def _violation(violation: dict[str, Any]) -> str:
    where = "" if violation["route"] is None else f"route {violation['route']}: "
    return f"{where}{violation['code']}: {violation['why']}"
