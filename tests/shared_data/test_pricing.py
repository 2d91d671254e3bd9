"""Route sets, legal and illegal, with the true verdict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.compile import compile_board
from engine.encoding import SiteRoute
from engine.position import Position
from engine.solving import check_position
from router.solution import Code
from support import read_jsonl

GAMES = ("1861", "18NewEngland", "18GB", "1862", "1873")

# What may stand for the first fault that the reference met; a set may have further ones. TRACK is also what a
# single chain without a token gives there, since it is then not read at all.
CODES: dict[str, set[Code]] = {
    "TRACK": {Code.TRACK_TWICE, Code.UNKNOWN_TRACK, Code.NOT_JOINED, Code.NODE_TWICE, Code.NO_TOKEN},
    "TOO_LONG": {Code.TOO_LONG},
    "NO_TOKEN": {Code.NO_TOKEN},
    "BLOCKED": {Code.BLOCKED, Code.TERMINAL},
    "NO_HOME": {Code.NO_HOME},
    "NOT_TOUCHING": {Code.NOT_TOUCHING},
    "END_IN_TOWN": {Code.BAD_END},
    "LOCAL_OFFBOARD": {Code.BAD_END},
    "NO_LONDON_LINK": {Code.BAD_END},
    "TWO_OFFBOARDS": {Code.ENDS_ALIKE},
    "GROUP_TWICE": {Code.GROUP_TWICE},
    "FREIGHT_CHAIN": {Code.CHAIN},
    "CONCESSION": {Code.REQUIRED},
    "BAD_END": {Code.BAD_END},
}


@pytest.mark.parametrize("game", GAMES)
def test_verdicts_are_the_true_ones(shared: Path, game: str) -> None:
    compared = 0
    for line in read_jsonl(shared / "pricing" / f"{game}.jsonl.gz"):
        true = line["expected"]
        verdict = check_position(
            Position.from_json(line["position"]), SiteRoute.list_from_json(line["routes"])
        )
        got = {
            "legal": verdict.legal,
            "revenue": verdict.revenue,
            "subsidy": verdict.subsidy,
            "perRoute": [route.revenue for route in verdict.routes],
        }
        if true["legal"]:
            assert got == true, f"{line['id']}: expected {true}, got {got}, {verdict.violations}"
        else:
            codes = {violation.code for violation in verdict.violations}
            assert not verdict.legal, f"{line['id']}: expected {true['why']}, got {got}"
            assert codes & CODES[true["why"]], f"{line['id']}: expected {true['why']}, got {codes}"
        compared += 1
    assert compared == 400


@pytest.mark.parametrize("game", GAMES)
def test_violations_are_said_in_words(shared: Path, game: str) -> None:
    """Names of stops and track of the router do not reach people."""
    for line in read_jsonl(shared / "pricing" / f"{game}.jsonl.gz"):
        routes = SiteRoute.list_from_json(line["routes"])
        position = Position.from_json(line["position"])
        stops = {stop.id for stop in compile_board(position, whole_board=True).network.stops}
        for violation in check_position(position, routes).violations:
            assert violation.why
            assert "|" not in violation.why
            assert not stops & set(re.findall(r"[^ ,;:]+", violation.why)), violation.why
