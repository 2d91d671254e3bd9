"""From a problem to a proved answer: the wiring of the parts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from types import ModuleType
from typing import Any, Literal, TypeAlias

import numpy as np

from router.callbacks import Callbacks
from router.canonical import write_routes
from router.check import check
from router.errors import Fault, InternalError, InvalidRoutes, Unsupported
from router.exact import ExactSearch
from router.found import Best, Found, Slot
from router.graph import Graph, build_graph, build_profile, to_words
from router.problem import DistanceBonus, RouteProblem, StopBonus, TrackBonus, Train
from router.select import SelectSearch
from router.solution import Route, RouteSet, Solution, Status
from router.stop import Stop
from router.work import Interrupted, Work

Objective: TypeAlias = Literal["revenue", "total"]
Method: TypeAlias = Literal["auto", "exact", "select"]


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
        ``"revenue"``: revenue first, then subsidy; ``"total"``: their sum.
    alternatives
        How many next best sets are wanted besides the best.
    stop
        When to give up; the answer then is ``FEASIBLE`` with a proved bound.
    method
        ``"exact"``: branch and bound; ``"select"``: CP-SAT over candidates; ``"auto"`` chooses.

    Raises
    ------
    InvalidRoutes
        If the fixed routes are no legal run.
    Unsupported
        If the problem uses words of the vocabulary that no search covers yet.
    ValueError
        If an argument is none of those allowed.
    """
    _judge_arguments(problem, objective, alternatives, method)
    _judge_fixed(problem, fixed)
    work = Work(stop)
    graph = build_graph(problem)
    teams = _teams(problem, graph, fixed)
    search_kind = SelectSearch if method == "select" else ExactSearch
    unit = money_unit(problem)
    done: list[tuple[list[_Team], Best]] = []
    base = check(problem, fixed).revenue if fixed else 0
    bound_rest = 0
    why = ""

    def answer(sets: Sequence[tuple[list[_Team], Found]]) -> RouteSet:
        chosen = [
            (team.trains, [list(path) for at, path in found.routes if at == i])
            for group, found in sets
            for i, team in enumerate(group)
        ]
        verdict = check(problem, [*fixed, *write_routes(problem, graph, chosen)])
        if not verdict.legal:
            raise InternalError(f"the referee refused an answer: {verdict.violations}")
        return RouteSet(verdict.revenue, verdict.subsidy, verdict.routes)

    for group, in_use in teams:

        def improved(found: Found, group: list[_Team] = group) -> None:
            if callbacks and callbacks.on_incumbent:
                callbacks.on_incumbent(answer([(g, b.sets[0]) for g, b in done if b.sets] + [(group, found)]))

        def bounded(bound: int) -> None:
            if callbacks and callbacks.on_bound and len(teams) == 1:
                callbacks.on_bound(base + bound)

        search = search_kind(
            graph,
            [Slot(build_profile(problem, graph, team.trains[0]), team.count) for team in group],
            in_use,
            unit,
            work,
            keep=1 + alternatives,
            improved=improved,
            bounded=bounded,
        )
        try:
            work.look()
            search.run()
        except Interrupted as interrupted:
            why = str(interrupted)
            if search.best.bound >= 1 << 60:
                search.best.bound = _roof(problem, group)
        done.append((group, search.best))
        bound_rest += search.best.bound

    best = answer([(group, found.sets[0]) for group, found in done if found.sets])
    others = _next_best(done, alternatives)
    bound = base + bound_rest
    if best.revenue > bound or (not why and best.revenue != bound):
        raise InternalError(f"the search promised {bound}, the referee pays {best.revenue}")
    return Solution(
        status=Status.OPTIMAL if best.revenue == bound else Status.FEASIBLE,
        revenue=best.revenue,
        subsidy=best.subsidy,
        bound=bound,
        routes=best.routes,
        alternatives=tuple(answer(sets) for sets in others),
        stats={"expansions": work.expansions, **work.counters},
        why=why if best.revenue != bound else "",
    )


class _Team:
    """Trains that are alike but for their names."""

    def __init__(self, trains: list[Train], count: int) -> None:
        self.trains = trains
        self.count = count


def money_unit(problem: RouteProblem) -> int:
    """Return the largest amount of which all money of ``problem`` is a multiple."""
    unit = 0
    factors = {train.multiplier for train in problem.trains}
    for node in problem.nodes:
        for value in (node.value, *node.values.values()):
            for factor in factors:
                unit = gcd(unit, value * factor)
    for term in problem.terms:
        if isinstance(term, StopBonus):
            unit = gcd(unit, term.amount, *term.amounts.values())
        elif isinstance(term, TrackBonus):
            unit = gcd(unit, term.amount)
        elif isinstance(term, DistanceBonus):
            unit = gcd(unit, term.per_hex)
    return unit or 1


def _judge_arguments(problem: RouteProblem, objective: str, alternatives: int, method: str) -> None:
    if objective not in ("revenue", "total"):
        raise ValueError(f"objective is {objective!r}; expected 'revenue' or 'total'")
    if method not in ("auto", "exact", "select"):
        raise ValueError(f"method is {method!r}; expected 'auto', 'exact' or 'select'")
    if type(alternatives) is not int or not 0 <= alternatives <= 100:
        raise ValueError(f"alternatives is {alternatives!r}; expected a whole number from 0 to 100")
    if alternatives and method == "select":
        raise ValueError("alternatives need the method 'exact' or 'auto'")
    missing = sorted(unsupported(problem))
    if missing:
        raise Unsupported("no search covers yet: " + ", ".join(missing))


def unsupported(problem: RouteProblem) -> set[str]:
    """Return the words of ``problem`` that the search does not cover."""
    found = {
        type(term).__name__
        for term in problem.terms
        if not isinstance(term, StopBonus | TrackBonus | DistanceBonus)
    }
    found |= {type(condition).__name__ for condition in problem.conditions}
    if len(problem.end_sets) > 64:
        found.add("more than 64 end sets")
    if problem.count != "route":
        found.add(f"count={problem.count!r}")
    for train in problem.trains:
        if train.routes_touch and train.routes != 1:
            found.add("routes_touch")
        if train.routes is None and problem.track_scope == "route":
            found.add("any number of routes on free track")
        for a in train.pay:
            for b in train.pay:
                if a.kinds & b.kinds and not (a.kinds <= b.kinds or b.kinds <= a.kinds):
                    found.add("pay limits that overlap without one holding the other")
    return found


def _judge_fixed(problem: RouteProblem, fixed: Sequence[Route]) -> None:
    if not fixed:
        return
    verdict = check(problem, fixed)
    if not verdict.legal:
        raise InvalidRoutes(
            [
                Fault("fixed" if v.route is None else f"fixed[{v.route}]", f"{v.code}: {v.why}")
                for v in verdict.violations
            ]
        )


def _teams(
    problem: RouteProblem, graph: Graph, fixed: Sequence[Route]
) -> list[tuple[list[_Team], np.ndarray[tuple[int, int], np.dtype[np.uint64]]]]:
    """Gather like trains, and split them into groups that do not compete for track."""
    used: dict[str, int] = {}
    bits_of = dict(zip(graph.segment_ids, graph.seg_bits, strict=True))
    owner = {name: train for train in problem.trains for name in (train.id, *train.route_ids)}
    spent: dict[str, int] = {}
    for route in fixed:
        train = owner.get(route.train) or owner[route.train.split("#")[0]]
        spent[train.id] = spent.get(train.id, 0) + 1
        for name in route.segments:
            used[train.track_class] = used.get(train.track_class, 0) | bits_of[name]
    alike: dict[Train, _Team] = {}
    for train in problem.trains:
        count = (len(problem.segments) if train.routes is None else train.routes) - spent.get(train.id, 0)
        if count <= 0:
            continue
        left = replace(
            train, route_ids=tuple(n for n in train.route_ids if n not in {r.train for r in fixed})
        )
        key = replace(train, id="", routes=None, route_ids=())
        team = alike.setdefault(key, _Team([], 0))
        team.trains.append(replace(left, routes=count))
        team.count += count
    groups: dict[str, list[_Team]] = {}
    for number, team in enumerate(alike.values()):
        name = {"all": "", "class": team.trains[0].track_class, "route": str(number)}[problem.track_scope]
        groups.setdefault(name, []).append(team)
    width = len(graph.seg_mask[0]) * 64 if len(graph.segment_ids) else 64
    out = []
    for name, group in groups.items():
        if problem.track_scope == "all":
            taken = 0
            for bits in used.values():
                taken |= bits
        else:
            taken = used.get(name, 0) if problem.track_scope == "class" else 0
        out.append((group, to_words([taken], width)[0]))
    return out


def _roof(problem: RouteProblem, group: list[_Team]) -> int:
    """Return a bound that needs no search: every stop and every bonus on every route."""
    total = 0
    for team in group:
        train = team.trains[0]
        stops = sum(node.worth(train.kind) * train.multiplier for node in problem.nodes)
        bonuses = sum(
            term.worth(train.kind) if isinstance(term, StopBonus) else term.amount
            for term in problem.terms
            if isinstance(term, StopBonus | TrackBonus)
        )
        far = sum(
            term.per_hex * max((a.distance(b) for a in problem.hexes for b in problem.hexes), default=0)
            for term in problem.terms
            if isinstance(term, DistanceBonus)
        )
        total += team.count * (stops + bonuses + far)
    return total


def _next_best(done: list[tuple[list[_Team], Best]], wanted: int) -> list[list[tuple[list[_Team], Found]]]:
    """Combine the sets of independent groups to the next best sets of all."""
    if not wanted:
        return []
    combos: list[tuple[int, list[tuple[list[_Team], Found]]]] = [(0, [])]
    for group, best in done:
        choices: list[Found | None] = [*best.sets] or [None]
        combos = [
            (total + (found.value if found else 0), [*sets, *([(group, found)] if found else [])])
            for total, sets in combos
            for found in choices
        ]
        combos = sorted(combos, key=lambda item: -item[0])[: wanted + 1]
    return [sets for _, sets in combos[1 : wanted + 1]]


class _CallableModule(ModuleType):
    """Lets ``router.solve(problem)`` work whether or not this module has been imported by its own name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Solution:
        return solve(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
