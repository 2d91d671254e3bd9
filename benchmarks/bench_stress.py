"""Boards under pressure: time, proof and memory. Each game is solved in a process of its own."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.material import GAMES, MISSING, shared, table
from benchmarks.measure import pressure

WHAT = [
    "frozen",
    *(pytest.param(game, marks=pytest.mark.skipif(shared() is None, reason=MISSING)) for game in GAMES),
]


@pytest.mark.parametrize("what", WHAT)
def test_boards_under_pressure(benchmark: Any, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = benchmark.pedantic(pressure, (what,), rounds=1)
    f = found.figures
    benchmark.extra_info.update(
        proved=found.proved, median=f.median, p95=f.p95, max=f.most, peak_mib=found.peak
    )
    slowest = sorted(found.rows, key=lambda row: -row[1])[:12]
    rows = [
        (name, f"{seconds:.3f}", status, revenue, work) for name, seconds, status, revenue, work in slowest
    ]
    with capsys.disabled():
        proved = f"{found.proved} of {f.number} proved"
        print(f"\n{what}: {proved}, 95 % within {f.p95:.3f} s, {found.peak} MiB at most")
        print(table(("slowest boards", "s", "answer", "revenue", "expansions"), rows))
