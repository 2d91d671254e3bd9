"""Many whole games by the random bot, over all numbers of players and options of a game.

``python tests/playthroughs/soak.py 1861 --games 200 [--first SEED] [--out DIR]`` plays them one after
another, checks the books after every action, replays every record to the same end, and prints a line per
game and the count. ``--out`` keeps the records. Exit code 1 if a game fails; the others are
played all the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playthroughs.books import watched_game

from engine.registry import find_game


def tables(name: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return every number of players with every option that fits it, and without."""
    game = find_game(name)
    return [
        (players, options)
        for players in game.players
        for options in [(), *((option,) for option, fits in game.options.items() if players in fits)]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="seed of the first game; the others count on")
    parser.add_argument("--out", type=Path, help="folder for the records")
    wanted = parser.parse_args()
    begun = time.monotonic()
    failed, actions, runs, played = 0, 0, 0, Counter[str]()
    seeds = range(wanted.first, wanted.first + wanted.games)
    for seed, (players, options) in zip(seeds, cycle(tables(wanted.game)), strict=False):
        label = f"{players} players{''.join(f', {option}' for option in options)}"
        try:
            game = watched_game(wanted.game, players, options, seed)
        except Exception as error:
            failed += 1
            print(f"seed {seed}, {label}: FAILED: {type(error).__name__}: {error}", flush=True)
            continue
        played[label] += 1
        actions += len(game.log)
        runs += sum(action.type == "run_routes" for action in game.log)
        print(f"seed {seed}, {label}: {len(game.log)} actions, {game.ending.reason}", flush=True)
        if wanted.out is not None:
            wanted.out.mkdir(parents=True, exist_ok=True)
            name = "-".join([wanted.game, str(seed), f"{players}p", *options])
            text = json.dumps(game.record().to_json(), separators=(",", ":"))
            (wanted.out / f"{name}.json").write_text(text, encoding="utf-8")
    for label, count in played.items():
        print(f"{label}: {count} games")
    print(
        f"{wanted.game}: {played.total()} whole games of {wanted.games}, {failed} failed: {actions} actions "
        f"with the books checked after each, {runs} runs, every record replayed to the same end; "
        f"{time.monotonic() - begun:.0f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
