"""What callers get when something goes wrong, and that nobody else notices."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from service_jobs import Jobs
from service_support import REGISTRARS, code_of, config, details, wait_until

import samples
from router import convert
from router.service import memory
from router.service.process import Worker
from router.service.server import Server, running
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceStub


def test_lost_worker_is_unavailable_and_replaced(server: Server, jobs: Jobs) -> None:
    pool = server.context.pool()
    wait_until(lambda: pool.alive == 2)
    before = pool.started
    for _ in range(3):
        other = jobs.start("work", b"0.5")
        time.sleep(0.1)
        with pytest.raises(grpc.RpcError) as caught:
            jobs.call("crash")
        assert code_of(caught.value) is grpc.StatusCode.UNAVAILABLE
        assert details(caught.value)["ErrorInfo"].reason == "WORKER_LOST"
        assert other.result() == b"done"
        assert jobs.call("echo", b"x") == b"x"
    wait_until(lambda: pool.started >= before + 3 and pool.alive == 2, 60)
    assert pool.started == before + 3


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_worker_that_died_idle_is_replaced_unnoticed(server: Server, jobs: Jobs) -> None:
    pool = server.context.pool()
    wait_until(lambda: pool.alive == 2)
    killed = pool.processes()
    for process in killed:
        os.kill(process, signal.SIGKILL)
    wait_until(lambda: set(pool.processes()).isdisjoint(killed) or not any(map(alive, killed)))
    for _ in range(4):
        assert jobs.call("echo", b"x") == b"x"
    wait_until(lambda: pool.alive == 2)


def test_unexpected_error_is_internal_without_traceback(jobs: Jobs) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        jobs.call("boom")
    error = caught.value
    assert code_of(error) is grpc.StatusCode.INTERNAL
    found = details(error)
    incident = found["ErrorInfo"].metadata["incident"]
    assert error.details() == f"internal error; the server's log has more under incident {incident}"
    assert "secret" not in str(error)
    assert "Traceback" not in str(error)


def test_stubborn_job_is_ended(server: Server, jobs: Jobs) -> None:
    """A job that heeds neither deadline nor cancellation loses its worker after some patience."""
    pool = server.context.pool()
    wait_until(lambda: pool.alive == 2)
    started = pool.started
    for call in [jobs.start("stubborn", b"60", timeout=0.2) for _ in range(2)]:
        assert code_of(call.exception()) is grpc.StatusCode.DEADLINE_EXCEEDED
    assert jobs.call("echo", b"x") == b"x"
    wait_until(lambda: pool.started >= started + 2 and pool.alive == 2, 60)
    assert pool.started == started + 2


def test_a_worker_without_a_core_is_not_taken_for_stubborn(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        running(config(workers=1), REGISTRARS) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        monkeypatch.setattr(Worker, "starved", lambda *_: True)
        pool = server.context.pool()
        for job, seconds, lost in (("stubborn", b"1", 0), ("stubborn", b"30", 1)):
            assert code_of(Jobs(channel).start(job, seconds, timeout=0.2).exception()) is (
                grpc.StatusCode.DEADLINE_EXCEEDED
            )
            wait_until(lambda: pool.alive == 1 and not pool.busy, 60)
            assert pool.restarts["cancelled"] == lost


@pytest.mark.skipif(memory.work(os.getpid()) is None, reason="this system does not tell what a process does")
def test_who_works_and_who_sleeps() -> None:
    def work(process: subprocess.Popen[bytes]) -> tuple[float, bool]:
        found = memory.work(process.pid)
        assert found is not None
        return found

    with (
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as idle,
    ):
        try:
            wait_until(lambda: work(busy)[0] > 0.1 and work(busy)[1], 120)
            wait_until(lambda: not work(idle)[1], 120)
        finally:
            busy.kill()
            idle.kill()
    assert memory.work(-1) is None


def test_oversized_message(channel: grpc.Channel) -> None:
    request = pb.SolveRoutesRequest(id="x" * 1_100_000)
    with pytest.raises(grpc.RpcError) as caught:
        RouterServiceStub(channel).SolveRoutes(request, timeout=20)
    assert code_of(caught.value) is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_unknown_method(channel: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/router.v1.RouterService/Guess")(b"", timeout=20)
    assert code_of(caught.value) is grpc.StatusCode.UNIMPLEMENTED


def test_full_server_says_when_to_try_again() -> None:
    with (
        running(config(workers=1, max_calls=3), REGISTRARS) as small,
        grpc.insecure_channel(small.address) as channel,
    ):
        jobs = Jobs(channel)
        inside = [jobs.start("work", b"1.5") for _ in range(3)]
        time.sleep(0.5)
        with pytest.raises(grpc.RpcError) as caught:
            jobs.call("echo")
        assert code_of(caught.value) is grpc.StatusCode.RESOURCE_EXHAUSTED
        found = details(caught.value)
        assert found["ErrorInfo"].reason == "SERVER_FULL"
        assert found["RetryInfo"].retry_delay.ToMilliseconds() > 0
        inside[0].cancel()
        inside[1].cancel()
        assert inside[2].result() == b"done"
        assert jobs.call("echo", b"x") == b"x"


def test_no_free_worker_within_the_limit() -> None:
    with (
        running(config(workers=1, max_time_limit=0.4, patience=30.0), REGISTRARS) as slow,
        grpc.insecure_channel(slow.address) as channel,
    ):
        jobs = Jobs(channel)
        busy = jobs.start("stubborn", b"1.5")
        time.sleep(0.2)
        with pytest.raises(grpc.RpcError) as caught:
            jobs.call("echo")
        assert code_of(caught.value) is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert set(details(caught.value)) == {"ErrorInfo", "RetryInfo"}
        assert busy.result() == b"done"


def test_many_clients_at_once(server: Server) -> None:
    problem = convert.problem_to_proto(samples.line())

    def client(number: int) -> set[str]:
        with grpc.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            stub = RouterServiceStub(channel)
            requests = [pb.SolveRoutesRequest(id=f"{number}.{i}", problem=problem) for i in range(8)]
            answers = [
                call.result().solution
                for call in [stub.SolveRoutes.future(it, timeout=60) for it in requests]
            ]
            assert all(it.revenue == 60 for it in answers)
            return {it.id for it in answers}

    with ThreadPoolExecutor(16) as threads:
        seen = set[str]().union(*threads.map(client, range(16)))
    assert len(seen) == 16 * 8
