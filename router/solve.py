"""From a problem to a proved answer: the wiring of the parts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Literal, TypeAlias

from router.answers import Answers
from router.callbacks import Callbacks
from router.check import check
from router.circuit import solve_network
from router.errors import InternalError
from router.graph import build_graph
from router.judging import judge_arguments, judge_fixed
from router.problem import RouteProblem
from router.solution import Route, RouteSet, Solution, Status
from router.solving import GroupSearch
from router.stop import Stop
from router.teams import gather
from router.work import Interrupted, Work
from router.writer import Writer

Objective: TypeAlias = Literal["revenue", "total"]
Method: TypeAlias = Literal["auto", "exact", "select", "network"]


def solve(
    problem: RouteProblem,
    *,
    fixed: Sequence[Route] = (),
    objective: Objective = "revenue",
    alternatives: int = 0,
    stop: Stop | None = None,
    callbacks: Callbacks | None = None,
    method: Method = "auto",
) -> Solution:
    """Find, and prove, the most lucrative set of routes.

    Parameters
    ----------
    fixed
        Routes that are kept as they are; the other trains are optimised around them.
    objective
        ``"revenue"``: revenue first, then subsidy; ``"total"``: their sum (which of equal sums is open).
    alternatives
        How many next best sets are wanted besides the best. Routes that another one can replace without
        loss are left out of consideration, so each alternative differs in something that matters.
    stop
        When to give up; the answer then is ``FEASIBLE`` with a proved bound.
    method
        ``"exact"``: branch and bound; ``"select"``: CP-SAT over candidates; ``"network"``: CP-SAT over the
        network, without alternatives and news; ``"auto"`` chooses.

    Raises
    ------
    InvalidRoutes
        If the fixed routes are no legal run.
    Unsupported
        If the problem uses words of the vocabulary that no search covers yet.
    ValueError
        If an argument is none of those allowed.
    """
    if method == "network":
        if alternatives:
            raise ValueError("alternatives need the method 'exact' or 'auto'")
        return solve_network(problem, fixed=fixed, objective=objective, stop=stop)
    judge_arguments(problem, objective, alternatives, method)
    judge_fixed(problem, fixed)
    work = Work(stop)
    graph = build_graph(problem)
    writer = Writer(problem, graph, fixed, objective)
    answers = Answers(writer)
    why = ""
    groups = gather(problem, fixed, copies=not alternatives)
    for group in groups:
        search = GroupSearch(
            writer,
            group,
            work,
            callbacks,
            method=method,
            keep=1 + alternatives,
            others=answers.sets() if callbacks else (),
            alone=len(groups) == 1,
        )
        try:
            search.run()
        except Interrupted as interrupted:
            why = str(interrupted)
        answers.add(search)
    return _solution(answers, work, alternatives, why)


def _solution(answers: Answers, work: Work, alternatives: int, why: str) -> Solution:
    stats = {"expansions": work.expansions, **work.counters}
    bound = answers.bound()
    best = answers.best()
    if best is None:
        if why and not answers.unmet():
            return Solution(Status.UNKNOWN, 0, 0, bound, (), stats=stats, why=why)
        return Solution(Status.INFEASIBLE, 0, 0, 0, (), stats=stats, why=answers.why_nothing())
    reached = best.revenue + (best.subsidy if answers.writer.objective == "total" else 0)
    if reached > bound or (not why and reached != bound):
        raise InternalError(f"the search promised {bound}, the referee pays {reached}")
    proved = not why
    return Solution(
        status=Status.OPTIMAL if proved else Status.FEASIBLE,
        revenue=best.revenue,
        subsidy=best.subsidy,
        bound=bound,
        routes=best.routes,
        alternatives=tuple(answers.next_best(alternatives)),
        stats=stats,
        why=why,
    )


class _CallableModule(ModuleType):
    """Lets ``router.solve(problem)`` work whether or not this module has been imported by its own name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Solution:
        return solve(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule

__all__ = ["Method", "Objective", "RouteSet", "check", "solve"]
