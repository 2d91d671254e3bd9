"""Two independent methods prove the same optimum of every recorded position; hard boards are proved too.

``pytest -rP tests/shared_data/test_methods.py -k pressure`` shows the times of the boards under pressure.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.compile import compile_position
from engine.position import Position
from router.check import check
from router.problem import RouteProblem
from router.solution import Solution, Status
from router.solve import solve
from support import read_jsonl

COUNTS = {
    "1861.jsonl": 172,
    "random-1861.jsonl.gz": 1141,
    "18NewEngland.jsonl": 105,
    "random-18NewEngland.jsonl.gz": 1060,
}
CHUNK = 60
CHUNKS = [(name, start) for name, count in COUNTS.items() for start in range(0, count, CHUNK)]
UNDER_PRESSURE = {"1861": 38, "18NewEngland": 27}


def lines(path: Path) -> Iterator[tuple[Any, RouteProblem]]:
    for line in read_jsonl(path):
        yield line, compile_position(Position.from_json(line["position"]))


def proved(problem: RouteProblem, answer: Solution, where: str) -> None:
    """Check that an answer claims a proof and that the referee pays what it says."""
    assert answer.status is Status.OPTIMAL, f"{where}: {answer.status}, {answer.why}"
    assert answer.bound == answer.revenue, where
    verdict = check(problem, [route.route for route in answer.routes])
    assert verdict.legal, f"{where}: {verdict.violations}"
    assert (verdict.revenue, verdict.routes) == (answer.revenue, answer.routes), where


@pytest.mark.parametrize(("name", "start"), CHUNKS)
def test_exact_and_select_agree(shared: Path, name: str, start: int) -> None:
    for line, problem in islice(lines(shared / "positions" / name), start, start + CHUNK):
        where = line["id"]
        exact = solve(problem, method="exact")
        proved(problem, exact, f"{where}, exact")
        selected = solve(problem, method="select")
        proved(problem, selected, f"{where}, select")
        assert exact.revenue == selected.revenue, where
        assert exact.revenue >= line["repriced"]["revenue"], where


@pytest.mark.parametrize("name", COUNTS)
def test_no_recorded_position_is_left_out(shared: Path, name: str) -> None:
    assert sum(1 for _ in read_jsonl(shared / "positions" / name)) == COUNTS[name]


@pytest.mark.slow
@pytest.mark.parametrize("game", UNDER_PRESSURE)
def test_boards_under_pressure_are_proved(shared: Path, game: str) -> None:
    rows = []
    for line, problem in lines(shared / "stress" / f"{game}.jsonl"):
        begun = time.perf_counter()
        answer = solve(problem)
        rows.append((time.perf_counter() - begun, line["id"], answer))
        proved(problem, answer, line["id"])
    assert len(rows) == UNDER_PRESSURE[game]
    print(f"\n{'seconds':>8}  {'revenue':>7}  {'expansions':>10}  position")
    for seconds, name, answer in sorted(rows, key=lambda row: (-row[0], row[1])):
        print(f"{seconds:8.3f}  {answer.revenue:7}  {answer.stats['expansions']:10}  {name}")
