"""Times of the recorded positions as a Markdown table, for README.

``python benchmarks/speed.py`` compiles and solves every recorded position of the games named (default: all
five) once, warm, in one thread, and prints median, 99th percentile and maximum. The reference data is looked
for as the tests do.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.compile import compile_position
from engine.position import Position
from router.solution import Status
from router.solve import solve
from router.stop import Deadline

GAMES = ("18NewEngland", "1861", "18GB", "1873", "1862")
LIMIT = 5.0


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
    print("| game | positions | proved | compile, ms | solve, ms (median / p99 / max) |")
    print("|---|---|---|---|---|")
    warm = False
    for game in games:
        compiled, solved, proved = [], [], 0
        for position in positions(game):
            begun = time.perf_counter()
            problem = compile_position(Position.from_json(position))
            compiled.append(time.perf_counter() - begun)
            if not warm:
                solve(problem)
                import ortools.linear_solver.pywraplp  # noqa: F401

                warm = True
            begun = time.perf_counter()
            answer = solve(problem, stop=Deadline(LIMIT))
            solved.append(time.perf_counter() - begun)
            proved += answer.status is Status.OPTIMAL
        compiling = f"{1e3 * statistics.median(compiled):.2f}"
        print(f"| {game} | {len(solved)} | {proved} | {compiling} | {figures(solved)} |")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or GAMES)
