"""The example client for Node.js: generated from the protocol buffers, and run against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.position import Position
from engine.solving import solve_position
from router.service.server import Server
from support import PROJECT, read_jsonl

SOURCE = PROJECT / "examples" / "node"
NO_NETWORK = ("ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN", "ENETUNREACH", "ECONNRESET", "network")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    node, npm = shutil.which("node"), shutil.which("npm")
    buf = Path(sys.executable).parent / "buf"
    if node is None or npm is None:
        pytest.skip("Node.js is not installed")
    if not buf.exists():
        pytest.skip("buf is not installed beside this Python")
    folder = tmp_path_factory.mktemp("node") / "examples" / "node"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules", "gen"))
    shutil.copytree(PROJECT / "proto", folder.parent.parent / "proto")
    shutil.copy(PROJECT / "buf.yaml", folder.parent.parent)
    command = [npm, "ci", "--no-audit", "--no-fund"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=250)
    if found.returncode and any(word in found.stderr for word in NO_NETWORK):
        pytest.skip("the packages of the Node.js example cannot be fetched: no network")
    assert found.returncode == 0, found.stderr
    environment = {**os.environ, "PATH": f"{buf.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [npm, "run", "--silent", "generate"]
    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=250
    )
    assert found.returncode == 0, found.stderr
    return folder


def run(client: Path, server: Server, file: Path) -> subprocess.CompletedProcess[str]:
    command = ["node", "client.js", f"http://{server.address}", str(file)]
    return subprocess.run(command, cwd=client, capture_output=True, text=True, check=False, timeout=250)


def test_same_answers_as_here(client: Path, server: Server) -> None:
    file = PROJECT / "examples" / "demo.jsonl"
    found = run(client, server, file)
    assert found.returncode == 0, found.stderr
    lines = [line for line in read_jsonl(file) if "position" in line]
    expected = []
    for line in lines:
        solution = solve_position(Position.from_json(line["position"]))
        runs = [f"{it.train} {' '.join(it.hexes)} = {it.revenue}" for it in solution.routes]
        expected.append(
            f"{line['id']}: {solution.status} {solution.revenue} (bound {solution.bound}), " + "; ".join(runs)
        )
    assert found.stdout.splitlines() == expected


def test_errors_are_told(client: Path, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps({"id": "bad", "position": {"game": "1861", "players": 4, "company": "XX"}}))
    found = run(client, server, file)
    assert found.returncode == 1
    assert "bad: InvalidArgument" in found.stderr
