"""Limits on size, time and memory: each is refused by its name, with what is allowed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from service_jobs import Jobs
from service_support import REGISTRARS, code_of, config, details, wait_until

import samples
from engine.v1 import game_service_pb2 as games
from engine.v1 import position_pb2
from engine.v1.game_service_pb2_grpc import GameServiceStub
from router import convert
from router.service import memory
from router.service.server import Server, running
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceStub

MIB = 1024 * 1024
LINE = convert.problem_to_proto(samples.line())


@pytest.fixture(scope="module")
def small() -> Iterator[Server]:
    settings = {"max_hexes": 4, "max_nodes": 4, "max_segments": 3, "max_trains": 2, "max_time_limit": 5.0}
    with running(config(max_memory_bytes=256 * MIB, **settings), REGISTRARS) as found:
        yield found


@pytest.fixture(scope="module")
def near(small: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(small.address) as channel:
        yield channel


def refusal(call: Any) -> dict[str, Any]:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    assert code_of(caught.value) is grpc.StatusCode.INVALID_ARGUMENT
    found = details(caught.value)
    assert set(found) == {"ErrorInfo", "BadRequest"}
    assert found["ErrorInfo"].reason == "LIMIT_EXCEEDED"
    return found


def test_a_problem_within_the_limits(near: grpc.Channel) -> None:
    answer = RouterServiceStub(near).SolveRoutes(pb.SolveRoutesRequest(problem=LINE), timeout=20)
    assert answer.solution.revenue == 60


@pytest.mark.parametrize("method", ["SolveRoutes", "StreamSolveRoutes", "CheckRoutes", "CountRoutes"])
def test_every_size_that_is_too_large_is_named(near: grpc.Channel, method: str) -> None:
    request = pb.SolveRoutesRequest(problem=convert.problem_to_proto(samples.grid(3, 3, 4)))
    payload = request.SerializeToString()

    def call() -> object:
        path = f"/router.v1.RouterService/{method}"
        if method.startswith("Stream"):
            return list(near.unary_stream(path)(payload, timeout=20))
        return near.unary_unary(path)(payload, timeout=20)

    found = refusal(call)
    fields = {it.field: it.description for it in found["BadRequest"].field_violations}
    assert set(fields) == {"problem.nodes", "problem.segments", "problem.trains"} | (
        {"problem.hexes"} & set(fields)
    )
    assert fields["problem.nodes"] == "9 nodes; this server takes 4 at most"
    limits = {name: found["ErrorInfo"].metadata[name] for name in ("nodes", "segments", "trains")}
    assert limits == {"nodes": "4", "segments": "3", "trains": "2"}


def test_a_position_is_judged_by_its_tiles_and_by_its_board(near: grpc.Channel) -> None:
    stub = GameServiceStub(near)
    position = position_pb2.Position(game="1861", players=4, company="N", phase="2")
    position.tokens.add(hex="H8", city=1, company="N")
    position.trains.add(id="2-0", name="2")
    found = refusal(lambda: stub.SolvePosition(games.SolvePositionRequest(position=position), timeout=20))
    assert {it.field for it in found["BadRequest"].field_violations} == {"position.tiles"}
    for number in range(5):
        position.tiles.add(hex=f"X{number}", tile="9")
    for number in range(3):
        position.trains.add(id=f"3-{number}", name="3")
    found = refusal(lambda: stub.CheckPosition(games.CheckPositionRequest(position=position), timeout=20))
    told = {it.field: it.description for it in found["BadRequest"].field_violations}
    assert told == {
        "position.tiles": "5 hexes; this server takes 4 at most",
        "position.trains": "4 trains; this server takes 2 at most",
    }


def test_a_longer_time_limit_than_the_server_grants(near: grpc.Channel) -> None:
    request = pb.SolveRoutesRequest(problem=LINE)
    stub = RouterServiceStub(near)
    # the answer being at hand makes no difference
    assert stub.SolveRoutes(request, timeout=20).solution.revenue == 60
    request.time_limit.FromSeconds(-1)
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolveRoutes(request, timeout=20)
    assert details(caught.value)["ErrorInfo"].reason == "INVALID_INPUT"
    request.time_limit.FromSeconds(6)
    found = refusal(lambda: RouterServiceStub(near).SolveRoutes(request, timeout=20))
    assert [it.field for it in found["BadRequest"].field_violations] == ["time_limit"]
    assert found["ErrorInfo"].metadata["max_time_limit"] == "5"


@pytest.mark.skipif(memory.resident(1) is None, reason="this system does not tell the memory of a process")
def test_memory_hungry_worker_is_ended_and_only_its_call_fails() -> None:
    settings = config(max_memory_bytes=256 * MIB)
    with running(settings, REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        jobs, pool = Jobs(channel), server.context.pool()
        other = jobs.start("work", b"2", timeout=60)
        with pytest.raises(grpc.RpcError) as caught:
            jobs.call("hungry", b"%d" % (2000 * MIB), timeout=60)
        assert code_of(caught.value) in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}
        found = details(caught.value)
        assert found["ErrorInfo"].reason == "MEMORY_LIMIT"
        assert found["ErrorInfo"].metadata["max"] == str(256 * MIB)
        assert found["RetryInfo"].retry_delay.ToMilliseconds() > 0
        assert other.result() == b"done"
        wait_until(lambda: pool.alive == 2)
        assert jobs.call("echo", b"x") == b"x"


@pytest.mark.skipif(memory.resident(1) is None, reason="this system does not tell the memory of a process")
def test_memory_that_is_not_given_is_told_without_losing_the_worker(
    small: Server, near: grpc.Channel
) -> None:
    started = small.context.pool().started
    with pytest.raises(grpc.RpcError) as caught:
        Jobs(near).call("greedy", b"%d" % (4000 * MIB))
    assert code_of(caught.value) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert details(caught.value)["ErrorInfo"].reason == "MEMORY_LIMIT"
    assert small.context.pool().started == started


def test_what_is_known_is_sent_when_the_search_does_not_look_at_its_clock(near: grpc.Channel) -> None:
    jobs = Jobs(near)
    assert jobs.call("tardy", b"60", timeout=10) == b"a draft"
    assert jobs.call("tardy", b"0.01", timeout=20) == b"too late"


def test_nothing_known_by_the_deadline_is_told_before_it(near: grpc.Channel) -> None:
    begun = time.monotonic()
    with pytest.raises(grpc.RpcError) as caught:
        Jobs(near).call("stubborn", b"30", timeout=2)
    assert code_of(caught.value) is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - begun < 20


def test_hung_worker_is_ended_and_its_call_may_be_tried_again() -> None:
    settings = {"max_time_limit": 0.2, "patience": 0.3, "workers": 1}
    with running(config(**settings), REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            Jobs(channel).call("stubborn", b"60")
        assert code_of(caught.value) is grpc.StatusCode.UNAVAILABLE
        found = details(caught.value)
        assert found["ErrorInfo"].reason == "OVERDUE"
        assert found["RetryInfo"].retry_delay.ToMilliseconds() > 0
        pool = server.context.pool()
        wait_until(lambda: pool.restarts["overdue"] == 1 and pool.alive == 1)


def test_a_search_is_not_slowed_by_those_who_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pricing a better set may take longer than finding it; it is left out once it has cost its share."""
    from router.service.searching import EARLY, SHARE, _Ear

    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    heard: list[Any] = []
    ear = _Ear(heard.append)
    assert not ear
    now[0] += 2 * EARLY
    assert ear
    now[0] += 1.0  # the price of the first
    ear("first")  # type: ignore[arg-type]
    assert not ear
    now[0] += 1.1 / SHARE
    assert ear
    ear("second")  # type: ignore[arg-type]
    assert heard == ["first", "second"]
    assert ear
