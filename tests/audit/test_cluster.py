"""The same command on a cluster of two workers: the same bytes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from audit_support import write_games

from support import PROJECT

pytest.importorskip("distributed", reason="distributed is not installed (extra: cluster)")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a scheduler and two workers, and return the address."""
    folder = tmp_path_factory.mktemp("cluster")
    script = folder / "cluster.py"
    script.write_text(
        "from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    settings = {'host': '127.0.0.1', 'dashboard_address': None}\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, **settings) as it:\n"
        "        print('at', it.scheduler_address, flush=True)\n"
        "        input()\n",
        encoding="utf-8",
    )
    with ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("wb"))
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=PROJECT,
                text=True,
            )
        )
        stack.callback(process.kill)
        assert process.stdout is not None
        found = re.match(r"at (\S+)", process.stdout.readline())
        assert found, (folder / "log").read_text(encoding="utf-8")
        yield found[1]
        process.communicate("\n", timeout=60)


def audit(*arguments: object) -> str:
    found = subprocess.run(
        [sys.executable, "-m", "engine.cli", "audit", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        timeout=240,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_a_cluster_of_two_workers(cluster: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    write_games(folder, 4, runs=6)
    one, other = tmp_path / "one", tmp_path / "other"
    said = audit(folder, "--out", one, "--jobs", 1)
    remote = audit(folder, "--out", other, "--cluster", cluster)
    assert said.replace(str(one), str(other)) == remote
    for part in ("runs", "pages"):
        names = [path.name for path in sorted((one / part).iterdir())]
        assert [path.name for path in sorted((other / part).iterdir())] == names
        assert len(names) == 4
        for name in names:
            assert (one / part / name).read_bytes() == (other / part / name).read_bytes()
    assert (one / "report.html").read_bytes() == (other / "report.html").read_bytes()
    assert (one / "games.parquet").read_bytes() == (other / "games.parquet").read_bytes()
    again = audit(folder, "--out", other, "--cluster", cluster)
    assert again.startswith("4 files: 4 taken over\n")
