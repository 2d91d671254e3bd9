"""Time limits, deadlines, budgets and cancellation."""

from __future__ import annotations

import time
from typing import Any

import grpc
import pytest
from service_jobs import Jobs
from service_support import code_of, wait_until

import samples
from router import convert
from router.service.server import Server
from router.v1 import router_service_pb2 as pb
from router.v1 import solution_pb2
from router.v1.router_service_pb2_grpc import RouterServiceStub

HARD = convert.problem_to_proto(samples.grid(7, 3, 20))
"""Keeps a solver busy for much longer than any test waits."""
PATIENCE = 15
"""Seconds within which something must have happened on a busy machine."""


@pytest.fixture(autouse=True)
def free(server: Server) -> None:
    """Whatever a test before has left, the workers are free."""
    pool = server.context.pool()
    wait_until(lambda: pool.alive == 2 and not pool.busy, 60)


@pytest.fixture(scope="module")
def stub(channel: grpc.Channel) -> RouterServiceStub:
    return RouterServiceStub(channel)


def request(seconds: float | None = None, **fields: Any) -> pb.SolveRoutesRequest:
    found = pb.SolveRoutesRequest(problem=HARD, **fields)
    if seconds is not None:
        found.time_limit.FromNanoseconds(round(seconds * 1e9))
    return found


def stream_request(seconds: float | None = None) -> pb.StreamSolveRoutesRequest:
    return pb.StreamSolveRoutesRequest.FromString(request(seconds).SerializeToString())


def assert_feasible(solution: solution_pb2.Solution) -> None:
    assert solution.status == solution_pb2.STATUS_FEASIBLE
    assert solution.bound > solution.revenue
    assert "time limit" in solution.why or "deadline" in solution.why


def test_time_limit(stub: RouterServiceStub) -> None:
    start = time.monotonic()
    response = stub.SolveRoutes(request(0.2), timeout=60)
    assert time.monotonic() - start < PATIENCE
    assert_feasible(response.solution)


def test_deadline_of_the_call(stub: RouterServiceStub) -> None:
    """The search ends a little before the deadline, so the answer still arrives."""
    assert_feasible(stub.SolveRoutes(request(), timeout=2.5).solution)


def test_the_sooner_limit_wins(stub: RouterServiceStub) -> None:
    start = time.monotonic()
    assert_feasible(stub.SolveRoutes(request(0.2), timeout=40).solution)
    assert_feasible(stub.SolveRoutes(request(40), timeout=2.5).solution)
    assert time.monotonic() - start < PATIENCE


def test_stream_heeds_its_limit_and_ends_with_one_final(stub: RouterServiceStub) -> None:
    events = list(stub.StreamSolveRoutes(stream_request(0.5), timeout=60))
    kinds = [event.WhichOneof("event") for event in events]
    assert kinds.count("final") == 1
    assert_feasible(events[-1].final)


def test_expansion_limit_gives_the_same_answer_again(stub: RouterServiceStub) -> None:
    answers = [stub.SolveRoutes(request(expansion_limit=100_000), timeout=60) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].solution.status == solution_pb2.STATUS_FEASIBLE
    assert "expansions" in answers[0].solution.why


def all_free(jobs: Jobs) -> None:
    """Pass if both workers answer soon, each holding on until the other has answered too."""
    for call in [jobs.start("work", b"0.3", timeout=PATIENCE) for _ in range(2)]:
        assert call.result() == b"done"


def test_cancelled_call_frees_its_worker(stub: RouterServiceStub, jobs: Jobs) -> None:
    for _ in range(4):
        calls = [stub.SolveRoutes.future(request(), timeout=60) for _ in range(2)]
        time.sleep(0.1)
        for call in calls:
            call.cancel()
    all_free(jobs)


def test_cancelled_stream_frees_its_worker(stub: RouterServiceStub, jobs: Jobs) -> None:
    for _ in range(2):
        streams = [stub.StreamSolveRoutes(stream_request(), timeout=60) for _ in range(2)]
        for stream in streams:
            assert next(stream).WhichOneof("event")
            stream.cancel()
    all_free(jobs)


def test_missed_deadline_frees_its_worker(jobs: Jobs) -> None:
    for call in [jobs.start("stubborn", b"0.5", timeout=0.1) for _ in range(2)]:
        assert code_of(call.exception()) is grpc.StatusCode.DEADLINE_EXCEEDED
    all_free(jobs)


def test_waiting_call_can_be_cancelled(jobs: Jobs) -> None:
    busy = [jobs.start("work", b"20", timeout=60) for _ in range(2)]
    time.sleep(0.2)
    waiting = jobs.start("echo", b"x", timeout=60)
    time.sleep(0.1)
    waiting.cancel()
    for call in busy:
        call.cancel()
    all_free(jobs)


def test_slow_reader_does_not_stall_a_job(jobs: Jobs) -> None:
    """Events that nobody reads are dropped; the answer is not."""
    stream = jobs.stream("flood", b"5000")
    time.sleep(0.5)
    messages = list(stream)
    assert messages[-1] == b"final"
    assert messages.count(b"final") == 1
    numbers = [int(message.split()[0]) for message in messages[:-1]]
    assert numbers == sorted(numbers)


def test_slow_reader_does_not_keep_a_worker(server: Server, jobs: Jobs) -> None:
    streams = [jobs.stream("flood", b"3000", timeout=60) for _ in range(4)]
    for stream in streams:
        next(stream)
    all_free(jobs)
    wait_until(lambda: not server.context.pool().busy)
    assert [list(stream)[-1] for stream in streams] == [b"final"] * 4


def test_abandoned_stream_frees_its_worker(jobs: Jobs) -> None:
    for _ in range(3):
        stream = jobs.stream("flood", b"100000")
        next(stream)
        stream.cancel()
    all_free(jobs)
