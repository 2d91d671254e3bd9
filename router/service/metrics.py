"""Figures for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

if TYPE_CHECKING:
    from router.service.workers import Pool

SECONDS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)


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
            "Answers of jobs, by method and status.",
            ["method", "status"],
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

    def watch(self, pool: Pool) -> None:
        """Add the figures of the workers."""
        alive = Gauge(
            "trunkline_workers", "Worker processes that are ready or at work.", registry=self.registry
        )
        alive.set_function(lambda: pool.alive)
        busy = Gauge("trunkline_workers_busy", "Worker processes at work.", registry=self.registry)
        busy.set_function(lambda: pool.busy)
        started = Gauge(
            "trunkline_workers_started",
            "Worker processes started since the server was.",
            registry=self.registry,
        )
        started.set_function(lambda: pool.started)

    def serve(self, host: str, port: int) -> tuple[int, object]:
        """Serve the figures over HTTP; return the port and the HTTP server."""
        server, _ = start_http_server(port, host, self.registry)
        return int(server.server_port), server
