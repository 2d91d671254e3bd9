"""Records for the tests of audits, and calls for workers, which must be importable there."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import PROJECT, read_json

BOT_GAME = PROJECT / "examples" / "bot-game.json"


def bot_game(change: Callable[[dict[str, Any]], object] = lambda value: None) -> bytes:
    """Return the content of a recorded game, changed."""
    value = read_json(BOT_GAME)
    change(value)
    return json.dumps(value).encode()


def runs_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that run trains for money."""
    return [action for action in value["actions"] if action["type"] == "run_routes" and action["routes"]]


def shortened(value: dict[str, Any], runs: int = 8) -> None:
    """Keep the first runs of a record only."""
    last = runs_of(value)[runs - 1]
    value["actions"] = value["actions"][: value["actions"].index(last) + 1]


def write_games(folder: Path, count: int, runs: int = 8) -> list[Path]:
    """Write several short records, all different."""

    def change(value: dict[str, Any]) -> None:
        shortened(value, runs)
        value["id"] = f"copy {number}"

    found = []
    for number in range(count):
        path = folder / f"game-{number:02}.json"
        path.write_bytes(bot_game(change))
        found.append(path)
    return found


def double(value: int) -> int:
    return 2 * value


def deadly(value: tuple[str, int]) -> int:
    """Kill the process for 13 each time, and for 7 once."""
    folder, number = value
    marker = Path(folder) / f"died-{number}"
    if number == 13 or (number == 7 and not marker.exists()):
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with (Path(folder) / "done").open("a", encoding="utf-8") as file:
        file.write(f"{number}\n")
    return number
