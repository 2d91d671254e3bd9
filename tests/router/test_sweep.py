"""Sweeps as a stage of the search: they prove what the other formulations say, and know when they may not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import board, examples, lay_out, plain_train, tight

from router import Status, solve
from router import kernels as k
from router.exact import ExactSearch
from router.found import Slot
from router.problem import ChainBonus, Hex, RouteProblem, RoutesTouch, Train, VisitHome
from router.sweep import MOST_CANDIDATES, Sweep, has_room

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


def test_sweeps_have_room_for_so_much() -> None:
    problem = linked_board(1, chains=False)
    searches = lay_out(problem)
    free = np.zeros(searches[0].graph.words, dtype=np.uint64)
    slots = [Slot(search.profile, 1, free, at) for at, search in enumerate(searches)]
    pools = [search.routes() for search in searches]
    model = searches[0].model
    assert has_room(model, slots, pools)
    assert not has_room(model, slots, [pool.take(np.zeros(0, dtype=np.int64)) for pool in pools])
    many = [pool.take(np.zeros(MOST_CANDIDATES, dtype=np.int64)) for pool in pools]
    assert not has_room(model, slots, many)
    assert not has_room(model, [replace(slot, count=16) for slot in slots], pools)
    assert not has_room(replace(model, touch=9), slots, pools)


def test_a_set_grows_at_one_place_only_so_far() -> None:
    """Each of 15 routes may be any of 16 candidates of one place: more sets than can be looked at at once."""
    base = lay_out(linked_board(1, chains=False))[0]
    pool = base.routes()
    pool = pool.take(np.zeros(16, dtype=np.int64))
    pool.value[:] = np.arange(16) + 100
    pool.link[:] = 0  # so that no two of them hang together
    slot = Slot(base.profile, 15, np.zeros(base.graph.words, dtype=np.uint64), 0)
    pool.mask[:] = 0
    sweep = Sweep(base.model, [slot], [pool], np.zeros(0, dtype=np.int64), 1, again=True, width=10, most=16)
    code, spent = sweep.step(1000, 1000)
    assert (code, sweep.cut) == (k.SLICE, True)
    assert spent <= k.MOST_GROWN + 1
