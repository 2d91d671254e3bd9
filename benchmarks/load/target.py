"""The server under load: a process of its own, and what it holds."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.material import PROJECT
from benchmarks.measure import wait_until_serving


class Target:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[bytes], address: str, log: Path) -> None:
        self.process = process
        self.address = address
        self.log = log

    def family(self) -> list[int]:
        """Return the ids of the server's process and of all below it."""
        parents: dict[int, list[int]] = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    fields = (folder / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                parents.setdefault(int(fields[1]), []).append(int(folder.name))
        found = [self.process.pid]
        for process in found:
            found += parents.get(process, [])
        return found

    def workers(self) -> list[int]:
        """Return the ids of the worker processes: those forked by the fork server."""
        found = []
        for process in self.family()[1:]:
            try:
                status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                parent = Path(f"/proc/{status[1]}/cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) != self.process.pid and b"forkserver" in parent:
                found.append(process)
        return found

    def memory(self) -> int:
        """Return the bytes that all its processes hold, shared ones counted once."""
        total = 0
        for process in self.family():
            try:
                text = Path(f"/proc/{process}/smaps_rollup").read_text()
            except OSError:
                continue
            total += next(
                int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:")
            )
        return total

    def calls(self) -> dict[str, dict[str, Any]]:
        """Return the log's line of each call, by the id of its request."""
        lines = (json.loads(it) for it in self.log.read_text().splitlines() if '"event": "call"' in it)
        return {line["id"]: line for line in lines if "id" in line}

    def descriptors(self) -> int:
        """Return how many files the server's own process has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def terminate(self) -> None:
        """Ask it to stop."""
        self.process.send_signal(signal.SIGTERM)


@contextmanager
def target(*options: str) -> Iterator[Target]:
    """Run a server with the command line ``trunkline serve``; wait until it is SERVING."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as errors:
            command = [sys.executable, "-m", "engine.cli", "serve", f"--port={port}", *options]
            process = subprocess.Popen(command, cwd=PROJECT, stdout=errors, stderr=errors)
        try:
            wait_until_serving(f"127.0.0.1:{port}", process=process)
            yield Target(process, f"127.0.0.1:{port}", log)
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
