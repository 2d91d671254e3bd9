"""The same input gives the same bytes: over repeats, shuffled input, other hash seeds, and in a worker."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from searching import board, plain_train

from engine.convert import solution_to_proto
from engine.position import Position
from engine.solving import solve_position
from router.problem import Limit, RouteProblem, StopBonus, TrackBonus, Train, kinds
from router.solve import solve
from support import PROJECT, read_jsonl

T = TypeVar("T")
REPEATS = 20
SHUFFLES = 8


def examples() -> dict[str, dict[str, Any]]:
    """Return the positions in the examples, by id."""
    lines = [line for path in sorted((PROJECT / "examples").glob("*.jsonl")) for line in read_jsonl(path)]
    return {line["id"]: line["position"] for line in lines if "position" in line}


POSITIONS = examples()
TWO_OFFS = kinds("city", "offboard")
GRIDS = {
    "towns": board(4, 1, [plain_train(f"t{i}", 4) for i in range(3)]),
    "mixed": board(
        5,
        2,
        [
            Train("a", "3", visit=(Limit(TWO_OFFS, 3),)),
            Train("b", "5+5E", pay=(Limit(TWO_OFFS, 5),), paying=TWO_OFFS, multiplier=2, max_edges=7),
            Train("c", "3", visit=(Limit(TWO_OFFS, 3),)),
        ],
    ),
    "prices": board(4, 3, [plain_train(f"t{i}", 8) for i in range(5)], tokens=1),
}


def position_bytes(position: Mapping[str, Any]) -> bytes:
    """Return the answer to a position as it goes over the wire, with its counters."""
    solution = solve_position(Position.from_json(position))
    return bytes(solution_to_proto(solution).SerializeToString(deterministic=True))


def problem_text(problem: RouteProblem) -> str:
    """Return everything that an answer to a problem says."""
    return repr(solve(problem))


def everything() -> str:
    """Return all answers as one text; what the other process prints."""
    answers = {name: position_bytes(position).hex() for name, position in sorted(POSITIONS.items())}
    answers |= {name: problem_text(problem) for name, problem in GRIDS.items()}
    return json.dumps(answers)


@pytest.fixture(scope="module")
def here() -> str:
    return everything()


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_over_and_over(name: str) -> None:
    assert len({position_bytes(POSITIONS[name]) for _ in range(REPEATS)}) == 1


@pytest.mark.parametrize("name", GRIDS)
def test_problems_over_and_over(name: str) -> None:
    assert len({problem_text(GRIDS[name]) for _ in range(REPEATS)}) == 1


@pytest.mark.parametrize("name", POSITIONS)
def test_shuffled_positions(name: str) -> None:
    """The order of tiles and tokens says nothing."""
    position = POSITIONS[name]
    expected = position_bytes(position)
    chance = random.Random(name)
    for _ in range(SHUFFLES):
        other = dict(position)
        for what in ("tiles", "tokens"):
            items = other.get(what, [])
            other[what] = chance.sample(items, len(items))
        assert position_bytes(other) == expected


@pytest.mark.parametrize("name", GRIDS)
def test_shuffled_problems(name: str) -> None:
    """The order of nodes, segments and track says nothing, nor which end of a segment is named first."""
    marked = tuple(replace(s, marks=("m",)) if i % 5 == 0 else s for i, s in enumerate(GRIDS[name].segments))
    bonuses = (
        TrackBonus("bridge", 30, "m"),
        StopBonus("pair", 40, (frozenset({"0.0", "1.1"}), frozenset({"3.3", "2.2"}))),
        StopBonus("port", 20, (frozenset({"1.2"}),)),
    )
    problem = replace(GRIDS[name], segments=marked, terms=bonuses)
    expected = problem_text(problem)
    chance = random.Random(name)

    def mixed(items: Sequence[T]) -> tuple[T, ...]:
        return tuple(chance.sample(items, len(items)))

    for _ in range(SHUFFLES):
        segments = [
            replace(s, a=s.b, b=s.a, hexes=s.hexes[::-1], track=mixed(s.track))
            if chance.random() < 0.5
            else s
            for s in mixed(problem.segments)
        ]
        other = replace(
            problem,
            nodes=mixed(problem.nodes),
            segments=tuple(segments),
            hexes=mixed(problem.hexes),
        )
        assert problem_text(other) == expected
        assert solve(replace(other, terms=mixed(bonuses))).revenue == solve(problem).revenue


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_other_hash_seeds(here: str, seed: str) -> None:
    env = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join([str(PROJECT), str(PROJECT / "tests")]),
    }
    code = "import test_determinism; print(test_determinism.everything())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(__file__).parent,
        env=env,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == here


def test_a_spawned_worker(here: str) -> None:
    """A process that starts from nothing, as workers of a batch do."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_in_worker) == here


def _in_worker() -> str:
    return everything()
