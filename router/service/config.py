"""Settings of the server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from router.errors import Fault, InvalidInput

MAX_PORT = 65535
LOG_LEVELS = ("debug", "info", "warning", "error")


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings of the server.

    Attributes
    ----------
    host, port
        Where to listen; port 0 takes any free one.
    workers
        Processes that search; one search each at a time.
    max_calls
        Calls accepted at a time, running and waiting; more are answered RESOURCE_EXHAUSTED.
    max_message_bytes
        Largest request and answer.
    max_time_limit
        Seconds after which any search stops; also the limit of a search that asks for none.
    patience
        Seconds after its limit or cancellation in which a worker must answer before it is killed.
    grace
        Seconds in which running calls may finish once the server is told to stop.
    metrics_port
        Where to serve metrics over HTTP, None: nowhere.
    log_level
        One of debug, info (each call), warning, error.

    Raises
    ------
    InvalidInput
        On construction, with everything that is wrong.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    workers: int = field(default_factory=available_cores)
    max_calls: int = 256
    max_message_bytes: int = 8 * 1024 * 1024
    max_time_limit: float = 60.0
    patience: float = 5.0
    grace: float = 10.0
    metrics_port: int | None = None
    log_level: str = "info"

    def __post_init__(self) -> None:
        """Refuse settings that make no sense."""
        faults = list(self._faults())
        if faults:
            raise InvalidInput(faults)

    def _faults(self) -> Iterator[Fault]:
        if not self.host:
            yield Fault("host", "must not be empty")
        for name in ("port", "metrics_port"):
            port = getattr(self, name)
            if port is not None and not 0 <= port <= MAX_PORT:
                yield Fault(name, f"must be 0 to {MAX_PORT}, not {port}")
        for name in ("workers", "max_calls", "max_message_bytes"):
            value = getattr(self, name)
            if not 1 <= value < 2**31:
                yield Fault(name, f"must be at least 1 and below 2^31, not {value}")
        for name in ("max_time_limit", "patience"):
            if not getattr(self, name) > 0:
                yield Fault(name, f"must be more than 0, not {getattr(self, name)}")
        if not self.grace >= 0:
            yield Fault("grace", f"must not be negative, not {self.grace}")
        if self.log_level not in LOG_LEVELS:
            yield Fault("log_level", f"must be one of {', '.join(LOG_LEVELS)}, not {self.log_level!r}")
