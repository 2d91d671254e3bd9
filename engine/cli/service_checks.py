"""What ``doctor`` looks at for a server: settings, secrets, ports, limits, a server that runs."""

from __future__ import annotations

import os
import socket
import ssl
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

MIN_FILES = 1024
"""Open files that a server with the default settings may need."""
MIN_DAYS = 7
"""Days that a certificate should still be good for."""
SHARED_MEMORY = 300 * 1024 * 1024
"""Memory that a warm worker holds, about; much of it shared with the others."""


def service_checks(file: str | None, server: str | None) -> dict[str, Callable[[], str]]:
    """Return the checks by name; each returns what is wrong, or an empty text."""
    from router.errors import InvalidInput
    from router.service.settings import load

    try:
        config: Any = load(file, os.environ).config
    except InvalidInput as error:
        faults = "; ".join(str(fault) for fault in error.faults)
        return {"settings": lambda: faults}
    checks: dict[str, Callable[[], str]] = {
        "settings": lambda: "",
        "worker start": _worker_start,
        "open files": lambda: _open_files(config),
        "memory": lambda: _memory(config),
        "kernel cache": _kernel_cache,
    }
    if server is None:
        checks["port"] = lambda: _port(config.host, config.port)
        if config.metrics_port:
            checks["metrics port"] = lambda: _port(config.metrics_host, config.metrics_port)
    else:
        checks["server"] = lambda: _server(server, config)
    if config.tls_cert is not None:
        checks["certificate"] = lambda: _certificate(config)
        checks["certificate key"] = lambda: _private(config.tls_key)
    if config.tokens is not None:
        checks["tokens"] = lambda: _tokens(config.tokens)
    if config.otlp_endpoint is not None:
        checks["traces"] = lambda: _traces(config.otlp_endpoint)
    return checks


def _worker_start() -> str:
    import multiprocessing

    return "" if "forkserver" in multiprocessing.get_all_start_methods() else "this system has no fork server"


def _open_files(config: Any) -> str:
    try:
        import resource
    except ImportError:
        return ""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = max(MIN_FILES, 2 * config.max_calls + 16 * config.workers)
    if soft in (-1, resource.RLIM_INFINITY) or soft >= needed:
        return ""
    return (
        f"{soft} files may be open; with max_calls {config.max_calls} allow {needed} (ulimit -n, LimitNOFILE)"
    )


def _memory(config: Any) -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return ""
    needed = SHARED_MEMORY + config.workers * config.max_memory_bytes + config.cache_bytes
    if needed <= total:
        return ""
    return (
        f"{config.workers} workers of max_memory_bytes {config.max_memory_bytes} may need {needed} bytes; "
        f"this machine has {total}"
    )


def _kernel_cache() -> str:
    from router.warm import kernel_folder

    folder = Path(kernel_folder())
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return (
        "" if os.access(folder, os.W_OK) else f"{folder} cannot be written; every start compiles the kernels"
    )


def _port(host: str, port: int) -> str:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, port))
        except OSError as error:
            return f"cannot listen on {host}:{port}: {error.strerror}; --server asks a server that runs there"
    return ""


def _certificate(config: Any) -> str:
    from router.errors import InvalidInput
    from router.service.tls import Certificates

    try:
        Certificates(config)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(config.tls_cert, config.tls_key)
        if config.tls_client_ca is not None:
            context.load_verify_locations(config.tls_client_ca)
    except InvalidInput as error:
        return "; ".join(str(fault) for fault in error.faults)
    except (ssl.SSLError, OSError) as error:
        return f"certificate, key and authorities do not fit together: {error.strerror or error}"
    left = _days_left(config.tls_cert)
    if left < 0:
        return f"{config.tls_cert} has expired"
    return f"{config.tls_cert} expires in {left:.0f} days" if left < MIN_DAYS else ""


def _days_left(file: str) -> float:
    """Return the days until the first certificate in a file expires."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    text = Path(file).read_text("ascii", "replace")
    data = ssl.PEM_cert_to_DER_cert(text[text.index(begin) : text.index(end) + len(end)])
    return (not_after(data) - time.time()) / 86400


def not_after(data: bytes) -> float:
    """Return when a certificate in DER expires, in seconds since 1970 (RFC 5280, section 4.1)."""
    body = _inside(_inside(data, 0), 0)
    at = _end(body, 0) if body[0] == 0xA0 else 0  # the version
    for _ in range(3):  # serial number, algorithm, issuer
        at = _end(body, at)
    validity = _inside(body, at)
    at = _end(validity, 0)  # not before
    when = _inside(validity, at).decode("ascii")
    form = "%y%m%d%H%M%SZ" if validity[at] == 0x17 else "%Y%m%d%H%M%SZ"
    return datetime.strptime(when, form).replace(tzinfo=UTC).timestamp()


def _span(data: bytes, at: int) -> tuple[int, int]:
    """Return where the content of a DER element begins and ends."""
    length = data[at + 1]
    start = at + 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(data[at + 2 : start], "big")
    return start, start + length


def _inside(data: bytes, at: int) -> bytes:
    start, end = _span(data, at)
    return data[start:end]


def _end(data: bytes, at: int) -> int:
    return _span(data, at)[1]


def _private(file: str) -> str:
    mode = stat.S_IMODE(Path(file).stat().st_mode)
    return f"others may read {file} (mode {mode:o}); expected 600" if mode & 0o077 else ""


def _tokens(file: str) -> str:
    from router.errors import InvalidInput
    from router.service.identity import Tokens

    try:
        Tokens(file)
    except InvalidInput as error:
        return "; ".join(str(fault) for fault in error.faults)
    mode = stat.S_IMODE(Path(file).stat().st_mode)
    return f"others may write {file} (mode {mode:o})" if mode & 0o022 else ""


def _traces(endpoint: str) -> str:
    from router.errors import InvalidInput
    from router.service.tracing import OpenTelemetry

    try:
        OpenTelemetry(endpoint).close()
    except InvalidInput as error:
        return "; ".join(str(fault) for fault in error.faults)
    return ""


def _server(address: str, config: Any) -> str:
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    if config.tls_cert is not None:
        root = Path(config.tls_client_ca or config.tls_cert).read_bytes()
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(root))
    else:
        channel = grpc.insecure_channel(address)
    try:
        with channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
    except grpc.RpcError as error:
        return f"{address}: {cast(grpc.Call, error).code().name}"
    name: str = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return "" if name == "SERVING" else f"{address} is {name}"
