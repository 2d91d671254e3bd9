"""Refusing what no search can answer: arguments, problems beyond its reach, fixed routes that are illegal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from router.check import check
from router.errors import Fault, InvalidRoutes, Unsupported
from router.problem import MustRun, RequiredRoute, RouteProblem
from router.solution import Route

MOST_NODES = 2_000
"""Nodes that a search takes; real boards have a hundred, and its tables grow with the square."""


def judge_arguments(problem: RouteProblem, objective: str, alternatives: int, method: str) -> None:
    """Refuse arguments that mean nothing, and problems that no search covers.

    Raises
    ------
    ValueError, Unsupported
    """
    if objective not in ("revenue", "total"):
        raise ValueError(f"objective is {objective!r}; expected 'revenue' or 'total'")
    if method not in ("auto", "exact", "select", "network"):
        raise ValueError(f"method is {method!r}; expected 'auto', 'exact', 'select' or 'network'")
    if type(alternatives) is not int or not 0 <= alternatives <= 100:
        raise ValueError(f"alternatives is {alternatives!r}; expected a whole number from 0 to 100")
    if alternatives and method == "select":
        raise ValueError("alternatives need the method 'exact' or 'auto'")
    if len(problem.nodes) > MOST_NODES:
        raise Unsupported(f"{len(problem.nodes)} nodes; the search takes {MOST_NODES} at most")
    missing = unsupported(problem)
    if missing:
        raise Unsupported("no search covers yet: " + ", ".join(sorted(missing)))


def unsupported(problem: RouteProblem) -> set[str]:
    """Return the words of ``problem`` that the search does not cover."""
    found: set[str] = set()
    if len(problem.end_sets) > 64:
        found.add("more than 64 end sets")
    for train in problem.trains:
        if train.routes is None and problem.track_scope == "route":
            found.add("any number of routes on free track")
        for a, b in combinations(train.pay, 2) if len(train.pay) > 1 else ():
            if a.kinds & b.kinds and not (a.kinds <= b.kinds or b.kinds <= a.kinds):
                found.add("pay limits that overlap without one holding the other")
    return found


def idle(problem: RouteProblem) -> int | None:
    """Return what no routes at all bring, ``None`` if a route must run."""
    for condition in problem.conditions:
        if isinstance(condition, MustRun) or (
            isinstance(condition, RequiredRoute) and condition.track_classes
        ):
            return None
    return 0


def judge_fixed(problem: RouteProblem, fixed: Sequence[Route]) -> None:
    """Refuse fixed routes that are no legal run, but for conditions that other routes can meet.

    Raises
    ------
    InvalidRoutes
    """
    if not fixed:
        return
    verdict = check(replace(problem, conditions=()), fixed)
    if not verdict.legal:
        raise InvalidRoutes(
            [
                Fault("fixed" if v.route is None else f"fixed[{v.route}]", f"{v.code}: {v.why}")
                for v in verdict.violations
            ]
        )
