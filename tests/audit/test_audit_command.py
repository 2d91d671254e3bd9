"""``trunkline audit``: what it prints, exits with, and leaves behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from audit_support import bot_game, runs_of, shortened, write_games

from engine.audit.table import GAMES, RUNS, TIMES
from engine.cli.app import run as run_here
from support import PROJECT


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def started(*arguments: object) -> Said:
        code = run_here(["audit", *map(str, arguments), "--jobs", "1"])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert "unexpected" not in err, err
        return Said(code, out, err)

    return started


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    write_games(folder, 2, runs=6)
    return folder


def lazy(folder: Path) -> int:
    """Add a record whose last run leaves everything on the table; return how much."""

    def change(value: dict[str, Any]) -> None:
        shortened(value, 6)
        last = runs_of(value)[-1]
        left.append(sum(route["revenue"] for route in last["routes"]))
        last["routes"] = []

    left: list[int] = []
    (folder / "lazy.json").write_bytes(bot_game(change))
    return left[0]


def test_the_tables(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = run(games, "--out", out)
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines[0] == "2 files: 2 audited"
    assert lines[1].split() == ["record", "game", "runs", "best", "below", "left", "most", "wrong"]
    assert lines[-3:] == [
        "12 runs: 12 proved best, 0 below the best, 0 left on the table",
        "12 of 12 stored revenues confirmed",
        f"report: {out}/report.html",
    ]
    again = run(games, "--out", out, "--no-report")
    assert again.out.splitlines()[0] == "2 files: 2 taken over"
    assert again.out.splitlines()[1:] == lines[1:-1]


def test_what_lies_in_the_folder(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    left = lazy(games)
    assert run(games, "--out", out).code == 0
    names = {path.stem for path in (out / "runs").iterdir()}
    assert len(names) == 3
    for folder, schema in (("runs", RUNS), ("times", TIMES)):
        assert {path.stem for path in (out / folder).iterdir()} == names
        for path in (out / folder).iterdir():
            assert pq.read_schema(path).equals(schema)
    assert pq.read_schema(out / "games.parquet").equals(GAMES)
    assert {path.stem for path in (out / "pages").iterdir()} == names
    with duckdb.connect() as database:
        query = f"select count(*), sum(lost), max(best_revenue) from '{out}/runs/*.parquet'"
        assert database.execute(query).fetchone()[:2] == (18, left)  # type: ignore[index]
        query = f"""select count(*), min(seconds) > 0 from '{out}/runs/*.parquet' join '{out}/times/*.parquet'
            using (record, run) join '{out}/games.parquet' using (record)"""
        assert database.execute(query).fetchone() == (18, True)


def test_positions_of_the_table_can_be_solved(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = run(games, "--out", out, "--json", "--no-report")
    *rows, last = found.lines
    assert last["summary"]["total"]["runs"] == len(rows) == 12
    requests = tmp_path / "positions.jsonl"
    text = [json.dumps({"id": str(row["run"]), "position": row["position"]}) for row in rows]
    requests.write_text("\n".join(text), encoding="utf-8")
    answers = subprocess.run(
        [sys.executable, "-m", "engine.cli", "solve", str(requests)],
        capture_output=True,
        cwd=PROJECT,
        check=True,
        timeout=120,
    )
    solved = [json.loads(line)["revenue"] for line in answers.stdout.splitlines()]
    assert solved == [row["best_revenue"] for row in rows]


def test_json(run: Run, games: Path, tmp_path: Path) -> None:
    left = lazy(games)
    found = run(games, "--out", tmp_path / "out", "--json")
    assert (found.code, found.err) == (0, "")
    *rows, last = found.lines
    below = [row for row in rows if row["lost"]]
    assert [row["lost"] for row in below] == [left]
    assert below[0]["routes"] == []
    assert below[0]["best_routes"][0]["stops"]
    assert set(rows[0]) == set(RUNS.names)
    summary = last["summary"]
    assert (summary["records"], summary["audited"], summary["done"], summary["failed"]) == (3, 3, 3, 0)
    assert summary["total"]["lost"] == left == sum(player["lost"] for player in summary["players"])
    assert sum(game["runs"] for game in summary["games"]) == 18


def test_a_threshold(run: Run, games: Path, tmp_path: Path) -> None:
    left = lazy(games)
    out = tmp_path / "out"
    assert run(games, "--out", out, "--no-report").code == 0
    assert run(games, "--out", out, "--no-report", "--threshold", left + 1).code == 0
    found = run(games, "--out", out, "--no-report", "--threshold", left)
    assert found.code == 1
    assert f"the run brings 0, {left} less than the best" in found.err
    assert "lazy.json: action " in found.err


def test_wrong_money_is_a_finding(run: Run, games: Path, tmp_path: Path) -> None:
    def change(value: dict[str, Any]) -> None:
        shortened(value, 3)
        runs_of(value)[-1]["routes"][0]["revenue"] += 10

    (games / "wrong.json").write_bytes(bot_game(change))
    found = run(games, "--out", tmp_path / "out", "--no-report")
    assert found.code == 1
    assert "wrong.json: action " in found.err
    assert " as stored" in found.err
    assert "14 of 15 stored revenues confirmed" in found.out


def test_bad_files(run: Run, games: Path, tmp_path: Path) -> None:
    (games / "bad.json").write_text("{", encoding="utf-8")
    (games / "1862.json").write_bytes(bot_game(lambda value: value.update(title="1862")))
    (games / "copy.json").write_bytes((games / "game-00.json").read_bytes())
    (games / "loop").symlink_to(games, target_is_directory=True)
    out = tmp_path / "out"
    found = run(games, "--out", out)
    assert found.code == 2
    told = sorted(line.removeprefix(f"trunkline: {games}/") for line in found.err.splitlines())
    assert told == [
        "1862.json: '1862' cannot be played yet; games that can be played: 1861, 18NewEngland",
        "bad.json: is no JSON at line 1, column 2; expected a recorded game",
        f"game-00.json: has the content of {games}/copy.json; it counts once",
        "loop: is a link to a folder that is searched already",
    ]
    assert found.out.startswith("5 files: 2 audited, 1 unsupported, 1 unreadable, 1 given twice\n")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "cannot be played yet" in page
    assert "is no JSON at line 1, column 2" in page
    (games / "bad.json").unlink()
    (games / "loop").unlink()
    found = run(games, "--out", out)
    assert found.code == 0
    assert "5 files" not in found.out


def test_other_results_in_the_folder_are_told(run: Run, games: Path, tmp_path: Path) -> None:
    assert run(games, "--out", tmp_path / "out").code == 0
    (games / "game-01.json").unlink()
    found = run(games, "--out", tmp_path / "out")
    assert found.code == 0
    assert "holds results of 1 other record" in found.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("none",), "none: No such file or directory"),
        (("none", "--cluster", "tcp://127.0.0.1:1"), "there is nothing to audit"),
        (("--out", "x"), "PATHS"),
        (("x", "--threshold", "0", "--out", "x"), "--threshold"),
        (("x", "--time-limit", "nan", "--out", "x"), "--time-limit"),
    ],
)
def test_bad_options(run: Run, tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    more = () if "--out" in arguments else ("--out", tmp_path / "out")
    found = run(*arguments, *more)
    assert (found.code, found.out) == (2, "")
    assert why in found.err


def test_a_place_where_nothing_can_be_written(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = run(games, "--out", tmp_path / "file")
    assert found.code == 2
    assert "file" in found.err


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from engine.cli.app import run; run(['audit', '--help']); "
        "print(sorted({'pyarrow', 'joblib', 'jinja2', 'numba', 'ortools', 'distributed'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=True, timeout=60
    )
    assert found.stdout.endswith("[]\n")
