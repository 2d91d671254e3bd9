"""Perft files: how many routes each kind of train has, by number of stops.

A file is plain text. A line that begins in the first column names a position, further lines give a kind of
train and its counts::

    1861/167259/70
      2: 2=1 3=4

``#`` begins a comment. The counts are those of the naive oracle, never of the search. To write them anew::

    PYTHONPATH=tests python -m perft.files
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from engine.cli.problems import problem_from_json
from engine.compile import compile_position
from engine.position import Position
from naive import perft
from router.client import Stopped, local
from router.problem import Node, RouteProblem, Train
from router.stop import NodeBudget
from support import PROJECT, read_jsonl, shared_location

FOLDER = Path(__file__).parent
GAMES = ("1861", "18NewEngland")
CHOSEN = 120
"""Recorded positions per game in the files."""
SMALL, LARGE = 10, 4_000
"""Simple paths that a chosen board has at least and at most."""
EXAMPLE = 200_000
"""Simple paths that the board of an example has at most."""

Counts: TypeAlias = dict[str, dict[int, int]]
"""Number of routes by kind of train, then by number of stops."""


def kinds_of(problem: RouteProblem) -> dict[str, Train]:
    """Return one train of each kind."""
    return {train.kind: train for train in reversed(problem.trains)}


def naive_counts(problem: RouteProblem) -> Counts:
    """Count with the naive oracle."""
    return {kind: perft(problem, train) for kind, train in sorted(kinds_of(problem).items())}


def search_counts(problem: RouteProblem) -> Counts:
    """Count with the search."""
    return {kind: local().count(problem, train.id) for kind, train in sorted(kinds_of(problem).items())}


def read(name: str) -> dict[str, Counts]:
    """Read a perft file."""
    found: dict[str, Counts] = {}
    counts: Counts = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            counts = found[line.strip()] = {}
            continue
        kind, _, numbers = line.strip().rpartition(":")
        pairs = (pair.split("=") for pair in numbers.split())
        counts[kind] = {int(stops): int(routes) for stops, routes in pairs}
    return found


def write(name: str, lines: Iterable[str], found: Mapping[str, Counts]) -> None:
    """Write a perft file that begins with some lines of comment."""
    out = [f"# {line}" for line in lines]
    for position, counts in found.items():
        out.append(position)
        for kind, numbers in counts.items():
            pairs = " ".join(f"{stops}={routes}" for stops, routes in numbers.items())
            out.append(f"  {kind}: {pairs}".rstrip())
    (FOLDER / name).write_text("\n".join(out) + "\n", encoding="utf-8")


def recorded(shared: Path, game: str) -> Iterator[tuple[str, RouteProblem]]:
    """Yield the recorded positions of a game with their problems."""
    for name in (f"{game}.jsonl", f"random-{game}.jsonl.gz"):
        for line in read_jsonl(shared / "positions" / name):
            yield line["id"], compile_position(Position.from_json(line["position"]))


def bundled() -> Iterator[tuple[str, RouteProblem]]:
    """Yield the examples of the project that the oracle can cope with."""
    for line in read_jsonl(PROJECT / "examples" / "demo.jsonl"):
        if "problem" in line:
            problem = problem_from_json(line["problem"])
        else:
            problem = compile_position(Position.from_json(line["position"]))
        if _paths(problem, EXAMPLE) < EXAMPLE:
            yield line["id"], problem


def choose(shared: Path, game: str) -> list[tuple[str, RouteProblem]]:
    """Choose recorded positions evenly among boards of medium size, each board once."""
    boards = {}
    for name, problem in recorded(shared, game):
        stops = tuple(sorted((node.id, node.token, node.blocked) for node in problem.nodes))
        track = tuple(sorted(segment.id for segment in problem.segments))
        boards.setdefault((stops, track, tuple(sorted(kinds_of(problem)))), (name, problem))
    fitting = [
        (name, problem) for name, problem in boards.values() if SMALL <= _paths(problem, LARGE) < LARGE
    ]
    return [fitting[i * len(fitting) // CHOSEN] for i in range(CHOSEN)]


def _paths(problem: RouteProblem, most: int) -> int:
    """Return how many simple paths the oracle must look at, up to ``most``."""
    if not problem.trains:
        return 0
    nodes = tuple(Node(node.id, "city", node.hex) for node in problem.nodes)
    bare = RouteProblem(nodes, problem.segments, (Train("free", "free", needs_token=False),))
    try:
        return sum(local().count(bare, "free", stop=NodeBudget(most)).values())
    except Stopped:
        return most


def main() -> None:
    """Write the files."""
    for game in GAMES:
        found = {name: naive_counts(problem) for name, problem in choose(shared_location(), game)}
        write(f"{game}.txt", (f"Recorded positions of {game}; counts of the naive oracle.",), found)
    examples = {name: naive_counts(problem) for name, problem in bundled()}
    write("examples.txt", ("Positions in examples/; counts of the naive oracle.",), examples)


if __name__ == "__main__":
    main()
