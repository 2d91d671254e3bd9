"""The examples of docs/api.md work as printed."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engine.v1 import game_service_pb2
from router.service import statuses
from router.service.server import Server
from router.v1 import router_service_pb2
from support import PROJECT

PAGE = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"<!-- test: (\w+) -->\n```\w+\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)
ADDRESS = "127.0.0.1:50051"


def block(kind: str) -> str:
    (found,) = [text for name, text in BLOCKS if name == kind]
    return found


def test_buf_curl(server: Server, tmp_path: Path) -> None:
    buf = Path(sys.executable).parent / "buf"
    if not buf.exists():
        pytest.skip("buf is not installed beside this Python")
    (tmp_path / "request.json").write_text(block("request"), encoding="utf-8")
    text = block("curl").replace("\\\n", " ").replace(ADDRESS, server.address)
    command = shlex.split(text.replace("--schema proto", f"--schema {PROJECT / 'proto'}"))
    assert command[0] == "buf"
    found = subprocess.run(
        [str(buf), *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    answer, printed = json.loads(found.stdout), json.loads(block("response"))
    assert answer["solution"].pop("stats").keys() == printed["solution"].pop("stats").keys()
    assert answer == printed


SNIPPETS = [(text, BLOCKS[number + 1][1]) for number, (name, text) in enumerate(BLOCKS) if name == "python"]


@pytest.mark.parametrize(("code", "output"), SNIPPETS, ids=range(len(SNIPPETS)))
def test_python(server: Server, code: str, output: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code.replace(ADDRESS, server.address), "docs/api.md", "exec"), {})
    assert printed.getvalue() == output


@pytest.mark.parametrize("module", [router_service_pb2, game_service_pb2], ids=["router", "engine"])
def test_every_method_and_request_field_is_named(module: object) -> None:
    for service in module.DESCRIPTOR.services_by_name.values():  # type: ignore[attr-defined]
        assert service.full_name in PAGE
        for method in service.methods:
            row = re.search(rf"^\| `{method.name}` \|.*$", PAGE, re.MULTILINE)
            assert row, method.name
            if not method.name.startswith("Stream"):
                for field in method.input_type.fields:
                    assert f"`{field.name}" in row[0], (method.name, field.name)


def test_every_reason_is_named() -> None:
    reasons = {value for name, value in vars(statuses).items() if name.isupper() and isinstance(value, str)}
    for reason in reasons - {statuses.DOMAIN, statuses.CANCELLED}:
        assert f"`{reason}`" in PAGE
