"""Solves boards under pressure in this process and says how long each took and how much memory was needed.

``python -m benchmarks.pressure GAME`` (or ``frozen``): a line of JSON per board, then the peak of memory.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from benchmarks.material import compiled, frozen, under_pressure
from benchmarks.measure import ready
from router.solve import solve
from router.stop import Deadline

LIMIT = 20.0
"""Seconds after which the search of one board is stopped."""


def main(what: str) -> None:
    """Solve and print."""
    if what == "frozen":
        boards = list(frozen().items())
    else:
        boards = [(name, compiled(position)) for name, position in under_pressure(what)]
    ready()
    for name, problem in boards:
        begun = time.perf_counter()
        answer = solve(problem, stop=Deadline(LIMIT))
        seconds = time.perf_counter() - begun
        print(json.dumps([name, seconds, str(answer.status), answer.revenue, answer.stats["expansions"]]))
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps({"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 2**20}))


if __name__ == "__main__":
    main(sys.argv[1])
