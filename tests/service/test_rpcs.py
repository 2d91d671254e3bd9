"""Every method of RouterService, against the router of this process."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from service_support import details

import samples
from router import convert
from router.client import local
from router.solution import Route
from router.v1 import problem_pb2
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceStub


@pytest.fixture(scope="module")
def stub(channel: grpc.Channel) -> RouterServiceStub:
    return RouterServiceStub(channel)


LINE = samples.line()
LINE_PROTO = convert.problem_to_proto(LINE)


def test_solve(stub: RouterServiceStub) -> None:
    response = stub.SolveRoutes(pb.SolveRoutesRequest(id="7", problem=LINE_PROTO), timeout=20)
    assert response.solution.id == "7"
    assert convert.solution_from_proto(response.solution) == local().solve(LINE)
    assert response.solution.revenue == 60


def test_solve_around_fixed_routes_and_list_alternatives(stub: RouterServiceStub) -> None:
    problem = samples.grid(3, 2, 3)
    fixed = [Route("1", ("0.0", "1.0"), ("0.0-1.0",))]
    request = pb.SolveRoutesRequest(
        problem=convert.problem_to_proto(problem), fixed=convert.routes_to_proto(fixed), alternatives=3
    )
    solution = convert.solution_from_proto(stub.SolveRoutes(request, timeout=20).solution)
    assert solution == local().solve(problem, fixed=fixed, alternatives=3)
    assert fixed[0] in [route.route for route in solution.routes]


def test_stream_ends_with_exactly_one_final(stub: RouterServiceStub) -> None:
    problem = samples.grid(5, 2, 8)
    request = pb.StreamSolveRoutesRequest(id="s", problem=convert.problem_to_proto(problem))
    events = list(stub.StreamSolveRoutes(request, timeout=30))
    kinds = [event.WhichOneof("event") for event in events]
    assert kinds.count("final") == 1
    assert kinds[-1] == "final"
    assert "incumbent" in kinds
    final = events[-1].final
    assert final.id == "s"
    revenues = [event.incumbent.revenue for event in events if event.WhichOneof("event") == "incumbent"]
    assert revenues == sorted(revenues)
    assert revenues[-1] <= final.revenue
    bounds = [event.bound for event in events if event.WhichOneof("event") == "bound"]
    assert all(bound >= final.revenue for bound in bounds)
    assert convert.solution_from_proto(final) == local().solve(problem)


def test_check(stub: RouterServiceStub) -> None:
    for routes in (
        [Route("1", ("a", "b"), ("ab",))],
        [Route("1", ("b", "c"), ("bc",)), Route("9", ("a", "b"), ("ab",))],
        [Route("", (), ())],
        [],
    ):
        request = pb.CheckRoutesRequest(id="c", problem=LINE_PROTO, routes=convert.routes_to_proto(routes))
        response = stub.CheckRoutes(request, timeout=20)
        assert response.id == "c"
        assert convert.verdict_from_proto(response.verdict) == local().check(LINE, routes)


def test_count(stub: RouterServiceStub) -> None:
    response = stub.CountRoutes(pb.CountRoutesRequest(id="n", problem=LINE_PROTO, train="1"), timeout=20)
    assert (response.id, response.total, dict(response.by_stops)) == ("n", 2, {2: 1, 3: 1})


def test_capabilities(stub: RouterServiceStub) -> None:
    found = stub.GetCapabilities(pb.GetCapabilitiesRequest(), timeout=20)
    assert found.version
    assert set(found.services) == {"router.v1.RouterService", "engine.v1.GameService", "tests.Jobs"}
    assert "StopBonus" in found.terms
    assert len(found.terms) == 7
    assert set(found.conditions) == {"VisitHome", "RoutesTouch", "RequiredRoute", "MustRun"}
    assert list(found.objectives) == [1, 2]
    assert list(found.methods) == [1, 2, 3]
    assert found.workers == 2
    assert found.max_message_bytes == 1_000_000
    assert found.max_time_limit.ToSeconds() == 60
    assert found.max_concurrent_calls == 512
    assert found.max_alternatives == 100


def test_stream_request_is_the_plain_request() -> None:
    """The jobs read one like the other."""

    def shape(message: Any) -> list[tuple[object, ...]]:
        return [(it.name, it.number, it.type, it.is_repeated) for it in message.DESCRIPTOR.fields]

    assert shape(pb.SolveRoutesRequest) == shape(pb.StreamSolveRoutesRequest)


# bad input


def bad_request() -> pb.SolveRoutesRequest:
    request = pb.SolveRoutesRequest(problem=LINE_PROTO, alternatives=-1, expansion_limit=-2)
    request.problem.nodes[1].kind = problem_pb2.NODE_KIND_UNSPECIFIED
    request.problem.segments[0].b = "nowhere"
    request.objective = 9  # type: ignore[assignment]
    request.method = 8  # type: ignore[assignment]
    request.time_limit.seconds = -3
    return request


def test_all_faults_of_a_request_are_named(stub: RouterServiceStub) -> None:
    plain = bad_request()
    stream = pb.StreamSolveRoutesRequest.FromString(plain.SerializeToString())
    for call in (
        lambda: stub.SolveRoutes(plain, timeout=20),
        lambda: list(stub.StreamSolveRoutes(stream, timeout=20)),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call()
        error: Any = caught.value
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        found = details(error)
        assert set(found) == {"ErrorInfo", "BadRequest"}
        assert found["ErrorInfo"].domain == "trunkline"
        assert found["ErrorInfo"].reason == "INVALID_PROBLEM"
        fields = [it.field for it in found["BadRequest"].field_violations]
        assert found["ErrorInfo"].metadata["faults"] == str(len(fields))
        for field in (
            "problem.nodes[1].kind",
            "problem.segments[0].b",
            "objective",
            "method",
            "time_limit",
            "alternatives",
            "expansion_limit",
        ):
            assert field in fields
        assert all(it.description for it in found["BadRequest"].field_violations)


def test_bad_options_alone_are_invalid_input(stub: RouterServiceStub) -> None:
    request = pb.SolveRoutesRequest(problem=LINE_PROTO, alternatives=101)
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolveRoutes(request, timeout=20)
    found = details(caught.value)
    assert found["ErrorInfo"].reason == "INVALID_INPUT"
    assert [it.field for it in found["BadRequest"].field_violations] == ["alternatives"]


def test_very_many_faults_still_fit_into_the_metadata(stub: RouterServiceStub) -> None:
    request = pb.SolveRoutesRequest(problem=LINE_PROTO)
    for number in range(900):
        request.problem.nodes.add(id=f"n{number}", hex="x", value=-1)
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolveRoutes(request, timeout=20)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    found = details(error)
    total = int(found["ErrorInfo"].metadata["faults"])
    listed = found["BadRequest"].field_violations
    assert total == 1800
    assert listed[-1].description == f"and {total - len(listed) + 1} more"
    assert len(listed) > 20


def test_fixed_routes_that_are_illegal(stub: RouterServiceStub) -> None:
    fixed = [Route("1", ("b", "c"), ("bc",))]
    request = pb.SolveRoutesRequest(problem=LINE_PROTO, fixed=convert.routes_to_proto(fixed))
    with pytest.raises(grpc.RpcError) as caught:
        stub.SolveRoutes(request, timeout=20)
    found = details(caught.value)
    assert found["ErrorInfo"].reason == "INVALID_ROUTES"
    assert [it.field for it in found["BadRequest"].field_violations] == ["fixed[0]"]


def test_unknown_train_to_count(stub: RouterServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.CountRoutes(pb.CountRoutesRequest(problem=LINE_PROTO, train="9"), timeout=20)
    assert [it.field for it in details(caught.value)["BadRequest"].field_violations] == ["train"]


@pytest.mark.parametrize("method", ["SolveRoutes", "CheckRoutes", "CountRoutes"])
def test_bytes_that_are_no_message(channel: grpc.Channel, method: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary(f"/router.v1.RouterService/{method}")(b"\xff\xff\xff", timeout=20)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "the bytes are no router.v1." in error.details()


def test_an_empty_request_is_an_empty_problem(stub: RouterServiceStub) -> None:
    response = stub.SolveRoutes(pb.SolveRoutesRequest(), timeout=20)
    assert (response.solution.revenue, len(response.solution.routes)) == (0, 0)
