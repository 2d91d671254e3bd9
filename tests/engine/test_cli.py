"""The command line, mostly as its users start it: in a process of its own."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from google.protobuf.json_format import MessageToDict

import samples
from engine.cli import output
from engine.cli.answering import Answerer, Outcome
from engine.cli.app import run as run_here
from engine.cli.app import trunkline
from engine.cli.batch import answers
from engine.cli.documents import solution_document, verdict_document
from engine.cli.lines import MAX_LINE, Line
from engine.cli.problems import problem_from_json
from engine.cli.requests import Settings
from router import convert
from router.check import check
from router.client import local
from router.problem import RouteProblem
from router.v1 import problem_pb2
from router.warm import kernel_folder
from support import PROJECT

COMMAND = [sys.executable, "-m", "engine.cli"]
COMMANDS = ("solve", "check", "map", "replay", "play", "serve", "warm", "doctor")

NIKOLAEV: dict[str, Any] = {
    "game": "1861",
    "players": 4,
    "company": "N",
    "phase": "2",
    "tokens": [
        {"hex": "H8", "city": 1, "slot": 0, "company": "N"},
        {"hex": "H8", "city": 0, "slot": 0, "company": "M-K"},
    ],
    "trains": [{"id": "2-0", "name": "2"}],
}
ROUTE = {"train": "2-0", "connections": [["H8", "G7", "G5"], ["G5", "F4", "F2", "E1"]]}
LINE = MessageToDict(convert.problem_to_proto(samples.line()))


def run(*arguments: str, given: bytes | str = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    found = subprocess.run(
        [*COMMAND, *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=PROJECT,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )
    assert b"Traceback" not in found.stderr, found.stderr.decode()
    assert b"unexpected" not in found.stderr, found.stderr.decode()
    return found


def lines(found: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.stdout.splitlines()]


def answer(value: object, command: Any = "solve", **settings: Any) -> Outcome:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Answerer(Settings(command, **settings))(Line(1, data))


def faults(outcome: Outcome) -> dict[str, str]:
    assert outcome.code == 2
    return {fault["field"]: fault["why"] for fault in outcome.document["error"]["faults"]}


# help and version


@pytest.mark.parametrize("arguments", [(), *((name,) for name in COMMANDS)])
def test_help_is_light(arguments: tuple[str, ...]) -> None:
    code = (
        "import sys, time; begun = time.process_time(); from engine.cli.app import run; "
        f"code = run([*{arguments!r}, '--help']); took = time.process_time() - begun; "
        "heavy = {'numba', 'numpy', 'ortools', 'grpc', 'google', 'networkx', 'rich'} & set(sys.modules); "
        "print(code, sorted(heavy), took, file=sys.stderr)"
    )
    best = 99.0
    for _ in range(3):
        found = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, cwd=PROJECT, check=True, timeout=60
        )
        exit_code, heavy, took = found.stderr.decode().rsplit("\n", 2)[-2].split(" ", 2)
        assert (exit_code, heavy) == ("0", "[]")
        assert found.stdout.startswith(b"Usage: trunkline")
        best = min(best, float(took))
        if best < 0.5:
            return
    pytest.fail(f"--help took {best} s")


def test_all_commands_are_listed() -> None:
    found = run("--help")
    assert found.returncode == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in found.stdout.decode()] == []


def test_version() -> None:
    found = run("--version")
    assert found.returncode == 0
    assert found.stdout.decode().startswith("trunkline ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve",),
        ("fly",),
        ("solve", "-", "--jobs", "-1"),
        ("solve", "-", "--objective", "fame"),
        ("solve", "-", "--time-limit", "0"),
        ("solve", "-", "--time-limit", "nan"),
        ("solve", "-", "--alternatives", "101"),
        ("serve", "--port", "99999"),
        ("serve", "--log-level", "loud"),
    ],
)
def test_wrong_options(arguments: tuple[str, ...]) -> None:
    found = run(*arguments)
    assert found.returncode == 2
    assert b"Error: " in found.stderr
    assert not found.stdout


# solve and check


def test_solve_a_position() -> None:
    found = run("solve", "-", given=json.dumps({"id": "x", "position": NIKOLAEV}))
    (document,) = lines(found)
    assert found.returncode == 0
    assert not found.stderr
    assert (document["id"], document["status"], document["revenue"], document["bound"]) == (
        "x",
        "OPTIMAL",
        80,
        80,
    )
    assert document["routes"][0]["hexes"] in (["E1", "G5", "H8"], ["H8", "G5", "E1"])


def test_a_bare_position_is_called_by_its_line() -> None:
    assert answer(NIKOLAEV).document["id"] == "1"
    assert answer({"id": "mine", **NIKOLAEV}).document["id"] == "mine"


def test_solve_a_problem() -> None:
    problem = samples.line()
    expected = solution_document(local().solve(problem), "p")
    expected["stats"] = dict(sorted(expected["stats"].items()))
    assert answer({"id": "p", "problem": LINE}).document == expected
    assert answer(LINE).document == {**expected, "id": "line"}
    assert expected["revenue"] == 60


def test_a_file_may_hold_one_object_over_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"position": NIKOLAEV}, indent=2), encoding="utf-8")
    found = run("solve", str(path))
    assert [document["revenue"] for document in lines(found)] == [80]


def test_fixed_routes_are_kept() -> None:
    position = {
        **NIKOLAEV,
        "trains": [{"id": "2-0", "name": "2"}, {"id": "2-1", "name": "2"}],
        "tiles": [{"hex": "H10", "tile": "58", "rotation": 3}],
    }
    document = answer({"position": position, "fixedRoutes": [ROUTE]}).document
    assert document["status"] == "OPTIMAL"
    assert {route["train"] for route in document["routes"]} >= {"2-0"}
    again = answer({"position": position, "fixedRoutes": [{**ROUTE, "train": "9-9"}]})
    assert list(faults(again)) == ["fixedRoutes[0]"]


def test_fixed_routes_of_a_problem() -> None:
    fixed = [{"train": "1", "nodes": ["a", "b"], "segments": ["ab"]}]
    document = answer({"problem": LINE, "fixedRoutes": fixed}).document
    assert (document["revenue"], document["status"]) == (30, "OPTIMAL")
    wrong = answer({"problem": LINE, "fixedRoutes": [{**fixed[0], "segments": ["bc"]}]})
    assert set(faults(wrong)) == {"fixedRoutes[0]"}


def test_what_a_line_says_goes_before_the_options() -> None:
    asked = {"problem": LINE, "alternatives": 1, "objective": "total", "timeLimit": "2.5s"}
    assert len(answer(asked).document["alternatives"]) == 1
    assert len(answer({"problem": LINE}, alternatives=1).document["alternatives"]) == 1
    assert answer({**asked, "alternatives": 0}, alternatives=1).document["alternatives"] == []
    assert faults(
        answer({"problem": LINE, "alternatives": -1, "objective": "fame", "timeLimit": 0, "fixedRoute": []})
    ).keys() == {"alternatives", "objective", "timeLimit", "fixedRoute"}


def test_a_time_limit_gives_a_bound() -> None:
    problem = MessageToDict(convert.problem_to_proto(samples.grid(7, 6, 20)))
    begun = time.monotonic()
    outcome = answer({"problem": problem}, time_limit=0.2)
    assert time.monotonic() - begun < 30
    assert outcome.document["status"] in ("FEASIBLE", "OPTIMAL")
    assert outcome.document["bound"] >= outcome.document["revenue"]
    assert outcome.code == (0 if outcome.document["status"] == "OPTIMAL" else 1)


def test_remarks_on_a_line_are_not_looked_at() -> None:
    assert answer({"position": NIKOLAEV, "recorded": 1, "repriced": [], "expected": {}}).code == 0


def test_check() -> None:
    legal = {"id": "good", "position": NIKOLAEV, "routes": [ROUTE]}
    illegal = {"id": "bad", "position": NIKOLAEV, "routes": [ROUTE, {**ROUTE, "train": "2-9"}]}
    found = run("check", "-", given=f"{json.dumps(legal)}\n{json.dumps(illegal)}\n")
    first, second = lines(found)
    assert found.returncode == 1
    assert (first["id"], first["legal"], first["revenue"], first["violations"]) == ("good", True, 80, [])
    assert (second["id"], second["legal"], second["revenue"]) == ("bad", False, 0)
    assert {it["code"] for it in second["violations"]} >= {"UNKNOWN_TRAIN"}
    assert run("check", "-", given=json.dumps(legal)).returncode == 0


def test_check_a_problem() -> None:
    routes = [{"train": "1", "nodes": ["a", "b"], "segments": ["ab"]}]
    document = answer({"id": "r", "problem": LINE, "routes": routes}, "check").document
    verdict = check(samples.line(), convert.routes_from_proto(convert.routes_to_proto([])))
    assert document["revenue"] == 30
    assert verdict_document(verdict, "r").keys() == document.keys()


# bad input


def test_bad_lines_lose_no_work() -> None:
    good = json.dumps({"id": "good", "position": NIKOLAEV})
    bad = json.dumps({"id": "bad", "position": {**NIKOLAEV, "company": "XX", "phase": "99"}})
    found = run("solve", "-", given=f"{good}\n\nnonsense\n{bad}\n[1]\n{good}\n")
    documents = lines(found)
    assert found.returncode == 2
    assert [document["id"] for document in documents] == ["good", "3", "bad", "5", "good"]
    assert [document.get("revenue") for document in documents] == [80, None, None, None, 80]
    error = documents[2]["error"]
    assert (error["code"], error["line"]) == ("BAD_INPUT", 4)
    assert [fault["field"] for fault in error["faults"]] == ["position.company", "position.phase"]
    told = found.stderr.decode().splitlines()
    assert len(told) == 4
    assert told[0].startswith("trunkline: standard input: line 3: is no JSON at column 1")
    assert told[1].startswith(
        "trunkline: standard input: line 4 ('bad'): position.company: 'XX' is no company"
    )
    assert told[2].startswith("trunkline: standard input: line 4 ('bad'): position.phase: ")
    assert told[3].startswith("trunkline: standard input: line 5: holds no object")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "holds no lines"),
        (b"\n \r\n\t\n", "holds no lines"),
        (b"\x7fELF\x00\x01", "is a binary file"),
        (gzip.compress(b"{}", mtime=0), "is compressed with gzip"),
        ("{}".encode("utf-16"), "is UTF-16 text"),
        (b'{"id": "\xff"}', "is no UTF-8 text: byte 0xff at byte 9"),
        (b'{"a":' + b"[" * 50_000, "is nested too deeply"),
        (b'{"position": ' + b"9" * 5000 + b"}", "holds a number of too many digits"),
        (b'{"position": NaN}', "holds NaN"),
        (b'{"id": "a", "id": "b"}', "is given twice"),
        (b'{"id":"' + b"x" * MAX_LINE + b'"}\n', f"is longer than {MAX_LINE} bytes"),
        (b"{\n" + b" " * MAX_LINE + b"\n}", "begins an object of more than"),
    ],
    ids=lambda it: repr(it[:20]),
)
def test_input_that_is_no_text(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(data)
    for command in ("solve", "check"):
        found = run(command, str(path))
        assert found.returncode == 2
        assert why in found.stderr.decode()


def test_work_goes_on_after_a_huge_line() -> None:
    good = json.dumps({"position": NIKOLAEV}).encode()
    found = run("solve", "-", given=b'"' + b"x" * (MAX_LINE + 10) + b'"\n' + good)
    assert [("error" in document, document["id"]) for document in lines(found)] == [(True, "1"), (False, "2")]


def test_marks_of_other_systems() -> None:
    text = json.dumps({"id": "ü", "position": NIKOLAEV}, ensure_ascii=False)
    found = run("solve", "-", given=b"\xef\xbb\xbf" + f"{text}\r\n{text}\r\n".encode())
    assert [(document["id"], document["revenue"]) for document in lines(found)] == [("ü", 80)] * 2
    assert found.stdout.isascii()


def test_places_that_hold_no_input(tmp_path: Path) -> None:
    for place, why in (
        (tmp_path / "none.jsonl", "No such file"),
        (tmp_path, "is a directory"),
        ("a\x00b", "null"),
    ):
        if "\x00" in str(place):
            assert run_here(["solve", str(place)]) == 2
            continue
        for command in ("solve", "check", "map"):
            found = run(command, str(place))
            assert found.returncode == 2
            assert why in found.stderr.decode()


def test_ids_reach_no_terminal_unescaped() -> None:
    found = run("solve", "-", given='{"id":"\\u001b[31m\\ud800","position":{}}\n', PYTHONIOENCODING="ascii")
    assert found.returncode == 2
    assert b"\x1b" not in found.stdout + found.stderr
    assert found.stderr.isascii()


def test_unsupported_is_said(tmp_path: Path) -> None:
    outcome = answer({"position": NIKOLAEV}, server="")
    assert outcome.code == 0
    huge = {"problem": MessageToDict(convert.problem_to_proto(samples.vocabulary()))}
    document = answer(huge).document
    assert document.get("error", {}).get("code", "UNSUPPORTED") == "UNSUPPORTED"


# pipes and signals


def test_a_broken_pipe_is_quiet() -> None:
    text = json.dumps({"position": NIKOLAEV}) + "\n"
    process = subprocess.Popen(
        [*COMMAND, "solve", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(text.encode())
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"{")
    process.stdout.close()
    process.stdin.write(text.encode() * 3)
    process.stdin.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_said() -> None:
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(
            [*COMMAND, "solve", "-"],
            input=json.dumps({"position": NIKOLAEV}).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            timeout=60,
            check=False,
        )
    assert found.returncode == 2
    assert found.stderr.decode() == "trunkline: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(jobs: str) -> None:
    text = json.dumps({"position": NIKOLAEV}) + "\n"
    process = subprocess.Popen(
        [*COMMAND, "solve", "-", "--jobs", jobs],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
        start_new_session=True,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(text.encode() * 40)
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"{")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(60) == 130
    assert process.stderr.read() == b"trunkline: interrupted\n"
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


# worker processes and sameness


def test_jobs_keep_the_order() -> None:
    requests = [{"id": f"r{number}", "problem": LINE} for number in range(40)]
    requests[7] = {"id": "r7", "problem": {"nodes": [{}]}}
    text = "".join(json.dumps(request) + "\n" for request in requests)
    alone, together = run("solve", "-", given=text), run("solve", "-", "--jobs", "2", given=text)
    assert together.stdout == alone.stdout
    assert together.stderr == alone.stderr
    assert together.returncode == alone.returncode == 2
    assert [document["id"] for document in lines(together)] == [f"r{number}" for number in range(40)]


def test_a_dead_worker_loses_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    deadly = Line(2, b'{"id":"deadly"}')
    good = json.dumps({"id": "good", "problem": LINE}).encode()
    monkeypatch.setattr("engine.cli.batch._answer", _die)
    found = list(answers([Line(1, good), deadly, Line(3, good)], Settings("solve"), 2))
    assert [outcome.document["id"] for outcome in found] == ["good", "deadly", "good"]
    assert [outcome.code for outcome in found] == [0, 2, 0]
    assert "was killed" in found[1].complaints[0]


def _die(line: Line) -> Outcome:
    if b"deadly" in line.data:
        os._exit(1)
    return Answerer(Settings("solve"))(line)


def shuffled(position: dict[str, Any], seed: int) -> dict[str, Any]:
    order = random.Random(seed)
    found = {name: list(it) if isinstance(it, list) else it for name, it in position.items()}
    for name in ("tiles", "tokens", "trains", "hexBonuses"):
        order.shuffle(found.get(name, []))
    keys = list(found)
    order.shuffle(keys)
    return {name: found[name] for name in keys}


def demo() -> list[dict[str, Any]]:
    text = (PROJECT / "examples/demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_same_bytes_for_20_repeats_and_shuffled_lists() -> None:
    for request in demo():
        kinds = {"problem", "position"} & request.keys()
        answers_seen = set()
        for seed in range(20):
            asked = dict(request)
            if kinds == {"position"}:
                asked["position"] = shuffled(request["position"], seed) if seed else request["position"]
            answers_seen.add(output.dumps(answer(asked, alternatives=2).document))
        assert len(answers_seen) == 1, request["id"]


def test_same_bytes_for_all_hash_seeds_and_processes() -> None:
    path = "examples/demo.jsonl"
    found = {
        run("solve", path, "--alternatives", "2", *more, PYTHONHASHSEED=seed).stdout
        for seed, more in (("0", ()), ("1", ("--jobs", "2")), ("4711", ()))
    }
    here = "".join(output.dumps(answer(request, alternatives=2).document) + "\n" for request in demo())
    assert found == {here.encode()}


# the form of problems


@pytest.mark.parametrize("problem", [samples.line(), samples.grid(3, 2, 4), samples.vocabulary()])
def test_problems_are_read_as_protocol_buffers_read_them(problem: RouteProblem) -> None:
    message = convert.problem_to_proto(problem)
    assert problem_from_json(MessageToDict(message)) == problem
    assert problem_from_json(MessageToDict(message, preserving_proto_field_name=True)) == problem
    numbers = MessageToDict(message, use_integers_for_enums=True)
    assert problem_from_json(numbers) == problem


def test_every_field_of_a_problem_is_known() -> None:
    from engine.cli import problems

    def fields(name: str) -> set[str]:
        return {field.json_name for field in problem_pb2.DESCRIPTOR.message_types_by_name[name].fields}

    assert fields("RouteProblem") == set(problems._PROBLEM)
    assert fields("Node") == set(problems._NODE)
    assert fields("Hex") == set(problems._HEX)
    assert fields("Segment") == set(problems._SEGMENT)
    assert fields("Train") == set(problems._TRAIN)
    assert fields("Limit") == set(problems._LIMIT)
    for name, known in (("Term", problems._TERMS), ("Condition", problems._CONDITIONS)):
        assert fields(name) == set(known)
        for kind, inner in known.items():
            assert fields(kind[0].upper() + kind[1:]) == set(inner)


def test_all_faults_of_a_problem_are_named() -> None:
    problem = {
        **LINE,
        "nodes": [*LINE["nodes"], {"id": "z", "kind": "village", "hex": 4, "value": -1, "countAs": "a"}],
        "segments": [
            *LINE["segments"],
            {"id": "zz", "a": "a", "b": "nowhere", "track": ["t"], "hexes": ["ha"]},
        ],
        "trains": [
            {"id": "1", "kind": "2", "maxEdges": "many", "visit": [{"kinds": ["city"], "most": True}]}
        ],
        "trackScope": "galaxy",
    }
    found = faults(answer({"problem": problem}))
    for field in (
        "problem.nodes[4].kind",
        "problem.nodes[4].hex",
        "problem.nodes[4].value",
        "problem.nodes[4].countAs",
        "problem.segments[3].b",
        "problem.trains[0].maxEdges",
        "problem.trains[0].visit[0].most",
        "problem.trackScope",
    ):
        assert field in found, (field, found)


# tables, map, doctor, warm, serve


def test_tables() -> None:
    good, bad = {"id": "good", "position": NIKOLAEV}, {"id": "bad", "position": {}}
    found = run("solve", "-", "--table", given=f"{json.dumps(good)}\n{json.dumps(bad)}")
    text = found.stdout.decode()
    assert "optimal" in text and "= 80" in text and "bad input" in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    found = run("check", "-", "--table", given=json.dumps({**good, "routes": [{**ROUTE, "train": "7"}]}))
    assert "illegal" in found.stdout.decode() and "UNKNOWN_TRAIN" in found.stdout.decode()


def test_table_on_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"id": "one", "position": NIKOLAEV}), encoding="utf-8")
    parent, child = pty.openpty()
    process = subprocess.Popen([*COMMAND, "solve", str(path)], stdout=child, stderr=child, cwd=PROJECT)
    os.close(child)
    text = b""
    while True:
        try:
            data = os.read(parent, 4096)
        except OSError:
            break
        if not data:
            break
        text += data
    os.close(parent)
    assert process.wait(60) == 0
    assert b"optimal" in text and b"one" in text and not text.startswith(b"{")


def test_progress_is_shown_beside_the_answers(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path, answered = tmp_path / "many.jsonl", tmp_path / "answers.jsonl"
    path.write_text((json.dumps({"position": NIKOLAEV}) + "\n") * 50, encoding="utf-8")
    code = (
        "import sys; from engine.cli import output; output.SOON = 0.0; "
        f"from engine.cli.app import run; sys.exit(run(['solve', {str(path)!r}]))"
    )
    parent, child = pty.openpty()
    with answered.open("wb") as stdout:
        process = subprocess.Popen([sys.executable, "-c", code], stdout=stdout, stderr=child, cwd=PROJECT)
    os.close(child)
    shown = b""
    while True:
        try:
            data = os.read(parent, 4096)
        except OSError:
            break
        shown += data
        if not data:
            break
    os.close(parent)
    assert process.wait(60) == 0
    assert b" lines" in shown and b"OPTIMAL" not in shown
    assert len(answered.read_bytes().splitlines()) == 50


def test_map(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    good = {"id": "good", "position": NIKOLAEV}
    given = {"id": "given", "position": NIKOLAEV, "routes": [ROUTE]}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(given)}\n", encoding="utf-8")
    best = run("map", str(path), "--svg").stdout
    assert best.startswith(b"<svg") and b"revenue 80" in best
    drawn = run("map", str(path), "--id", "given").stdout
    assert b"revenue 80" in drawn and drawn.count(b"<path") == best.count(b"<path")
    assert b"revenue" not in run("map", str(path), "--routes", "none").stdout
    target = tmp_path / "map.svg"
    assert run("map", str(path), "-o", str(target)).returncode == 0
    assert target.read_bytes() == best
    for arguments, why in (
        (("--id", "other"), "holds no line with the id 'other'"),
        (("--routes", "given"), "routes: is missing"),
        (("-o", str(tmp_path)), "Is a directory"),
    ):
        found = run("map", str(path), *arguments)
        assert found.returncode == 2
        assert why in found.stderr.decode()
    wrong = run("map", "-", given=json.dumps({"position": {**NIKOLAEV, "phase": "0"}}))
    assert wrong.returncode == 2
    assert "line 1: position.phase: '0' is no phase" in wrong.stderr.decode()


def test_map_of_an_illegal_run() -> None:
    line = {"position": NIKOLAEV, "routes": [{**ROUTE, "train": "7-7"}]}
    found = run("map", "-", given=json.dumps(line))
    assert found.returncode == 0
    assert found.stdout.startswith(b"<svg")
    assert "not legal: route 0: UNKNOWN_TRAIN" in found.stderr.decode()


def test_doctor_and_warm() -> None:
    found = run("doctor")
    (document,) = lines(found)
    assert found.returncode == 0, document
    assert document["ok"]
    assert all(test["ok"] for test in document["selfTest"].values())
    assert document["packages"]["numba"] != "missing"
    assert document["kernelCache"]["folder"] == kernel_folder()
    assert "python" in run("doctor", "--table").stdout.decode()
    (document,) = lines(run("warm"))
    assert document["ready"]


def test_serve_and_solve_over_it() -> None:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=PROJECT,
        text=True,
    )
    assert process.stdout
    try:
        address = ""
        for line in process.stdout:
            if "serving" in line and "address" in line:
                address = json.loads(line)["address"]
                break
        assert address
        found = run("solve", "examples/demo.jsonl", "--server", address)
        assert found.returncode == 0, found.stderr
        assert found.stdout == run("solve", "examples/demo.jsonl").stdout
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        process.stdout.close()


def test_a_server_that_is_not_there() -> None:
    text = (json.dumps({"problem": LINE}) + "\n") * 10
    begun = time.monotonic()
    found = run("solve", "-", "--server", "localhost:1", given=text)
    assert time.monotonic() - begun < 60
    assert found.returncode == 2
    assert {document["error"]["code"] for document in lines(found)} == {"UNAVAILABLE"}
    assert len(lines(found)) == 10


def test_a_taken_port_is_said() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = run("serve", "--port", str(taken.getsockname()[1]))
    assert found.returncode == 2
    assert b"cannot listen" in found.stderr


def test_the_command_group_is_complete() -> None:
    assert set(COMMANDS) <= set(trunkline.commands)
    assert CliRunner().invoke(trunkline, ["--version"]).exit_code == 0
