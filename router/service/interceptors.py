"""What happens to every call of our own services: admission, logs, metrics, and no tracebacks to callers."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import grpc
import structlog
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status

from router.service import statuses
from router.service.metrics import Metrics

log = structlog.get_logger("trunkline")

Handler = Any
Behaviour = Callable[[Any, grpc.ServicerContext], Any]


class Gate(grpc.ServerInterceptor):
    """Lets at most ``max_calls`` calls in, and watches each that is.

    Parameters
    ----------
    foreign
        Services (health, reflection) that are none of its business.
    """

    def __init__(self, max_calls: int, metrics: Metrics, foreign: frozenset[str]) -> None:
        self._max_calls = max_calls
        self._metrics = metrics
        self._foreign = foreign
        self._lock = threading.Lock()
        self._inside = 0

    def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Handler], details: grpc.HandlerCallDetails
    ) -> Handler:
        """Wrap the handler of a call."""
        handler = continuation(details)
        service, _, method = str(details.method).lstrip("/").rpartition("/")
        if handler is None or service in self._foreign:
            return handler
        if handler.response_streaming:
            behaviour = self._streaming(method, handler.unary_stream)
            make: Any = grpc.unary_stream_rpc_method_handler
        else:
            behaviour = self._unary(method, handler.unary_unary)
            make = grpc.unary_unary_rpc_method_handler
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

    def _enter(self, method: str, context: grpc.ServicerContext) -> _Watch:
        watch = _Watch(method, context, self._metrics)
        with self._lock:
            full = self._inside >= self._max_calls
            self._inside += not full
        if full:
            watch.fail(statuses.full(0.5, f"{self._max_calls} calls are running or waiting; try again later"))
        self._metrics.running.inc()
        if not context.add_callback(lambda: self._leave(watch)):
            self._leave(watch)
        return watch

    def _leave(self, watch: _Watch) -> None:
        with self._lock:
            self._inside -= 1
        self._metrics.running.dec()
        watch.close("CANCELLED")


class _Watch:
    """One call, until it is closed."""

    def __init__(self, method: str, context: grpc.ServicerContext, metrics: Metrics) -> None:
        self._method = method
        self._context = context
        self._metrics = metrics
        self._start = time.monotonic()
        self._lock = threading.Lock()
        self._open = True

    def close(self, code: str, **more: object) -> None:
        """Count and log the call, once."""
        with self._lock:
            if not self._open:
                return
            self._open = False
        seconds = time.monotonic() - self._start
        self._metrics.calls.labels(self._method, code).inc()
        self._metrics.seconds.labels(self._method).observe(seconds)
        log.info("call", method=self._method, code=code, ms=round(1000 * seconds, 3), **more)

    def fail(self, error: Exception) -> NoReturn:
        """End the call with an error that a caller may see."""
        status = statuses.expected(error)
        if status is None:
            incident = uuid.uuid4().hex[:12]
            log.error("call failed", method=self._method, incident=incident, exc_info=error)
            status = statuses.internal(incident)
        self.close(code_pb2.Code.Name(status.code), why=status.message)
        _abort(self._context, status)


def _abort(context: grpc.ServicerContext, status: status_pb2.Status) -> NoReturn:
    context.abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort returned")
