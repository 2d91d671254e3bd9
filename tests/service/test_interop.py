"""The cases of gRPC's interoperability tests, as far as they apply to this server."""

from __future__ import annotations

import time
from typing import Any

import grpc
import pytest
from service_jobs import Jobs
from service_support import code_of, details

import samples
from router import convert
from router.service.server import Server
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceStub

SOLVE = "/router.v1.RouterService/SolveRoutes"
STREAM = "/router.v1.RouterService/StreamSolveRoutes"
HARD = convert.problem_to_proto(samples.grid(7, 3, 20))
CALLS = 10_000


def hard(stream: bool = False) -> Any:
    kind = pb.StreamSolveRoutesRequest if stream else pb.SolveRoutesRequest
    return kind(problem=HARD)


def test_empty_unary(channel: grpc.Channel) -> None:
    answer = pb.SolveRoutesResponse.FromString(channel.unary_unary(SOLVE)(b"", timeout=20))
    assert answer.solution.revenue == 0


def test_large_unary(channel: grpc.Channel) -> None:
    problem = samples.line()
    request = pb.SolveRoutesRequest(id="x" * 400_000, problem=convert.problem_to_proto(problem))
    answer = RouterServiceStub(channel).SolveRoutes(request, timeout=20)
    assert answer.solution.id == request.id
    assert convert.solution_from_proto(answer.solution).revenue == 60


def test_cancel_after_begin(server: Server, channel: grpc.Channel) -> None:
    call = channel.unary_unary(SOLVE).future(hard().SerializeToString(), timeout=60)
    call.cancel()
    assert call.code() is grpc.StatusCode.CANCELLED
    assert Jobs(channel).call("echo", b"x") == b"x"


def test_cancel_after_first_reply(server: Server, channel: grpc.Channel) -> None:
    call = channel.unary_stream(STREAM)(hard(True).SerializeToString(), timeout=60)
    next(call)
    call.cancel()
    with pytest.raises(grpc.RpcError) as caught:
        list(call)
    assert code_of(caught.value) is grpc.StatusCode.CANCELLED
    assert Jobs(channel).call("echo", b"x") == b"x"


def test_timeout_of_a_millisecond(channel: grpc.Channel) -> None:
    for _ in range(20):
        call = channel.unary_unary(SOLVE).future(hard().SerializeToString(), timeout=0.001)
        # on a busy machine the millisecond may last long enough for an answer that is not proved
        assert call.code() in {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.OK}
    assert Jobs(channel).call("echo", b"x") == b"x"


def test_status_code_and_message(channel: grpc.Channel) -> None:
    """Also with characters that the protocol has to escape."""
    request = pb.CountRoutesRequest(problem=convert.problem_to_proto(samples.line()), train="\tä 🚂\n")
    with pytest.raises(grpc.RpcError) as caught:
        RouterServiceStub(channel).CountRoutes(request, timeout=20)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert error.details() == f"train: the problem has no train {request.train!r}"
    assert details(error)["BadRequest"].field_violations[0].description.endswith(repr(request.train))


def test_custom_metadata_is_borne(channel: grpc.Channel) -> None:
    metadata = (("x-game", "1861"), ("x-trace-bin", b"\x00\xff"), ("traceparent", "garbage"))
    answer = channel.unary_unary(SOLVE)(b"", timeout=20, metadata=metadata)
    assert pb.SolveRoutesResponse.FromString(answer)


@pytest.mark.parametrize("path", ["/router.v1.RouterService/Guess", "/nobody.v1.Service/SolveRoutes", "/x"])
def test_unimplemented_method_and_service(channel: grpc.Channel, path: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary(path)(b"", timeout=20)
    assert code_of(caught.value) is grpc.StatusCode.UNIMPLEMENTED


def test_very_many_calls_on_one_channel(channel: grpc.Channel) -> None:
    payload = pb.SolveRoutesRequest(problem=convert.problem_to_proto(samples.line())).SerializeToString()
    call = channel.unary_unary(SOLVE)
    answers: set[bytes] = set()
    for _ in range(CALLS // 50):
        batch = [call.future(payload, timeout=60) for _ in range(50)]
        answers.update(it.result() for it in batch)
    assert len(answers) == 1


def test_cancelled_search_frees_its_worker_soon(server: Server, channel: grpc.Channel) -> None:
    pool = server.context.pool()
    for _ in range(5):
        call = channel.unary_unary(SOLVE).future(hard().SerializeToString(), timeout=60)
        end = time.monotonic() + 20
        while not pool.busy and time.monotonic() < end:
            time.sleep(0.005)
        call.cancel()
        while pool.busy and time.monotonic() < end:
            time.sleep(0.005)
        assert not pool.busy
