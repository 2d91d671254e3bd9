"""What is done for a call after its answer has been sent."""

from __future__ import annotations

import threading
import time
from typing import Any

import grpc
from service_support import REGISTRARS, config, wait_until

import samples
from router import convert
from router.service.server import running
from router.service.threads import Threads, after
from router.v1 import router_service_pb2 as pb


def test_done_after_the_work_in_the_same_thread() -> None:
    happened: list[str] = []
    names: set[str] = set()

    def work() -> str:
        after(lambda: happened.append("first"))
        after(lambda: happened.append("second"))
        after(lambda: names.add(threading.current_thread().name))
        names.add(threading.current_thread().name)
        happened.append("work")
        return "answer"

    with Threads(1) as threads:
        assert threads.submit(work).result(10) == "answer"
    assert happened == ["work", "first", "second"]
    assert len(names) == 1


def test_done_though_the_work_fails_and_though_the_first_fails() -> None:
    happened: list[str] = []

    def fail() -> None:
        after(lambda: 1 // 0)
        after(lambda: happened.append("still"))
        raise LookupError

    with Threads(1) as threads:
        assert isinstance(threads.submit(fail).exception(10), LookupError)
        assert threads.submit(lambda: "next").result(10) == "next"
    assert happened == ["still"]


def test_done_at_once_in_other_threads() -> None:
    happened: list[str] = []
    after(lambda: happened.append("now"))
    assert happened == ["now"]


def test_no_caller_waits_for_the_log() -> None:
    stuck = threading.Event()
    told: list[str] = []

    class Slow:
        def ended(self, record: Any, code: str, seconds: float) -> None:
            stuck.wait(20)
            told.append(code)

        def close(self) -> None:
            pass

    with running(config(workers=1), REGISTRARS) as server:
        server._gate._tracer = Slow()
        request = pb.SolveRoutesRequest(problem=convert.problem_to_proto(samples.line()))
        with grpc.insecure_channel(server.address) as channel:
            begun = time.monotonic()
            call = channel.unary_unary("/router.v1.RouterService/SolveRoutes")
            assert call(request.SerializeToString(), timeout=10)
            stream = channel.unary_stream("/router.v1.RouterService/StreamSolveRoutes")
            assert list(stream(request.SerializeToString(), timeout=10))
            assert time.monotonic() - begun < 10
            assert told == []
            stuck.set()
            wait_until(lambda: told == ["OK", "OK"])
