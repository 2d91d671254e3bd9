"""Certificates, read again as soon as they change."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import grpc
import structlog

from router.errors import Fault, InvalidInput
from router.service.config import Config

log = structlog.get_logger("trunkline")


class Certificates:
    """The certificate, key and authorities that the settings name.

    Raises
    ------
    InvalidInput
        If a file cannot be read or is no PEM.
    """

    def __init__(self, config: Config) -> None:
        self._files = {
            name: Path(file)
            for name in ("tls_cert", "tls_key", "tls_client_ca")
            if (file := getattr(config, name)) is not None
        }
        self._lock = threading.Lock()
        self._seen = self._stamps()
        self._mutual = config.tls_client_ca is not None
        self._first = self._configuration()

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a server needs to speak TLS."""
        return grpc.dynamic_ssl_server_credentials(
            self._first, self._fetch, require_client_authentication=self._mutual
        )

    def _stamps(self) -> list[tuple[int, int] | None]:
        found: list[tuple[int, int] | None] = []
        for file in self._files.values():
            try:
                stat = file.stat()
                found.append((stat.st_mtime_ns, stat.st_ino))
            except OSError:
                found.append(None)
        return found

    def _fetch(self) -> Any:
        """Return a configuration if there is a new one; gRPC asks at every handshake."""
        with self._lock:
            stamps = self._stamps()
            if stamps == self._seen:
                return None
            try:
                fresh = self._configuration()
            except InvalidInput as error:
                log.error("certificates not read", faults=[str(fault) for fault in error.faults])
                return None
            self._seen = stamps
            log.info("certificates read")
            return fresh

    def _configuration(self) -> grpc.ServerCertificateConfiguration:
        faults = []
        texts = {}
        for name, file in self._files.items():
            try:
                texts[name] = file.read_bytes()
            except OSError as error:
                faults.append(Fault(name, f"{file} cannot be read: {error.strerror}"))
                continue
            if b"-----BEGIN " not in texts[name]:
                faults.append(Fault(name, f"{file} is no PEM"))
        if faults:
            raise InvalidInput(faults)
        pair = (texts["tls_key"], texts["tls_cert"])
        return grpc.ssl_server_certificate_configuration([pair], root_certificates=texts.get("tls_client_ca"))
