"""Settings of the server."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from router.errors import Fault, InvalidInput
from router.service.limits import Sizes

MAX_PORT = 65535
LOG_LEVELS = ("debug", "info", "warning", "error")
MIB = 1024 * 1024
WORKERS_PER_CORE = 2
_SIZES = Sizes()

_PORTS = ("port", "metrics_port")
_COUNTS = (
    "workers",
    "max_calls",
    "max_queue",
    "max_message_bytes",
    "max_hexes",
    "max_nodes",
    "max_segments",
    "max_trains",
    "burst",
)
_SECONDS = ("max_time_limit", "max_wait", "patience", "rate")
_FROM_ZERO = ("max_memory_bytes", "cache_bytes", "grace")


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings of the server.

    Attributes
    ----------
    host, port
        Where to listen; port 0 takes any free one.
    plaintext
        Whether to speak without TLS on an address that other machines can reach.
    tls_cert, tls_key
        Files with the server's certificate chain and its key, in PEM; read again when they change.
    tls_client_ca
        File with the authorities whose clients are let in; without it clients need no certificate.
    tokens
        File with the callers that are let in, see :class:`router.service.identity.Tokens`.
    rate, burst
        Calls per second that one caller may make in the long run, and at once; None: any number.
    workers
        Processes that search; one search each at a time. By default two per core: a search that takes long
        then does not hold up the many that are short.
    max_calls
        Calls accepted at a time, running and waiting; more are answered RESOURCE_EXHAUSTED.
    max_queue
        Calls that may wait for a worker; more are answered RESOURCE_EXHAUSTED.
    max_wait
        Seconds that a call may be expected to wait for a worker while more calls come, all the time, than the
        workers can do; with more it is refused at once. A burst may wait as long as there are places.
    max_message_bytes
        Largest request and answer.
    max_hexes, max_nodes, max_segments, max_trains
        Largest problem; the tiles of a position count as its hexes.
    max_time_limit
        Seconds after which any search stops; also the limit of a search that asks for none.
    max_memory_bytes
        Memory that a search may take; 0: any amount.
    cache_bytes
        Memory for answers that may be asked for again; 0: none.
    patience
        Seconds after its limit in which a worker must answer before it is ended.
    grace
        Seconds in which running calls may finish once the server is told to stop.
    metrics_host, metrics_port
        Where to serve metrics over HTTP, port None: nowhere.
    reflection, channelz
        Whether to offer gRPC's services for tools and for debugging.
    otlp_endpoint
        Where to send traces to over HTTP; None: nowhere.
    log_level
        One of debug, info (each call), warning, error.

    Raises
    ------
    InvalidInput
        On construction, with everything that is wrong.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    plaintext: bool = False
    tls_cert: str | None = None
    tls_key: str | None = None
    tls_client_ca: str | None = None
    tokens: str | None = None
    rate: float | None = None
    burst: int | None = None
    workers: int = field(default_factory=lambda: WORKERS_PER_CORE * available_cores())
    max_calls: int = 512
    max_queue: int = 128
    max_wait: float = 0.05
    max_message_bytes: int = 8 * MIB
    max_hexes: int = _SIZES.hexes
    max_nodes: int = _SIZES.nodes
    max_segments: int = _SIZES.segments
    max_trains: int = _SIZES.trains
    max_time_limit: float = 60.0
    max_memory_bytes: int = 1024 * MIB
    cache_bytes: int = 64 * MIB
    patience: float = 5.0
    grace: float = 10.0
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    reflection: bool = False
    channelz: bool = False
    otlp_endpoint: str | None = None
    log_level: str = "info"

    def __post_init__(self) -> None:
        """Refuse settings that make no sense."""
        faults = list(self._faults())
        if faults:
            raise InvalidInput(faults)

    @property
    def sizes(self) -> Sizes:
        """The largest problem."""
        return Sizes(self.max_hexes, self.max_nodes, self.max_segments, self.max_trains)

    @property
    def tls(self) -> bool:
        """Whether the server speaks TLS."""
        return self.tls_cert is not None

    def _faults(self) -> Iterator[Fault]:
        if not self.host:
            yield Fault("host", "must not be empty")
        for name in _PORTS:
            port = getattr(self, name)
            if port is not None and not 0 <= port <= MAX_PORT:
                yield Fault(name, f"must be 0 to {MAX_PORT}, not {port}")
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and not 1 <= value < 2**31:
                yield Fault(name, f"must be at least 1 and below 2^31, not {value}")
        for name in _SECONDS:
            value = getattr(self, name)
            if value is not None and not value > 0:
                yield Fault(name, f"must be more than 0, not {value}")
        for name in _FROM_ZERO:
            if not getattr(self, name) >= 0:
                yield Fault(name, f"must not be negative, not {getattr(self, name)}")
        if self.log_level not in LOG_LEVELS:
            yield Fault("log_level", f"must be one of {', '.join(LOG_LEVELS)}, not {self.log_level!r}")
        yield from self._insecurities()

    def _insecurities(self) -> Iterator[Fault]:
        if (self.tls_cert is None) != (self.tls_key is None):
            missing = "tls_key" if self.tls_key is None else "tls_cert"
            yield Fault(missing, "tls_cert and tls_key belong together; one is missing")
        if self.tls_client_ca is not None and self.tls_cert is None:
            yield Fault("tls_client_ca", "needs tls_cert and tls_key")
        if self.burst is not None and self.rate is None:
            yield Fault("burst", "needs rate")
        if self.host and not (self.tls or self.plaintext or loopback(self.host)):
            why = f"other machines can reach {self.host}: set tls_cert and tls_key, or plaintext"
            yield Fault("host", why)
