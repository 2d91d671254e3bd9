"""How long it takes to solve: every recorded position once, and each frozen instance."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.material import GAMES, MISSING, Figures, frozen, milliseconds, shared, table
from benchmarks.measure import problems_of, ready, solving
from router.problem import RouteProblem
from router.solve import solve

INSTANCES = {name: problem for name, problem in frozen().items() if not name.startswith("hard")}
EVERYTHING: list[float] = []
HEAD = ("game", "positions", "proved", "median, ms", "p99, ms", "max, ms")


def row(name: str, seconds: list[float], proved: object) -> tuple[object, ...]:
    """Return a line of the table."""
    f = Figures.of(seconds)
    return (name, f.number, proved, milliseconds(f.median), milliseconds(f.p99), milliseconds(f.most))


@pytest.mark.skipif(shared() is None, reason=MISSING)
@pytest.mark.parametrize("game", GAMES)
def test_recorded_positions(benchmark: Any, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    ready()
    problems = problems_of(game)
    seconds, proved = benchmark.pedantic(solving, (problems,), rounds=1)
    figures = Figures.of(seconds)
    benchmark.extra_info.update(median=figures.median, p99=figures.p99, max=figures.most, proved=proved)
    EVERYTHING.extend(seconds)
    rows = [row(game, seconds, proved)]
    if game == GAMES[-1]:
        rows.append(row("all so far", EVERYTHING, ""))
    with capsys.disabled():
        print("\n" + table(HEAD, rows))


@pytest.mark.parametrize("name", INSTANCES)
def test_frozen_instances(benchmark: Any, name: str) -> None:
    problem: RouteProblem = INSTANCES[name]
    answer = benchmark.pedantic(solve, (problem,), rounds=5, warmup_rounds=1)
    benchmark.extra_info.update(revenue=answer.revenue, status=str(answer.status), **answer.stats)
