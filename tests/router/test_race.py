"""Packings that race: any orders and laps find the same, and the orders are always drawn alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import Candidates, Search, board, examples, lay_out, plain_train

from router import kernels as k
from router.found import Slot
from router.packing import Packing
from router.problem import RouteProblem
from router.race import Race, _orders


def slots_of(problem: RouteProblem) -> tuple[list[Slot], list[Candidates], Search]:
    """Return a slot and all routes for each train, and the search of the first."""
    searches = lay_out(problem)
    none = np.zeros(searches[0].graph.words, dtype=np.uint64)
    slots = [Slot(search.profile, 1, none, at) for at, search in enumerate(searches)]
    return slots, [search.routes() for search in searches], searches[0]


def race(
    problem: RouteProblem, runners: int, lap: int, slice_: int, *, rise: int = 0, refused: int = 0
) -> int:
    """Return the greatest money of a set of compatible routes, as a race finds it.

    The first ``refused`` sets are refused, and found again when all has begun anew.
    """
    slots, pools, search = slots_of(problem)
    run = Race(search.model, slots, pools, None, 1, again=False, runners=runners, lap=lap, rise=rise)
    best = 0
    while True:
        code, spent = run.step(best + 1, slice_)
        assert spent <= slice_ + 1
        if code == k.DONE:
            return best
        if code == k.FOUND:
            picked = run.picked(range(len(slots)))
            assert sum(int(pool.value[i]) for _, pool, i in picked) == run.found > best
            assert all(pool is pools[slot] for slot, pool, _ in picked)
            if refused:
                refused -= 1
                assert not run.refuse()
            else:
                best = run.found


def by_trial(problem: RouteProblem) -> int:
    """Return the same by trying all sets."""
    _, pools, _ = slots_of(problem)
    choices: list[Sequence[tuple[int, int]]] = [
        [
            (0, 0),
            *(
                (int(pool.value[i]), int.from_bytes(pool.mask[i].tobytes(), "little"))
                for i in range(len(pool))
            ),
        ]
        for pool in pools
    ]
    best = 0
    for chosen in itertools.product(*choices):
        if all(not a[1] & b[1] for a, b in itertools.combinations(chosen, 2)):
            best = max(best, sum(value for value, _ in chosen))
    return best


@examples(60, 5)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 3, 16]),
    st.sampled_from([1, 3, 100]),
    st.sampled_from([1, 5, 1000]),
    st.sampled_from([0, 1, 10]),
)
def test_any_race_finds_the_best_set(seed: int, runners: int, lap: int, slice_: int, rise: int) -> None:
    problem = board(3, seed, [plain_train("a", 2), plain_train("b", 3), plain_train("c", 2)])
    assert race(problem, runners, lap, slice_, rise=rise) == by_trial(problem)


@examples(30, 3)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3]), st.sampled_from([5, 1000]))
def test_a_refused_set_is_no_reason_to_pass_over_lesser_ones(seed: int, runners: int, slice_: int) -> None:
    problem = board(3, seed, [plain_train("a", 2), plain_train("b", 3), plain_train("c", 2)])
    best = by_trial(problem)
    assert race(problem, runners, 100, slice_, rise=10, refused=1) == best


@pytest.mark.parametrize("most", [1, 2, 3, 16])
@pytest.mark.parametrize("sizes", [[5], [5, 2], [2, 5, 3], [3, 3, 3, 3], list(range(11))])
def test_orders_are_permutations_drawn_alike(sizes: list[int], most: int) -> None:
    orders = _orders(sizes, most)
    assert orders == _orders(sizes, most)
    assert len(set(orders)) == len(orders) <= most
    assert all(sorted(order) == list(range(len(sizes))) for order in orders)
    if most == 1:
        assert orders == [tuple(range(len(sizes)))]
    else:
        assert [sizes[i] for i in orders[0]] == sorted(sizes, reverse=True)


def test_enough_orders_of_many_slots() -> None:
    assert len(_orders(list(range(11)), 16)) == 16


def test_the_share_done_grows_from_nothing() -> None:
    problem = board(4, 7, [plain_train("a", 3), plain_train("b", 3), plain_train("c", 2)])
    slots, pools, search = slots_of(problem)
    packing = Packing(search.model, slots, pools, None, 1, again=False)
    shares = [packing.share()]
    best = 0
    while True:
        code, _ = packing.step(best + 1, 3, 0)
        shares.append(packing.share())
        if code == k.DONE:
            break
        best = packing.found if code == k.FOUND else best
    assert all(0 <= share <= 1 for share in shares)
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(shares[:-1]))
    assert shares[0] == 0 < shares[-2]
