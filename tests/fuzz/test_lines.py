"""Whatever a line holds, it is refused with the name of what is wrong: no crash, no hang, no traceback."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.answering import Answerer, Outcome
from engine.cli.lines import Line
from engine.cli.requests import Settings
from support import PROJECT


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"fuzz_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


made: Any = _load("malformed")
SOLVE = made.solve_cases()
CHECK = made.check_cases()
ODD = [case for base in (made.POSITION, made.PROBLEM) for case in made.odd_values(base)]
ODD_CHECK = [case for base in (made.CHECK_POSITION, made.CHECK_PROBLEM) for case in made.odd_values(base)]
NULLS = [case for base in (made.POSITION, made.PROBLEM) for case in made.nulls(base)]
NULLS_CHECK = [case for base in (made.CHECK_POSITION, made.CHECK_PROBLEM) for case in made.nulls(base)]
HUGE = list(made.huge())

SECONDS = 20.0
ANSWERERS = {name: Answerer(Settings(name)) for name in ("solve", "check")}  # type: ignore[arg-type]
BLOCK = 60


def answer(command: str, data: bytes) -> Outcome:
    begun = time.process_time()
    outcome = ANSWERERS[command](Line(3, data))
    assert time.process_time() - begun < SECONDS, data[:200]
    assert outcome.document.get("error", {}).get("code") != "INTERNAL", (data[:300], outcome.document)
    json.dumps(outcome.document)
    return outcome


def judge(command: str, case: Any) -> None:
    """Hold the complaint about a line against what is wrong with it."""
    outcome = answer(command, case.data)
    assert outcome.code == 2, (case.name, outcome.document)
    faults = outcome.document["error"]["faults"]
    assert faults, case.name
    assert all(fault["why"] and "\n" not in fault["why"] and len(fault["why"]) < 2000 for fault in faults)
    assert outcome.complaints and all(text.startswith("line 3") for text in outcome.complaints)
    if case.field:
        named = [fault["field"].replace("'", "") for fault in faults]
        # The field itself, or, where it makes its surroundings meaningless, one of these.
        assert any(it.startswith(case.field) for it in named) or any(
            it and case.field.startswith(it) for it in named
        ), (case.name, faults)


def blocks(cases: list[Any]) -> list[list[Any]]:
    return [cases[start : start + BLOCK] for start in range(0, len(cases), BLOCK)]


def run_all(command: str, cases: list[Any]) -> None:
    """Judge cases one by one and tell every one that fails."""
    failed = []
    for case in cases:
        try:
            judge(command, case)
        except AssertionError as error:
            failed.append(f"{case.name}: {error}")
    assert not failed, "\n\n".join(failed)


def test_there_are_many() -> None:
    assert len(SOLVE) > 1000 and len(CHECK) > 300 and len(ODD) > 200


@pytest.mark.parametrize("base", ["POSITION", "PROBLEM"])
def test_the_lines_are_right_to_begin_with(base: str) -> None:
    for command, name in (("solve", base), ("check", f"CHECK_{base}")):
        outcome = answer(command, json.dumps(getattr(made, name)).encode())
        error = outcome.document.get("error", {})
        if command == "solve" and base == "PROBLEM":
            # The problem uses every word of the vocabulary; the routes it asks to keep are no legal run.
            assert [fault["field"] for fault in error.get("faults", [])] == ["fixedRoutes[0]"], error
        else:
            assert not error, error


@pytest.mark.parametrize("cases", blocks(SOLVE), ids=lambda cases: cases[0].name)
def test_solve(cases: list[Any]) -> None:
    run_all("solve", cases)


@pytest.mark.parametrize("cases", blocks(CHECK), ids=lambda cases: cases[0].name)
def test_check(cases: list[Any]) -> None:
    run_all("check", cases)


@pytest.mark.parametrize("cases", blocks([*ODD]), ids=lambda cases: cases[0].name)
def test_odd_values(cases: list[Any]) -> None:
    for case in cases:
        outcome = answer("solve", case.data)
        if not case.field:
            assert outcome.code == 2, case.name


@pytest.mark.parametrize("cases", blocks([*ODD_CHECK]), ids=lambda cases: cases[0].name)
def test_odd_values_for_check(cases: list[Any]) -> None:
    for case in cases:
        assert answer("check", case.data).code == 2 or case.field, case.name


@pytest.mark.parametrize("case", HUGE, ids=lambda case: case.name)
def test_huge_lines(case: Any) -> None:
    judge("solve", case)


def test_nothing_at_all() -> None:
    """Null means the default; what has none is missing."""
    for command, cases in (("solve", NULLS), ("check", NULLS_CHECK)):
        for case in cases:
            outcome = answer(command, case.data)
            if case.field.rpartition(".")[2] in ("game", "company", "phase", "players", "hex", "position"):
                assert outcome.code == 2, case.name


def test_all_at_once(tmp_path: Path) -> None:
    """A file of malformed lines: one answer per line, in order, and every line is complained of."""
    cases = [case for case in SOLVE[::9] if b"\n" not in case.data]
    path = tmp_path / "malformed.jsonl"
    path.write_bytes(b"\n".join(case.data for case in cases) + b"\n")
    for more in ((), ("--jobs", "2")):
        found = subprocess.run(
            [sys.executable, "-m", "engine.cli", "solve", str(path), *more],
            capture_output=True,
            cwd=PROJECT,
            env={**os.environ},
            timeout=200,
            check=False,
        )
        assert found.returncode == 2
        assert b"Traceback" not in found.stderr
        documents = [json.loads(line) for line in found.stdout.splitlines()]
        assert [document["error"]["line"] for document in documents] == list(range(1, len(cases) + 1))
        for number in range(1, len(cases) + 1):
            assert f": line {number}".encode() in found.stderr


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300)
@given(st.sampled_from(["solve", "check"]), JSON)
def test_any_json(command: str, value: Any) -> None:
    assert answer(command, json.dumps(value).encode()).code == 2 or value == {}


@settings(max_examples=300)
@given(st.sampled_from(["solve", "check"]), st.binary(max_size=60))
def test_any_bytes(command: str, data: bytes) -> None:
    answer(command, data)


@settings(max_examples=400)
@given(st.data())
def test_any_value_anywhere(data: st.DataObject) -> None:
    command, base = data.draw(
        st.sampled_from(
            [
                ("solve", made.POSITION),
                ("solve", made.PROBLEM),
                ("check", made.CHECK_POSITION),
                ("check", made.CHECK_PROBLEM),
            ]
        )
    )
    path, _ = data.draw(st.sampled_from(list(made._places(base))))
    changed = made._with(base, path, data.draw(JSON))
    answer(command, json.dumps({**changed, "timeLimit": 1} if command == "solve" else changed).encode())


@settings(max_examples=300)
@given(st.sampled_from(["POSITION", "PROBLEM"]), st.data())
def test_any_byte_anywhere(base: str, data: st.DataObject) -> None:
    text = bytearray(json.dumps(getattr(made, base)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    answer("solve", bytes(text))
