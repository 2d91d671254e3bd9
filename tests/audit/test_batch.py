"""Batches: the same bytes each time, nothing lost or done twice, and no file that stops the others."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from audit_support import bot_game, runs_of, shortened, write_games

import engine.audit.batch
from engine.audit import table
from engine.audit.batch import Batch, run_batch
from engine.audit.pool import Pool
from engine.audit.signature import code_signature
from engine.audit.source import Unreadable, find, read
from engine.audit.store import CannotStore, Store, stem
from support import PROJECT


def audit(paths: list[Path], out: Path, *, limit: float = 60.0, jobs: int = 1) -> Batch:
    store, pool = Store(out, code_signature(), limit), Pool(jobs)
    with store.opened(), pool.opened():
        return run_batch([str(path) for path in paths], store, pool, limit=limit)


def kept(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "runs").iterdir())}


@pytest.fixture
def games(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "games"
    folder.mkdir()
    return write_games(folder, 3, runs=4)


def test_what_is_done_is_taken_over(games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = audit(games[:2], out)
    assert [entry.how for entry in first.entries] == ["audited", "audited"]
    before = kept(out)
    second = audit(games, out)
    assert [entry.how for entry in second.entries] == ["kept", "kept", "audited"]
    assert [entry.header for entry in second.entries[:2]] == [entry.header for entry in first.entries]
    after = kept(out)
    assert len(after) == 3
    assert before.items() <= after.items()
    fresh = tmp_path / "fresh"
    audit(games, fresh, jobs=2)
    assert kept(fresh) == after


def test_other_code_or_a_changed_record_is_done_anew(
    games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    audit(games[:1], out)
    monkeypatch.setattr(engine.audit.batch, "code_signature", lambda: "other")
    store = Store(out, "other", 60.0)
    with store.opened():
        batch = run_batch([str(games[0])], store, Pool(1), limit=60.0)
    assert [entry.how for entry in batch.entries] == ["audited"]
    assert len(kept(out)) == 1
    monkeypatch.undo()
    games[0].write_bytes(bot_game(lambda value: shortened(value, 5)))
    assert [entry.how for entry in audit(games[:1], out).entries] == ["audited"]
    assert len(kept(out)) == 2


def test_a_torn_result_is_done_anew(games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    audit(games[:1], out)
    (path,) = (out / "runs").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    (out / "runs" / f".{path.name}.part").write_bytes(b"half")
    assert [entry.how for entry in audit(games[:1], out).entries] == ["audited"]
    assert kept(out) == {path.name: whole}


def test_unproved_results_are_done_again_with_more_time(games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    (entry,) = audit(games[:1], out, limit=30.0).entries
    assert entry.header.proved
    assert [it.how for it in audit(games[:1], out, limit=90.0).entries] == ["kept"]
    (path,) = (out / "runs").iterdir()
    import json
    from dataclasses import replace

    import pyarrow.parquet as pq

    told = {table.HEADER: json.dumps(replace(entry.header, proved=False).to_json()).encode()}
    path.write_bytes(table.parquet(pq.read_table(path).replace_schema_metadata(told)))
    assert [it.how for it in audit(games[:1], out, limit=20.0).entries] == ["kept"]
    assert [it.how for it in audit(games[:1], out, limit=90.0).entries] == ["audited"]


def test_the_same_content_counts_once(games: list[Path], tmp_path: Path) -> None:
    copy = games[0].with_name("copy.json.gz")
    copy.write_bytes(gzip.compress(games[0].read_bytes()))
    batch = audit([*games, copy], tmp_path / "out")
    assert [entry.how for entry in batch.entries] == ["audited"] * 3 + ["again"]
    assert batch.entries[3].same_as == str(games[0])
    assert batch.states("done") == 3


def test_no_file_stops_the_others(games: list[Path], tmp_path: Path) -> None:
    folder = games[0].parent

    def broken(value: dict) -> None:  # type: ignore[type-arg]
        shortened(value, 4)
        runs_of(value)[-1]["type"] = "dance"

    whole = games[0].read_bytes()
    (folder / "empty.json").write_bytes(b"")
    (folder / "cut.json").write_bytes(whole[: len(whole) // 2])
    (folder / "text.json").write_bytes(b"Dear diary,")
    (folder / "title.json").write_bytes(bot_game(lambda value: value.update(title="1862")))
    (folder / "dance.json").write_bytes(bot_game(broken))
    (folder / "garbage.json").write_bytes(os.urandom(50 << 20))
    (folder / "packed.json.gz").write_bytes(gzip.compress(whole)[:200])
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "gone.json").symlink_to(folder / "nowhere.json")
    (folder / "self.json").symlink_to(folder / "self.json")
    (folder / "notes.txt").write_bytes(b"no record")
    os.mkfifo(folder / "pipe.json")
    sources = find([str(folder), str(tmp_path / "none")])
    assert {Path(path).name: why for path, why in sources.problems} == {
        "loop": "is a link to a folder that is searched already",
        "gone.json": "No such file or directory",
        "self.json": "Too many levels of symbolic links",
        "pipe.json": "is no regular file; expected a recorded game",
        "none": "No such file or directory",
    }
    batch = audit([Path(path) for path in sources.files], tmp_path / "out")
    states = {Path(entry.path).name: entry.header.state for entry in batch.entries}
    assert states == {
        **{path.name: "done" for path in games},
        "empty.json": "unreadable",
        "cut.json": "unreadable",
        "text.json": "unreadable",
        "title.json": "unsupported",
        "dance.json": "failed",
        "garbage.json": "unreadable",
        "packed.json.gz": "unreadable",
    }
    for entry in batch.entries:
        assert bool(entry.header.why) == (entry.header.state != "done"), entry
        assert "\n" not in entry.header.why
        assert len(entry.header.why) < 400
    assert len(kept(tmp_path / "out")) == 4
    again = audit([Path(path) for path in sources.files], tmp_path / "out")
    assert Counter(entry.how for entry in again.entries) == {"kept": 4, "nothing": 6}
    assert [entry.header for entry in again.entries] == [entry.header for entry in batch.entries]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read(str(tmp_path / "none"))
    with pytest.raises(Unreadable, match="directory"):
        read(str(tmp_path))
    assert find([str(tmp_path)]).problems == [
        (str(tmp_path), "holds no recorded games (.json, .json.gz)"),
    ]


def test_the_folder_of_the_audit_is_no_source(games: list[Path], tmp_path: Path) -> None:
    out = games[0].parent / "out"
    audit(games[:1], out)
    (out / "summary.json").write_text("{}", encoding="utf-8")
    assert find([str(games[0].parent)], but=out).files == [str(path) for path in games]


def test_two_audits_do_not_share_a_folder(games: list[Path], tmp_path: Path) -> None:
    one, other = (Store(tmp_path / "out", "x", 1.0) for _ in range(2))
    with one.opened(), pytest.raises(CannotStore, match="another audit"), other.opened():
        pass
    with other.opened():
        pass


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CannotStore, match="file"), Store(tmp_path / "file", "x", 1.0).opened():
        pass


def test_names_of_files_are_safe(games: list[Path], tmp_path: Path) -> None:
    games[0].write_bytes(bot_game(lambda value: (shortened(value, 2), value.update(id="../../etc/x y"))))
    (entry,) = audit(games[:1], tmp_path / "out").entries
    assert stem(entry.header) == f"18NewEngland-etc_x_y-{entry.header.digest}"


def test_a_killed_command_goes_on_where_it_was(tmp_path: Path) -> None:
    """Kill the command, and in the next try a worker; the bytes are those of a quiet run."""
    folder = tmp_path / "games"
    folder.mkdir()
    games = write_games(folder, 10, runs=25)
    quiet = tmp_path / "quiet"
    audit(games, quiet)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "engine.cli", "audit", str(folder), "--out", str(out), "--no-report"]
    command += ["--jobs", "2"]

    def started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(count: int, process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None and len(list((out / "runs").glob("*.parquet"))) < count:
            time.sleep(0.01)

    with started() as process:
        wait_for(2, process)
        workers = _children(process.pid)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    _wait_for_the_end(workers)
    done = kept(out)
    assert 2 <= len([name for name in done if not name.startswith(".")]) < 10
    with started() as process:
        wait_for(len(done) + 1, process)
        for worker in _children(process.pid):
            os.kill(worker, signal.SIGKILL)
        said, complained = process.communicate(timeout=120)
    assert process.returncode == 0, complained
    assert f"10 files: {10 - len(done)} audited, {len(done)} taken over" in said.decode()
    assert kept(out) == kept(quiet)


def _wait_for_the_end(workers: list[int]) -> None:
    assert workers
    while any(Path(f"/proc/{worker}/cmdline").exists() and _is_worker(worker) for worker in workers):
        time.sleep(0.05)


def _is_worker(pid: int) -> bool:
    try:
        return b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _children(pid: int) -> list[int]:
    """Return the worker processes of a command."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == pid and b"loky" in line and b"tracker" not in line:
                found.append(int(entry.name))
    return found
