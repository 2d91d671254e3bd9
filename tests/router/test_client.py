"""The router of this process and that of a server look and behave alike."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent import futures
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.rpc import code_pb2
from grpc_status import rpc_status

import samples
from router import convert
from router.callbacks import Callbacks
from router.client import LocalRouter, RemoteError, Router, connect, local
from router.client.remote import NO_BOUND, RemoteRouter
from router.errors import Fault, InternalError, InvalidInput, InvalidProblem, InvalidRoutes, Unsupported
from router.service import statuses
from router.solution import Route, RouteSet, Solution, Status
from router.stop import AnyOf, Cancelled, Deadline, Never, NodeBudget
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceServicer, add_RouterServiceServicer_to_server
from support import PROJECT

LINE = samples.line()
HARD = samples.grid(7, 3, 20)


class Scripted(RouterServiceServicer):
    """A server that answers as told, without a solver."""

    def __init__(self) -> None:
        self.refusals: list[Any] = []
        self.requests: list[Any] = []
        self.remaining: list[float | None] = []
        self.events: list[pb.StreamSolveRoutesResponse] = []
        self.hang = False
        self.solution = Solution(Status.OPTIMAL, 60, 0, 60, ())

    def _hear(self, request: Any, context: Any) -> None:
        self.requests.append(request)
        self.remaining.append(context.time_remaining())
        if self.refusals:
            context.abort_with_status(rpc_status.to_status(self.refusals.pop(0)))

    def SolveRoutes(self, request: Any, context: Any) -> pb.SolveRoutesResponse:  # noqa: N802
        self._hear(request, context)
        return pb.SolveRoutesResponse(solution=convert.solution_to_proto(self.solution))

    def StreamSolveRoutes(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802
        self._hear(request, context)
        yield from self.events
        while self.hang and context.is_active():
            time.sleep(0.01)
        if not self.hang:
            yield pb.StreamSolveRoutesResponse(final=convert.solution_to_proto(self.solution))


@pytest.fixture
def script() -> Scripted:
    return Scripted()


@pytest.fixture
def remote(script: Scripted) -> Iterator[RemoteRouter]:
    server = grpc.server(futures.ThreadPoolExecutor(4))
    add_RouterServiceServicer_to_server(script, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with connect(f"127.0.0.1:{port}", retries=2) as found:
        yield found
    server.stop(0).wait()


def test_both_have_the_same_signatures() -> None:
    for name in ("solve", "check", "count"):
        expected = inspect.signature(getattr(Router, name))
        for kind in (LocalRouter, RemoteRouter):
            found = inspect.signature(getattr(kind, name))
            assert list(found.parameters) == list(expected.parameters)
            for parameter in expected.parameters.values():
                assert found.parameters[parameter.name].kind == parameter.kind
                assert found.parameters[parameter.name].annotation == parameter.annotation


@pytest.mark.parametrize(
    "code", ["import router.client", "import router.client; router.client.local()", "import router.callbacks"]
)
def test_import_loads_neither_solver_nor_grpc(code: str) -> None:
    heavy = ("numba", "ortools", "numpy", "grpc", "google.protobuf")
    code = f"{code}; import sys; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    assert found.stdout.strip() == "[]"


def test_local_use_loads_no_grpc() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests'); import samples; from router.client import local;"
        " r = local(); p = samples.line();"
        " print(r.solve(p).revenue, r.check(p, []).legal, r.count(p, '1'), 'grpc' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    assert found.stdout.split("\n")[0] == "60 True {2: 1, 3: 1} False"


def test_local_solve_and_check() -> None:
    solution = local().solve(LINE)
    assert (solution.status, solution.revenue) == (Status.OPTIMAL, 60)
    verdict = local().check(LINE, [route.route for route in solution.routes])
    assert (verdict.legal, verdict.revenue) == (True, 60)
    assert local()(LINE) == solution


def test_local_count_of_an_unknown_train() -> None:
    with pytest.raises(InvalidInput) as caught:
        local().count(LINE, "9")
    assert caught.value.faults[0].where == "train"


# requests


def test_request_says_everything(remote: RemoteRouter, script: Scripted) -> None:
    fixed = [Route("1", ("a", "b"), ("ab",))]
    stop = AnyOf((Deadline(8), AnyOf((NodeBudget(500), NodeBudget(70), Deadline(3))), Never()))
    remote.solve(LINE, fixed=fixed, objective="total", alternatives=4, stop=stop, method="exact")
    (request,) = script.requests
    assert convert.problem_from_proto(request.problem) == LINE
    assert convert.routes_from_proto(request.fixed) == tuple(fixed)
    assert request.objective == 2
    assert request.alternatives == 4
    assert request.method == 2
    assert request.expansion_limit == 70
    assert 0 < request.time_limit.ToMicroseconds() <= 3_000_000
    remaining = script.remaining[0]
    assert remaining is not None
    assert remaining > 3


def test_no_limit_by_default(remote: RemoteRouter, script: Scripted) -> None:
    remote.solve(LINE)
    assert not script.requests[0].HasField("time_limit")
    assert (script.remaining[0] or 1e18) > 1e9
    assert script.requests[0].expansion_limit == 0


def test_a_deadline_that_is_over_still_asks(remote: RemoteRouter, script: Scripted) -> None:
    remote.solve(LINE, stop=Deadline(0))
    assert script.requests[0].time_limit.ToMilliseconds() == 1


# news and cancellation


def news() -> list[pb.StreamSolveRoutesResponse]:
    sets = [RouteSet(10, 0, ()), RouteSet(20, 5, ())]
    return [
        pb.StreamSolveRoutesResponse(status="looking"),
        pb.StreamSolveRoutesResponse(incumbent=convert.route_set_to_proto(sets[0])),
        pb.StreamSolveRoutesResponse(bound=90),
        pb.StreamSolveRoutesResponse(incumbent=convert.route_set_to_proto(sets[1])),
        pb.StreamSolveRoutesResponse(bound=80),
    ]


def test_callbacks_hear_the_news_in_order_and_in_this_thread(remote: RemoteRouter, script: Scripted) -> None:
    script.events = news()
    heard: list[object] = []
    threads = set()

    def hear(it: object) -> None:
        heard.append(it)
        threads.add(threading.get_ident())

    solution = remote.solve(LINE, callbacks=Callbacks(hear, hear, hear))
    assert heard == ["looking", RouteSet(10, 0, ()), 90, RouteSet(20, 5, ()), 80]
    assert solution == script.solution
    assert threads == {threading.get_ident()}


def test_callbacks_may_be_few(remote: RemoteRouter, script: Scripted) -> None:
    script.events = news()
    bounds: list[int] = []
    assert remote.solve(LINE, callbacks=Callbacks(on_bound=bounds.append)) == script.solution
    assert bounds == [90, 80]
    assert remote.solve(LINE, callbacks=Callbacks()) == script.solution


def test_error_in_a_callback_ends_the_call(remote: RemoteRouter, script: Scripted) -> None:
    script.events = news()
    script.hang = True

    def fail(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        remote.solve(LINE, callbacks=Callbacks(on_bound=fail))


def test_cancelled_search_returns_the_best_so_far(remote: RemoteRouter, script: Scripted) -> None:
    script.events = news()
    script.hang = True
    stop = Cancelled()
    solution = remote.solve(
        LINE, stop=stop, callbacks=Callbacks(on_bound=lambda it: it == 80 and stop.cancel())
    )
    assert solution == Solution(Status.FEASIBLE, 20, 5, 80, (), why="cancelled")


def test_search_cancelled_before_any_news(remote: RemoteRouter, script: Scripted) -> None:
    script.hang = True
    stop = Cancelled()
    stop.cancel()
    assert remote.solve(LINE, stop=stop) == Solution(Status.UNKNOWN, 0, 0, NO_BOUND, (), why="cancelled")


@dataclass
class Third:
    """A criterion of one's own: reached when it is asked for the third time."""

    asked: int = 0

    def reached(self, expansions: int) -> str:
        self.asked += 1
        return "asked three times" if self.asked >= 3 else ""


def test_criterion_of_ones_own(remote: RemoteRouter, script: Scripted) -> None:
    script.hang = True
    assert remote.solve(LINE, stop=AnyOf((Deadline(50), Third()))).why == "asked three times"


def test_criterion_that_is_never_reached(remote: RemoteRouter, script: Scripted) -> None:
    assert remote.solve(LINE, stop=Cancelled()) == script.solution


# errors


FAULTS = [Fault("nodes[1].kind", "missing"), Fault("", "contradiction"), Fault("é", "ü" * 40)]


@pytest.mark.parametrize("error", [InvalidProblem(FAULTS), InvalidRoutes(FAULTS), InvalidInput(FAULTS)])
@pytest.mark.parametrize("streaming", [False, True])
def test_bad_input_raises_the_same_error(
    remote: RemoteRouter, script: Scripted, error: InvalidInput, streaming: bool
) -> None:
    script.refusals = [statuses.expected(error)]
    with pytest.raises(InvalidInput) as caught:
        remote.solve(LINE, callbacks=Callbacks() if streaming else None)
    assert type(caught.value) is type(error)
    assert caught.value.faults == tuple(FAULTS)
    assert str(caught.value) == str(error)


def test_path_of_a_problem_is_that_of_the_problem_alone(remote: RemoteRouter, script: Scripted) -> None:
    script.refusals = [statuses.expected(InvalidProblem([Fault("problem.nodes[1].kind", "missing")]))]
    with pytest.raises(InvalidProblem) as caught:
        remote.solve(LINE)
    assert caught.value.faults == (Fault("nodes[1].kind", "missing"),)


def test_other_errors(remote: RemoteRouter, script: Scripted) -> None:
    script.refusals = [statuses.expected(Unsupported("no search for it")), statuses.internal("77")]
    with pytest.raises(Unsupported, match="no search for it"):
        remote.solve(LINE)
    with pytest.raises(InternalError, match="incident 77"):
        remote.solve(LINE)
    with pytest.raises(RemoteError) as caught:
        remote.check(LINE, [])
    assert caught.value.code == "UNIMPLEMENTED"
    assert caught.value.retry_after is None
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, copy.why, str(copy)) == (caught.value.code, caught.value.why, str(caught.value))


@pytest.mark.parametrize("streaming", [False, True])
def test_full_server_is_tried_again(remote: RemoteRouter, script: Scripted, streaming: bool) -> None:
    script.refusals = [statuses.full(0.05, "full").status, statuses.lost("lost").status]
    assert remote.solve(LINE, callbacks=Callbacks() if streaming else None) == script.solution
    assert len(script.requests) == 3


def test_tries_come_to_an_end(remote: RemoteRouter, script: Scripted) -> None:
    script.refusals = [statuses.full(0.01, "full").status] * 3
    with pytest.raises(RemoteError) as caught:
        remote.solve(LINE)
    assert (caught.value.code, caught.value.why, caught.value.retry_after) == (
        "RESOURCE_EXHAUSTED",
        "full",
        0.01,
    )
    assert len(script.requests) == 3


def test_lasting_lack_is_not_tried_again(remote: RemoteRouter, script: Scripted) -> None:
    script.refusals = [statuses.make(code_pb2.RESOURCE_EXHAUSTED, "TOO_LARGE", "too large")]
    with pytest.raises(RemoteError):
        remote.solve(LINE)
    assert len(script.requests) == 1


def test_stream_that_has_spoken_is_not_tried_again(remote: RemoteRouter, script: Scripted) -> None:
    def broken() -> Iterator[pb.StreamSolveRoutesResponse]:
        yield from news()
        raise RuntimeError

    script.events = broken()  # type: ignore[assignment]
    heard: list[RouteSet] = []
    with pytest.raises(RemoteError):
        remote.solve(LINE, callbacks=Callbacks(on_incumbent=heard.append))
    assert len(heard) == 2
    assert len(script.requests) == 1


def test_nobody_there() -> None:
    with connect("127.0.0.1:1", retries=1) as nobody, pytest.raises(RemoteError) as caught:
        nobody.solve(LINE)
    assert caught.value.code == "UNAVAILABLE"


def test_problem_that_does_not_fit_into_the_protocol(remote: RemoteRouter) -> None:
    with pytest.raises(InvalidProblem):
        remote.solve(samples.line((samples.Train("\ud800", "3"),)))
