"""The documents that show commands and code show what these really print.

``python tests/test_readme.py`` writes the outputs of today into the documents.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "docs/audit.md", "docs/cli.md", "examples/README.md")
PICTURE = "<svg"

CONSOLE = re.compile(r"```console\n\$ (.+?)\n(.*?)```\n", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```\n", re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def read(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def blocks(pattern: re.Pattern[str]) -> list[tuple[str, str, str]]:
    return [(name, *match.groups()) for name in DOCUMENTS for match in pattern.finditer(read(name))]


def printed(command: str) -> str:
    """Return what a command prints, complaints first, drawings left out.

    A folder below ``build`` that it writes to is not there before.
    """
    assert not re.search(r"[;&<>`]|\$\(", re.sub(r"'[^']*'", "", command)), command
    for folder in re.findall(r"--out (build/\S+)", command):
        shutil.rmtree(PROJECT / folder, ignore_errors=True)
    text = re.sub(r"(^|\| )trunkline\b", rf"\1{shlex.quote(sys.executable)} -m engine.cli", command)
    found = subprocess.run(
        ["sh", "-c", text],
        capture_output=True,
        cwd=PROJECT,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        timeout=120,
        check=False,
    )
    output = found.stdout.decode()
    if output.startswith(PICTURE):
        output = ""
    return (found.stderr.decode() + output).replace("\n```", "\n'''")


def evaluated(code: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    return output.getvalue()


@pytest.mark.parametrize(("name", "command", "output"), blocks(CONSOLE))
def test_commands(name: str, command: str, output: str) -> None:
    assert printed(command) == output, f"{name}: $ {command}"


@pytest.mark.parametrize(("name", "code", "output"), blocks(PYTHON))
def test_code(name: str, code: str, output: str) -> None:
    assert evaluated(code) == output, name


def test_there_is_something_to_test() -> None:
    assert len(blocks(CONSOLE)) >= 5
    assert len(blocks(PYTHON)) >= 2
    assert all(output for _, _, output in blocks(PYTHON))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links(name: str) -> None:
    missing = [
        link for link in LINK.findall(read(name)) if not (PROJECT / name).parent.joinpath(link).exists()
    ]
    assert missing == []


def test_make_targets() -> None:
    makefile = read("Makefile")
    for target in re.findall(r"\bmake ([a-z]+)", read("README.md")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert "trunkline solve examples/demo.jsonl" in makefile


def update() -> None:
    """Write the outputs of today."""
    for name in DOCUMENTS:
        text = read(name)
        text = CONSOLE.sub(lambda it: f"```console\n$ {it[1]}\n{printed(it[1])}```\n", text)
        text = PYTHON.sub(lambda it: f"```python\n{it[1]}```\n\n```text\n{evaluated(it[1])}```\n", text)
        (PROJECT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    update()
