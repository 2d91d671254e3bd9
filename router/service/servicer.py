"""The gRPC side of jobs: raw bytes in and out, so that all work is done in the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import grpc

from router.service import capabilities
from router.service.config import Config
from router.service.metrics import Metrics
from router.service.worker import ANSWER
from router.service.workers import Pool, Ticket
from router.v1 import router_service_pb2 as pb

if TYPE_CHECKING:
    Registrar: TypeAlias = Callable[[grpc.Server, "Context"], None]

ROUTER_SERVICE = pb.DESCRIPTOR.services_by_name["RouterService"].full_name
FOREVER = 1e9
"""gRPC says how many seconds remain even if there is no deadline: None, or some very large number."""
ROUTER_JOBS = "router.service.jobs"


class Context:
    """What a service needs to add itself to the server."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.metrics = Metrics()
        self.services: list[str] = []
        self._preload: list[str] = []
        self._pool: Pool | None = None

    def preload(self, module: str) -> None:
        """Have ``module`` imported, and so warmed up, before the first worker starts."""
        if self._pool is not None:
            raise RuntimeError("the workers have been started")
        self._preload.append(module)

    def pool(self) -> Pool:
        """Return the workers; from now on nothing can be preloaded."""
        if self._pool is None:
            self._pool = Pool(self.config, tuple(self._preload))
            self.metrics.watch(self._pool)
        return self._pool

    def add(self, server: grpc.Server, service: str, handlers: dict[str, Any]) -> None:
        """Add a service with the handlers of its methods."""
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        self.services.append(service)

    def unary(self, method: str, job: str) -> Any:
        """Return the handler of a method that answers once; ``job`` is ``package.module:function``."""

        def behaviour(request: bytes, context: grpc.ServicerContext) -> bytes:
            *_, answer = self._run(method, job, request, context)
            return answer

        return grpc.unary_unary_rpc_method_handler(behaviour)

    def stream(self, method: str, job: str) -> Any:
        """Return the handler of a method that sends events and ends with an answer."""

        def behaviour(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            return self._run(method, job, request, context)

        return grpc.unary_stream_rpc_method_handler(behaviour)

    def _run(self, method: str, job: str, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        remaining: float | None = cast("float | None", context.time_remaining())
        ticket = Ticket(self.config.max_time_limit)
        if remaining is not None and remaining < FOREVER:
            ticket.deadline = ticket.arrived + remaining
        if not context.add_callback(ticket.cancel):
            ticket.cancel()
        for frame in self.pool().run(job, request, ticket):
            if frame.kind == ANSWER:
                self.metrics.waited.observe(ticket.waited)
                if frame.label:
                    self.metrics.answers.labels(method, frame.label).inc()
            yield frame.payload


def register(server: grpc.Server, context: Context) -> None:
    """Add ``router.v1.RouterService``."""
    context.preload(ROUTER_JOBS)

    def get_capabilities(request: bytes, _: grpc.ServicerContext) -> bytes:
        return capabilities.answer(context.config, context.services)

    jobs = {"SolveRoutes": "solve_routes", "CheckRoutes": "check_routes", "CountRoutes": "count_routes"}
    handlers = {method: context.unary(method, f"{ROUTER_JOBS}:{job}") for method, job in jobs.items()}
    handlers["StreamSolveRoutes"] = context.stream("StreamSolveRoutes", f"{ROUTER_JOBS}:stream_solve_routes")
    handlers["GetCapabilities"] = grpc.unary_unary_rpc_method_handler(get_capabilities)
    context.add(server, ROUTER_SERVICE, handlers)
