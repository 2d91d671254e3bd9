"""The example positions of 1862, 18GB and 1873 bring what their lines say, and nothing brings more."""

from __future__ import annotations

from typing import Any

import pytest
from boards import codes, run, site

from engine.encoding import SiteRoute
from engine.position import Position
from engine.solving import solve_position
from router.solution import Status
from support import PROJECT, read_jsonl

LINES: dict[str, Any] = {
    line["id"]: line
    for game in ("1862", "18gb", "1873")
    for line in read_jsonl(PROJECT / "examples" / f"{game}.jsonl")
}
# What the worked examples of the rules for beginners bring.
SEEDS = {
    "1862 Waveney Valley, first run": 40,
    "1862 Waveney Valley, second run": 70,
    "18GB Midland, first run": 40,
    "1873 Halberstadt-Blankenburg, first run": 110,
}


@pytest.mark.parametrize("name", LINES)
def test_the_run_that_is_told(name: str) -> None:
    line = LINES[name]
    verdict = run(Position.from_json(line["position"]), *SiteRoute.list_from_json(line["expected"]["routes"]))
    assert (verdict.revenue, verdict.subsidy) == (
        line["expected"]["revenue"],
        line["expected"].get("subsidy", 0),
    )
    assert [route.revenue for route in verdict.routes] == [
        route["revenue"] for route in line["expected"]["routes"]
    ]


@pytest.mark.parametrize("name", LINES)
def test_it_is_the_best(name: str) -> None:
    answer = solve_position(Position.from_json(LINES[name]["position"]))
    assert (answer.status, answer.revenue) == (Status.OPTIMAL, LINES[name]["expected"]["revenue"])


def test_the_worked_examples() -> None:
    assert {name: LINES[name]["expected"]["revenue"] for name in SEEDS} == SEEDS


def test_halberstadt_to_langenstein_is_no_run() -> None:
    """1873, section 14: told to bring 70 there, yet illegal."""
    position = Position.from_json(LINES["1873 Halberstadt-Blankenburg, first run"]["position"])
    assert codes(run(position, site("2T-10", "B19 B17 C16"))) == {"BAD_END", "REQUIRED"}
