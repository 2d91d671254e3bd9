"""How long a fresh process takes to its first answer, and a server until it serves; kernels are cached."""

from __future__ import annotations

from typing import Any

from benchmarks.measure import first_answer, ready, serving


def test_first_answer(benchmark: Any) -> None:
    ready()
    benchmark.pedantic(first_answer, rounds=5, warmup_rounds=1)


def test_server(benchmark: Any) -> None:
    ready()
    benchmark.pedantic(serving, rounds=3, warmup_rounds=1)
