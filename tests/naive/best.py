"""The best run, by trying every set of routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from naive.pricing import TooBig, Work, naive_price
from naive.routes import compatible, flip, legal_together, naive_routes, train_of
from router.problem import ChainBonus, LargestTrainBonus, RouteProblem, Train
from router.solution import Route


class Best(NamedTuple):
    """The best run."""

    revenue: int
    subsidy: int
    routes: tuple[Route, ...]


def _listings(problem: RouteProblem, routes: Sequence[Route]) -> Iterator[tuple[Route, ...]]:
    """Yield the orders and directions in which the run may be listed, where they matter."""
    chained = {kind for t in problem.terms if isinstance(t, ChainBonus) for kind in t.trains}
    first_wins = problem.count != "route" or any(
        isinstance(term, ChainBonus | LargestTrainBonus) for term in problem.terms
    )
    ways = []
    for route in routes:
        train = train_of(problem, route)
        assert train is not None
        both = train.hex_pays_once or train.kind in chained
        ways.append((route, flip(route)) if both else (route,))
    for directed in product(*ways):
        yield from permutations(directed) if first_wins else [directed]


def naive_best(
    problem: RouteProblem,
    fixed: Sequence[Route] = (),
    objective: str = "revenue",
    most: int = 20_000,
) -> Best | None:
    """Return a best run, ``None`` if no run is legal.

    Parameters
    ----------
    fixed
        Legal routes that must be part of it, as they are.
    objective
        ``"revenue"``: revenue, then subsidy; ``"total"``: their sum, then revenue.
    most
        Number of sets, and of listings and choices of stops for ten sets each, beyond which :class:`TooBig`
        is raised.
    """
    choices = []
    size = 1
    for train in problem.trains:
        taken = sum(route.train in (train.id, *train.route_ids) for route in fixed)
        choices.append(_choices(problem, train, taken, most))
        size *= len(choices[-1])
        if size > most:
            raise TooBig
    best: Best | None = None
    best_key = (-1, -1)
    work = Work(10 * most)
    for chosen in _sets(problem, tuple(fixed), choices):
        run = _named(problem, chosen, len(fixed))
        for listing in _listings(problem, run):
            work.spend(1)
            if not legal_together(problem, listing):
                continue
            revenue, subsidy = naive_price(problem, listing, work)
            key = (revenue, subsidy) if objective == "revenue" else (revenue + subsidy, revenue)
            if key > best_key:
                best, best_key = Best(revenue, subsidy, listing), key
    return best


def _choices(problem: RouteProblem, train: Train, taken: int, most: int) -> list[tuple[Route, ...]]:
    """Return every set of routes that ``train`` may run beside ``taken`` others."""
    own = naive_routes(problem, train)
    sets: list[tuple[Route, ...]] = [()]
    for routes in sets:
        if train.routes is not None and len(routes) + taken >= train.routes:
            continue
        start = own.index(routes[-1]) if routes else 0
        sets += [(*routes, more) for more in own[start:] if compatible(problem, (*routes, more))]
        if len(sets) > most:
            raise TooBig
    return sets


def _sets(
    problem: RouteProblem, start: tuple[Route, ...], choices: Sequence[Sequence[tuple[Route, ...]]]
) -> Iterator[tuple[Route, ...]]:
    if not choices:
        yield start
        return
    for routes in choices[0]:
        if compatible(problem, start + routes):
            yield from _sets(problem, start + routes, choices[1:])


def _named(problem: RouteProblem, routes: Sequence[Route], fixed: int) -> tuple[Route, ...]:
    """Return the run with the names that the trains keep for their routes."""
    names = {train.id: list(train.route_ids) for train in problem.trains}
    for route in routes[:fixed]:
        for free in names.values():
            if route.train in free:
                free.remove(route.train)
    named = list(routes[:fixed])
    for route in routes[fixed:]:
        free = names[route.train]
        named.append(Route(free.pop(0) if free else route.train, route.nodes, route.segments))
    return tuple(named)
