"""Calls for which there is no room, and what is known of those that get no answer in time."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import grpc
import pytest
from service_jobs import SERVICE, Jobs
from service_support import REGISTRARS, code_of, config, details, wait_until

import samples
from router.problem import MustRun
from router.service import pump, urgency
from router.service.limits import Sizes
from router.service.searching import Search
from router.service.server import Server, running
from router.service.tickets import Ticket
from router.solution import Status


@pytest.fixture
def full() -> Iterator[tuple[Server, grpc.Channel]]:
    """A server whose only worker works, and whose only place to wait is taken."""
    settings = config(workers=1, max_queue=1, log_level="info")
    with running(settings, REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        jobs = Jobs(channel)
        jobs.call("echo", b"")
        calls = [jobs.start("work", b"20", timeout=60)]
        wait_until(lambda: server.context.pool().busy == 1)
        calls.append(jobs.start("work", b"20", timeout=60))
        wait_until(lambda: server.context.pool().waiting == 1)
        yield server, channel
        for call in calls:
            call.cancel()


def test_a_call_without_room_is_refused_before_its_message_has_come(
    full: tuple[Server, grpc.Channel],
) -> None:
    never: queue.Queue[bytes] = queue.Queue()
    server, channel = full
    call = channel.stream_unary(f"/{SERVICE}/echo").future(iter(never.get, None), timeout=20)
    error = call.exception()
    assert code_of(error) is grpc.StatusCode.RESOURCE_EXHAUSTED
    found = details(error)
    assert found["ErrorInfo"].reason == "SERVER_FULL"
    assert found["RetryInfo"].retry_delay.ToMilliseconds() > 0
    never.put(b"")
    with pytest.raises(grpc.RpcError) as caught:
        Jobs(channel).call("echo", b"x")
    assert details(caught.value)["ErrorInfo"].reason == "SERVER_FULL"
    with pytest.raises(grpc.RpcError) as caught:
        list(Jobs(channel).stream("flood", b"3"))
    assert details(caught.value)["ErrorInfo"].reason == "SERVER_FULL"
    assert server.context.pool().waiting == 1


def test_a_few_calls_are_read_all_the_same_if_their_answers_may_be_at_hand(
    full: tuple[Server, grpc.Channel],
) -> None:
    pool = full[0].context.pool()
    assert pool.crowded(2, 0) is not None
    assert pool.crowded(2, 8) is None
    assert pool.crowded(10, 8) is not None


def test_a_queue_is_as_long_as_the_time_that_it_means() -> None:
    with running(config(workers=2, max_wait=0.1), REGISTRARS) as server:
        pool = server.context.pool()

        class Place:
            since = time.monotonic()

        def refused(places: int, gap: float, waited: float = 0.0) -> bool:
            pool._queue.extend(Place() for _ in range(places))  # type: ignore[misc]
            Place.since = time.monotonic() - waited
            pool._gap = gap
            try:
                return pool.crowded(0, -1000) is not None
            finally:
                pool._queue.clear()

        assert not refused(0, gap=10)
        assert not refused(1, gap=10, waited=10)  # as many may wait as there are workers
        assert refused(2, gap=0.05)
        assert not refused(20, gap=0.001)
        assert refused(20, gap=0.01)
        assert refused(20, gap=0.001, waited=0.2)  # all workers are at something long
        assert refused(300, gap=0.0)


def test_a_search_that_knows_nothing_yet_still_knows_that_no_train_need_run() -> None:
    fields = {"hexes": "", "nodes": "", "segments": "", "trains": ""}
    problem = samples.line()
    for conditions, known in (((), True), ((MustRun(),), False)):
        search = Search(Sizes(), fields)
        assert search.draft() is None
        search._problem = replace(problem, conditions=conditions)
        search._asked = {"fixed": (), "objective": "revenue"}
        draft = search.draft()
        assert (draft is not None) == known
        if draft is not None:
            assert (draft.status, draft.revenue, draft.routes) == (Status.FEASIBLE, 0, ())
            assert draft.bound >= 60
            assert search.draft() is None


@pytest.mark.parametrize(("job", "late"), [("stubborn", 1), ("tardy", 0)])
def test_calls_that_get_no_answer_in_time_are_counted(job: str, late: int) -> None:
    with (
        running(config(workers=1), REGISTRARS) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        Jobs(channel).start(job, b"30", timeout=1.5).exception()
        wait_until(lambda: not server.context.pool().busy)
        value = server.context.metrics.registry.get_sample_value
        assert (value("trunkline_late_total", {"known": "false"}) or 0) == late
        assert not value("trunkline_late_total", {"known": "true"})


def test_a_call_whose_answer_came_too_late_is_told_apart() -> None:
    from router.service.records import Record

    record = Record("Solve", ticket=Ticket(1, time.monotonic() + 100))
    assert record.late is None
    ticket = Ticket(1)
    ticket.deadline, ticket.known = time.monotonic() - 1, True
    record.ticket = ticket
    assert record.late is True
    assert record.line()["known"] is True
    record.source = "worker"
    assert record.late is None


def test_short_slices_are_asked_for_where_there_are_any() -> None:
    granted: list[bool] = []
    thread = threading.Thread(
        target=lambda: granted.extend(map(urgency.claim, (urgency.PROMPT, urgency.USUAL)))
    )
    thread.start()
    thread.join()
    assert granted[0] == granted[1]


def test_a_caller_that_stops_reading_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump, "STALL", 0.5)
    with (
        running(config(workers=1), REGISTRARS) as server,
        grpc.insecure_channel(server.address, [("grpc.http2.bdp_probe", 0)]) as channel,
    ):
        stream = Jobs(channel).stream("flood", b"3000", timeout=60)
        assert next(stream).startswith(b"0 ")
        gate = server._gate
        assert not gate.empty(0)
        assert gate.empty(30)
        with pytest.raises(grpc.RpcError) as caught:
            list(stream)
        assert code_of(caught.value) is grpc.StatusCode.CANCELLED
