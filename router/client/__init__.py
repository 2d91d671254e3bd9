"""The router, in this process or on a server: the same methods, so that callers cannot tell which they use.

Importing this module loads neither the solver nor gRPC.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from router.callbacks import Callbacks
from router.errors import TrunklineError
from router.problem import RouteProblem
from router.solution import Route, Solution, Verdict
from router.stop import Never, Stop

if TYPE_CHECKING:
    import grpc

    from router.client.remote import RemoteRouter

Objective: TypeAlias = Literal["revenue", "total"]
Method: TypeAlias = Literal["auto", "exact", "select", "network"]


class Router(Protocol):
    """What both kinds of routers can do."""

    def solve(
        self,
        problem: RouteProblem,
        *,
        fixed: Sequence[Route] = (),
        objective: Objective = "revenue",
        alternatives: int = 0,
        stop: Stop = ...,
        callbacks: Callbacks | None = None,
        method: Method = "auto",
    ) -> Solution:
        """Return the best routes; see :func:`router.solve.solve`."""
        ...

    def check(self, problem: RouteProblem, routes: Sequence[Route]) -> Verdict:
        """Judge and price routes; see :func:`router.check.check`."""
        ...

    def count(self, problem: RouteProblem, train: str, *, stop: Stop = ...) -> dict[int, int]:
        """Return how many single routes a train has, by number of visited stops.

        Raises
        ------
        Stopped
            If ``stop`` is reached before the end.
        """
        ...


class Stopped(TrunklineError):
    """A count was stopped before its end."""


class RemoteError(TrunklineError):
    """A server could not be reached, or could not answer.

    Attributes
    ----------
    code
        Name of the gRPC status code.
    retry_after
        Seconds after which to try again, if the server said so.
    reason
        The server's own name of the reason, such as ``SERVER_FULL``; empty if it gave none.
    """

    def __init__(self, code: str, why: str, retry_after: float | None = None, reason: str = "") -> None:
        self.code = code
        self.why = why
        self.retry_after = retry_after
        self.reason = reason
        super().__init__(code, why, retry_after, reason)

    def __str__(self) -> str:
        return f"{self.code}: {self.why}"


class LocalRouter:
    """The router of this process."""

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
        from router.solve import solve

        return solve(
            problem,
            fixed=fixed,
            objective=objective,
            alternatives=alternatives,
            stop=stop,
            callbacks=callbacks,
            method=method,
        )

    __call__ = solve

    def check(self, problem: RouteProblem, routes: Sequence[Route]) -> Verdict:
        """Judge and price routes; see :func:`router.check.check`."""
        from router.check import check

        return check(problem, routes)

    def count(
        self,
        problem: RouteProblem,
        train: str,
        *,
        stop: Stop = Never(),  # noqa: B008  # immutable
    ) -> dict[int, int]:
        """Return how many single routes a train has, by number of visited stops."""
        from router.count import count_routes
        from router.work import Interrupted

        try:
            return count_routes(problem, train, stop)
        except Interrupted as interrupted:
            raise Stopped(f"stopped counting: {interrupted}") from None


def local() -> LocalRouter:
    """Return the router of this process; the solver is loaded when it is first used."""
    return LocalRouter()


def connect(
    address: str,
    *,
    credentials: grpc.ChannelCredentials | None = None,
    ca: str | None = None,
    token: str | Callable[[], str] | None = None,
    timeout: float | None = None,
    retries: int = 4,
    hedge_after: float | None = None,
) -> RemoteRouter:
    """Return the router of a server.

    Parameters
    ----------
    address
        ``host:port`` of the server; ``https://host:port`` for one with TLS.
    credentials
        For a channel with TLS, beyond what ``https://`` and ``ca`` give: a certificate of the client.
    ca
        File with the authorities that are trusted, in PEM; by default those of the system.
    token
        What to show to the server, or a function that returns it for each call.
    timeout
        Seconds after which a call without a time limit is given up; None: never.
    retries
        How often a call is tried again if the server is full or a worker was lost. The waits between are
        random, so that callers do not return all at once, and a budget keeps further tries to a tenth of the
        calls.
    hedge_after
        Seconds after which a call that has no answer yet is sent a second time, and the first answer taken;
        None: never.

    Raises
    ------
    ValueError
        If a token would be sent in plaintext to another machine.
    OSError
        If the file of authorities cannot be read.
    """
    from router.client.calls import Caller, authorities
    from router.client.remote import RemoteRouter

    if address.startswith("https://"):
        address = address.removeprefix("https://").rstrip("/")
        credentials = credentials or authorities(ca)

    caller = Caller(token=token, retries=retries, hedge_after=hedge_after)
    return RemoteRouter(address, credentials=credentials, timeout=timeout, caller=caller)
