"""Gathering the trains: like ones into teams, teams that have to do with each other into groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from router.problem import (
    AreaBonus,
    ChainBonus,
    Condition,
    HexSubsidy,
    LargestTrainBonus,
    MustRun,
    RequiredRoute,
    RouteProblem,
    Term,
    Train,
)
from router.solution import Route


@dataclass(slots=True)
class Team:
    """Trains that are alike but for their names, and how many routes of them may run."""

    trains: list[Train]
    count: int


@dataclass(slots=True)
class Group:
    """Teams whose routes depend on each other.

    Attributes
    ----------
    problem
        The part of the problem that concerns these trains.
    copies
        How many trains of the only team run the same best route each; 1 otherwise.
    """

    problem: RouteProblem
    teams: list[Team]
    copies: int = 1


_but_for_its_names = attrgetter(
    *(field.name for field in fields(Train) if field.name not in ("id", "routes", "route_ids"))
)


def gather(problem: RouteProblem, fixed: Sequence[Route], *, copies: bool = True) -> list[Group]:
    """Return the groups of trains that are still to run beside the ``fixed`` routes.

    Parameters
    ----------
    copies
        Whether trains that do not matter to each other may all run the same best route.
    """
    spent: dict[str, int] = {}
    if fixed:
        owner = {name: train for train in problem.trains for name in (train.id, *train.route_ids)}
        for route in fixed:
            train = owner[route.train]
            spent[train.id] = spent.get(train.id, 0) + 1
    taken = {route.train for route in fixed}
    alike: dict[object, Team] = {}
    several = len(problem.trains) > 1
    for train in problem.trains:
        count = (_most_routes(problem) if train.routes is None else train.routes) - spent.get(train.id, 0)
        if count > 0:
            key = _but_for_its_names(train) if several else None
            team = alike.setdefault(key, Team([], 0))
            if spent:
                names = tuple(name for name in train.route_ids if name not in taken)
                train = replace(train, routes=None if train.routes is None else count, route_ids=names)
            team.trains.append(train)
            team.count += count
    teams = list(alike.values())
    return [_group(problem, members, fixed, copies=copies) for members in _coupled(problem, teams)]


def _most_routes(problem: RouteProblem) -> int:
    """Return how many routes can run at most where each uses track of its own."""
    return max(1, len(problem.segments))


def _coupled(problem: RouteProblem, teams: list[Team]) -> list[list[Team]]:
    """Split ``teams`` so that what couples trains stays together."""
    if len(teams) == 1:
        return [teams]
    parent = list(range(len(teams)))

    def find(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    def couple(members: list[int]) -> None:
        for i in members[1:]:
            parent[find(i)] = find(members[0])

    everyone = list(range(len(teams)))
    classes = {team.trains[0].track_class for team in teams}
    for scope in (problem.track_scope, problem.count):
        if scope == "all":
            couple(everyone)
        elif scope == "class":
            for name in classes:
                couple([i for i in everyone if teams[i].trains[0].track_class == name])
    for term in problem.terms:
        if isinstance(term, AreaBonus):
            couple(everyone)
        elif isinstance(term, LargestTrainBonus | HexSubsidy | ChainBonus):
            kinds = set(term.amounts) if isinstance(term, LargestTrainBonus) else term.trains
            couple([i for i in everyone if teams[i].trains[0].kind in kinds])
    for condition in problem.conditions:
        if isinstance(condition, RequiredRoute | MustRun):
            for name in classes:
                couple([i for i in everyone if teams[i].trains[0].track_class == name])
        else:
            couple(everyone)
    groups: dict[int, list[Team]] = {}
    for i in everyone:
        groups.setdefault(find(i), []).append(teams[i])
    return list(groups.values())


def _group(problem: RouteProblem, teams: list[Team], fixed: Sequence[Route], *, copies: bool) -> Group:
    trains = tuple([train for team in teams for train in team.trains])
    conditions = _concerning(problem.conditions, trains) if problem.conditions else ()
    free = problem.track_scope == "route" and problem.count == "route"
    lone = copies and free and len(teams) == 1 and not conditions and not fixed
    whole = not fixed and len(trains) == len(problem.trains)
    alone = problem if whole else replace(problem, trains=trains, conditions=conditions)
    if lone and not teams[0].trains[0].routes_touch and not any(map(_couples, problem.terms)):
        return Group(alone, [Team(teams[0].trains, 1)], teams[0].count)
    return Group(alone, teams)


def _concerning(conditions: Sequence[Condition], trains: Sequence[Train]) -> tuple[Condition, ...]:
    """Return what the conditions want of these trains."""
    names = {train.track_class for train in trains}
    found: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, RequiredRoute):
            # even where no class must run it, such a route passes blocked stops
            classes = tuple([name for name in condition.track_classes if name in names])
            some = classes != condition.track_classes
            found.append(replace(condition, track_classes=classes) if some else condition)
        elif not isinstance(condition, MustRun) or condition.track_class in names:
            found.append(condition)
    return tuple(found)


def _couples(term: Term) -> bool:
    return isinstance(term, AreaBonus | LargestTrainBonus | HexSubsidy | ChainBonus)
