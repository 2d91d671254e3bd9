"""Calls over a channel: who calls, how long, how often again, and whether in two places at once."""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import grpc

from router.client import RemoteError
from router.client.failures import error_of
from router.client.retries import Budget, delay

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
MAX_METADATA_BYTES = 64 * 1024
ROUND_ROBIN = '{"loadBalancingConfig":[{"round_robin":{}}]}'
LOCAL = ("localhost", "127.0.0.1", "[::1]")
LASTING = ("MEMORY_LIMIT", "UNAUTHENTICATED")
"""Reasons for which the same call would only fail again."""

_T = TypeVar("_T")


def open_channel(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    """Open a channel that spreads its calls over all servers that the address names."""
    options = [
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.service_config", ROUND_ROBIN),
    ]
    if credentials is None:
        return grpc.insecure_channel(address, options)
    return grpc.secure_channel(address, credentials, options)


def authorities(file: str | None) -> grpc.ChannelCredentials:
    """Return what a channel needs to trust the authorities in a file, by default those of the system.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    return grpc.ssl_channel_credentials(None if file is None else Path(file).read_bytes())


class Caller:
    """Makes calls.

    Parameters
    ----------
    token
        What to show to the server, or a function that returns it for each call; None: nothing.
    retries
        How often a call is tried again if the server is full or a worker was lost, as far as the budget goes.
    hedge_after
        Seconds after which a call that has no answer yet is sent a second time, as far as the budget goes;
        None: never.
    """

    def __init__(
        self,
        *,
        token: str | Callable[[], str] | None = None,
        retries: int = 4,
        hedge_after: float | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.retries = retries
        self._token = token
        self._hedge_after = hedge_after
        self._budget = budget or Budget()
        self._chance = random.Random()

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return what to send along with a call."""
        if self._token is None:
            return ()
        token = self._token() if callable(self._token) else self._token
        return (("authorization", f"Bearer {token}"),)

    def once(self, method: Any, request: Any, timeout: float | None) -> Any:
        """Make one call of a method that answers once; in two places if it takes long and that is wanted."""
        if self._hedge_after is None:
            return method(request, timeout=timeout, metadata=self.metadata())
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        calls = [self._start(method, request, timeout, done)]
        try:
            try:
                first = done.get(timeout=self._hedge_after)
            except queue.Empty:
                if self._budget.spend():
                    calls.append(self._start(method, request, timeout, done))
                first = done.get()
            if first.code() is not grpc.StatusCode.OK and len(calls) > 1:
                first = done.get()
            return first.result()
        finally:
            for call in calls:
                call.cancel()

    def _start(self, method: Any, request: Any, timeout: float | None, done: Any) -> Any:
        call = method.future(request, timeout=timeout, metadata=self.metadata())
        call.add_done_callback(done.put)
        return call

    def retrying(
        self,
        attempt: Callable[[], _T],
        seconds: Callable[[], float | None] = lambda: None,
        again: Callable[[], bool] = lambda: True,
    ) -> _T:
        """Call ``attempt`` until it works, fails for good, or there is no more to be had.

        Parameters
        ----------
        seconds
            How much time is left; None: any amount.
        again
            Whether another try makes sense.
        """
        self._budget.earn()
        tries = 0
        while True:
            try:
                return attempt()
            except grpc.RpcError as error:
                found = error_of(error)
                tries += 1
                wait = delay(tries, getattr(found, "retry_after", None), self._chance)
                left = seconds()
                worth = transient(found) and tries <= self.retries and (left is None or wait < left)
                if not (worth and again() and self._budget.spend()):
                    raise found from None
                time.sleep(wait)


def transient(error: Exception) -> bool:
    """Tell whether the same call may succeed when it is tried again."""
    if not isinstance(error, RemoteError) or error.reason in LASTING:
        return False
    return error.code == "UNAVAILABLE" or error.retry_after is not None


def refuse_plaintext(address: str, credentials: object, token: object) -> None:
    """Never send a token in plaintext to another machine.

    Raises
    ------
    ValueError
        If that would happen.
    """
    host = address.rpartition(":")[0].rpartition("/")[2]
    if token is not None and credentials is None and host not in LOCAL and not address.startswith("unix:"):
        raise ValueError(f"a token needs credentials for TLS: {address} is not this machine")
