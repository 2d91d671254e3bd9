"""What callers notice when workers are killed, and when the server is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from benchmarks.load.driver import Driver, Reply, appointments
from benchmarks.load.levels import capacity
from benchmarks.load.mix import Case, mix
from benchmarks.load.target import Target, target
from benchmarks.load.truth import proved, solve_here
from engine.v1 import game_service_pb2 as pb
from router.v1 import solution_pb2


class Killer(threading.Thread):
    """Kills a worker every second, and looks how long the server is not SERVING."""

    def __init__(self, found: Target) -> None:
        super().__init__(daemon=True)
        self.killed = 0
        self.away: list[float] = []
        self.whole: list[float] = []
        self._target = found
        self._over = threading.Event()

    def run(self) -> None:
        """Kill until told to end."""
        source = random.Random(5)
        size = len(self._target.workers())
        with grpc.insecure_channel(self._target.address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            while not self._over.wait(1):
                workers = self._target.workers()
                if not workers:
                    continue
                victim = source.choice(workers)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    self.killed += 1
                self._recover(stub, size, victim)

    def _recover(self, stub: health_pb2_grpc.HealthStub, size: int, victim: int) -> None:
        """Note the seconds until the server is SERVING, and until it has all its workers."""
        begun = time.monotonic()
        served = False
        while time.monotonic() - begun < 30:
            workers = self._target.workers()
            if not served and victim not in workers:
                answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
                served = answer.status == health_pb2.HealthCheckResponse.SERVING
                self.away += [time.monotonic() - begun] * served
            if served and len(workers) >= size:
                break
            time.sleep(0.01)
        self.whole.append(time.monotonic() - begun)

    def end(self) -> None:
        """Stop killing."""
        self._over.set()
        self.join()


def judge(replies: Sequence[Reply], cases: Sequence[Case], expected: dict[int, bytes]) -> tuple[int, int]:
    """Return how many answers are proved and how many are wrong."""
    right = wrong = 0
    for reply in replies:
        if reply.code != "OK":
            continue
        at = reply.number % len(cases)
        found = pb.SolvePositionResponse.FromString(reply.body).solution
        found.id = ""
        truth = pb.SolvePositionResponse.FromString(expected[at]).solution
        if found.status == solution_pb2.STATUS_OPTIMAL:
            right += 1
            wrong += found != truth
        else:
            wrong += not found.revenue <= truth.revenue <= found.bound
    return right, wrong


def chaos(seconds: float, level: float, calls: int, options: Sequence[str]) -> str:
    """Kill a worker every second under load."""
    cases = proved(calls)
    expected = {at: solve_here(case.payload("")) for at, case in enumerate(cases)}
    with target(*options) as found:
        most = capacity(found, calls)
        killer = Killer(found)
        killer.start()
        driver = Driver(found.address, cases, keep=True)
        run = asyncio.run(driver.open_loop(appointments(level * most, seconds)))
        killer.end()
    right, wrong = judge(run.replies, cases, expected)
    unavailable = [it for it in run.replies if it.code == "UNAVAILABLE"]
    away, whole = sorted(killer.away), sorted(killer.whole)
    return (
        f"{seconds:.0f} s at {level * most:.0f} calls/s ({level:g}x of {most:.0f})\n"
        f"a worker killed every second, {killer.killed} in all\n"
        f"{run.sent} calls, codes {run.codes()}, lost {run.lost}, doubled {run.doubled}\n"
        f"UNAVAILABLE: {len(unavailable)} calls, at most one per kill; reasons "
        f"{sorted({it.reason for it in unavailable})}\n"
        f"{right} proved answers equal to those of this process, {wrong} wrong ones\n"
        f"SERVING after: median {away[len(away) // 2]:.3f} s, worst {away[-1]:.3f} s\n"
        f"all workers back after: median {whole[len(whole) // 2]:.3f} s, worst {whole[-1]:.3f} s"
    )


def drain(seconds: float, level: float, calls: int, options: Sequence[str]) -> str:
    """Tell the server to stop under load; every call that it accepted must be answered."""
    with target(*options) as found:
        most = capacity(found, calls)
        driver = Driver(found.address, mix(calls))
        timer = threading.Timer(seconds / 2, found.terminate)
        timer.start()
        run = asyncio.run(driver.open_loop(appointments(level * most, seconds)))
        code = found.process.wait(60)
        calls_seen = [it for it in found.log.read_text().splitlines() if '"event": "call"' in it]
        # a call that is refused unread has no id; one with an id was let in
        stopped = [it for it in calls_seen if '"STOPPING"' in it and '"id"' not in it]
        refused = [*stopped, *(it for it in calls_seen if '"RESOURCE_EXHAUSTED"' in it)]
        accepted = [it for it in calls_seen if it not in refused]
        cut = [it for it in accepted if '"code": "OK"' not in it]
    return (
        f"SIGTERM after {seconds / 2:g} s at {level * most:.0f} calls/s: exit code {code}\n"
        f"{run.sent} calls, codes {run.codes()}, lost {run.lost}, doubled {run.doubled}\n"
        f"log: {len(refused)} calls refused, {len(accepted)} accepted, {len(cut)} of these unanswered"
    )
