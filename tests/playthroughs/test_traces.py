"""Recorded games replayed: every value of every trace after every action."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.record import Record
from engine.replay import replay, verify
from engine.rules import PLAYABLE
from support import read_jsonl, shared_root


def records() -> Iterator[Path]:
    root = shared_root()
    if root is not None:
        for game in PLAYABLE:
            yield from sorted((root / "games" / game).glob("*.json"))


RECORDS = list(records())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_value_of_the_trace(shared: Path, path: Path) -> None:
    trace = read_jsonl(shared / "traces" / path.parent.name / f"{path.stem}.jsonl.gz")
    record = Record.load(path)
    result = verify(record, trace)
    assert result.divergence is None, str(result.divergence)
    print(f"\n{path.parent.name}/{path.stem}: {result.actions} actions, {result.values} values compared")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_final_scores(shared: Path, path: Path) -> None:
    record = Record.load(path)
    game = replay(record)
    assert game.finished
    assert game.scores() == dict(record.result)
    assert game.ending.reason == record.end_reason
