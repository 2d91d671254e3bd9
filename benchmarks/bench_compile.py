"""How long it takes to read a position and make a route problem of it."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.material import GAMES, MISSING, Figures, milliseconds, shared, table
from benchmarks.measure import compiling


@pytest.mark.skipif(shared() is None, reason=MISSING)
@pytest.mark.parametrize("game", GAMES)
def test_recorded_positions(benchmark: Any, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = benchmark.pedantic(compiling, (game,), rounds=1, warmup_rounds=1)
    f = Figures.of(seconds)
    benchmark.extra_info.update(median=f.median, p99=f.p99, max=f.most)
    line = (game, f.number, milliseconds(f.median), milliseconds(f.p99), milliseconds(f.most))
    with capsys.disabled():
        print("\n" + table(("game", "positions", "median, ms", "p99, ms", "max, ms"), [line]))
