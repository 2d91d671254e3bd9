"""Throughput, times and refusals at parts and multiples of what the server can do; and a long run."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence

from benchmarks.load.driver import Driver, Run, appointments, part
from benchmarks.load.mix import mix
from benchmarks.load.target import Target, target
from benchmarks.material import table

CLIENTS = 4


def capacity(found: Target, calls: int) -> float:
    """Return the calls per second that the server answers when there is always something to do."""
    run = asyncio.run(Driver(found.address, mix(calls)).closed_loop(CLIENTS, calls))
    return len(run.times("OK")) / run.seconds


def row(level: float, rate: float, run: Run) -> list[object]:
    """Return what is told of a run."""
    good, refused = run.times("OK"), run.times("RESOURCE_EXHAUSTED")
    return [
        f"{level:g}x",
        f"{rate:.0f}",
        f"{len(good) / run.seconds:.0f}",
        *(f"{part(good, share):.1f}" for share in (0.5, 0.99, 0.999)),
        len(refused),
        f"{part(refused, 0.99):.1f}" if refused else "",
        f"{run.lag:.1f}",
        run.lost,
        run.doubled,
        len(run.replies) - len(good) - len(refused),
    ]


HEAD = [
    "load",
    "asked/s",
    "answered/s",
    "p50",
    "p99",
    "p99.9",
    "refused",
    "refusal-p99",
    "driver-lag-p99",
    "lost",
    "doubled",
    "other",
]


def levels(parts: Sequence[float], seconds: float, calls: int, options: Sequence[str]) -> str:
    """Return a table of a run at each part of the capacity; times in milliseconds.

    Nothing is answered from the cache unless the options say so: a run asks for each position more than
    once, and a load of which half costs nothing is not the load that it is called.
    """
    if not any(it.startswith("--cache-bytes") for it in options):
        options = [*options, "--cache-bytes=0"]
    with target(*options) as found:
        most = capacity(found, calls)
        rows = []
        for level in parts:
            times = appointments(level * most, seconds)
            rows.append(row(level, level * most, asyncio.run(Driver(found.address, mix()).open_loop(times))))
    return f"capacity: {most:.0f} calls/s ({CLIENTS} clients, {calls} calls)\n\n" + table(HEAD, rows)


def soak(level: float, seconds: float, calls: int, options: Sequence[str]) -> str:
    """Return what a long run at a part of the capacity shows: replies, memory, descriptors."""
    memory: list[int] = []
    files: list[int] = []
    with target(*options) as found:
        most = capacity(found, calls)
        last = [-10.0]

        def tick(at: float) -> None:
            if at - last[0] >= 10:
                last[0] = at
                memory.append(found.memory())
                files.append(found.descriptors())
                print(f"{at:.0f} s: {memory[-1] / 1e6:.1f} MB, {files[-1]} files", flush=True)

        driver = Driver(found.address, mix())
        run = asyncio.run(driver.open_loop(appointments(level * most, seconds), tick))
    tenth = max(1, len(memory) // 10)
    early, late = statistics.mean(memory[tenth : 2 * tenth]), statistics.mean(memory[-tenth:])
    lines = [
        f"capacity: {most:.0f} calls/s",
        table(HEAD, [row(level, level * most, run)]),
        f"{run.sent} calls in {run.seconds:.0f} s, codes {run.codes()}",
        f"memory: {early / 1e6:.1f} MB in the second tenth of the time, {late / 1e6:.1f} MB in the last: "
        f"{late / early - 1:+.2%}",
        f"descriptors: {statistics.mean(files[tenth : 2 * tenth]):.1f} and "
        f"{statistics.mean(files[-tenth:]):.1f}",
    ]
    return "\n".join(lines)
