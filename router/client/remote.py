"""The router of a server, over gRPC."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import grpc

from router import convert
from router.callbacks import Callbacks
from router.client import Method, Objective, Stopped
from router.client.calls import Caller, open_channel, refuse_plaintext
from router.convert.names import METHODS, OBJECTIVES
from router.problem import MAX_MONEY, MAX_SIZE, RouteProblem
from router.solution import Route, RouteSet, Solution, Status, Verdict
from router.stop import AnyOf, Deadline, Never, NodeBudget, Stop
from router.v1 import router_service_pb2 as pb
from router.v1.router_service_pb2_grpc import RouterServiceStub

SLACK = 5.0
"""Seconds beyond the time limit after which a server that says nothing is given up."""
POLL = 0.01
"""Seconds between two looks at a stop criterion that a server cannot know."""
NO_BOUND = MAX_MONEY * MAX_SIZE
"""Bound of an answer of which nothing is known."""

_Limited: TypeAlias = pb.SolveRoutesRequest | pb.StreamSolveRoutesRequest | pb.CountRoutesRequest


@dataclass(frozen=True, slots=True)
class _Limits:
    """A stop criterion, split into what a server heeds by itself and what has to be watched here."""

    deadlines: tuple[Deadline, ...] = ()
    expansions: int = 0
    watched: tuple[Stop, ...] = ()

    @staticmethod
    def of(stop: Stop) -> _Limits:
        deadlines: list[Deadline] = []
        budgets: list[int] = []
        watched: list[Stop] = []
        criteria = [stop]
        while criteria:
            match criteria.pop():
                case AnyOf(several):
                    criteria += several
                case Deadline() as deadline:
                    deadlines.append(deadline)
                case NodeBudget(expansions):
                    budgets.append(max(1, expansions))
                case Never():
                    pass
                case other:
                    watched.append(other)
        return _Limits(tuple(deadlines), min(budgets, default=0), tuple(watched))

    @property
    def seconds(self) -> float | None:
        """Seconds left, None if there is no limit."""
        return min((max(0.001, it.remaining) for it in self.deadlines), default=None)

    @property
    def timeout(self) -> float | None:
        """Seconds after which to give up a server that says nothing."""
        return None if self.seconds is None else self.seconds + SLACK


@dataclass(slots=True)
class _News:
    """What a stream has said so far."""

    objective: Objective
    callbacks: Callbacks
    incumbent: RouteSet | None = None
    bound: int = NO_BOUND
    final: Solution | None = None
    heard: bool = False
    stopped: list[str] = field(default_factory=list)

    def hear(self, message: Any) -> None:
        """Take in one message."""
        self.heard = True
        match message.WhichOneof("event"):
            case "incumbent":
                self.incumbent = convert.route_set_from_proto(message.incumbent)
                if self.callbacks.on_incumbent is not None:
                    self.callbacks.on_incumbent(self.incumbent)
            case "bound":
                self.bound = message.bound
                if self.callbacks.on_bound is not None:
                    self.callbacks.on_bound(message.bound)
            case "status":
                if self.callbacks.on_status is not None:
                    self.callbacks.on_status(message.status)
            case "final":
                self.final = convert.solution_from_proto(message.final)

    def answer(self) -> Solution:
        """Return the final answer, or what is known without it."""
        if self.final is not None:
            return self.final
        why = self.stopped[0] if self.stopped else "the stream ended early"
        if self.incumbent is None:
            return Solution(Status.UNKNOWN, 0, 0, self.bound, (), why=why)
        best = self.incumbent
        return Solution(Status.FEASIBLE, best.revenue, best.subsidy, self.bound, best.routes, why=why)


class RemoteRouter:
    """The router of a server.

    A stop criterion that the server cannot know (``Cancelled``, or one of your own) is asked here every few
    milliseconds, with 0 expansions; once it is reached, the call is cancelled and the best answer so
    far returned.

    Parameters
    ----------
    address
        ``host:port`` of the server.
    credentials
        For a channel with TLS.
    timeout
        Seconds after which a call without a time limit is given up; None: never.
    caller
        Who calls, and how often again; see :class:`router.client.calls.Caller`.

    Raises
    ------
    ValueError
        If a token would be sent in plaintext to another machine.
    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float | None = None,
        caller: Caller | None = None,
    ) -> None:
        self._caller = caller or Caller()
        refuse_plaintext(address, credentials, self._caller.metadata() or None)
        self._channel = open_channel(address, credentials)
        self.address = address
        self._timeout = timeout
        self._stub = RouterServiceStub(self._channel)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def __enter__(self) -> RemoteRouter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def solve(
        self,
        problem: RouteProblem,
        *,
        fixed: Sequence[Route] = (),
        objective: Objective = "revenue",
        alternatives: int = 0,
        stop: Stop = Never(),  # noqa: B008  # immutable
        callbacks: Callbacks | None = None,
        method: Method = "auto",
    ) -> Solution:
        """Return the best routes; see :func:`router.solve.solve`."""
        limits = _Limits.of(stop)
        fields: dict[str, Any] = {
            "problem": convert.problem_to_proto(problem),
            "fixed": convert.routes_to_proto(fixed),
            "objective": OBJECTIVES.numbers[objective],
            "alternatives": alternatives,
            "method": METHODS.numbers[method],
            "expansion_limit": limits.expansions,
        }
        if callbacks is None and not limits.watched:

            def once() -> Solution:
                request = pb.SolveRoutesRequest(**fields)
                _set_limit(request, limits)
                response = self._caller.once(self._stub.SolveRoutes, request, self._give_up(limits))
                return convert.solution_from_proto(response.solution)

            return self._caller.retrying(once, lambda: limits.seconds)

        news = _News(objective, callbacks or Callbacks())

        def stream() -> Solution:
            request = pb.StreamSolveRoutesRequest(**fields)
            _set_limit(request, limits)
            call = self._stub.StreamSolveRoutes(
                request, timeout=self._give_up(limits), metadata=self._caller.metadata()
            )
            try:
                with _watching(call, limits.watched, news.stopped):
                    for message in call:
                        news.hear(message)
            except grpc.RpcError:
                if not news.stopped:
                    raise
            finally:
                call.cancel()
            return news.answer()

        return self._caller.retrying(stream, lambda: limits.seconds, lambda: not news.heard)

    __call__ = solve

    def check(self, problem: RouteProblem, routes: Sequence[Route]) -> Verdict:
        """Judge and price routes; see :func:`router.check.check`."""
        request = pb.CheckRoutesRequest(
            problem=convert.problem_to_proto(problem), routes=convert.routes_to_proto(routes)
        )
        response = self._caller.retrying(
            lambda: self._caller.once(self._stub.CheckRoutes, request, self._timeout)
        )
        return convert.verdict_from_proto(response.verdict)

    def count(
        self,
        problem: RouteProblem,
        train: str,
        *,
        stop: Stop = Never(),  # noqa: B008  # immutable
    ) -> dict[int, int]:
        """Return how many single routes a train has, by number of visited stops."""
        limits = _Limits.of(stop)
        request = pb.CountRoutesRequest(problem=convert.problem_to_proto(problem), train=train)
        request.expansion_limit = limits.expansions
        stopped: list[str] = []

        def once() -> dict[int, int]:
            _set_limit(request, limits)
            call = self._stub.CountRoutes.future(
                request, timeout=self._give_up(limits), metadata=self._caller.metadata()
            )
            try:
                with _watching(call, limits.watched, stopped):
                    return dict(sorted(call.result().by_stops.items()))
            except grpc.FutureCancelledError:
                raise Stopped(f"stopped counting: {stopped[0]}") from None

        return self._caller.retrying(once, lambda: limits.seconds)

    def _give_up(self, limits: _Limits) -> float | None:
        return self._timeout if limits.seconds is None else limits.timeout


def _set_limit(request: _Limited, limits: _Limits) -> None:
    """Write the seconds left into a request."""
    if limits.seconds is not None:
        request.time_limit.FromNanoseconds(round(limits.seconds * 1e9))


@contextmanager
def _watching(call: Any, criteria: tuple[Stop, ...], stopped: list[str]) -> Iterator[None]:
    """Cancel ``call`` as soon as one of ``criteria`` is reached, and note why."""
    if not criteria:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            why = AnyOf(criteria).reached(0)
            if why:
                stopped.append(why)
                call.cancel()
                return
            over.wait(POLL)

    thread = threading.Thread(target=watch, name="trunkline-stop", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
