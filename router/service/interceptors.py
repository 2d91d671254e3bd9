"""What happens to every call: who calls, admission, logs, metrics, and no tracebacks to callers."""

from __future__ import annotations

import functools
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent import futures
from typing import Any, NoReturn, cast

import grpc
import structlog
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from router.service import logs, statuses
from router.service.identity import Door
from router.service.metrics import Metrics
from router.service.records import Record, Records
from router.service.threads import after
from router.service.tracing import PARENT, Tracer

log = structlog.get_logger("trunkline")

Handler = Any
Behaviour = Callable[[Any, grpc.ServicerContext], Any]


class _Here(futures.ThreadPoolExecutor):
    """Does what it is given at once, in the thread of whoever gives it."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> futures.Future[Any]:
        """Do it."""
        done: futures.Future[Any] = futures.Future()
        try:
            done.set_result(function(*args, **named))
        except Exception as error:
            done.set_exception(error)
        return done


_HERE = _Here(1)


class Gate(grpc.ServerInterceptor):
    """Lets at most ``max_calls`` calls in, and watches each that is.

    Calls for which there is no room are refused as soon as they are heard of, by the thread that hears of
    them, and before their message is read.

    Parameters
    ----------
    open_services
        Services that anybody may call, such as health.
    tools
        Services that are none of its business but for who calls them.
    crowded
        Returns why a call of this method, beside so many, would find no room, None if it may.
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
        crowded: Callable[[str, int], statuses.Refused | None] = lambda *_: None,
    ) -> None:
        self._max_calls = max_calls
        self._door = door
        self._metrics = metrics
        self._records = records
        self._tracer = tracer
        self._open_services = open_services
        self._tools = tools
        self._crowded = crowded
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
        refusal = self._closed_or_full() or self._crowded(method, self._inside)
        if refusal is not None:
            return self._refusing(method, refusal)
        if handler.response_streaming:
            behaviour = self._streaming(method, handler.unary_stream)
            make: Any = grpc.unary_stream_rpc_method_handler
        else:
            behaviour = self._unary(method, handler.unary_unary)
            make = grpc.unary_unary_rpc_method_handler
        return make(behaviour, handler.request_deserializer, handler.response_serializer)

    def _closed_or_full(self) -> statuses.Refused | None:
        if self._closed:
            return statuses.stopping()
        if self._inside >= self._max_calls:
            return statuses.full(0.5, f"{self._max_calls} calls are running or waiting; try again later")
        return None

    def _refusing(self, method: str, refusal: statuses.Refused) -> Handler:
        """Return a handler that refuses; gRPC takes it for one that reads a stream, and waits for nothing."""

        def behaviour(_: Any, context: grpc.ServicerContext) -> Any:
            watch = _Watch(Record(method), context, self._metrics, self._tracer)
            self._introduce(watch, context)
            watch.fail(refusal)

        behaviour.experimental_thread_pool = _HERE  # type: ignore[attr-defined]
        return grpc.stream_unary_rpc_method_handler(behaviour)

    def _introduce(self, watch: _Watch, context: grpc.ServicerContext) -> None:
        """Note who calls; refuse whoever may not."""
        try:
            watch.record.caller = self._admit(context)
        except statuses.Refused as refused:
            watch.fail(refused)
        for name, value in context.invocation_metadata() or ():
            if name == PARENT and isinstance(value, str):
                watch.record.parent = value

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
            watch.answered()
            return answer

        return behaviour

    def _streaming(self, method: str, inner: Behaviour) -> Behaviour:
        def behaviour(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            watch = self._enter(method, context)
            try:
                yield from inner(request, context)
            except Exception as error:
                watch.fail(error)
            watch.answered()

        return behaviour

    def _admit(self, context: grpc.ServicerContext) -> str:
        certificate: Mapping[str, Iterable[bytes]] = {}
        if self._door.certificates:
            # the type that the stubs give is not what comes: there are several values of each name
            certificate = cast("Mapping[str, Iterable[bytes]]", context.auth_context())
        return self._door.admit(context.invocation_metadata() or (), context.peer(), certificate)

    def _enter(self, method: str, context: grpc.ServicerContext) -> _Watch:
        record = self._records.open(context, method)
        watch = _Watch(record, context, self._metrics, self._tracer)
        self._introduce(watch, context)
        with self._changed:
            refusal = self._closed_or_full()
            self._inside += refusal is None
        if refusal is not None:
            watch.fail(refusal)
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
        self.record = record
        self._context = context
        self._metrics = metrics
        self._tracer = tracer
        self._lock = threading.Lock()
        self._open = True

    def answered(self) -> None:
        """Count and log the call as soon as its answer has been sent."""
        if self._shut():
            after(functools.partial(self._tell, "OK", time.monotonic() - self.record.begun))

    def close(self, code: str, **more: object) -> None:
        """Count and log the call, once."""
        if self._shut():
            self._tell(code, time.monotonic() - self.record.begun, **more)

    def _shut(self) -> bool:
        """Tell whether nobody else counts and logs the call."""
        with self._lock:
            was, self._open = self._open, False
        return was

    def _tell(self, code: str, seconds: float, **more: object) -> None:
        record = self.record
        late = record.late
        if late is not None:
            self._metrics.late.labels(str(late).lower()).inc()
        self._metrics.calls.labels(record.method, code).inc()
        self._metrics.seconds.labels(record.method).observe(seconds)
        log.info("call", code=code, **record.line(), ms=round(1000 * seconds, 3), **more)
        self._tracer.ended(record, code, seconds)

    def fail(self, error: Exception) -> NoReturn:
        """End the call with an error that a caller may see."""
        status = statuses.expected(error)
        if status is None:
            incident = uuid.uuid4().hex[:12]
            log.error("call failed", method=self.record.method, incident=incident, error=logs.trace(error))
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
