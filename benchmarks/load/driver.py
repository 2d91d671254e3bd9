"""The driver: sends requests at their appointed times, whether or not earlier ones have been answered."""

from __future__ import annotations

import asyncio
import collections
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field

import grpc
import grpc.aio
from google.rpc import error_details_pb2, status_pb2

from benchmarks.load.mix import Case
from engine.v1 import game_service_pb2 as pb

METHOD = "/engine.v1.GameService/SolvePosition"
TIMEOUT = 30.0


@dataclass(slots=True)
class Reply:
    """What became of a request; times in seconds, counted from the appointed time."""

    number: int
    code: str
    seconds: float
    reason: str = ""
    body: bytes = b""
    timeout: float = TIMEOUT


@dataclass(slots=True)
class Run:
    """All replies of a run."""

    sent: int = 0
    seconds: float = 0.0
    replies: list[Reply] = field(default_factory=list)
    wrong_ids: int = 0
    lags: list[float] = field(default_factory=list)

    @property
    def lag(self) -> float:
        """Milliseconds that the driver itself was late to send, p99: replies seem so much slower."""
        return part(sorted(self.lags), 0.99)

    @property
    def lost(self) -> int:
        """Requests without a reply."""
        return self.sent - len({it.number for it in self.replies})

    @property
    def doubled(self) -> int:
        """Replies too many, and replies to somebody else's request."""
        return len(self.replies) - len({it.number for it in self.replies}) + self.wrong_ids

    def codes(self) -> dict[str, int]:
        """Return how often each code came."""
        return dict(sorted(collections.Counter(it.code for it in self.replies).items()))

    def times(self, code: str) -> list[float]:
        """Return the times of the replies of a code."""
        return sorted(it.seconds for it in self.replies if it.code == code)


def part(times: list[float], share: float) -> float:
    """Return a quantile in milliseconds, not a number if there is none."""
    return 1e3 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def appointments(rate: float, seconds: float, seed: int = 7) -> Iterator[float]:
    """Yield times of arrival, at random, so many per second."""
    source = random.Random(seed)
    at = source.expovariate(rate)
    while at < seconds:
        yield at
        at += source.expovariate(rate)


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Return the reason that an error gives."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(bytes(value))  # type: ignore[arg-type]
            info = error_details_pb2.ErrorInfo()
            if status.details and status.details[0].Unpack(info):
                return str(info.reason)
    return ""


Sender = Callable[[int, float], Awaitable[None]]


class Driver:
    """Sends requests over a few channels and takes in the replies."""

    def __init__(self, address: str, cases: list[Case], *, channels: int = 4, keep: bool = False) -> None:
        self.run = Run()
        self._address = address
        self._cases = cases
        self._number = channels
        self._keep = keep
        self._rests: dict[int, bytes] = {}

    async def open_loop(self, times: Iterable[float], tick: Callable[[float], None] | None = None) -> Run:
        """Send at the times given; ``tick`` is called about every second."""
        await self.connect()
        begun = time.perf_counter()
        tasks: set[asyncio.Task[None]] = set()
        ticked = 0.0
        for at in times:
            while (wait := begun + at - time.perf_counter()) > 0:
                await asyncio.sleep(min(wait, 0.5))
                if tick is not None and time.perf_counter() - ticked > 1:
                    ticked = time.perf_counter()
                    tick(ticked - begun)
            task = asyncio.create_task(self.send(self.run.sent, begun + at))
            self.run.sent += 1
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
        self.run.seconds = time.perf_counter() - begun
        await self.close()
        return self.run

    async def closed_loop(self, clients: int, calls: int) -> Run:
        """Send so many calls from so many clients, each of which waits for its reply."""
        await self.connect()
        begun = time.perf_counter()
        left = iter(range(calls))

        async def client() -> None:
            for number in left:
                self.run.sent += 1
                await self.send(number, time.perf_counter())

        await asyncio.gather(*(client() for _ in range(clients)))
        self.run.seconds = time.perf_counter() - begun
        await self.close()
        return self.run

    async def send(self, number: int, appointed: float, timeout: float = TIMEOUT) -> None:
        """Send one request and note its reply."""
        self.run.lags.append(time.perf_counter() - appointed)
        call = self._calls[number % len(self._calls)]
        try:
            body = await call(self._payload(number), timeout=timeout)
            seconds = time.perf_counter() - appointed
            if pb.SolvePositionResponse.FromString(body).solution.id != f"r{number}":
                self.run.wrong_ids += 1
            reply = Reply(number, "OK", seconds, "", body if self._keep else b"", timeout)
        except grpc.aio.AioRpcError as error:
            seconds = time.perf_counter() - appointed
            reply = Reply(number, error.code().name, seconds, reason_of(error), timeout=timeout)
        self.run.replies.append(reply)

    def _payload(self, number: int) -> bytes:
        """Return the bytes of a request: field 1, the id, goes before the rest, which is written but once."""
        at = number % len(self._cases)
        rest = self._rests.get(at)
        if rest is None:
            rest = self._rests[at] = self._cases[at].payload("")
        id = b"r%d" % number
        return b"\x0a%c%b%b" % (len(id), id, rest)

    async def connect(self) -> None:
        """Open the channels."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channels = [grpc.aio.insecure_channel(self._address, options) for _ in range(self._number)]
        self._calls = [
            it.unary_unary(METHOD, request_serializer=bytes, response_deserializer=bytes)
            for it in self._channels
        ]
        for channel in self._channels:
            await channel.channel_ready()

    async def close(self) -> None:
        """Close the channels."""
        for channel in self._channels:
            await channel.close()
