"""Sweeps as a stage of the search: they prove what the other formulations say, and know when they may not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import board, examples, plain_train, tight

from router import Status, solve
from router.exact import ExactSearch
from router.problem import ChainBonus, Hex, RouteProblem, RoutesTouch, Train, VisitHome

EAGER = {"FIRST": 300, "SECOND": 300, "NEW": 300, "SOME": 4000, "PROMISING": 300, "LOOKS": 0, "SWEPT": 10**6}
"""Sizes at which all routes are known and nothing is packed for long, so that sweeps are made."""
SWEEPS: Counter[str] = Counter()


@contextmanager
def counted() -> Iterator[None]:
    """Count how sweeps end for the length of a ``with`` block."""
    whole = ExactSearch._sweep

    def sweep(self: ExactSearch, *how: object) -> bool:
        proved = whole(self, *how)  # type: ignore[arg-type]
        SWEEPS["proved" if proved else "refused" if self._refused else "not made or cut"] += 1
        return proved

    with mock.patch.object(ExactSearch, "_sweep", sweep):
        yield


def linked_board(seed: int, *, chains: bool) -> RouteProblem:
    """Return a board of nine stops that pay once, whose routes must hang together with a token."""
    chance = random.Random(seed)
    trains = [plain_train(f"t{i}", chance.choice([2, 2, 3])) for i in range(2 if chains else 4)]
    if chains:
        trains += [Train(f"f{i}", f"F{i % 2}", max_edges=1 + i % 2) for i in range(2)]
    found = board(3, seed, trains)
    home = frozenset(node.id for node in found.nodes if node.token)
    at = {f"h{x}.{y}": (2 * y + x, x) for x in range(3) for y in range(3)}
    return replace(
        found,
        conditions=(RoutesTouch(), VisitHome(home)),
        count="all",
        track_scope="route",
        hexes=tuple(Hex(name, *spot) for name, spot in at.items()),
        terms=(ChainBonus("chain", frozenset({"F0", "F1"}), frozenset(), 20, 20, frozenset()),)
        if chains
        else (),
    )


@examples(60, 4)
@given(
    st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([1, 3, 400_000]), st.sampled_from([1, 10_000])
)
def test_sweeps_prove_what_a_selection_finds(seed: int, chains: bool, slice_: int, width: int) -> None:
    problem = linked_board(seed, chains=chains)
    expected = solve(problem, method="select")
    assert expected.status is Status.OPTIMAL
    with tight(slice_, **EAGER, WIDE=width), counted():
        found = solve(problem, method="exact")
    assert (found.status, found.revenue, found.subsidy) == (
        Status.OPTIMAL,
        expected.revenue,
        expected.subsidy,
    )
    SWEEPS["cases"] += 1


def test_the_random_boards_were_swept() -> None:
    if SWEEPS["cases"] < 50:
        pytest.skip("the random cases ran in another process, or few did")
    assert SWEEPS["proved"] >= 10, SWEEPS
    assert SWEEPS["not made or cut"] >= 1, SWEEPS
