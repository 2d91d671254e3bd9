"""Explanations: all money has a line, every visited stop is spoken of, the reasons are the right ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.answer import PositionSolution
from engine.cli.app import run
from engine.cli.problems import problem_from_json
from engine.explain import explain_position, explain_problem
from engine.position import Position
from engine.solving import solve_position
from router.problem import HexSubsidy, LargestTrainBonus, Limit, Node, RouteProblem, Segment, Train, kinds
from router.solution import Solution, Status
from router.solve import solve
from router.stop import NodeBudget
from samples import line, vocabulary
from support import PROJECT, read_jsonl

EXAMPLES = {
    row["id"]: row
    for path in sorted((PROJECT / "examples").glob("*.jsonl"))
    if path.name != "check.jsonl"
    for row in read_jsonl(path)
}
MONEY = re.compile(r"^ {2}( *\d+)  (.*)$")
ROUTE = re.compile(r"^route \d+, train .*: (\d+)(?: and subsidy (\d+))?$")


def explained(row: dict[str, Any]) -> tuple[list[str], PositionSolution | Solution]:
    if "problem" in row:
        problem = problem_from_json(row["problem"])
        solution = solve(problem)
        return explain_problem(problem, solution), solution
    position = Position.from_json(row["position"])
    answer = solve_position(position)
    return explain_position(position, answer), answer


def adds_up(lines: Sequence[str], answer: PositionSolution | Solution) -> None:
    """Check that the lines below each route sum up to its money, and the routes to that of the answer."""
    totals: list[int] = []
    listed: list[int] = []
    stops = 0
    for text in lines:
        if match := ROUTE.match(text):
            totals.append(int(match[1]) + int(match[2] or 0))
            listed.append(0)
        elif match := MONEY.match(text):
            listed[-1] += int(match[1])
        elif text.startswith("  runs "):
            stops += text.count(" - ") + 1
    assert listed == totals
    assert sum(totals) == answer.revenue + answer.subsidy
    assert len(totals) == len(answer.routes)
    bonuses = sum(len(route.bonuses) + bool(route.subsidy) for route in answer.routes)
    told = sum(1 for text in lines if text.startswith(("   ", "      -  ")))
    assert told >= stops + bonuses
    assert f"revenue {answer.revenue}" in {text.partition(" =")[0] for text in lines}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_add_up(name: str) -> None:
    lines, answer = explained(EXAMPLES[name])
    adds_up(lines, answer)
    assert f"proved: no legal run brings more revenue than {answer.bound}" in lines


@pytest.mark.parametrize("game", ["1861", "1862", "1873", "18GB", "18NewEngland"])
def test_recorded_positions_add_up(shared: Path, game: str) -> None:
    for number, row in enumerate(read_jsonl(shared / "positions" / f"{game}.jsonl")):
        if number % 15 == 0:
            lines, answer = explained(row)
            if answer.status is Status.OPTIMAL:
                adds_up(lines, answer)


def test_table_multiplier_and_limit() -> None:
    lines, _ = explained(EXAMPLES["1861 late game"])
    assert "    140  A13: off-board area, gray value in phase 8, 70 x 2" in lines
    assert "    100  D14 Kiev: city with an own token, 50 x 2" in lines
    assert "      -  E11 Gomel: not counted: train 5+5E-0 is paid for 5 stops only" in lines


def test_a_stop_that_another_route_counts() -> None:
    lines, _ = explained(EXAMPLES["1862 Waveney Valley, second run"])
    assert "      0  H7 Lowestoft: nothing, since route 1 counts it" in lines
    assert "revenue 70 = 40 + 30" in lines


def test_chains() -> None:
    lines, _ = explained(EXAMPLES["1862 Beccles to the port"])
    assert "      -  H7 Lowestoft: not counted: only the ends of a chain pay" in lines
    assert any(re.match(r" +30  freight: 1 hexes between", text) for text in lines)


def test_distance_compass_and_towns() -> None:
    lines, _ = explained(EXAMPLES["18GB Plymouth to London"])
    assert "     40  compass: route 1 touches E and W" in lines
    assert "     70  distance: 7 hexes between G26 and a25" in lines
    assert "      -  F25 Reading: towns do not pay for train 4X-0" in lines


def test_blocked_stops_and_other_trains() -> None:
    lines, _ = explained(EXAMPLES["1873 a blocked city on the concession"])
    assert "      0  C12 Benzingerode: city, blocked, worth nothing" in lines
    lines, _ = explained(EXAMPLES["18NewEngland late game"])
    assert "train 6E-0 runs no route: train 5E-1 runs for all express trains" in lines


def test_mines_and_subsidy() -> None:
    """Two trains pass a mine, and run partly through the same hexes."""
    nodes = (
        Node("a", "city", "A", 20, token=True),
        Node("m", "town", "M", 0),
        Node("b", "city", "B", 30, token=True),
        Node("c", "city", "C", 10),
    )
    ways = (("a", "m"), ("m", "b"), ("m", "c"))
    problem = RouteProblem(
        nodes,
        tuple(Segment(a + b, a, b, (a + b,), (a.upper(), b.upper())) for a, b in ways),
        (
            Train("1", "big", visit=(Limit(kinds("city"), 2),), ends=frozenset("ab")),
            Train("2", "small", visit=(Limit(kinds("city"), 2),), ends=frozenset("ac")),
            Train("3", "small", visit=(Limit(kinds("city"), 2),), stops=frozenset("c")),
        ),
        terms=(
            LargestTrainBonus("mine", frozenset("m"), {"big": 20, "small": 10}),
            HexSubsidy("subsidy", 5, frozenset({"big", "small"})),
        ),
        track_scope="route",
    )
    answer = solve(problem)
    lines = explain_problem(problem, answer)
    adds_up(lines, answer)
    assert "     20  mine: largest of the trains that visit m" in lines
    assert "      -  mine: not earned, since it goes to route 1" in lines
    assert "     15  subsidy: 3 hexes at 5" in lines
    assert "      5  subsidy: 1 hexes at 5, 2 more counted by earlier routes" in lines
    assert "train 3 runs no route" in lines
    assert "subsidy 20" in lines


def test_what_the_bound_proves() -> None:
    problem = line()
    best = solve(problem)
    assert explain_problem(problem, best, "total")[-1].startswith(
        "proved: no legal run brings more revenue and subsidy together than 60"
    )
    stopped = replace(best, status=Status.FEASIBLE, bound=90, why="time limit of 1 s")
    assert explain_problem(problem, stopped)[-1] == (
        "not proved (time limit of 1 s): some run may bring 30 more; none brings more revenue than 90"
    )
    unknown = solve(problem, stop=NodeBudget(0))
    assert "none brings more revenue than" in explain_problem(problem, unknown)[-1]
    nothing = Solution(Status.UNKNOWN, 0, 0, 90, (), why="cancelled")
    assert explain_problem(problem, nothing) == [
        "no legal run found yet (cancelled); none brings more revenue than 90"
    ]
    impossible = vocabulary()
    lines = explain_problem(impossible, solve(impossible))
    assert lines[0].startswith("proved: there is no legal run (REQUIRED: no route runs line 1")
    other = explain_problem(problem, solve(problem, alternatives=1))
    assert other[-2] == "next best 1: revenue 30"
    assert other[-1].startswith("  train ")


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [EXAMPLES["1861 Nikolaev"], {"id": "bad", "position": 7}, EXAMPLES["island rail"]]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["solve", str(file), "--explain"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1861 Nikolaev"
    assert "       40  city 1 of H8 Moscow: city with an own token" in lines
    assert lines[lines.index("bad") + 1].startswith("  position")
    assert "  proved: no legal run brings more revenue than 300" in lines
    assert run(["solve", str(file), "--explain", "--json"]) == 2
    documents = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert documents[0]["explanation"][0] == "route 1, train 2-0 (2): 80"
    assert "explanation" not in documents[1]
    run(["solve", str(file)])
    assert "explanation" not in capsys.readouterr().out
