"""Walking routes under a budget, and the arrays that hold them."""

from __future__ import annotations

import numpy as np
import pytest
from searching import Search, board, ints, plain_train, sliced

from router.problem import Limit, RouteProblem, Segment, Train, kinds
from router.stop import NodeBudget
from router.work import Interrupted, Work

BOARD = board(4, 3, [plain_train("t", 6)], tokens=3)


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(BOARD, BOARD.trains[0])


def test_rooms_of_any_size_keep_the_best(search: Search) -> None:
    everything = sorted(search.walked(search.routes(0, 100_000)).values(), reverse=True)
    assert len(everything) > 500
    for most in (1, 2, 10, 100, 400):
        found = search.routes(1, most)
        kept = sorted(search.walked(found).values(), reverse=True)
        above = [money for money in everything if money >= found.floor]
        assert kept[: len(above)] == above
        assert min(most, len(everything)) <= len(kept) <= 2 * most + 1
        assert kept[0] == everything[0]


def test_a_raised_floor_saves_work(search: Search) -> None:
    few, many = Work(), Work()
    search.walker().routes(1, 5, few)
    search.walker().routes(1, 100_000, many)
    assert few.expansions < many.expansions


def test_take_and_join_keep_routes_with_their_paths(search: Search) -> None:
    found = search.routes(100)
    odd = found.take(ints(range(1, len(found), 2)))
    even = found.take(ints(range(0, len(found), 2)))
    assert search.walked(odd.join(even)) == search.walked(found)
    assert odd.join(even).floor == odd.floor
    assert len(found.take(ints([]))) == 0
    assert search.walked(found.take(ints([]))) == {}


def test_a_budget_interrupts_a_walk_and_a_count(search: Search) -> None:
    for walk in (lambda work: search.walker().routes(1, 10, work), search.walker().perft):
        work = Work(NodeBudget(50))
        work.SLICE = 10  # type: ignore[misc]
        with pytest.raises(Interrupted, match="budget of 50"):
            walk(work)
        assert 50 <= work.expansions <= 60


def test_the_slice_changes_nothing(search: Search) -> None:
    expected = search.routes(200, 50)
    for size in (1, 3, 1000):
        found = search.walker().routes(200, 50, sliced(size))
        assert (found.value == expected.value).all()
        assert (found.path == expected.path).all()
        assert (found.mask == expected.mask).all()
        assert found.floor == expected.floor


def test_counts_and_routes_agree(search: Search) -> None:
    by_stops = np.bincount([len(nodes) for nodes, _ in search.walked(search.routes(0, 100_000))])
    counted = search.walker().perft()
    assert counted[: len(by_stops)].tolist() == by_stops.tolist()
    assert counted[len(by_stops) :].sum() == 0


def test_no_track_no_token_no_stop() -> None:
    train = BOARD.trains[0]
    empty = RouteProblem((), (), (train,))
    assert len(Search(empty, train).routes()) == 0
    lonely = RouteProblem(BOARD.nodes, (), (train,))
    assert len(Search(lonely, train).routes()) == 0
    nothing = Train("t", "none", visit=(Limit(kinds("city", "town", "offboard", "halt"), 1),))
    assert len(Search(BOARD, nothing).routes()) == 0


def test_more_track_than_one_word_holds() -> None:
    """Masks of several words; each piece is still used once only."""
    train = plain_train("t", 4)
    large = board(7, 3, [train])
    shared = [
        Segment(s.id, s.a, s.b, (*s.track, f"shared {i % 9}"), s.hexes) for i, s in enumerate(large.segments)
    ]
    problem = RouteProblem(large.nodes, tuple(shared), (train,))
    search = Search(problem, train)
    assert search.graph.words > 1
    pieces = {segment.id: segment.track for segment in shared}
    for _, segments in search.walked(search.routes(0, 200_000)):
        used = [piece for name in segments for piece in pieces[name]]
        assert len(used) == len(set(used))
