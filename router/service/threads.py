"""The threads that calls run in, and what they do once an answer is on its way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent import futures
from typing import Any

import structlog

from router.service import logs

log = structlog.get_logger("trunkline")

_MINE = threading.local()


class Threads(futures.ThreadPoolExecutor):
    """Threads that do what is left to do of a call after gRPC has sent its answer; see :func:`after`."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> futures.Future[Any]:
        """Do it in a thread."""
        return super().submit(_done, function, *args, **named)


def after(action: Callable[[], object]) -> None:
    """Do something once the thread has done with its call: the caller need not wait for it.

    Outside of :class:`Threads` it is done at once.
    """
    left: list[Callable[[], object]] | None = getattr(_MINE, "left", None)
    if left is None:
        action()
    else:
        left.append(action)


def _done(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    left = _MINE.left = []
    try:
        return function(*args, **named)
    finally:
        _MINE.left = None
        for action in left:
            _perform(action)


def _perform(action: Callable[[], object]) -> None:
    try:
        action()
    except Exception as error:  # the thread has other calls to come
        log.error("after a call", error=logs.trace(error))
