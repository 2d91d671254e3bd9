"""Replaying files: result table, traces, differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.game import Game
from engine.outcome import outcome, replay_file, trace_file, verify_file
from engine.refusal import IllegalAction, UnreadableRecord
from support import read_json, read_jsonl

RECORD = "18NewEngland/73885"


@pytest.fixture
def path(shared: Path) -> Path:
    return shared / "games" / f"{RECORD}.json"


def test_the_result_table(path: Path) -> None:
    found = replay_file(path)
    assert found.as_recorded
    assert [(line.id, line.score) for line in found.standings] == [
        (2363, 8192),
        (4392, 8155),
        (2799, 6657),
        (2798, 5554),
    ]
    assert (found.round, found.reason, found.actions) == ("OR 7 2", "bank", 626)
    assert json.loads(json.dumps(found.to_json()))["standings"][0]["holdings"]


def test_a_replay_up_to_an_action(path: Path) -> None:
    found = replay_file(path, to=18)
    assert (found.finished, found.round, found.actions) == (False, "OR 1 1", 18)
    assert found.as_recorded


def test_traces_are_those_of_the_reference(shared: Path, path: Path, tmp_path: Path) -> None:
    expected = list(read_jsonl(shared / "traces" / f"{RECORD}.jsonl.gz"))
    assert expected[0]["diff"].pop("priority") is None
    assert [json.loads(line) for line in trace_file(path)] == expected
    expected[40]["diff"]["bank"] = 1
    trace = tmp_path / "trace.jsonl"
    trace.write_text("\n".join(map(json.dumps, expected)), encoding="utf-8")
    found = verify_file(path, trace).divergence
    assert found is not None
    assert (found.action, found.key, found.expected) == (expected[40]["action"], "bank", 1)
    assert "expected 1" in str(found)


def test_a_trace_that_is_too_short_or_none(path: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text("\n".join(list(trace_file(path))[:5]), encoding="utf-8")
    found = verify_file(path, trace).divergence
    assert found is not None
    assert found.key == "action"
    trace.write_text('{"a": 1}', encoding="utf-8")
    with pytest.raises(UnreadableRecord):
        verify_file(path, trace)
    with pytest.raises(UnreadableRecord):
        verify_file(path, tmp_path / "none")


def test_an_illegal_record_is_refused_with_its_rule(path: Path, tmp_path: Path) -> None:
    value = read_json(path)
    next(entry for entry in value["actions"] if entry["type"] == "lay_tile")["tile"] = "58-77"
    changed = tmp_path / "game.json"
    changed.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(IllegalAction, match=r"R5\.4"):
        replay_file(changed)


def test_a_record_with_too_few_players(path: Path, tmp_path: Path) -> None:
    value = read_json(path)
    value["players"] = value["players"][:2]
    changed = tmp_path / "game.json"
    changed.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(UnreadableRecord, match="players"):
        replay_file(changed)


def test_a_game_that_has_just_begun() -> None:
    found = outcome(Game.new("18NewEngland", 3))
    assert [line.score for line in found.standings] == [400, 400, 400]
    assert not found.finished
