"""Figures for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, Metric

if TYPE_CHECKING:
    from router.service.sharing import Desk
    from router.service.workers import Pool

SECONDS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)


class _Counted:
    """Counters that are kept elsewhere, read when somebody asks."""

    def __init__(self, name: str, what: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        self._name, self._what, self._label, self._read = name, what, label, read

    def collect(self) -> Iterable[Metric]:
        """Return the figures."""
        family = CounterMetricFamily(self._name, self._what, labels=[self._label])
        for name, value in sorted(self._read().items()):
            family.add_metric([name], value)
        yield family

    def describe(self) -> Iterator[Metric]:
        """Return the names of the figures."""
        yield CounterMetricFamily(self._name, self._what, labels=[self._label])


class Metrics:
    """The figures of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "trunkline_calls",
            "Calls answered, by method and gRPC code.",
            ["method", "code"],
            registry=self.registry,
        )
        self.answers = Counter(
            "trunkline_answers",
            "Answers by method and status; OPTIMAL and INFEASIBLE are proofs.",
            ["method", "status"],
            registry=self.registry,
        )
        self.refusals = Counter(
            "trunkline_refusals", "Calls refused, by reason.", ["reason"], registry=self.registry
        )
        self.late = Counter(
            "trunkline_late",
            "Calls whose deadline passed unanswered, by whether the server had heard of a legal answer.",
            ["known"],
            registry=self.registry,
        )
        self.running = Gauge(
            "trunkline_calls_running", "Calls accepted and not yet answered.", registry=self.registry
        )
        self.seconds = Histogram(
            "trunkline_call_seconds",
            "Time from a call's arrival to its answer.",
            ["method"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self.waited = Histogram(
            "trunkline_wait_seconds",
            "Time that a call waited for a worker.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.solved = Histogram(
            "trunkline_solve_seconds",
            "Time that a worker took for a call.",
            ["method"],
            buckets=SECONDS,
            registry=self.registry,
        )

    def watch(self, pool: Pool) -> None:
        """Add the figures of the workers and of the queue."""
        self._gauge("trunkline_workers", "Worker processes that are ready or at work.", lambda: pool.alive)
        self._gauge("trunkline_workers_busy", "Worker processes at work.", lambda: pool.busy)
        self._gauge("trunkline_queue", "Calls that wait for a worker.", lambda: pool.waiting)
        self._gauge(
            "trunkline_workers_started",
            "Worker processes started since the server was.",
            lambda: pool.started,
        )
        self.registry.register(
            _Counted(
                "trunkline_worker_restarts",
                "Worker processes replaced, by reason.",
                "reason",
                lambda: dict(pool.restarts),
            )
        )

    def watch_desk(self, desk: Desk) -> None:
        """Add the figures of shared answers: the hit rate is that of ``cache`` and ``shared`` among all."""
        self.registry.register(
            _Counted(
                "trunkline_served",
                "Answers by where they come from: worker, shared (another call's search), cache.",
                "source",
                lambda: {"worker": 0, "shared": 0, "cache": 0, **desk.served},
            )
        )
        self._gauge("trunkline_cache_bytes", "Memory of the answers at hand.", lambda: desk.cache.size)
        self._gauge("trunkline_cache_answers", "Answers at hand.", lambda: len(desk.cache))

    def _gauge(self, name: str, what: str, read: Callable[[], float]) -> None:
        Gauge(name, what, registry=self.registry).set_function(read)

    def serve(self, host: str, port: int) -> tuple[int, object]:
        """Serve the figures over HTTP; return the port and the HTTP server."""
        server, _ = start_http_server(port, host, self.registry)
        return int(server.server_port), server
