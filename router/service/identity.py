"""Who calls, whether they may, and how often."""

from __future__ import annotations

import hashlib
import hmac
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path

import structlog

from router.errors import Fault, InvalidInput
from router.service import statuses
from router.service.config import Config

HEADER = "authorization"
SCHEME = "bearer "
MAX_CALLERS = 10_000
"""Callers whose rate is remembered; the one not heard of for longest is forgotten."""

_LINE = re.compile(r"([A-Za-z0-9._@-]{1,64})\s+sha256:([0-9a-f]{64})")

log = structlog.get_logger("trunkline")


def digest(token: str) -> str:
    """Return what stands for a token in the file of tokens."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Tokens:
    """The callers in a file, which is read again as soon as it changes.

    A line is ``NAME sha256:DIGEST``, the digest being that of the token in lower-case hexadecimal; empty
    lines and those that begin with # are passed over. A name may have several tokens, so that one can be
    replaced by the next without a gap.

    Raises
    ------
    InvalidInput
        If the file cannot be read or has a line that means nothing. Once the server runs, such a file
        changes nothing, and the log says so.
    """

    def __init__(self, file: str) -> None:
        self._path = Path(file)
        self._lock = threading.Lock()
        self._seen = self._stamp()
        self._callers = self._read()

    def name_of(self, token: str) -> str | None:
        """Return whose token this is; takes the same time whichever it is."""
        self._refresh()
        given = digest(token).encode()
        found = None
        for known, name in self._callers:
            if hmac.compare_digest(known, given):
                found = name
        return found

    def __len__(self) -> int:
        return len(self._callers)

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _refresh(self) -> None:
        stamp = self._stamp()
        if stamp == self._seen:
            return
        with self._lock:
            if stamp == self._seen:
                return
            try:
                self._callers = self._read()
                log.info("tokens read", callers=len(self._callers))
            except InvalidInput as error:
                log.error("tokens not read", faults=[str(fault) for fault in error.faults])
            self._seen = stamp

    def _read(self) -> list[tuple[bytes, str]]:
        try:
            lines = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            raise InvalidInput([Fault(str(self._path), f"cannot be read: {why}")]) from None
        faults, found = [], []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            match = _LINE.fullmatch(line.strip())
            if match is None:
                why = "must be NAME sha256:DIGEST, with 64 hexadecimal digits"
                faults.append(Fault(f"{self._path}:{number}", why))
            else:
                found.append((match[2].encode(), match[1]))
        if not (faults or found):
            faults.append(Fault(str(self._path), "names no caller"))
        if faults:
            raise InvalidInput(faults)
        return found


class Rates:
    """How often each caller may call: so many at once, refilled at so many per second."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, name: str) -> None:
        """Count a call.

        Raises
        ------
        Refused
            If it is one too many.
        """
        with self._lock:
            now = time.monotonic()
            left, then = self._left.pop(name, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._rate)
            allowed = left >= 1
            self._left[name] = (left - allowed, now)
            if len(self._left) > MAX_CALLERS:
                self._left.popitem(last=False)
        if not allowed:
            raise statuses.too_often(name, self._rate, (1 - left) / self._rate)


class Door:
    """Lets callers in, or not.

    Attributes
    ----------
    certificates
        Whether callers have certificates.
    """

    def __init__(self, config: Config) -> None:
        self.certificates = config.tls_client_ca is not None
        self._tokens = Tokens(config.tokens) if config.tokens is not None else None
        self._rates = None
        if config.rate is not None:
            burst = config.burst if config.burst is not None else max(1, round(config.rate))
            self._rates = Rates(config.rate, burst)

    def admit(
        self,
        metadata: Iterable[tuple[str, str | bytes]],
        peer: str,
        certificate: Mapping[str, Iterable[bytes]],
    ) -> str:
        """Return the name of a caller.

        Parameters
        ----------
        metadata
            Headers of the call.
        peer
            Address of the caller as gRPC writes it.
        certificate
            What gRPC has found out about the caller's certificate.

        Raises
        ------
        Refused
            If a token is needed and there is none that is valid, or if the caller calls too often.
        """
        name = self._name(metadata, peer, certificate)
        if self._rates is not None:
            self._rates.spend(name)
        return name

    def _name(
        self,
        metadata: Iterable[tuple[str, str | bytes]],
        peer: str,
        certificate: Mapping[str, Iterable[bytes]],
    ) -> str:
        if self._tokens is not None:
            given = [value for key, value in metadata if key == HEADER and isinstance(value, str)]
            if len(given) != 1 or not given[0].lower().startswith(SCHEME):
                raise statuses.unknown_caller("this server needs a token: authorization: Bearer TOKEN")
            name = self._tokens.name_of(given[0][len(SCHEME) :].strip())
            if name is None:
                raise statuses.unknown_caller("the token is not, or no longer, valid")
            return name
        for key in ("x509_subject_alternative_name", "x509_common_name"):
            for value in certificate.get(key, ()):
                return value.decode("utf-8", "replace")[:64]
        return peer.rpartition(":")[0] or peer
