"""What the benchmarks run on, and how figures are written.

The recorded positions and the boards under pressure are reference data that is not part of the project; they
are looked for at ``../shared`` or where ``TRUNKLINE_SHARED`` says.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cli.problems import problem_from_json
from engine.compile import compile_position
from engine.position import Position
from router.problem import RouteProblem

PROJECT = Path(__file__).resolve().parent.parent
INSTANCES = Path(__file__).parent / "instances"
GAMES = ("18NewEngland", "1861", "18GB", "1873", "1862")
SOURCES = ("people", "bots")
"""Whose games the positions were recorded in."""
LIMIT = 1.0
"""Seconds after which the search of one recorded position is stopped."""
MISSING = "no reference data (set TRUNKLINE_SHARED)"


def shared() -> Path | None:
    """Return the folder of the reference data, ``None`` if there is none."""
    folder = (PROJECT / os.environ.get("TRUNKLINE_SHARED", "../shared")).resolve()
    return folder if folder.is_dir() else None


def _lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def recorded(game: str, sources: Sequence[str] = SOURCES) -> list[dict[str, Any]]:
    """Return the recorded positions of a game, as JSON."""
    root = shared()
    assert root is not None, MISSING
    names = [{"people": f"{game}.jsonl", "bots": f"random-{game}.jsonl.gz"}[source] for source in sources]
    return [line["position"] for name in names for line in _lines(root / "positions" / name)]


def under_pressure(game: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the boards under pressure of a game: name and position as JSON."""
    root = shared()
    assert root is not None, MISSING
    return [(line["id"], line["position"]) for line in _lines(root / "stress" / f"{game}.jsonl")]


def compiled(position: dict[str, Any]) -> RouteProblem:
    """Return the problem of a position."""
    return compile_position(Position.from_json(position))


def frozen() -> dict[str, RouteProblem]:
    """Return the frozen instances by name; see :mod:`benchmarks.grown`."""
    return {
        path.stem: problem_from_json(json.loads(path.read_text("utf-8")))
        for path in sorted(INSTANCES.glob("*.json"))
    }


def examples() -> dict[str, RouteProblem]:
    """Return the problems of the examples."""
    found = {}
    for file in sorted((PROJECT / "examples").glob("*.jsonl")):
        for line in _lines(file):
            if "position" in line and "routes" not in line:
                found[f"{file.stem}: {line['id']}"] = compiled(line["position"])
    return found


@dataclass(frozen=True, slots=True)
class Figures:
    """Median, 99th percentile and maximum of some times, in seconds."""

    number: int
    median: float
    p95: float
    p99: float
    most: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Figures:
        """Return the figures of some times."""
        ordered = sorted(seconds)

        def part(share: float) -> float:
            return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

        return cls(len(ordered), statistics.median(ordered), part(0.95), part(0.99), ordered[-1])


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds with three figures at most."""
    value = 1e3 * seconds
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; all columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def machine() -> str:
    """Describe this machine in words."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip()
            for line in info.read_text("utf-8").splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores of an {model} processor, Python {platform.python_version()}, {platform.system()}"
