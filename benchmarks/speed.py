"""Times of the recorded positions as a Markdown table, for README.

``python benchmarks/speed.py`` compiles every recorded position of the games named (default: all five) and
solves it in each of three rounds over all of them, in one thread, on a copy of the problem that nothing is
known of yet. It prints median, 99th percentile and maximum of the least times, and the median of the first
round, when the processor's caches held other things. The reference data is looked for as the tests do.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.compile import compile_position
from engine.position import Position
from router.solution import Status
from router.solve import solve
from router.stop import Deadline

GAMES = ("18NewEngland", "1861", "18GB", "1873", "1862")
LIMIT = 5.0
ROUNDS = 3


def positions(game: str) -> Iterator[Any]:
    """Yield the recorded positions of a game."""
    root = Path(os.environ.get("TRUNKLINE_SHARED", Path(__file__).parents[2] / "shared")) / "positions"
    with (root / f"{game}.jsonl").open(encoding="utf-8") as lines:
        yield from (json.loads(line)["position"] for line in lines)
    with gzip.open(root / f"random-{game}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["position"] for line in lines)


def figures(seconds: list[float]) -> str:
    """Return median, 99th percentile and maximum in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"{1e3 * statistics.median(ordered):.2f} / {1e3 * p99:.1f} / {1e3 * ordered[-1]:.0f}"


def main(games: tuple[str, ...]) -> None:
    """Measure and print."""
    import ortools.linear_solver.pywraplp
    import ortools.sat.python.cp_model  # noqa: F401

    print("| game | positions | proved | compile, ms | solve, ms (median / p99 / max) | first time, ms |")
    print("|---|---|---|---|---|---|")
    for game in games:
        problems, compiling = [], []
        for position in positions(game):
            begun = time.perf_counter()
            problems.append(compile_position(Position.from_json(position)))
            compiling.append(time.perf_counter() - begun)
        solve(problems[0])
        rounds = []
        proved = 0
        for _ in range(ROUNDS):
            seconds = []
            for problem in problems:
                fresh = replace(problem)
                begun = time.perf_counter()
                answer = solve(fresh, stop=Deadline(LIMIT))
                seconds.append(time.perf_counter() - begun)
                proved += answer.status is Status.OPTIMAL
            rounds.append(seconds)
        least = [min(times) for times in zip(*rounds, strict=True)]
        compiled, first = (f"{1e3 * statistics.median(times):.2f}" for times in (compiling, rounds[0]))
        print(f"| {game} | {len(least)} | {proved // ROUNDS} | {compiled} | {figures(least)} | {first} |")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or GAMES)
