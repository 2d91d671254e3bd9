"""How long it takes to replay a recorded game, warm (goal: 0.4 s each)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from engine.record import Record
from engine.replay import replay
from engine.rules import PLAYABLE

SHARED = (Path(__file__).parent.parent / os.environ.get("TRUNKLINE_SHARED", "../shared")).resolve()
RECORDS = [path for game in PLAYABLE for path in sorted((SHARED / "games" / game).glob("*.json"))]


@pytest.mark.skipif(not RECORDS, reason="no reference data (set TRUNKLINE_SHARED)")
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_replay(benchmark: Any, path: Path) -> None:
    record = Record.load(path)
    game = benchmark.pedantic(replay, (record,), rounds=3, warmup_rounds=1)
    assert game.finished
    benchmark.extra_info["actions"] = len(game.log)
