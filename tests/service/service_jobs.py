"""Jobs that misbehave, as a service of their own. They run in the workers."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import grpc

from router.service.servicer import Context
from router.service.worker import Answer, Call

SERVICE = "tests.Jobs"
STEP = 16 * 1024 * 1024


def echo(payload: bytes, _: Call) -> Answer:
    """Answer at once."""
    return Answer(payload, "ECHO")


def process(_: bytes, __: Call) -> Answer:
    """Tell which process works."""
    return Answer(str(os.getpid()).encode())


def crash(_: bytes, __: Call) -> Answer:
    """Die without a word."""
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)
    return Answer(b"")


def boom(_: bytes, __: Call) -> Answer:
    """Raise something unexpected."""
    raise RuntimeError("the secret of the house")


def work(payload: bytes, call: Call) -> Answer:
    """Work for so many seconds, unless told to stop."""
    end = time.monotonic() + float(payload)
    stop = call.stop()
    while time.monotonic() < end:
        why = stop.reached(0)
        if why:
            return Answer(why.encode())
        time.sleep(0.002)
    return Answer(b"done")


def stubborn(payload: bytes, _: Call) -> Answer:
    """Work for so many seconds, come what may."""
    time.sleep(float(payload))
    return Answer(b"done")


def flood(payload: bytes, call: Call) -> Answer:
    """Send so many events of 10 kB, then answer."""
    for number in range(int(payload)):
        call.emit(b"%d " % number + b"." * 10_000)
    return Answer(b"final")


def drip(payload: bytes, call: Call) -> Answer:
    """Send so many events of 10 kB, slowly enough for nothing to get lost, then answer."""
    for number in range(int(payload)):
        call.emit(b"%d " % number + b"." * 10_000)
        time.sleep(0.005)
    return Answer(b"final")


def hungry(payload: bytes, _: Call) -> Answer:
    """Take so many bytes of memory, bit by bit."""
    held = []
    for _ in range(int(payload) // STEP):
        held.append(bytearray(os.urandom(1024)) * (STEP // 1024))
        time.sleep(0.02)
    return Answer(b"%d" % len(held))


def greedy(payload: bytes, _: Call) -> Answer:
    """Ask for so many bytes of memory at once."""
    return Answer(b"%d" % len(bytearray(int(payload))))


def tardy(payload: bytes, call: Call) -> Answer:
    """Know an answer at once, but do not look at the clock for so many seconds."""
    call.draft(None, lambda: Answer(b"a draft", "FEASIBLE"))
    time.sleep(float(payload))
    return Answer(b"too late", "OPTIMAL")


def register(server: grpc.Server, context: Context) -> None:
    """Add the service ``tests.Jobs``."""
    context.preload(__name__)
    jobs = (echo, process, crash, boom, work, stubborn, hungry, greedy, tardy)
    handlers: dict[str, Any] = {it.__name__: context.unary(it.__name__, _name(it)) for it in jobs}
    handlers |= {it.__name__: context.stream(it.__name__, _name(it)) for it in (flood, drip)}
    context.add(server, SERVICE, handlers)


def _name(job: Any) -> str:
    return f"{job.__module__}:{job.__name__}"


class Jobs:
    """A client of ``tests.Jobs``."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._channel = channel

    def call(self, name: str, payload: bytes = b"", timeout: float | None = 20) -> bytes:
        answer: bytes = self._channel.unary_unary(f"/{SERVICE}/{name}")(payload, timeout=timeout)
        return answer

    def start(self, name: str, payload: bytes = b"", timeout: float | None = 20) -> Any:
        return self._channel.unary_unary(f"/{SERVICE}/{name}").future(payload, timeout=timeout)

    def stream(self, name: str, payload: bytes = b"", timeout: float | None = 20) -> Any:
        return self._channel.unary_stream(f"/{SERVICE}/{name}")(payload, timeout=timeout)
