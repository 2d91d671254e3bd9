"""Auditing one record: runs as they were, prices, optima, and what is wrong with a record."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from audit_support import BOT_GAME, bot_game, runs_of, shortened

from engine.answer import PositionSolution, PositionVerdict
from engine.audit.findings import Audited, AuditedRun, Run
from engine.audit.job import audit_bytes
from engine.position import Position
from engine.solving import check_position, compare_position, solve_position
from engine.steps.route import site_routes
from router.solution import Status


def audit(change: Callable[[dict[str, Any]], object] = shortened) -> Audited:
    return audit_bytes(bot_game(change))


def changed(change: Callable[[dict[str, Any]], object], runs: int = 8) -> Audited:
    """Audit the beginning of a game, with a change to the last run."""

    def both(value: dict[str, Any]) -> None:
        shortened(value, runs)
        change(runs_of(value)[-1])

    return audit(both)


def test_a_bot_that_runs_the_best_routes() -> None:
    found = audit_bytes(BOT_GAME.read_bytes())
    value = json.loads(BOT_GAME.read_bytes())
    header = found.header
    assert (header.state, header.why, header.action, header.finished) == ("done", "", None, True)
    assert (header.game, header.actions) == ("18NewEngland", len(value["actions"]))
    assert header.players == {"1": "Player 1", "2": "Player 2", "3": "Player 3"}
    recorded = [action for action in value["actions"] if action["type"] == "run_routes"]
    assert [item.run.action for item in found.runs] == [action["id"] for action in recorded]
    assert header.runs == len(found.runs) > 50
    for item, action in zip(found.runs, recorded, strict=True):
        assert item.run.company == action["entity"]
        assert item.run.stored_revenue == sum(route["revenue"] for route in action["routes"])
        assert item.confirmed
        assert item.best.status in (Status.OPTIMAL, Status.INFEASIBLE)
        assert (item.lost, item.lost_at_most, item.lost_per_share) == (0, 0, 0)
        assert item.run.position.company == item.run.company
        assert item.run.president in header.players
        assert [train.name for train in item.run.position.trains] == list(item.run.trains)


def test_what_was_left_on_the_table() -> None:
    """A company that leaves trains in the shed loses what they would have brought."""
    best = changed(lambda action: None).runs[-1]
    found = changed(lambda action: action.update(routes=[])).runs[-1]
    assert (found.run.stored_revenue, found.revenue, found.confirmed) == (0, 0, True)
    assert found.lost == found.lost_at_most == best.revenue == found.best_revenue
    shares = found.run.shares
    assert shares is not None
    assert found.lost_per_share == -(-found.best_revenue // shares) > 0


def test_wrong_money_is_not_confirmed() -> None:
    def change(action: dict[str, Any]) -> None:
        action["routes"][0]["revenue"] += 10

    good, found = changed(lambda action: None).runs[-1], changed(change).runs[-1]
    assert found.verdict.legal
    assert found.confirmed is False
    assert found.revenue == good.revenue
    assert found.run.stored_revenue == (good.run.stored_revenue or 0) + 10


def test_money_that_is_not_stored() -> None:
    def change(action: dict[str, Any]) -> None:
        del action["routes"][0]["revenue"]

    found = changed(change).runs[-1]
    assert (found.run.stored_revenue, found.confirmed, found.lost) == (None, None, 0)


def test_every_broken_rule_is_told() -> None:
    def change(action: dict[str, Any]) -> None:
        action["routes"] = [{**action["routes"][0], "train": "9-9"}, {**action["routes"][0], "train": "9-8"}]

    found = changed(change).runs[-1]
    assert not found.verdict.legal
    assert found.confirmed is False
    assert (found.revenue, found.lost, found.lost_at_most, found.lost_per_share) == (None,) * 4
    assert [str(it.code) for it in found.verdict.violations].count("UNKNOWN_TRAIN") == 2


def test_routes_that_cannot_be_read_are_a_finding() -> None:
    def change(action: dict[str, Any]) -> None:
        action["routes"][0]["connections"] = "G8"

    found = changed(change)
    assert found.header.state == "done"
    assert not found.runs[-1].verdict.legal
    assert "connections" in found.runs[-1].verdict.violations[0].why


def test_a_refused_action_ends_the_audit_but_not_what_was_done() -> None:
    def change(value: dict[str, Any]) -> None:
        shortened(value)
        last = runs_of(value)[-1]
        last["type"] = "dance"

    found = audit(change)
    value = json.loads(bot_game(change))
    number = value["actions"][-1]["id"]
    assert (found.header.state, found.header.action, found.header.runs) == ("failed", number, 7)
    assert len(found.runs) == 7
    assert found.header.actions == len(value["actions"]) - 1
    assert found.header.why.startswith(f"action {number} (dance) is refused: ")


def test_a_run_out_of_turn_is_a_refused_action() -> None:
    found = changed(lambda action: action.update(entity="NYC"))
    assert (found.header.state, found.header.runs) == ("failed", 7)
    assert "run_routes" in found.header.why


@pytest.mark.parametrize("routes", [7, {"a": 1}, None])
def test_routes_that_are_no_list(routes: object) -> None:
    found = changed(lambda action: action.update(routes=routes))
    assert found.header.state in ("failed", "done")
    assert "unexpected" not in found.header.why


@pytest.mark.parametrize(
    ("data", "state", "why"),
    [
        (b"", "unreadable", "is empty; expected a recorded game"),
        (b" \n", "unreadable", "is empty; expected a recorded game"),
        (b"{", "unreadable", "is no JSON at line 1, column 2; expected a recorded game"),
        (b"\xff\xfe\x00", "unreadable", "is no UTF-8 text: byte 0xff at byte 1; expected a recorded game"),
        (b"[" * 100_000, "unreadable", "is nested too deeply; expected a recorded game"),
        (b"[" + b"9" * 5000 + b"]", "unreadable", "cannot be read: "),
        (b"[1]", "unreadable", "a recorded game is one JSON object"),
        (b"{}", "unreadable", "title is missing"),
        (bot_game(lambda value: value.update(title="1830")), "unsupported", "'1830' is no game; "),
        (bot_game(lambda value: value.update(title="1862")), "unsupported", "'1862' cannot be played yet; "),
        (bot_game(lambda value: value["players"].pop()), "unreadable", "players"),
        (bot_game(lambda value: value["actions"].insert(0, 3)), "unreadable", "actions[0] is int"),
        (BOT_GAME.read_bytes()[:30_000], "unreadable", "is no JSON at line 1, column "),
    ],
)
def test_what_is_no_record(data: bytes, state: str, why: str) -> None:
    header = audit_bytes(data).header
    assert (header.state, header.runs) == (state, 0)
    assert why in header.why
    assert "\n" not in header.why


def test_a_mark_of_byte_order_does_no_harm() -> None:
    assert audit_bytes(b"\xef\xbb\xbf" + bot_game(shortened)).header.runs == 8


def test_a_search_that_is_stopped_claims_nothing() -> None:
    """What was run is then at least as good as the best that is known."""
    plain = Position("1861", 4, "N", "2")
    run = Run(1, 5, "OR 1 1", "2", "N", "Nikolaev", "1", "P", ("2",), 80, 0, 1, plain, ())
    verdict = PositionVerdict(True, 80, 0, (), ())
    item = AuditedRun(run, verdict, PositionSolution(Status.FEASIBLE, 50, 0, 120, ()), 0.1)
    assert (item.best_revenue, item.lost, item.lost_at_most) == (80, 0, 40)
    item = AuditedRun(run, verdict, PositionSolution(Status.FEASIBLE, 100, 0, 120, ()), 0.1)
    assert (item.best_revenue, item.lost, item.lost_at_most) == (100, 20, 40)


def test_a_comparison_is_a_check_and_a_solve() -> None:
    found = audit_bytes(bot_game(lambda value: shortened(value, 30)))
    for item in found.runs[::5]:
        position, routes = item.run.position, list(item.run.routes)
        for tried in (routes, routes[:1] * 2, [{**route, "train": "0-0"} for route in routes]):
            verdict, best = compare_position(position, site_routes(tried))
            assert verdict == check_position(position, site_routes(tried))
            assert best == solve_position(position)
