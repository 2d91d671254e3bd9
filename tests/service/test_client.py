"""The Python client: tries again within reason, and asks in two places only if told to."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager

import grpc
import pytest

import samples
from router import convert
from router.client import RemoteError, connect, local
from router.client.calls import Caller, transient
from router.client.remote import RemoteRouter
from router.client.retries import MAX_DELAY, Budget, delay
from router.service import statuses
from router.stop import Deadline
from router.v1 import router_service_pb2 as pb

LINE = samples.line()
ANSWER = pb.SolveRoutesResponse(solution=convert.solution_to_proto(local().solve(LINE))).SerializeToString()


@contextmanager
def serving(behaviour: Callable[[int, grpc.ServicerContext], bytes]) -> Iterator[str]:
    """Run a server whose answer depends on how many calls came before."""
    lock = threading.Lock()
    number = [0]

    def solve(_: bytes, context: grpc.ServicerContext) -> bytes:
        with lock:
            number[0] += 1
            mine = number[0]
        return behaviour(mine, context)

    server = grpc.server(futures.ThreadPoolExecutor(8))
    handlers = {"SolveRoutes": grpc.unary_unary_rpc_method_handler(solve)}
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("router.v1.RouterService", handlers),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None)


def fail(context: grpc.ServicerContext, refused: statuses.Refused) -> bytes:
    from grpc_status import rpc_status

    context.abort_with_status(rpc_status.to_status(refused.status))
    raise AssertionError


def test_tries_again_until_it_works() -> None:
    seen: list[int] = []

    def behaviour(number: int, context: grpc.ServicerContext) -> bytes:
        seen.append(number)
        if number == 1:
            return fail(context, statuses.full(0.01, "full"))
        return fail(context, statuses.lost("lost")) if number == 2 else ANSWER

    with serving(behaviour) as address, connect(address) as router:
        assert router.solve(LINE).revenue == 60
    assert len(seen) == 3


@pytest.mark.parametrize(
    "refused",
    [
        statuses.Refused(statuses.memory(5, killed=True)),
        statuses.unknown_caller("who?"),
        statuses.overdue(),
    ],
)
def test_gives_up_what_would_only_fail_again(refused: statuses.Refused) -> None:
    seen: list[int] = []

    def behaviour(number: int, context: grpc.ServicerContext) -> bytes:
        seen.append(number)
        return fail(context, refused)

    with serving(behaviour) as address, connect(address, retries=2) as router:
        with pytest.raises(RemoteError) as caught:
            router.solve(LINE)
        assert caught.value.reason in {"MEMORY_LIMIT", "UNAUTHENTICATED", "OVERDUE"}
    assert len(seen) == (3 if caught.value.reason == "OVERDUE" else 1)


def test_does_not_wait_beyond_its_time_limit() -> None:
    with (
        serving(lambda _, context: fail(context, statuses.full(60, "full"))) as address,
        connect(address) as router,
    ):
        begun = time.monotonic()
        with pytest.raises(RemoteError):
            router.solve(LINE, stop=Deadline(5))
        assert time.monotonic() - begun < 30


def test_budget_keeps_tries_to_a_share_of_the_calls() -> None:
    seen: list[int] = []

    def behaviour(number: int, context: grpc.ServicerContext) -> bytes:
        seen.append(number)
        return fail(context, statuses.full(0.001, "full"))

    caller = Caller(retries=3, budget=Budget(share=0.1, reserve=2))
    with serving(behaviour) as address, RemoteRouter(address, caller=caller) as router:
        for _ in range(20):
            with pytest.raises(RemoteError):
                router.solve(LINE)
    assert 20 + 2 <= len(seen) <= 20 + 2 + 2


def test_hedging_is_off_unless_asked_for() -> None:
    seen: list[int] = []

    def behaviour(number: int, context: grpc.ServicerContext) -> bytes:
        seen.append(number)
        if number == 1:
            time.sleep(1.0)
        return ANSWER

    with serving(behaviour) as address:
        with connect(address) as router:
            assert router.solve(LINE).revenue == 60
        assert seen == [1]
    seen.clear()
    with serving(behaviour) as address:
        with connect(address, hedge_after=0.05) as router:
            assert router.solve(LINE).revenue == 60
        assert seen == [1, 2]


def test_hedged_call_survives_the_failure_of_one() -> None:
    def behaviour(number: int, context: grpc.ServicerContext) -> bytes:
        if number == 1:
            time.sleep(0.5)
            return ANSWER
        return fail(context, statuses.lost("lost"))

    with serving(behaviour) as address, connect(address, hedge_after=0.05, retries=0) as router:
        assert router.solve(LINE).revenue == 60


def test_waits_are_random_and_bounded() -> None:
    chance = random.Random(1)
    waits = [delay(tries, None, chance) for tries in range(1, 40) for _ in range(20)]
    assert 0 <= min(waits) < max(waits) <= MAX_DELAY
    assert len(set(waits)) > 700
    assert delay(1, 3.0, chance) >= 3.0


def test_errors_that_pass() -> None:
    assert transient(RemoteError("UNAVAILABLE", "no"))
    assert transient(RemoteError("RESOURCE_EXHAUSTED", "no", 1.0))
    assert not transient(RemoteError("RESOURCE_EXHAUSTED", "no"))
    assert not transient(RemoteError("UNAVAILABLE", "no", 1.0, "MEMORY_LIMIT"))
    assert not transient(ValueError())
