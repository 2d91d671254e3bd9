"""Traces for OpenTelemetry, where its packages are installed (the extra ``otel``) and an endpoint is set."""

from __future__ import annotations

from typing import Any, Protocol

from router.errors import Fault, InvalidInput
from router.service.capabilities import version
from router.service.records import Record

PARENT = "traceparent"
"""The header that carries the caller's trace (W3C Trace Context)."""


class Tracer(Protocol):
    """Whoever wants to hear of ended calls."""

    def ended(self, record: Record, code: str, seconds: float) -> None:
        """Take note of a call."""

    def close(self) -> None:
        """Send what is left."""


class Untraced:
    """Takes no note of anything."""

    def ended(self, record: Record, code: str, seconds: float) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class OpenTelemetry:
    """Sends a span for each call, below that of the caller, with the time in the queue and in the worker.

    Parameters
    ----------
    endpoint
        Where the collector takes OTLP over HTTP, such as ``http://127.0.0.1:4318/v1/traces``.
    exporter
        Takes the place of the sender; meant for tests.

    Raises
    ------
    InvalidInput
        If the packages are not installed.
    """

    def __init__(self, endpoint: str, exporter: Any = None) -> None:
        try:
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
            from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

            if exporter is None:
                from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

                processor: Any = BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint))
            else:
                processor = SimpleSpanProcessor(exporter)
        except ImportError:
            why = "needs the extra 'otel' (pip install 'trunkline[otel]')"
            raise InvalidInput([Fault("otlp_endpoint", why)]) from None
        resource = Resource.create({"service.name": "trunkline", "service.version": version()})
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("trunkline")
        self._propagator = TraceContextTextMapPropagator()

    def ended(self, record: Record, code: str, seconds: float) -> None:
        """Send the span of a call."""
        from opentelemetry.trace import SpanKind, Status, StatusCode

        parent = self._propagator.extract({PARENT: record.parent}) if record.parent else None
        span = self._tracer.start_span(
            record.method, parent, SpanKind.SERVER, start_time=record.wall, record_exception=False
        )
        for name, value in record.line().items():
            span.set_attribute(f"trunkline.{name}", value)
        span.set_attribute("rpc.system", "grpc")
        span.set_attribute("rpc.grpc.status_code", code)
        if code in {"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNKNOWN"}:
            span.set_status(Status(StatusCode.ERROR))
        span.end(record.wall + int(seconds * 1e9))

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def tracer(endpoint: str | None) -> Tracer:
    """Return who is told of ended calls.

    Raises
    ------
    InvalidInput
        If an endpoint is set and the packages are not installed.
    """
    return Untraced() if endpoint is None else OpenTelemetry(endpoint)
