"""The work signature: answers and work counters of named instances; the same input gives the same figures.

``python -m benchmarks.signature --check`` compares with ``signature.json``.
``python -m benchmarks.signature --write`` renews it.

A change of the search that changes the counters renews the file, and its commit says why.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.material import examples, frozen
from router.problem import RouteProblem
from router.solve import solve
from router.stop import NodeBudget

HERE = Path(__file__).parent
FILE = HERE / "signature.json"
BUDGET = 2_000_000
"""Expansions after which the search of a hard instance is stopped: what it has then is on record."""


def instances() -> Iterator[tuple[str, RouteProblem]]:
    """Yield the named instances: frozen boards, and the positions of the examples."""
    yield from frozen().items()
    yield from examples().items()


def measure() -> dict[str, Any]:
    """Solve every instance and return what it answered and how much work it was."""
    found: dict[str, Any] = {}
    for name, problem in instances():
        answer = solve(problem, stop=NodeBudget(BUDGET) if name.startswith("hard") else None)
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
