"""What happens to every call: who calls, admission, logs, metrics, and no tracebacks to callers."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, cast

import grpc
import structlog
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from router.service import logs, statuses
from router.service.identity import Door
from router.service.metrics import Metrics
from router.service.records import Record, Records
from router.service.tracing import PARENT, Tracer

log = structlog.get_logger("trunkline")

Handler = Any
Behaviour = Callable[[Any, grpc.ServicerContext], Any]


class Gate(grpc.ServerInterceptor):
    """Lets at most ``max_calls`` calls in, and watches each that is.

    Parameters
    ----------
    open_services
        Services that anybody may call, such as health.
    tools
        Services that are none of its business but for who calls them.
    """

    def __init__(
        self,
        max_calls: int,
        *,
        door: Door,
        metrics: Metrics,
        records: Records,
        tracer: Tracer,
        open_services: frozenset[str],
        tools: frozenset[str],
    ) -> None:
        self._max_calls = max_calls
        self._door = door
        self._metrics = metrics
        self._records = records
        self._tracer = tracer
        self._open_services = open_services
        self._tools = tools
        self._changed = threading.Condition()
        self._inside = 0
        self._closed = False

    def close(self) -> None:
        """Refuse new calls from now on."""
        self._closed = True

    def empty(self, seconds: float) -> bool:
        """Wait until no call runs, at most so many seconds; tell whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._inside, seconds)

    def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Handler], details: grpc.HandlerCallDetails
    ) -> Handler:
        """Wrap the handler of a call."""
        handler = continuation(details)
        service, _, method = str(details.method).lstrip("/").rpartition("/")
        if handler is None or service in self._open_services:
            return handler
        if service in self._tools:
            return self._guarded(handler)
        if handler.response_streaming:
            behaviour = self._streaming(method, handler.unary_stream)
            make: Any = grpc.unary_stream_rpc_method_handler
        else:
            behaviour = self._unary(method, handler.unary_unary)
            make = grpc.unary_unary_rpc_method_handler
        return make(behaviour, handler.request_deserializer, handler.response_serializer)

    def _guarded(self, handler: Handler) -> Handler:
        """Return the handler of a tool, for those who may call."""
        kind = f"{'stream' if handler.request_streaming else 'unary'}_"
        kind += "stream" if handler.response_streaming else "unary"
        inner = getattr(handler, kind)

        def behaviour(request: Any, context: grpc.ServicerContext) -> Any:
            try:
                self._admit(context)
            except statuses.Refused as refused:
                _abort(context, refused.status)
            return inner(request, context)

        make = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(behaviour, handler.request_deserializer, handler.response_serializer)

    def _unary(self, method: str, inner: Behaviour) -> Behaviour:
        def behaviour(request: Any, context: grpc.ServicerContext) -> Any:
            watch = self._enter(method, context)
            try:
                answer = inner(request, context)
            except Exception as error:
                watch.fail(error)
            watch.close("OK")
            return answer

        return behaviour

    def _streaming(self, method: str, inner: Behaviour) -> Behaviour:
        def behaviour(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            watch = self._enter(method, context)
            try:
                yield from inner(request, context)
            except Exception as error:
                watch.fail(error)
            watch.close("OK")

        return behaviour

    def _admit(self, context: grpc.ServicerContext) -> str:
        # the type that the stubs give is not what comes: there are several values of each name
        certificate = cast("Mapping[str, Iterable[bytes]]", context.auth_context())
        return self._door.admit(context.invocation_metadata() or (), context.peer(), certificate)

    def _enter(self, method: str, context: grpc.ServicerContext) -> _Watch:
        record = self._records.open(context, method)
        watch = _Watch(record, context, self._metrics, self._tracer)
        try:
            record.caller = self._admit(context)
        except statuses.Refused as refused:
            watch.fail(refused)
        for name, value in context.invocation_metadata() or ():
            if name == PARENT and isinstance(value, str):
                record.parent = value
        with self._changed:
            closed, full = self._closed, self._inside >= self._max_calls
            self._inside += not (closed or full)
        if closed:
            watch.fail(statuses.stopping())
        if full:
            watch.fail(statuses.full(0.5, f"{self._max_calls} calls are running or waiting; try again later"))
        self._metrics.running.inc()
        if not context.add_callback(lambda: self._leave(watch)):
            self._leave(watch)
        return watch

    def _leave(self, watch: _Watch) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()
        self._metrics.running.dec()
        watch.close("CANCELLED")


class _Watch:
    """One call, until it is closed."""

    def __init__(
        self, record: Record, context: grpc.ServicerContext, metrics: Metrics, tracer: Tracer
    ) -> None:
        self._record = record
        self._context = context
        self._metrics = metrics
        self._tracer = tracer
        self._lock = threading.Lock()
        self._open = True

    def close(self, code: str, **more: object) -> None:
        """Count and log the call, once."""
        with self._lock:
            if not self._open:
                return
            self._open = False
        record = self._record
        seconds = time.monotonic() - record.begun
        self._metrics.calls.labels(record.method, code).inc()
        self._metrics.seconds.labels(record.method).observe(seconds)
        log.info("call", code=code, **record.line(), ms=round(1000 * seconds, 3), **more)
        self._tracer.ended(record, code, seconds)

    def fail(self, error: Exception) -> NoReturn:
        """End the call with an error that a caller may see."""
        status = statuses.expected(error)
        if status is None:
            incident = uuid.uuid4().hex[:12]
            log.error("call failed", method=self._record.method, incident=incident, error=logs.trace(error))
            status = statuses.internal(incident)
        # The message may quote the request, so only the reason is logged.
        info = error_details_pb2.ErrorInfo()
        status.details[0].Unpack(info)
        told = {
            name: info.metadata[name] for name in ("faults", "incident", "limit") if name in info.metadata
        }
        self._metrics.refusals.labels(info.reason).inc()
        self.close(code_pb2.Code.Name(status.code), reason=info.reason, **told)
        _abort(self._context, status)


def _abort(context: grpc.ServicerContext, status: status_pb2.Status) -> NoReturn:
    context.abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort returned")
