"""Small solves from end to end, to be run interpreted (NUMBA_DISABLE_JIT=1) and with NUMBA_BOUNDSCHECK=1.

The kernels index without checks and ``int64`` wraps silently; here both would be seen.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from searching import board, examples, plain_train, tight
from strategies import problems

from engine.compile import compile_position
from engine.position import Position
from naive import TooBig, naive_best
from router.errors import Unsupported
from router.problem import RouteProblem
from router.solution import Status
from router.solve import solve
from support import PROJECT, read_jsonl

pytestmark = pytest.mark.uncompiled

EXAMPLES = {
    line["id"]: line["position"]
    for line in read_jsonl(PROJECT / "examples" / "demo.jsonl")
    if "position" in line and "late" not in line["id"]
}


@examples(60, 100)
@given(problems(terms="single"))
def test_single_routes(problem: RouteProblem) -> None:
    try:
        best = naive_best(problem, most=2000)
    except TooBig:
        return
    assert best is not None
    for method in ("exact", "select"):
        solution = solve(problem, method=method)
        assert (solution.status, solution.revenue) == (Status.OPTIMAL, best.revenue)


@examples(60, 100)
@given(problems(terms="single"))
def test_every_stage(problem: RouteProblem) -> None:
    try:
        best = naive_best(problem, most=2000)
    except TooBig:
        return
    assert best is not None
    with tight(slice_=3):
        solution = solve(problem)
    assert (solution.status, solution.revenue) == (Status.OPTIMAL, best.revenue)


@examples(60, 60)
@given(problems(terms="all", max_nodes=5, max_segments=7))
def test_everything(problem: RouteProblem) -> None:
    try:
        best = naive_best(problem, most=1000)
        with tight():
            solution = solve(problem)
    except (TooBig, Unsupported):
        return
    if best is None:
        assert solution.status is Status.INFEASIBLE
    else:
        assert (solution.revenue, solution.subsidy) == (best.revenue, best.subsidy)


@pytest.mark.parametrize("trains", [1, 3])
def test_a_board(trains: int) -> None:
    problem = board(3, 4, [plain_train(f"t{i}", 4) for i in range(trains)])
    exact, selected = solve(problem), solve(problem, method="select")
    assert exact.status is selected.status is Status.OPTIMAL
    assert exact.revenue == selected.revenue > 0


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    solution = solve(compile_position(Position.from_json(EXAMPLES[name])))
    assert solution.status is Status.OPTIMAL
    assert solution.revenue > 0
