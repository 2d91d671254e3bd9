"""Whether calls are answered by their deadlines, and what the time of a call is made of."""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import grpc

from benchmarks.load.driver import METHOD, Driver, Run
from benchmarks.load.mix import mix, stress
from benchmarks.load.target import target
from benchmarks.load.truth import proved, solve_here
from benchmarks.material import table
from engine.v1 import game_service_pb2 as pb
from router.v1 import solution_pb2

SHORTEST, LONGEST = 0.001, 2.0


def deadlines(calls: int, clients: int, spread: str, options: Sequence[str]) -> str:
    """Send calls with deadlines at random, half of them of boards under pressure.

    Parameters
    ----------
    spread
        ``even``: every length of a deadline is as likely; ``log``: every order of magnitude is.
    """
    source = random.Random(11)
    cases = [it for pair in zip(stress() * 20, mix(calls, None), strict=False) for it in pair][:calls]
    timeouts = [
        source.uniform(SHORTEST, LONGEST)
        if spread == "even"
        else SHORTEST * (LONGEST / SHORTEST) ** source.random()
        for _ in cases
    ]
    with target(*options) as found:
        driver = Driver(found.address, cases, keep=True)
        run = asyncio.run(_all(driver, timeouts, clients))
        # the line of a call is written once its answer is on its way, or the caller has left
        time.sleep(1)
        logged = found.calls()
    over = sorted(it.seconds - it.timeout for it in run.replies)
    rows = []
    edges = (SHORTEST, 0.005, 0.02, 0.1, 0.5, LONGEST)
    for low, high in itertools.pairwise(edges):
        part = [it for it in run.replies if low <= it.timeout < high]
        late = sorted(it.seconds - it.timeout for it in part)
        if part:
            codes = Counter(it.code for it in part)
            rows.append(
                [
                    f"{1e3 * low:.0f}-{1e3 * high:.0f} ms",
                    len(part),
                    codes["OK"],
                    codes["DEADLINE_EXCEEDED"],
                    len(part) - codes["OK"] - codes["DEADLINE_EXCEEDED"],
                    f"{1e3 * late[min(len(late) - 1, int(0.99 * len(late)))]:+.1f}",
                    f"{1e3 * late[-1]:+.1f}",
                ]
            )
    statuses = Counter(
        solution_pb2.Status.Name(pb.SolvePositionResponse.FromString(it.body).solution.status)
        for it in run.replies
        if it.code == "OK"
    )
    head = (
        "deadline",
        "calls",
        "OK",
        "DEADLINE_EXCEEDED",
        "other",
        "reply - deadline, p99 (ms)",
        "worst (ms)",
    )
    p99 = over[min(len(over) - 1, int(0.99 * len(over)))]
    return (
        f"{len(over)} calls, {clients} clients, codes {run.codes()}, statuses {dict(statuses)}\n"
        f"DEADLINE_EXCEEDED, by what the server knew: {_knowledge(run, logged)}\n"
        f"reply - deadline: p99 {1e3 * p99:+.1f} ms, worst {1e3 * over[-1]:+.1f} ms\n\n" + table(head, rows)
    )


def _knowledge(run: Run, logged: dict[str, dict[str, Any]]) -> dict[str, int]:
    """Return how many late calls there were by what the server's log says of each."""
    found: Counter[str] = Counter({"a legal answer": 0})
    for reply in run.replies:
        if reply.code != "DEADLINE_EXCEEDED":
            continue
        line = logged.get(f"r{reply.number}")
        if line is None:
            found["over before it was read"] += 1
        elif line["code"] == "OK":
            found["a legal answer"] += 1
        elif "known" in line:
            found["a legal answer" if line["known"] else "none, " + line.get("reason", line["code"])] += 1
        else:
            found["not told, " + line["code"]] += 1
    return dict(found)


async def _all(driver: Driver, timeouts: Sequence[float], clients: int) -> Run:
    await driver.connect()
    left = iter(enumerate(timeouts))

    async def client() -> None:
        for number, timeout in left:
            driver.run.sent += 1
            await driver.send(number, time.perf_counter(), timeout)

    await asyncio.gather(*(client() for _ in range(clients)))
    await driver.close()
    return driver.run


def overhead(calls: int, options: Sequence[str]) -> str:
    """Compare the time of each call on one channel with that of the same solve in this process."""
    cases = proved(calls)
    inside: list[float] = []
    outside: list[float] = []
    with target(*options) as found, grpc.insecure_channel(found.address) as channel:
        send = channel.unary_unary(METHOD, request_serializer=bytes, response_deserializer=bytes)
        for number, case in enumerate(cases):
            payload = case.payload(f"o{number}")
            here, there = [], []
            for _ in range(3):
                begun = time.perf_counter()
                answer = solve_here(payload)
                here.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                reply = send(payload, timeout=120)
                there.append(time.perf_counter() - begun)
                assert reply == answer
                if here[-1] > 1:
                    break
            inside.append(statistics.median(here))
            outside.append(statistics.median(there))
    extra = sorted(b - a for a, b in zip(inside, outside, strict=True))
    return (
        f"{len(cases)} positions three times on one channel, every reply the same bytes as in this process\n"
        f"median in this process {1e3 * statistics.median(inside):.2f} ms, over gRPC "
        f"{1e3 * statistics.median(outside):.2f} ms\n"
        f"overhead: median {1e3 * statistics.median(extra):.2f} ms, "
        f"p90 {1e3 * extra[int(0.9 * len(extra))]:.2f} ms"
    )
