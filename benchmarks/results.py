"""All figures as Markdown, for ``RESULTS.md`` and the section "Speed" of the README.

``python -m benchmarks.results [--write] [GAME ...]`` prints them (default: all games); ``--write`` renews the
file.
"""

from __future__ import annotations

import datetime
import random
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.material import GAMES, SOURCES, Figures, machine, milliseconds, table
from benchmarks.measure import (
    compiling,
    first_answer,
    load,
    pressure,
    problems_of,
    ready,
    requests,
    served,
    serving,
    solving,
)

FILE = Path(__file__).parent / "RESULTS.md"
CLIENTS = (1, 2, 8, 32)
SERVED = ("18NewEngland", "1861")


def sections(games: tuple[str, ...]) -> Iterator[str]:
    """Yield the parts of the page."""
    ready()
    yield "# Results of the benchmarks"
    command = " ".join(["python -m benchmarks.results --write", *(games if games != GAMES else ())])
    day = f"{datetime.date.today():%d %B %Y}"
    how = "Warm, one thread, each position once, unless said otherwise; the machine was not otherwise idle."
    yield f"Made by `{command}` on {day}, on {machine()}. {how}"
    yield "## Recorded positions\n\n" + _recorded(games)
    yield "## Boards under pressure\n\n" + _pressure(games)
    yield "## Service\n\n" + _service()
    yield "## Starting\n\n" + _starting()


def _recorded(games: tuple[str, ...]) -> str:
    head = ("game", "positions", "proved", "compile, median ms", "solve, median ms", "p99 ms", "max ms")
    everything: list[float] = []
    total = 0
    parts = []
    for source in SOURCES:
        rows: list[tuple[object, ...]] = []
        here: list[float] = []
        known = total
        for game in games:
            seconds, proved = solving(problems_of(game, [source]))
            f, c = Figures.of(seconds), Figures.of(compiling(game, [source]))
            here += seconds
            total += proved
            times = [milliseconds(value) for value in (c.median, f.median, f.p99, f.most)]
            rows.append((game, f.number, proved, *times))
        everything += here
        rows.append(_sum("all", here, total - known))
        if source == SOURCES[-1]:
            rows.append(_sum("of people and bots", everything, total))
        parts.append(f"Games of {source}:\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def _sum(name: str, seconds: list[float], proved: int) -> tuple[object, ...]:
    f = Figures.of(seconds)
    return (name, f.number, proved, "", *map(milliseconds, (f.median, f.p99, f.most)))


def _pressure(games: tuple[str, ...]) -> str:
    head = ("boards", "number", "proved", "median s", "95 % within s", "max s", "memory, MiB")
    rows: list[tuple[object, ...]] = []
    slow: list[tuple[object, ...]] = []
    for what in (*games, "frozen"):
        found = pressure(what)
        f = found.figures
        rows.append(
            (what, f.number, found.proved, *(f"{v:.3f}" for v in (f.median, f.p95, f.most)), found.peak)
        )
        slow += [
            (name, f"{s:.3f}", status, revenue, work)
            for name, s, status, revenue, work in found.rows
            if s > 0.5
        ]
    slow.sort(key=lambda row: -float(str(row[1])))
    head2 = ("boards that took more than half a second", "s", "answer", "revenue", "expansions")
    text = table(head, rows)
    return f"{text}\n\n{table(head2, slow)}" if slow else text


def _service() -> str:
    calls = requests(SERVED)
    random.Random(1).shuffle(calls)
    rows = []
    with served(2) as address:
        load(address, 4, calls[:400])
        for clients in CLIENTS:
            seconds, total = load(address, clients, calls)
            f = Figures.of(seconds)
            rows.append((clients, milliseconds(f.median), milliseconds(f.p99), f"{len(seconds) / total:.0f}"))
    text = table(("clients", "median ms", "p99 ms", "positions/s"), rows)
    names = " and ".join(SERVED)
    how = f"Positions of {names} over gRPC, mixed, 2 workers; the clients ran on the same cores."
    return f"{how}\n\n{text}"


def _starting() -> str:
    first_answer()
    answers = [first_answer() for _ in range(5)]
    servers = [serving() for _ in range(3)]
    rows = [
        ("fresh process, first answer", f"{statistics.median(answers):.2f}"),
        ("server SERVING", f"{statistics.median(servers):.2f}"),
    ]
    return table(("kernels cached", "s"), rows)


def main(arguments: list[str]) -> None:
    """Measure and print."""
    games = tuple(name for name in arguments if not name.startswith("--")) or GAMES
    parts = []
    for part in sections(games):
        print(part + "\n", flush=True)
        parts.append(part)
    if "--write" in arguments:
        FILE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
