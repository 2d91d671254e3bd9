"""The examples are answered as their sidecar says, and are nobody else's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.cli.answering import Answerer
from engine.cli.lines import Line
from engine.cli.problems import problem_from_json
from engine.cli.requests import Settings
from engine.compile import compile_position
from engine.draw import draw_position
from engine.position import Position
from engine.solving import solve_position
from router.client import local
from router.problem import RouteProblem
from support import PROJECT, read_json, read_jsonl, read_lines

EXAMPLES = PROJECT / "examples"
DEMO = list(read_jsonl(EXAMPLES / "demo.jsonl"))
EXPECTED: dict[str, Any] = read_json(EXAMPLES / "demo.expected.json")
BY_ID = {request["id"]: request for request in DEMO}

# Example, seed, and how the seed tells the run: stop, value, stop, value, sum.
SEEDS = [
    (
        "1861 Nikolaev",
        "1861.cs.txt",
        r"z Moskvy \((\d+)₽\) do Petrohradu \((\d+)₽\): (\d+)₽",
        ("H8", "E1"),
    ),
    (
        "18NewEngland Connecticut River",
        "18newengland.cs.txt",
        r"ze Springfieldu \(\$(\d+)\) do Northamptonu \(\$(\d+)\): \$(\d+)",
        ("G8", "G6"),
    ),
]


def problem(request: dict[str, Any]) -> RouteProblem:
    if "problem" in request:
        return problem_from_json(request["problem"])
    return compile_position(Position.from_json(request["position"]))


@pytest.mark.parametrize(("number", "line"), list(enumerate(read_lines(EXAMPLES / "demo.jsonl"), 1)))
def test_demo(number: int, line: str) -> None:
    outcome = Answerer(Settings("solve"))(Line(number, line.encode()))
    document = outcome.document
    found = {name: document[name] for name in ("status", "revenue", "subsidy", "bound")}
    found["routes"] = [route["revenue"] for route in document["routes"]]
    assert found == EXPECTED[document["id"]]
    assert outcome.code == 0


def test_the_sidecar_has_what_the_demo_has() -> None:
    assert list(EXPECTED) == list(BY_ID)
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for name, expected in EXPECTED.items():
        assert re.search(rf"^\| {re.escape(name)} \|.*\| {expected['revenue']} \|$", table, re.MULTILINE)


@pytest.mark.parametrize("name", list(BY_ID))
def test_a_second_method_finds_the_same(name: str) -> None:
    solution = local().solve(problem(BY_ID[name]), method="select")
    assert (str(solution.status), solution.revenue) == ("OPTIMAL", EXPECTED[name]["revenue"])


@pytest.mark.parametrize(("name", "seed", "pattern", "hexes"), SEEDS)
def test_the_first_runs_are_those_of_the_seeds(
    shared: Path, name: str, seed: str, pattern: str, hexes: tuple[str, str]
) -> None:
    told = re.search(pattern, (shared / "seeds" / seed).read_text(encoding="utf-8"))
    assert told
    first, second, total = map(int, told.groups())
    answer = solve_position(Position.from_json(BY_ID[name]["position"]))
    assert answer.revenue == total
    assert {stop.hex: stop.revenue for stop in answer.routes[0].stops} == dict(
        zip(hexes, (first, second), strict=True)
    )


def test_check() -> None:
    judge = Answerer(Settings("check"))
    legal, illegal = (
        judge(Line(number, line.encode())).document
        for number, line in enumerate(read_lines(EXAMPLES / "check.jsonl"), 1)
    )
    assert (legal["legal"], legal["revenue"]) == (True, EXPECTED["18NewEngland mid game"]["revenue"])
    assert not illegal["legal"]
    assert {(it["code"], it["route"]) for it in illegal["violations"]} == {
        ("TRACK_TWICE", 1),
        ("TOO_LONG", 2),
        ("UNKNOWN_TRAIN", 3),
    }


def test_island_rail_is_the_same_in_both_files() -> None:
    assert read_json(EXAMPLES / "island-rail.json") == BY_ID["island rail"]


def test_the_picture_is_drawn_by_this_version() -> None:
    """Else: trunkline map examples/demo.jsonl --id "1861 late game" -o examples/late-game.svg"""
    position = Position.from_json(BY_ID["1861 late game"]["position"])
    drawing = draw_position(position, solve_position(position).routes)
    assert (EXAMPLES / "late-game.svg").read_text(encoding="utf-8") == drawing


def test_no_board_is_from_a_recorded_game(shared: Path) -> None:
    def board(position: dict[str, Any]) -> frozenset[tuple[Any, ...]]:
        return frozenset((tile["hex"], tile["tile"], tile["rotation"]) for tile in position["tiles"])

    own = {board(it["position"]) for it in DEMO if len(it.get("position", {}).get("tiles", ())) > 3}
    assert len(own) == 4
    for path in sorted((shared / "positions").iterdir()):
        for line in read_jsonl(path):
            assert board(line["position"]) not in own
