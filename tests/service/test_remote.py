"""The remote router against the real server: it cannot be told from the local one."""

from __future__ import annotations

import threading
import time

import pytest

import samples
from router.callbacks import Callbacks
from router.client import Stopped, local
from router.client.remote import RemoteRouter
from router.errors import InvalidInput, InvalidRoutes
from router.solution import Route, RouteSet, Status
from router.stop import AnyOf, Cancelled, Deadline, NodeBudget

LINE = samples.line()
GRID = samples.grid(4, 2, 6)
HARD = samples.grid(7, 3, 20)


@pytest.mark.parametrize("problem", [LINE, GRID], ids=lambda it: str(it.id))
@pytest.mark.parametrize("method", ["auto", "exact"])
def test_same_answer(remote: RemoteRouter, problem: samples.RouteProblem, method: object) -> None:
    assert remote.solve(problem, method=method) == local().solve(problem, method=method)  # type: ignore[arg-type]


def test_same_news(remote: RemoteRouter) -> None:
    far: list[RouteSet] = []
    near: list[RouteSet] = []
    solution = remote.solve(GRID, callbacks=Callbacks(on_incumbent=far.append))
    assert solution == local().solve(GRID, callbacks=Callbacks(on_incumbent=near.append))
    assert far == near


def test_same_alternatives(remote: RemoteRouter) -> None:
    found = remote.solve(GRID, alternatives=5)
    assert found == local().solve(GRID, alternatives=5)
    assert len(found.alternatives) == 5


def test_same_budget(remote: RemoteRouter) -> None:
    found = remote.solve(HARD, stop=NodeBudget(50_000))
    assert found == local().solve(HARD, stop=NodeBudget(50_000))
    assert found.status is Status.FEASIBLE


def test_same_verdict_and_count(remote: RemoteRouter) -> None:
    for routes in ([], [Route("1", ("a", "b"), ("ab",))], [Route("1", ("b", "c"), ("bc",))]):
        assert remote.check(LINE, routes) == local().check(LINE, routes)
    assert remote.count(GRID, "0") == local().count(GRID, "0")


def test_same_errors(remote: RemoteRouter) -> None:
    for router in (remote, local()):
        with pytest.raises(InvalidRoutes) as caught:
            router.solve(LINE, fixed=[Route("1", ("b", "c"), ("bc",))])
        assert [fault.where for fault in caught.value.faults] == ["fixed[0]"]
        with pytest.raises(InvalidInput) as refused:
            router.count(LINE, "9")
        assert [fault.where for fault in refused.value.faults] == ["train"]


def test_same_end_of_a_count(remote: RemoteRouter) -> None:
    problem = samples.grid(9, 1, 40)
    cancelled = Cancelled()
    threading.Timer(0.5, cancelled.cancel).start()
    for stop in (Deadline(0.2), NodeBudget(1000), AnyOf((cancelled, Deadline(50)))):
        for router in (remote, local()):
            with pytest.raises(Stopped, match="stopped counting: "):
                router.count(problem, "0", stop=stop)


def test_deadline(remote: RemoteRouter) -> None:
    start = time.monotonic()
    solution = remote.solve(HARD, stop=Deadline(0.3))
    assert time.monotonic() - start < 15
    assert solution.status is Status.FEASIBLE
    assert solution.bound > solution.revenue


def test_cancel(remote: RemoteRouter) -> None:
    stop = Cancelled()
    threading.Timer(0.5, stop.cancel).start()
    start = time.monotonic()
    solution = remote.solve(HARD, stop=AnyOf((stop, Deadline(50))))
    assert time.monotonic() - start < 15
    assert solution.why == "cancelled"
    assert solution.status in {Status.FEASIBLE, Status.UNKNOWN}
    assert solution.bound > solution.revenue
