"""The gRPC side of jobs: raw bytes in and out, so that all work is done in the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import grpc

from router.service import capabilities, logs, statuses
from router.service.config import Config
from router.service.envelopes import Envelope, Letter
from router.service.metrics import Metrics
from router.service.pump import Pump
from router.service.records import Record, Records
from router.service.sharing import WORKER, Desk
from router.service.tickets import Ticket
from router.service.worker import ANSWER, Frame
from router.service.workers import Pool
from router.v1 import router_service_pb2 as pb

if TYPE_CHECKING:
    Registrar: TypeAlias = Callable[[grpc.Server, "Context"], None]

ROUTER_SERVICE = pb.DESCRIPTOR.services_by_name["RouterService"].full_name
FOREVER = 1e9
"""gRPC says how many seconds remain even if there is no deadline: None, or some very large number."""
LOOKING = 8
"""Calls that are read at a time although there is no room to wait: their answers may be at hand."""
TRIALS = 16
"""One in so many of them is read even if hardly any found an answer lately."""
ROUTER_JOBS = "router.service.jobs"


@dataclass(frozen=True, slots=True)
class _Caller:
    """The caller of a call, as far as others may want to know."""

    context: grpc.ServicerContext

    def on_leave(self, action: Callable[[], None]) -> None:
        """Do something once the call has ended, at once if it has."""
        if not self.context.add_callback(action):
            action()


class Context:
    """What a service needs to add itself to the server."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.metrics = Metrics()
        self.records = Records()
        self.desk = Desk(config.cache_bytes)
        self.metrics.watch_desk(self.desk)
        self.services: list[str] = []
        self._sharing: set[str] = set()
        self._turned_away = 0
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

    def crowded(self, method: str, inside: int) -> statuses.Refused | None:
        """Return why there is no room for a call beside the ``inside`` there are, None if it may be.

        A call that may ask for what is at hand or being worked on is let in; while more calls come than
        can be done only a few at a time, and hardly any if few found something lately.
        """
        pool = self._pool
        refusal = None if pool is None else pool.no_room()
        if pool is None or refusal is None or method not in self._sharing:
            return refusal
        if not pool.pressed:
            return None
        self._turned_away += 1
        if not self.desk.worthwhile and self._turned_away % TRIALS:
            return refusal
        looking = inside - self.desk.sharing - pool.waiting - pool.busy
        return None if looking < LOOKING else refusal

    def add(self, server: grpc.Server, service: str, handlers: dict[str, Any]) -> None:
        """Add a service with the handlers of its methods."""
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        self.services.append(service)

    def unary(self, method: str, job: str, envelope: Envelope | None = None) -> Any:
        """Return the handler of a method that answers once.

        Parameters
        ----------
        job
            ``package.module:function``
        envelope
            Lets calls share answers; the job then answers with the body only.
        """

        def behaviour(request: bytes, context: grpc.ServicerContext) -> bytes:
            if envelope is None:
                *_, frame = self._search(job, request, self._ticket(context, None, hold=True))
                self._note(self.records.of(context), method, frame, WORKER)
                return frame.payload
            return self._shared(method, job, envelope, request, context)

        if envelope is not None:
            self._sharing.add(method)
        return grpc.unary_unary_rpc_method_handler(behaviour)

    def stream(self, method: str, job: str, envelope: Envelope | None = None) -> Any:
        """Return the handler of a method that sends events and ends with an answer; see :meth:`unary`."""

        def behaviour(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            if envelope is None:
                frames = self._search(job, request, self._ticket(context, None, hold=True))
                return (frame.payload for frame in Pump(frames, context.cancel))
            return self._streamed(method, job, envelope, request, context)

        return grpc.unary_stream_rpc_method_handler(behaviour)

    def _shared(
        self, method: str, job: str, envelope: Envelope, request: bytes, context: grpc.ServicerContext
    ) -> bytes:
        letter, record = self._opened(envelope, request, context)
        ticket = self._ticket(context, letter.seconds)

        def search(ticket: Ticket) -> Frame:
            *_, frame = self._search(job, letter.payload, ticket)
            return frame

        if self._granted(letter):
            frame, source = self.desk.answer(letter.key, ticket, _Caller(context), search)
        else:
            _Caller(context).on_leave(ticket.cancel)
            frame, source = search(ticket), WORKER
        record.queued = ticket.waited
        self._note(record, method, frame, source)
        return envelope.seal(frame.payload, letter.id)

    def _streamed(
        self, method: str, job: str, envelope: Envelope, request: bytes, context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        letter, record = self._opened(envelope, request, context)
        ticket = self._ticket(context, letter.seconds, hold=True)
        for frame in Pump(self._search(job, letter.payload, ticket), context.cancel):
            if frame.kind != ANSWER:
                yield frame.payload
                continue
            self.desk.keep(letter.key, frame)
            self.desk.served[WORKER] += 1
            record.queued = ticket.waited
            self._note(record, method, frame, WORKER)
            yield envelope.seal(frame.payload, letter.id)

    def _opened(
        self, envelope: Envelope, request: bytes, context: grpc.ServicerContext
    ) -> tuple[Letter, Record]:
        letter = envelope.open(request)
        record = self.records.of(context)
        record.id = logs.shown(letter.id)
        return letter, record

    def _granted(self, letter: Letter) -> bool:
        """Tell whether an answer at hand will do; a worker refuses a time limit that is not granted."""
        return letter.sound and (letter.seconds is None or letter.seconds <= self.config.max_time_limit)

    def _ticket(self, context: grpc.ServicerContext, seconds: float | None, hold: bool = False) -> Ticket:
        """Return the right of a call to a worker; ``hold``: it ends with the call."""
        most = self.config.max_time_limit
        remaining: float | None = cast("float | None", context.time_remaining())
        ticket = Ticket(most if seconds is None else min(most, seconds))
        if remaining is not None and remaining < FOREVER:
            ticket.deadline = ticket.arrived + remaining
        self.records.of(context).ticket = ticket
        if hold:
            _Caller(context).on_leave(ticket.cancel)
        return ticket

    def _search(self, job: str, payload: bytes, ticket: Ticket) -> Iterator[Frame]:
        for frame in self.pool().run(job, payload, ticket):
            if frame.kind == ANSWER:
                self.metrics.waited.observe(ticket.waited)
            yield frame

    def _note(self, record: Record, method: str, frame: Frame, source: str) -> None:
        record.source, record.status, record.notes = source, frame.label, dict(frame.notes)
        record.solved = frame.seconds if source == WORKER else 0.0
        if source == WORKER:
            self.metrics.solved.labels(method).observe(frame.seconds)
        if frame.label:
            self.metrics.answers.labels(method, frame.label).inc()


def register(server: grpc.Server, context: Context) -> None:
    """Add ``router.v1.RouterService``."""
    context.preload(ROUTER_JOBS)

    def get_capabilities(request: bytes, _: grpc.ServicerContext) -> bytes:
        return capabilities.answer(context.config, context.services)

    def job(name: str) -> str:
        return f"{ROUTER_JOBS}:{name}"

    solve = Envelope(pb.SolveRoutesRequest, "routes", 1)
    stream = Envelope(pb.StreamSolveRoutesRequest, "routes", 4)
    check = Envelope(pb.CheckRoutesRequest, "check routes")
    count = Envelope(pb.CountRoutesRequest, "count routes")
    handlers = {
        "SolveRoutes": context.unary("SolveRoutes", job("solve_routes"), solve),
        "StreamSolveRoutes": context.stream("StreamSolveRoutes", job("stream_solve_routes"), stream),
        "CheckRoutes": context.unary("CheckRoutes", job("check_routes"), check),
        "CountRoutes": context.unary("CountRoutes", job("count_routes"), count),
        "GetCapabilities": grpc.unary_unary_rpc_method_handler(get_capabilities),
    }
    context.add(server, ROUTER_SERVICE, handlers)
