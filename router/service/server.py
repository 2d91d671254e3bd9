"""The server: gRPC in front, workers behind, and everything that a running service needs."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from router.errors import Fault, InvalidInput, TrunklineError
from router.service import logs, servicer
from router.service.config import Config, loopback
from router.service.identity import Door
from router.service.interceptors import Gate
from router.service.servicer import Context
from router.service.threads import Threads
from router.service.tls import Certificates
from router.service.tracing import tracer

if TYPE_CHECKING:
    from router.service.servicer import Registrar

SPARE_CALLS = 64
"""Room beside ``max_calls`` for health checks, and to tell callers that the server is full."""
KEEPALIVE = 60_000
"""Milliseconds of silence after which a connection is asked whether there is still somebody."""
KEEPALIVE_TIMEOUT = 20_000
PENDING = 100_000
"""Calls that gRPC itself holds until they are looked at; beyond, it would end them without a reason."""
FAREWELL = 2.0
"""Seconds for the last words of calls that are refused or have just ended; most need hardly any."""
REFLECTION = "grpc.reflection.v1alpha.ServerReflection"
CHANNELZ = "grpc.channelz.v1.Channelz"

log = structlog.get_logger("trunkline")


class CannotListen(TrunklineError):
    """The port is taken or the address is none of this machine's."""


class Server:
    """One server; ``start`` it, and ``stop`` it.

    Parameters
    ----------
    config
        Settings.
    registrars
        Functions that add further services; ``RouterService`` is always there.
    """

    def __init__(self, config: Config, registrars: Sequence[Registrar] = ()) -> None:
        self.config = config
        self.context = Context(config)
        self.metrics_port: int | None = None
        self.port = 0
        self._certificates = Certificates(config) if config.tls else None
        self._tracer = tracer(config.otlp_endpoint)
        limit = config.max_calls + SPARE_CALLS
        self._threads = Threads(limit, "trunkline-call")
        self._gate = Gate(
            config.max_calls,
            door=Door(config),
            metrics=self.context.metrics,
            records=self.context.records,
            tracer=self._tracer,
            open_services=frozenset({health.SERVICE_NAME}),
            tools=frozenset({REFLECTION, CHANNELZ}),
            crowded=self.context.crowded,
        )
        self._server = grpc.server(
            self._threads,
            interceptors=[self._gate],
            maximum_concurrent_rpcs=limit,
            options=[
                ("grpc.max_receive_message_length", config.max_message_bytes),
                ("grpc.max_send_message_length", config.max_message_bytes),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", KEEPALIVE),
                ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
                ("grpc.server.max_pending_requests", PENDING),
                ("grpc.server.max_pending_requests_hard_limit", PENDING),
            ],
        )
        for register in (servicer.register, *registrars):
            register(self._server, self.context)
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._add_tools()
        self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        self._metrics_server: Any = None
        self._stopped = threading.Event()

    def _add_tools(self) -> None:
        if self.config.reflection:
            from grpc_reflection.v1alpha import reflection

            names = [*self.context.services, health.SERVICE_NAME, reflection.SERVICE_NAME]
            reflection.enable_server_reflection(names, self._server)
        if self.config.channelz:
            try:
                from grpc_channelz.v1 import channelz
            except ImportError:
                why = "needs the extra 'channelz' (pip install 'trunkline[channelz]')"
                raise InvalidInput([Fault("channelz", why)]) from None
            channelz.add_channelz_servicer(self._server)

    @property
    def address(self) -> str:
        """Where the server listens, as ``host:port``."""
        return _address(self.config.host, self.port)

    def start(self) -> None:
        """Listen, start the workers, and report SERVING once they are warm.

        Raises
        ------
        CannotListen
            If the address cannot be used.
        RuntimeError
            If the workers do not start.
        """
        try:
            self.port = self._listen(_address(self.config.host, self.config.port))
            if self.config.metrics_port is not None:
                self.metrics_port, self._metrics_server = self.context.metrics.serve(
                    self.config.metrics_host, self.config.metrics_port
                )
        except (RuntimeError, OSError) as error:
            raise CannotListen(f"cannot listen on {self.config.host}: {error}") from error
        pool = self.context.pool()
        self._server.start()
        if not (self.config.tls or loopback(self.config.host)):
            log.warning("plaintext on an address that other machines can reach", address=self.address)
        log.info("listening", address=self.address, workers=self.config.workers, tls=self.config.tls)
        try:
            pool.start()
        except RuntimeError:
            self.stop(0)
            raise
        if not self._stopped.is_set():
            log.info("serving", address=self.address, services=self.context.services)
            pool.on_change = self._show_health
            self._show_health(pool.alive > 0)

    def stop(self, grace: float | None = None, hurry: threading.Event | None = None) -> None:
        """Refuse new calls, let running ones finish, and end the workers.

        Parameters
        ----------
        grace
            Seconds in which running calls may finish; by default those of the settings.
        hurry
            Once it is set, running calls are cancelled at once.
        """
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._health.enter_graceful_shutdown()
        self._gate.close()
        # gRPC's own stop would end calls that it has not handed over yet without a reason: it comes last.
        end = time.monotonic() + (self.config.grace if grace is None else grace)
        while not self._gate.empty(0.1) and time.monotonic() < end:
            if hurry is not None and hurry.is_set():
                break
        # Calls that are left are told why they end; gRPC would only cancel them.
        self.context.pool().stop()
        self._server.stop(FAREWELL).wait()
        self._threads.shutdown(wait=False)
        self._tracer.close()
        if self._metrics_server is not None:
            self._metrics_server.shutdown()
            self._metrics_server.server_close()
        log.info("stopped")

    def _listen(self, address: str) -> int:
        if self._certificates is None:
            return self._server.add_insecure_port(address)
        return self._server.add_secure_port(address, self._certificates.credentials())

    def _show_health(self, serving: bool) -> None:
        answers = health_pb2.HealthCheckResponse
        if not self._stopped.is_set():
            self._set_health(answers.SERVING if serving else answers.NOT_SERVING)

    def _set_health(self, status: Any) -> None:
        for service in ("", *self.context.services):
            self._health.set(service, status)


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextlib.contextmanager
def running(config: Config, registrars: Sequence[Registrar] = ()) -> Iterator[Server]:
    """Run a server for the length of a ``with`` block; meant for tests and examples."""
    server = Server(config, registrars)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def serve(
    config: Config, registrars: Sequence[Registrar] = (), told: Mapping[str, object] | None = None
) -> None:
    """Run a server until SIGTERM or SIGINT; a second signal cuts the grace period short.

    Parameters
    ----------
    told
        The settings that are not the default, for the log.

    Raises
    ------
    CannotListen
        If the address cannot be used.
    RuntimeError
        If the workers do not start.
    """
    logs.configure(config.log_level)
    log.info("settings", **(told or {}))
    server = Server(config, registrars)
    end, hurry = threading.Event(), threading.Event()
    failures: list[Exception] = []

    def tell(number: int, _: object) -> None:
        (hurry if end.is_set() else end).set()

    def start() -> None:
        try:
            server.start()
        except (TrunklineError, RuntimeError) as error:
            failures.append(error)
            end.set()

    before = {number: signal.signal(number, tell) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        # Apart, so that a signal is heard even while the kernels compile.
        threading.Thread(target=start, name="trunkline-start", daemon=True).start()
        end.wait()
        log.info("stopping", grace=config.grace)
        server.stop(hurry=hurry)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if failures:
        raise failures[0]
