"""The work signature: answers and work counters of named instances; the same input gives the same figures.

``python benchmarks/signature.py --check`` compares with ``signature.json``.
``python benchmarks/signature.py --write`` renews it.

A change of the search that changes the counters renews the file, and its commit says why.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.compile import compile_position
from engine.position import Position
from router.problem import Limit, Node, RouteProblem, Segment, Train, kinds
from router.solve import solve

HERE = Path(__file__).parent
FILE = HERE / "signature.json"
GRIDS = [(4, 3, 4, 1, 2), (4, 3, 8, 2, 3), (5, 4, 5, 3, 3), (5, 5, 6, 4, 2), (6, 3, 8, 5, 3)]


def grid(size: int, trains: int, stops: int, seed: int, tokens: int) -> RouteProblem:
    """Return a square board of cities of various values, with track straight and along one diagonal."""
    chance = random.Random(seed)
    spots = set(chance.sample(range(size * size), tokens))
    nodes, segments = [], []
    for x in range(size):
        for y in range(size):
            value = 10 * chance.randint(1, 10)
            nodes.append(Node(f"{x}.{y}", "city", f"h{x}.{y}", value, token=x * size + y in spots))
            for dx, dy in ((1, 0), (0, 1), (1, 1)):
                if x + dx < size and y + dy < size:
                    a, b = f"{x}.{y}", f"{x + dx}.{y + dy}"
                    segments.append(Segment(f"{a}-{b}", a, b, (f"{a}-{b}",), (f"h{a}", f"h{b}")))
    limit = (Limit(kinds("city"), stops),)
    return RouteProblem(
        tuple(nodes), tuple(segments), tuple(Train(f"t{i}", "n", visit=limit) for i in range(trains))
    )


def instances() -> Iterator[tuple[str, RouteProblem]]:
    """Yield the named instances: generated boards, and the positions of the examples."""
    for shape in GRIDS:
        yield "grid " + " ".join(map(str, shape)), grid(*shape)
    for file in sorted((HERE.parent / "examples").glob("*.jsonl")):
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if "position" in line and "routes" not in line:
                yield f"{file.stem}: {line['id']}", compile_position(Position.from_json(line["position"]))


def measure() -> dict[str, Any]:
    """Solve every instance and return what it answered and how much work it was."""
    found: dict[str, Any] = {}
    for name, problem in instances():
        answer = solve(problem)
        found[name] = {
            "status": str(answer.status),
            "revenue": answer.revenue,
            "subsidy": answer.subsidy,
            "bound": answer.bound,
            "work": dict(sorted(answer.stats.items())),
        }
    return found


def differences() -> list[str]:
    """Return what is not as in the file."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    now = measure()
    names = sorted(known.keys() | now.keys())
    return [f"{n}: {known.get(n)} became {now.get(n)}" for n in names if known.get(n) != now.get(n)]


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    else:
        found = differences()
        print("\n".join(found) or "as recorded")
        sys.exit(bool(found))
