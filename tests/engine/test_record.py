"""Recorded games: reading, undo and redo, writing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.actions import Action
from engine.record import Record, surviving
from engine.refusal import IllegalAction, UnreadableRecord
from support import read_json, read_jsonl, shared_root

GAMES = sorted((shared_root() or Path("none")).glob("games/*/*.json"))


def log(*entries: str) -> tuple[Action, ...]:
    """Make a log of passes, messages, "undo", "undo N" and "redo"; ids count from 1."""
    found = []
    for number, entry in enumerate(entries, 1):
        kind, _, argument = entry.partition(" ")
        fields = {"action_id": int(argument)} if argument else {}
        found.append(Action(kind, 1, "player", fields, number))
    return tuple(found)


def ids(*entries: str) -> list[int | None]:
    return [action.id for action in surviving(log(*entries))]


def test_undo_takes_the_last_action_back() -> None:
    assert ids("pass", "pass", "undo", "pass") == [1, 4]


def test_undo_to_an_action_keeps_it() -> None:
    assert ids("pass", "pass", "pass", "undo 1", "pass") == [1, 5]


def test_undo_to_zero_takes_all_back() -> None:
    assert ids("pass", "pass", "undo 0", "pass") == [4]


def test_redo_brings_a_whole_group_back() -> None:
    assert ids("pass", "pass", "pass", "undo 1", "redo", "pass") == [1, 2, 3, 6]


def test_redo_takes_the_newest_group_first() -> None:
    assert ids("pass", "pass", "undo", "undo", "redo") == [1]
    assert ids("pass", "pass", "undo", "undo", "redo", "redo") == [1, 2]


def test_a_new_action_forgets_what_was_undone() -> None:
    assert ids("pass", "undo", "pass", "redo") == [3]


def test_messages_live_for_ever_and_keep_redo() -> None:
    assert ids("pass", "message", "undo", "message", "redo") == [1, 2, 4]
    assert ids("pass", "message", "undo") == [2]


def test_undo_of_nothing() -> None:
    assert ids("undo", "redo", "pass") == [3]


@pytest.mark.parametrize(
    ("seed", "game_id", "start"),
    [
        (73885, 1, 73885),
        (None, 42, 42),
        ("", "hs_rciziaya_1672593499", 1672593499),
        (None, "none", 0),
        (2**31 + 5, 1, 5),
    ],
)
def test_random_numbers_start_from_the_seed_or_the_id(seed: Any, game_id: Any, start: int) -> None:
    value = {
        "id": game_id,
        "title": "1862",
        "players": [{"id": 1}],
        "actions": [],
        "settings": {"seed": seed},
    }
    assert Record.from_json(value).start_number == start


def test_a_player_without_id_is_known_by_name() -> None:
    value = {"title": "Harzbahn 1873", "players": [{"name": "Ada"}, {"id": 0, "name": "Ben"}], "actions": []}
    record = Record.from_json(value)
    assert [seat.id for seat in record.players] == ["Ada", 0]
    assert record.game == "1873"
    assert record.to_json()["title"] == "Harzbahn 1873"


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"title": "1862"},
        {"title": "1862", "players": [{}], "actions": []},
        {"title": "1862", "players": [{"id": 1}], "actions": [{}]},
        {
            "title": "1862",
            "players": [{"id": 1}],
            "actions": [{"type": "pass", "entity": 1, "entity_type": "cow"}],
        },
    ],
)
def test_unreadable_files_are_refused(value: object) -> None:
    with pytest.raises(UnreadableRecord):
        Record.from_json(value)


def test_fields_of_the_wrong_kind_are_illegal() -> None:
    action = Action("bid", 1, "player", {"price": "5", "shares": ["a", "a"]})
    for read in (lambda: action.number("price"), lambda: action.texts("shares"), lambda: action.text("hex")):
        with pytest.raises(IllegalAction):
            read()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_surviving_actions_are_those_of_the_trace(shared: Path, path: Path) -> None:
    trace = read_jsonl(shared / "traces" / path.parent.name / f"{path.stem}.jsonl.gz")
    assert [(action.id, action.type) for action in Record.load(path).actions()] == [
        (line["action"], line["type"]) for line in trace if line["action"] is not None
    ]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_written_records_read_the_same(shared: Path, path: Path) -> None:
    record = Record.load(path)
    assert Record.from_json(record.to_json()) == record
    log = read_json(path)["actions"]
    for entry, written in zip(log, record.to_json()["actions"], strict=True):
        told = {name: item for name, item in entry.items() if item is not None and name != "auto_actions"}
        told.setdefault("entity", None)
        assert told == {name: item for name, item in written.items() if name != "auto_actions"}
