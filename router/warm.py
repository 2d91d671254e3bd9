"""Makes the solver ready: compiles its kernels or loads them from the cache, and loads what else it needs."""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from router.problem import Limit, Node, RouteProblem, Segment, Train, kinds
from router.solution import Status


@dataclass(frozen=True, slots=True)
class Report:
    """What warming up did.

    Attributes
    ----------
    seconds
        Time of each step.
    kernels
        What ``router.kernels.warm`` reported, if it reports anything.
    ready
        Whether a small problem was solved at the end.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    kernels: object = None
    ready: bool = False

    @property
    def total(self) -> float:
        """Seconds in all."""
        return sum(self.seconds.values())


def warm() -> Report:
    """Make the solver ready and prove it with a small problem."""
    seconds: dict[str, float] = {}
    start = time.perf_counter()
    kernels = importlib.import_module("router.kernels")
    seconds["import"] = time.perf_counter() - start
    start = time.perf_counter()
    compile_all = getattr(kernels, "warm", None)
    report = compile_all() if compile_all is not None else None
    seconds["kernels"] = time.perf_counter() - start
    start = time.perf_counter()
    from router.solve import solve

    ready = solve(_small()).status is Status.OPTIMAL
    seconds["solve"] = time.perf_counter() - start
    return Report(seconds, report, ready)


def kernel_folder() -> str:
    """Return where the compiled kernels are kept."""
    return str(importlib.import_module("router.kernels").CACHE_FOLDER)


def _small() -> RouteProblem:
    """Return three cities in a row and a train that serves two."""
    return RouteProblem(
        nodes=(
            Node("a", "city", "A", 10, token=True),
            Node("b", "city", "B", 20),
            Node("c", "town", "C", 10),
        ),
        segments=(
            Segment("ab", "a", "b", ("ab",), ("A", "B")),
            Segment("bc", "b", "c", ("bc",), ("B", "C")),
        ),
        trains=(
            Train("1", "2", visit=(Limit(kinds("city", "town", "offboard"), 2),)),
            Train("2", "2+1", visit=(Limit(kinds("city"), 2), Limit(kinds("town"), 1))),
        ),
    )
