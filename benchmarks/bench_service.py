"""Positions over gRPC: the time that one client waits, and what several clients get done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.material import MISSING, Figures, milliseconds, shared
from benchmarks.measure import load, requests, served

GAMES = ("18NewEngland", "1861")
WORKERS = 2
pytestmark = pytest.mark.skipif(shared() is None, reason=MISSING)


@pytest.fixture(scope="module")
def calls() -> list[bytes]:
    found = requests(GAMES)
    random.Random(1).shuffle(found)
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(WORKERS) as found:
        yield found


def test_one_client(
    benchmark: Any, address: str, calls: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    load(address, 1, calls[:200])
    seconds, _ = benchmark.pedantic(load, (address, 1, calls), rounds=1)
    f = Figures.of(seconds)
    benchmark.extra_info.update(median=f.median, p99=f.p99)
    with capsys.disabled():
        print(f"\none client: median {milliseconds(f.median)} ms, p99 {milliseconds(f.p99)} ms")


@pytest.mark.parametrize("clients", [2, 4, 8, 32])
def test_many_clients(
    benchmark: Any, address: str, calls: list[bytes], clients: int, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds, total = benchmark.pedantic(load, (address, clients, calls), rounds=1)
    rate = len(seconds) / total
    benchmark.extra_info.update(positions_per_second=rate, median=Figures.of(seconds).median)
    with capsys.disabled():
        median = milliseconds(Figures.of(seconds).median)
        print(f"\n{clients} clients: {rate:.0f} positions/s, median {median} ms")
