"""How soon a worker is free once the caller has gone, on boards that keep it busy."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import grpc

from benchmarks.load.driver import METHOD, part
from benchmarks.load.mix import stress
from engine.service import register
from router.service import Config, logs
from router.service.server import running

PAUSE = 0.001


def _until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(PAUSE)
    return True


def cancel(calls: int) -> str:
    """Cancel calls at a random moment and return the times until their workers were free."""
    source = random.Random(3)
    times: list[float] = []
    over = 0
    cases = stress() * 20
    logs.configure("error")
    with (
        running(Config(port=0, workers=2, cache_bytes=0), [register]) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        pool = server.context.pool()
        for number in range(calls):
            call = channel.unary_unary(METHOD).future(cases[number].payload(f"c{number}"), timeout=60)
            time.sleep(source.uniform(0.01, 0.4))
            if call.done() or not pool.busy:
                over += 1
            else:
                begun = time.monotonic()
                call.cancel()
                _until(lambda: not pool.busy, 10)
                times.append(time.monotonic() - begun)
            _until(lambda: pool.alive == 2 and not pool.busy, 10)
        ended = dict(pool.restarts)
    times.sort()
    return (
        f"{len(times)} calls cancelled under way ({over} were over before); worker free after: median "
        f"{part(times, 0.5):.1f} ms, p99 {part(times, 0.99):.1f} ms, worst {1e3 * times[-1]:.1f} ms\n"
        f"workers replaced because they did not heed it: {ended.get('cancelled', 0)}"
    )
