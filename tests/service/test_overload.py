"""Calls for which there is no room, and what is known of those that get no answer in time."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import grpc
import pytest
from service_jobs import SERVICE, Jobs
from service_support import REGISTRARS, code_of, config, details, wait_until

import samples
from router import convert
from router.problem import MustRun
from router.service import pump
from router.service.envelopes import Envelope
from router.service.limits import Sizes
from router.service.pressure import CALM, Pressure
from router.service.searching import Search
from router.service.server import Server, running
from router.service.servicer import LOOKING, TRIALS, Context
from router.service.tickets import Ticket
from router.service.workers import Pool
from router.solution import Status
from router.v1 import router_service_pb2 as pb


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


class Place:
    """A place in the queue; how long its call has waited is that of all."""

    since = 0.0


@pytest.fixture(scope="module")
def idle() -> Iterator[Pool]:
    """Two workers that have nothing to do, and a queue of 16."""
    with running(config(workers=2, max_queue=16, max_wait=0.1), REGISTRARS) as server:
        yield server.context.pool()


@pytest.fixture
def refused(idle: Pool) -> Iterator[Callable[..., bool]]:
    def refused(places: int, gap: float, waited: float = 0.0) -> bool:
        Place.since = time.monotonic() - waited
        idle._queue.extend(Place() for _ in range(places))  # type: ignore[misc]
        idle._pressure.gap = gap
        try:
            return idle.no_room() is not None
        finally:
            idle._queue.clear()

    yield refused
    idle._pressure = Pressure(18, 0.01)


def weigh(pool: Pool, calls: int = 100) -> None:
    """Have so many calls come one upon another."""
    for number in range(calls):
        pool._pressure.joined(time.monotonic(), number == 0)


def test_a_burst_waits_as_long_as_there_is_room(refused: Callable[..., bool]) -> None:
    for places in range(16):
        assert not refused(places, gap=10, waited=10)
    assert refused(16, gap=0)


def test_a_queue_that_stays_is_as_long_as_the_time_that_it_means(
    idle: Pool, refused: Callable[..., bool]
) -> None:
    weigh(idle)
    assert not refused(0, gap=10)
    assert not refused(1, gap=10, waited=10)  # as many may wait as there are workers
    assert refused(2, gap=0.05)
    assert not refused(15, gap=0.001)
    assert refused(15, gap=0.01)
    assert refused(15, gap=0.001, waited=0.2)  # all workers are at something long
    assert refused(16, gap=0.0)


def test_calls_that_may_need_no_worker_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    context = Context(config(workers=1, max_queue=1))
    context.unary("Solve", "", Envelope(pb.SolveRoutesRequest, "routes"))
    context.unary("Other", "")

    def let_in(method: str, inside: int = 0) -> int:
        return sum(context.crowded(method, inside) is None for _ in range(2 * TRIALS))

    pool = context.pool()
    assert let_in("Other") == 2 * TRIALS
    pool._queue.append(Place())  # type: ignore[arg-type]
    assert let_in("Other") == 0
    assert let_in("Solve", 100) == 2 * TRIALS  # a burst: any of them may ask for the same
    weigh(pool)
    assert let_in("Solve", LOOKING) == 2 * TRIALS
    assert let_in("Solve", LOOKING + 1) == 0
    monkeypatch.setattr(context.desk, "_sharing", 5)
    assert let_in("Solve", LOOKING + 5) == 2 * TRIALS
    for _ in range(200):
        context.desk._learn(lucky=False)
    assert let_in("Solve") == 2
    assert let_in("Solve", 100) == 0


def test_a_call_that_would_wait_in_vain_is_refused_at_once(idle: Pool, refused: Callable[..., bool]) -> None:
    now = time.monotonic()
    Place.since = now
    idle._pressure.joined(now - 1.0, True)
    idle._pressure.gap = 0.5
    idle._queue.extend(Place() for _ in range(9))  # type: ignore[misc]
    try:
        assert idle._in_vain(Ticket(0.01)) is None  # nothing is known of this queue yet
        idle._pressure._handed = 2
        assert idle._in_vain(Ticket(60)) is None
        assert idle._in_vain(Ticket(4)) is not None
        idle._pressure.gap = 0.01  # it was fast so far
        assert idle._in_vain(Ticket(4)) is None
        ticket = Ticket(60)
        ticket.deadline = now - 1
        assert idle._in_vain(ticket) is not None or idle._refusal(ticket, now) is not None
    finally:
        idle._queue.clear()


def test_pressure_is_forgotten_while_nobody_waits() -> None:
    pressure = Pressure(10, 0.01)
    for number in range(9):
        pressure.joined(0.0, number == 0)
        assert not pressure.standing
    pressure.joined(5.0, False)  # however long it takes
    assert pressure.standing
    pressure.emptied(5.0)
    pressure.joined(5.0 + CALM / 20, True)
    assert pressure.standing
    pressure.emptied(6.0)
    pressure.joined(6.0 + CALM / 2, True)
    assert not pressure.standing
    for _ in range(3):
        pressure.joined(6.2, False)
    assert not pressure.standing
    pressure.joined(6.2, False)
    assert pressure.standing


def test_a_burst_of_calls_is_answered_to_the_last() -> None:
    settings = config(workers=2, max_queue=16)
    with running(settings, REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        server.context.pool()._pressure.gap = 5.0  # as after some very long calls
        for _ in range(3):
            calls = [Jobs(channel).start("work", b"0.02", timeout=60) for _ in range(18)]
            assert [it.result() for it in calls] == [b"done"] * 18
            time.sleep(2 * CALM)


def test_more_calls_than_can_be_done_are_refused_at_once() -> None:
    settings = config(workers=2, max_queue=16, max_wait=0.01)
    with running(settings, REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        jobs, pool = Jobs(channel), server.context.pool()
        burst = [jobs.start("work", b"0.1", timeout=60) for _ in range(18)]
        wait_until(lambda: pool._pressure._level == 16)
        more = []
        end = time.monotonic() + 60
        while not any(it.done() and it.exception() for it in more):
            assert time.monotonic() < end
            wait_until(lambda: pool.waiting < 16)
            more.append(jobs.start("work", b"0.1", timeout=60))
        assert [it.result() for it in burst] == [b"done"] * 18
        errors = [it.exception() for it in more if it.exception()]
        assert {details(it)["ErrorInfo"].reason for it in errors} == {"SERVER_FULL"}


def test_calls_for_the_same_need_no_room() -> None:
    """One search, and everybody who asks for the same has its answer: the queue is not theirs."""
    ask = pb.SolveRoutesRequest(problem=convert.problem_to_proto(samples.grid(6, 3, 11)))
    ask.time_limit.FromMilliseconds(1500)
    settings = config(workers=1, max_queue=1, cache_bytes=0)
    with running(settings, REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        pool = server.context.pool()
        call = channel.unary_unary("/router.v1.RouterService/SolveRoutes")
        blocker = Jobs(channel).start("work", b"20", timeout=60)
        wait_until(lambda: pool.busy == 1)
        calls = [call.future(ask.SerializeToString(), timeout=60)]
        wait_until(lambda: pool.waiting == 1)
        calls += [call.future(ask.SerializeToString(), timeout=60) for _ in range(40)]
        wait_until(lambda: server.context.desk.sharing == 40)
        weigh(pool)
        calls.append(call.future(ask.SerializeToString(), timeout=60))
        wait_until(lambda: server.context.desk.sharing == 41)
        blocker.cancel()
        assert len({it.result() for it in calls}) == 1


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


def test_a_caller_that_stops_reading_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump, "STALL", 0.5)
    with (
        running(config(workers=1), REGISTRARS) as server,
        grpc.insecure_channel(server.address, [("grpc.http2.bdp_probe", 0)]) as channel,
    ):
        stream = Jobs(channel).stream("drip", b"300", timeout=100)
        assert next(stream).startswith(b"0 ")
        gate = server._gate
        assert not gate.empty(0)
        assert gate.empty(60)
        with pytest.raises(grpc.RpcError) as caught:
            list(stream)
        assert code_of(caught.value) is grpc.StatusCode.CANCELLED
