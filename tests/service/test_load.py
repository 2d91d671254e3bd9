"""Short runs of the load driver: nothing is lost, doubled or wrong, whatever happens to the server."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Iterator

import grpc
import pytest

from benchmarks.load.chaos import Killer, judge
from benchmarks.load.driver import METHOD, Driver, Run, appointments
from benchmarks.load.mix import Case, case
from benchmarks.load.target import Target, target
from benchmarks.load.truth import solve_here
from engine.v1 import game_service_pb2 as pb
from router.v1 import solution_pb2
from support import PROJECT, read_jsonl

RATE = 40.0
"""Calls per second; few enough for a machine that does other work."""
CALM = ("--cache-bytes=0", "--workers=3")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    lines = [line for line in read_jsonl(PROJECT / "examples" / "demo.jsonl") if "position" in line]
    return [case(line["position"]["game"], line["position"], 20.0) for line in lines]


@pytest.fixture(scope="module")
def expected(cases: list[Case]) -> dict[int, bytes]:
    return {at: solve_here(it.payload("")) for at, it in enumerate(cases)}


@pytest.fixture
def found() -> Iterator[Target]:
    with target(*CALM) as running:
        yield running


def drive(found: Target, cases: list[Case], seconds: float, rate: float = RATE) -> Run:
    driver = Driver(found.address, cases, keep=True)
    return asyncio.run(driver.open_loop(appointments(rate, seconds)))


def test_nothing_is_lost_or_doubled(found: Target, cases: list[Case], expected: dict[int, bytes]) -> None:
    files = found.descriptors()
    run = drive(found, cases, 5)
    assert (run.lost, run.doubled) == (0, 0)
    assert set(run.codes()) <= {"OK", "RESOURCE_EXHAUSTED"}
    right, wrong = judge(run.replies, cases, expected)
    assert (right, wrong) == (run.codes()["OK"], 0)
    assert found.descriptors() <= files + 16
    assert len(found.workers()) == 3


def test_overload_is_refused_and_nothing_else(found: Target, cases: list[Case]) -> None:
    run = drive(found, cases, 2, rate=1500)
    assert (run.lost, run.doubled) == (0, 0)
    assert set(run.codes()) <= {"OK", "RESOURCE_EXHAUSTED"}
    assert run.codes()["OK"] > 0


def test_kill_workers_under_load(found: Target, cases: list[Case], expected: dict[int, bytes]) -> None:
    killer = Killer(found)
    killer.start()
    run = drive(found, cases, 6)
    killer.end()
    assert killer.killed >= 3
    assert (run.lost, run.doubled) == (0, 0)
    unavailable = [it for it in run.replies if it.code == "UNAVAILABLE"]
    assert len(unavailable) <= killer.killed
    assert {it.reason for it in unavailable} <= {"WORKER_LOST"}
    assert set(run.codes()) <= {"OK", "UNAVAILABLE", "RESOURCE_EXHAUSTED"}
    assert judge(run.replies, cases, expected)[1] == 0


def test_accepted_calls_are_answered_when_the_server_is_told_to_stop(cases: list[Case]) -> None:
    with target(*CALM, "--grace=100") as found:
        threading.Timer(1.5, found.terminate).start()
        run = drive(found, cases, 3)
        assert found.process.wait(110) == 0
        calls = [it for it in map(json.loads, found.log.read_text().splitlines()) if it["event"] == "call"]
    assert (run.lost, run.doubled) == (0, 0)
    assert run.codes()["OK"] > 0
    assert set(run.codes()) <= {"OK", "UNAVAILABLE", "RESOURCE_EXHAUSTED"}
    accepted = [it for it in calls if it.get("reason") != "STOPPING" or "id" in it]
    assert {it["code"] for it in accepted} <= {"OK", "RESOURCE_EXHAUSTED"}


def test_random_deadlines(found: Target, expected: dict[int, bytes]) -> None:
    """An answer that comes is never wrong, and says what it claims, however short the time was."""
    source = random.Random(1)
    lines = read_jsonl(PROJECT / "examples" / "demo.jsonl")
    cases = [case("", line["position"], None) for line in lines if "position" in line]
    with grpc.insecure_channel(found.address) as channel:
        call = channel.unary_unary(METHOD)
        codes = set()
        for number in range(60):
            at = number % len(cases)
            timeout = 0.001 * 2000 ** source.random()
            future = call.future(cases[at].payload(""), timeout=timeout)
            codes.add(future.code())
            if future.code() is grpc.StatusCode.OK:
                answer = pb.SolvePositionResponse.FromString(future.result()).solution
                truth = pb.SolvePositionResponse.FromString(expected[at]).solution
                if answer.status == solution_pb2.STATUS_OPTIMAL:
                    assert answer == truth
                else:
                    assert answer.revenue <= truth.revenue <= answer.bound
    assert codes <= {grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED}
