"""``trunkline replay`` and ``trunkline play``: what they print and write, exit codes, no traceback."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.cli.app import run as run_here
from support import PROJECT, read_json, read_jsonl

COMMAND = [sys.executable, "-m", "engine.cli"]
PLAYED = ("--game", "18NewEngland", "--players", "3", "--seed", "7")
SHARED_GAMES = ("18NewEngland/73885", "1861/29683", "1861/random-2p_column_market_6502")


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def started(*arguments: object) -> Said:
        code = run_here([str(it) for it in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert "unexpected" not in err, err
        return Said(code, out, err)

    return started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def game(folder: Path) -> Path:
    """A game that a bot has played."""
    path = folder / "game.json"
    assert run_here(["play", *PLAYED, "--out", str(path), "--json"]) == 0
    return path


@pytest.fixture(scope="module")
def trace(folder: Path, game: Path) -> Path:
    path = folder / "trace.jsonl"
    assert run_here(["replay", str(game), "--trace", str(path), "--json"]) == 0
    return path


def changed(path: Path, to: Path, change: Callable[[Any], object]) -> Path:
    value = read_json(path)
    change(value)
    to.write_text(json.dumps(value), encoding="utf-8")
    return to


def test_a_played_game_replays_to_its_result(run: Run, game: Path) -> None:
    told = read_json(game)
    found = run("replay", game, "--json")
    assert (found.code, found.err) == (0, "")
    document = found.document
    assert document["finished"]
    assert document["asRecorded"]
    assert document["differences"] == []
    assert document["leniencies"] == []
    assert document["runs"] == sum(action["type"] == "run_routes" for action in told["actions"]) > 20
    assert {str(line["id"]): line["score"] for line in document["standings"]} == told["result"]
    assert document["reason"] == document["recordedReason"] == told["game_end_reason"]
    assert document["actions"] == len(told["actions"])


def test_the_table(run: Run, game: Path) -> None:
    found = run("replay", game)
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    told = read_json(game)
    assert lines[0].startswith(f"18NewEngland, game 7: {len(told['actions'])} actions, ended in ")
    assert lines[0].endswith(f"({told['game_end_reason']})")
    assert lines[1].split() == ["player", "score", "recorded", "cash", "shares"]
    rows = [line for line in lines if line.startswith(" Player")]
    assert [line.split()[2] for line in rows] == [str(score) for score in told["result"].values()]
    assert [line.split()[2] for line in rows] == [line.split()[3] for line in rows]
    assert "scores and end as recorded" in lines
    assert lines[-1].endswith("runs judged and priced; nothing against the rules")


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_the_same_seed_plays_the_same_game(folder: Path, game: Path, run: Run, bot: str) -> None:
    if bot == "random":
        found = run("play", *PLAYED, "--out", "-")
        assert (found.code, found.err) == (0, "")
        assert found.out == game.read_text(encoding="utf-8")
        return
    path = folder / "greedy.json.gz"
    played = run("play", *PLAYED, "--bot", bot, "--out", path, "--json")
    assert (played.code, played.err) == (0, "")
    again = run("replay", path, "--json")
    assert again.code == 0
    assert again.document["standings"] == played.document["standings"]
    assert played.document["finished"]


@pytest.mark.slow
def test_1861_with_an_option(folder: Path, run: Run) -> None:
    path = folder / "1861.json"
    played = run(
        "play", "--game", "1861", "--players", 2, "--option", "column_market", "--out", path, "--json"
    )
    assert (played.code, played.err) == (0, "")
    assert read_json(path)["settings"]["optional_rules"] == ["column_market"]
    again = run("replay", path, "--json")
    assert again.code == 0
    assert again.document["standings"] == played.document["standings"]


def test_the_trace(run: Run, game: Path, trace: Path, tmp_path: Path) -> None:
    lines = list(read_jsonl(trace))
    assert (lines[0]["action"], lines[0]["type"]) == (None, "setup")
    assert len(lines) == len(read_json(game)["actions"]) + 1
    packed = tmp_path / "trace.jsonl.gz"
    assert run("replay", game, "--trace", packed).code == 0
    assert gzip.decompress(packed.read_bytes()) == trace.read_bytes()
    found = run("replay", game, "--to", 20, "--trace", "-")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines() == trace.read_text(encoding="utf-8").splitlines()[:21]


def test_up_to_an_action(run: Run, game: Path) -> None:
    document = run("replay", game, "--to", 18, "--json").document
    assert (document["finished"], document["actions"]) == (False, 18)
    assert document["asRecorded"] is None
    assert run("replay", game, "--to", 0, "--json").document["actions"] == 0
    table = run("replay", game, "--to", 18)
    assert table.code == 0
    assert "18 actions, not finished, in " in table.out
    assert "recorded" not in table.out
    found = run("replay", game, "--to", 100_000)
    assert (found.code, found.out) == (2, "")
    assert "action 100000 is not in the record; the last one that was not undone is" in found.err


def test_an_action_that_was_undone(run: Run, game: Path, tmp_path: Path) -> None:
    def undo(value: Any) -> None:
        kept = value["actions"][:10]
        number = kept[-1]["id"]
        player = value["players"][0]["id"]
        value["actions"] = [
            *kept,
            {"type": "undo", "id": number + 1, "entity": player, "entity_type": "player"},
        ]
        value["status"] = "active"

    path = changed(game, tmp_path / "undone.json", undo)
    assert run("replay", path, "--json").document["actions"] == 9
    found = run("replay", path, "--to", 10)
    assert found.code == 2
    assert "action 10 was undone; the last one that was not undone is 9" in found.err


def test_as_in_the_trace(run: Run, game: Path, trace: Path) -> None:
    found = run("replay", game, "--verify", trace, "--json")
    assert found.code == 0
    verification = found.document["verification"]
    assert verification["divergence"] is None
    assert verification["values"] > 10_000
    assert verification["actions"] == len(read_json(game)["actions"])
    found = run("replay", game, "--verify", trace, "--to", 30)
    assert found.code == 0
    assert "after set-up and 30 actions" in found.out


def test_the_first_difference(run: Run, game: Path, trace: Path, tmp_path: Path) -> None:
    lines = list(read_jsonl(trace))
    got = next(line["diff"]["bank"] for line in reversed(lines[:41]) if "bank" in line["diff"])
    lines[40]["diff"]["bank"] = 1
    lines[60]["diff"]["bank"] = 2
    path = tmp_path / "other.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    found = run("replay", game, "--verify", path)
    assert found.code == 1
    action = lines[40]["action"]
    told = f"not as in the trace, first after action {action}: bank: expected 1, got {got}"
    assert told in found.out.splitlines()
    document = run("replay", game, "--verify", path, "--json").document
    assert document["verification"]["divergence"] == {
        "action": action,
        "key": "bank",
        "expected": 1,
        "got": got,
    }
    silent = run("replay", game, "--verify", path, "--to", 40, "--trace", "-")
    assert silent.code == 1
    assert len(silent.out.splitlines()) == 41
    assert silent.err == f"trunkline: {told}\n"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines[:21]), encoding="utf-8")
    short = run("replay", game, "--verify", path)
    assert short.code == 1
    assert "first after action 21: action: expected null, got 21" in short.out


def test_another_result_than_recorded(run: Run, game: Path, tmp_path: Path) -> None:
    def change(value: Any) -> None:
        value["result"]["2"] += 5
        value["game_end_reason"] = "dnf"

    path = changed(game, tmp_path / "other.json", change)
    told = read_json(path)["result"]["2"]
    found = run("replay", path)
    assert found.code == 1
    assert f"not as recorded: score of player 2: expected {told}, got {told - 5}" in found.out
    assert 'not as recorded: reason: expected "dnf", got ' in found.out
    assert "as recorded\n" not in found.out
    path = changed(game, tmp_path / "short.json", lambda value: value["actions"].pop())
    found = run("replay", path)
    assert found.code == 1
    assert "not as recorded: finished: expected true, got false" in found.out


def test_a_refused_action(run: Run, game: Path, trace: Path, tmp_path: Path) -> None:
    tile = next(it for it in read_json(game)["actions"] if it["type"] == "lay_tile")

    def change(value: Any) -> None:
        value["actions"][tile["id"] - 1]["tile"] = "58-77"

    path = changed(game, tmp_path / "other.json", change)
    out = tmp_path / "trace.jsonl"
    found = run("replay", path, "--verify", trace, "--trace", out)
    assert (found.code, found.err) == (1, "")
    assert f"action {tile['id']} (lay_tile) is refused: {tile['entity']}: " in found.out
    assert "not finished" in found.out
    assert f"after set-up and {tile['id'] - 1} actions" in found.out
    assert len(out.read_text(encoding="utf-8").splitlines()) == tile["id"]
    document = run("replay", path, "--json").document
    assert document["refused"]["rule"] == "00-common R5.4"
    assert document["refused"]["action"] == document["actions"] + 1 == tile["id"]


def test_a_run_of_another_price_is_told(run: Run, game: Path, tmp_path: Path) -> None:
    first = next(
        it for it in read_json(game)["actions"] if it["type"] == "run_routes" and it["routes"][0]["revenue"]
    )

    def change(value: Any) -> None:
        value["actions"][first["id"] - 1]["routes"][0]["revenue"] += 10

    path = changed(game, tmp_path / "other.json", change)
    found = run("replay", path, "--to", first["id"])
    assert found.code == 0
    assert "1 run judged and priced; the record is believed against a rule 1 time:" in found.out
    assert f"  action {first['id']}: {first['entity']}: the run brings " in found.out
    document = run("replay", path, "--to", first["id"], "--json").document
    assert len(document["leniencies"]) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty; expected a recorded game"),
        ("{", "is no JSON at column 2"),
        ("[1]", "holds no object"),
        ("\x00\x01", "is no JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ("{}", "title is missing"),
        ('{"title": "1861"}', "players is missing"),
        ('{"title": "1861", "players": [{"id": 1}]}', "actions is missing"),
        (
            '{"title": "1861", "players": [{"id": 1}], "actions": [3]}',
            "actions[0] is int; expected an object",
        ),
        ('{"title": "1861", "players": [{"id": 1}], "actions": []}', "players"),
        (
            '{"title": "1862", "players": [{"id": 1}], "actions": []}',
            "'1862' cannot be played yet; games that can be played: 1861, 18NewEngland",
        ),
        ('{"title": "1830", "players": [{"id": 1}], "actions": []}', "'1830' is no game; games that can be"),
    ],
)
def test_bad_records(run: Run, tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    found = run("replay", path)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"trunkline: {path}: ")
    assert why in found.err


def test_other_bad_files(run: Run, game: Path, tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none", "No such file"), (tmp_path, "is a directory")):
        for arguments in ((path,), (game, "--verify", path)):
            found = run("replay", *arguments)
            assert (found.code, found.out) == (2, "")
            assert why in found.err
    packed = tmp_path / "bad.json.gz"
    packed.write_bytes(gzip.compress(game.read_bytes())[:1000])
    found = run("replay", packed)
    assert found.code == 2
    assert "cannot be unpacked" in found.err
    for path in (tmp_path, tmp_path / "none" / "out.json"):
        assert run("replay", game, "--trace", path).code == 2
        assert run("play", *PLAYED, "--out", path).code == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no lines of a trace"),
        ("{}", "line 1: is no line of a trace"),
        ('{"action": true, "type": "pass", "diff": {}}', "line 1: is no line of a trace"),
        ('\n{"action": null, "diff": []}', "line 2: is no line of a trace"),
        ("x", "line 1: is no JSON"),
    ],
)
def test_bad_traces(run: Run, game: Path, tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    found = run("replay", game, "--verify", path)
    assert (found.code, found.out) == (2, "")
    assert f"{path}: {why}" in found.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--game", "1862"), "'1862' cannot be played yet; games that can be played: 1861, 18NewEngland"),
        (("--game", "1830"), "'1830' is no game"),
        (("--game", "1861", "--players", "9"), "players"),
        (("--game", "1861", "--option", "none"), "none"),
        (("--game", "1861", "--bot", "clever"), "--bot"),
        (("--game", "1861", "--seed", "-1"), "--seed"),
        ((), "--game"),
    ],
)
def test_bad_options_of_play(run: Run, arguments: tuple[str, ...], why: str) -> None:
    found = run("play", *arguments)
    assert (found.code, found.out) == (2, "")
    assert why in found.err


def test_a_pipe_of_processes(game: Path) -> None:
    found = subprocess.run(
        [*COMMAND, "replay", "-", "--json"],
        input=game.read_bytes(),
        capture_output=True,
        cwd=PROJECT,
        timeout=120,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert json.loads(found.stdout)["asRecorded"]


@pytest.mark.parametrize("name", SHARED_GAMES)
def test_recorded_games(run: Run, shared: Path, name: str) -> None:
    found = run(
        "replay",
        shared / "games" / f"{name}.json",
        "--verify",
        shared / "traces" / f"{name}.jsonl.gz",
        "--json",
    )
    assert (found.code, found.err) == (0, "")
    assert found.document["asRecorded"]
    assert found.document["verification"]["divergence"] is None
    assert found.document["verification"]["values"] > 10_000
