"""How fast recorded games are audited, and what memory that takes.

``python benchmarks/audit.py FOLDER [--jobs N] [--report]`` audits all records of a folder into a new folder
and prints games per second, the time of processors per game, and the memory of the workers over time. Records
of bot games are made by ``python tests/playthroughs/soak.py 1861 --games 200 --out FOLDER``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyarrow.parquet as pq

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Watch(threading.Thread):
    """Looks at a process and its children twice a second."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.seconds: dict[int, float] = {}
        self.memory: list[int] = []
        """Bytes of the largest worker at each look."""
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.5):
            sizes = [self._look(pid) for pid in self._family()]
            self.memory.append(max(sizes, default=0))

    def _family(self) -> list[int]:
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
        found, more = {self.root}, True
        while more:
            children = {pid for pid, parent in parents.items() if parent in found} - found
            found |= children
            more = bool(children)
        return sorted(found)

    def _look(self, pid: int) -> int:
        try:
            parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        self.seconds[pid] = (int(parts[11]) + int(parts[12])) / TICKS
        return int(parts[21]) * PAGE if pid != self.root else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--report", action="store_true", help="make the pages too")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "engine.cli", "audit", wanted.folder, "--out", out]
        command += ["--jobs", str(wanted.jobs), "--report" if wanted.report else "--no-report"]
        begun = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            watch = Watch(process.pid)
            watch.start()
            said = process.communicate()[0]
            watch.over.set()
        wall = time.monotonic() - begun
        games = pq.read_table(Path(out) / "games.parquet").num_rows
    lines = said.splitlines()
    print(lines[0], *lines[-2 - wanted.report : len(lines) - wanted.report], sep="\n")
    cpu = sum(watch.seconds.values())
    print(f"{games} games in {wall:.1f} s: {games / wall:.2f} games/s")
    print(f"{cpu / games:.3f} s of processors per game: {games / cpu:.2f} games/s per core")
    parts = [watch.memory[len(watch.memory) * step // 8] >> 20 for step in range(1, 8)]
    parts.append(watch.memory[-3] >> 20)
    print(f"largest worker after each eighth of the time, MiB: {' '.join(map(str, parts))}")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
