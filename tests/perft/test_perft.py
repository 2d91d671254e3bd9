"""Perft: the search counts as many routes of each kind of train and length as the naive oracle.

The files in this folder hold counts of the naive oracle. On failure the counts are divided by the root stop,
the first stop with a token on a route, so that the first wrong root can be looked at alone.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from perft.files import GAMES, Counts, bundled, kinds_of, naive_counts, read, recorded, search_counts
from searching import Path as Way
from searching import Search, all_routes

from router.problem import RouteProblem

HINT = "run PYTHONPATH=tests python -m perft.files"
PARTS = 4


@cache
def problems(shared: Path, game: str) -> dict[str, RouteProblem]:
    wanted = read(f"{game}.txt")
    return {name: problem for name, problem in recorded(shared, game) if name in wanted}


def divide(problem: RouteProblem, kind: str) -> str:
    """Return how many routes each method finds per root stop, and the routes that one of them lacks."""
    search = Search(problem, kinds_of(problem)[kind])
    ours = search.walked(search.routes(0, 200_000))
    true = all_routes(problem, search.train)

    def root(path: Way) -> str:
        own = [stop for stop in path[0] if problem.node_by_id[stop].token]
        return min(own or path[0])

    found, expected = Counter(map(root, ours)), Counter(map(root, true))
    lines = [f"{'root':20} {'search':>8} {'naive':>8}"]
    for stop in sorted({*found, *expected}):
        mark = "" if found[stop] == expected[stop] else "  <--"
        lines.append(f"{stop:20} {found[stop]:8} {expected[stop]:8}{mark}")
    lines += [f"missing: {' - '.join(path[0])}" for path in sorted(true.keys() - ours.keys())[:5]]
    lines += [f"surplus: {' - '.join(path[0])}" for path in sorted(ours.keys() - true.keys())[:5]]
    return "\n".join(lines)


def compare(name: str, problem: RouteProblem, got: Counts, expected: Counts) -> None:
    assert got.keys() == expected.keys(), f"{name}: trains {set(got)}, the file has {set(expected)}; {HINT}"
    for kind, numbers in expected.items():
        if got[kind] != numbers:
            pytest.fail(f"{name}, train {kind}: {got[kind]}, expected {numbers}\n{divide(problem, kind)}")


@pytest.mark.parametrize("game", GAMES)
def test_the_search_counts_what_the_files_say(shared: Path, game: str) -> None:
    expected = read(f"{game}.txt")
    assert len(expected) >= 100
    assert problems(shared, game).keys() == expected.keys()
    for name, problem in problems(shared, game).items():
        compare(name, problem, search_counts(problem), expected[name])


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", GAMES)
def test_the_oracle_counts_what_the_files_say(shared: Path, game: str, part: int) -> None:
    expected = read(f"{game}.txt")
    for name, problem in list(problems(shared, game).items())[part::PARTS]:
        assert naive_counts(problem) == expected[name], f"{name}; {HINT}"


def test_examples() -> None:
    expected = read("examples.txt")
    examples = dict(bundled())
    assert examples.keys() == expected.keys(), HINT
    for name, problem in examples.items():
        compare(name, problem, search_counts(problem), expected[name])


def test_divide_shows_where_counts_differ() -> None:
    name, problem = next(iter(bundled()))
    kind = next(iter(kinds_of(problem)))
    with pytest.raises(pytest.fail.Exception, match=r"(?s)expected \{2: 10{6}\}.*root +search +naive"):
        compare(name, problem, {kind: {2: 1}}, {kind: {2: 1_000_000}})
