"""Prices by brute force: every joint choice of paying stops, every partition of the routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import networkx as nx

from naive.chains import chains_of
from naive.routes import hexes_of, paying_sets, train_of
from router.problem import (
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    HexSubsidy,
    LargestTrainBonus,
    RouteProblem,
    StopBonus,
    TrackBonus,
    Train,
)
from router.solution import Route


class TooBig(Exception):
    """There is more to try than one cares to wait for."""


class Work:
    """What single routes bring, once known, and how many more choices may be tried."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.known: dict[Route, int] = {}

    def spend(self, tries: int) -> None:
        """Count ``tries``, and give up when there are too many."""
        self.left -= tries
        if self.left < 0:
            raise TooBig


def naive_price(problem: RouteProblem, routes: Sequence[Route], work: Work | None = None) -> tuple[int, int]:
    """Return the revenue and the subsidy of a legal run."""
    work = Work(10**9) if work is None else work
    trains = [_train(problem, route) for route in routes]
    fixed: dict[int, tuple[str, ...]] = {}
    revenue = subsidy = 0
    for term in problem.terms:
        if isinstance(term, ChainBonus):
            money, stops = _chains(problem, term, routes)
            revenue += money
            fixed |= stops
        elif isinstance(term, AreaBonus):
            revenue += _areas(problem, term, routes)
        elif isinstance(term, LargestTrainBonus):
            revenue += _largest(problem, term, routes)
        elif isinstance(term, DistanceBonus):
            revenue += sum(_distance(problem, term, route) for route in routes)
        elif isinstance(term, TrackBonus):
            revenue += sum(
                term.amount
                for route in routes
                if any(term.mark in problem.segment_by_id[name].marks for name in route.segments)
            )
        elif isinstance(term, HexSubsidy):
            local = [r for r, t in zip(routes, trains, strict=True) if t.kind in term.trains]
            subsidy += term.per_hex * len(set().union(*(hexes_of(problem, r.segments) for r in local)))
    if problem.count != "route":
        return revenue + best_stops(problem, trains, routes, fixed, work), subsidy
    for i, (train, route) in enumerate(zip(trains, routes, strict=True)):
        if i in fixed:
            revenue += best_stops(problem, [train], [route], {0: fixed[i]}, work)
        else:
            if route not in work.known:
                work.known[route] = best_stops(problem, [train], [route], {}, work)
            revenue += work.known[route]
    return revenue, subsidy


def _train(problem: RouteProblem, route: Route) -> Train:
    train = train_of(problem, route)
    assert train is not None
    return train


def best_stops(
    problem: RouteProblem,
    trains: Sequence[Train],
    routes: Sequence[Route],
    fixed: dict[int, tuple[str, ...]],
    work: Work,
) -> int:
    """Return what stops and stop bonuses bring: of the choices best stop by stop the first is paid."""
    options = [
        [fixed[i]] if i in fixed else list(paying_sets(problem, train, route.nodes))
        for i, (train, route) in enumerate(zip(trains, routes, strict=True))
    ]
    work.spend(prod(len(sets) for sets in options))
    best = max(product(*options), key=lambda chosen: _stops(problem, trains, chosen, by_name=False))
    return _stops(problem, trains, best, by_name=True)


def _stops(
    problem: RouteProblem, trains: Sequence[Train], chosen: Sequence[tuple[str, ...]], *, by_name: bool
) -> int:
    total = 0
    seen: set[tuple[str, str]] = set()
    for train, stops in zip(trains, chosen, strict=True):
        scope = train.track_class if problem.count == "class" else ""
        new = set()
        hexes = []
        for stop in stops:
            node = problem.node_by_id[stop]
            name = (scope, (node.counts_as if by_name else "") or node.id)
            shadowed = train.hex_pays_once and node.hex in hexes
            hexes.append(node.hex)
            new.add(name)
            if not shadowed and not (problem.count != "route" and name in seen):
                total += node.values.get(train.kind, node.value) * train.multiplier
        seen |= new
        for term in problem.terms:
            if isinstance(term, StopBonus) and all(set(stops) & nodes for nodes in term.all_of):
                total += term.amounts.get(train.kind, term.amount)
    return total


def _apart(problem: RouteProblem, one: str, other: str) -> int:
    """Return the hex steps between two hexes, counted in columns and half rows."""
    a, b = problem.hex_by_id[one], problem.hex_by_id[other]
    columns = abs(a.q - b.q)
    half_rows = abs((2 * a.r + a.q) - (2 * b.r + b.q))
    return columns + max(0, (half_rows - columns) // 2)


def _distance(problem: RouteProblem, term: DistanceBonus, route: Route) -> int:
    if _train(problem, route).kind not in term.trains:
        return 0
    measured = [stop for stop in route.nodes if problem.node_by_id[stop].kind in term.between]
    if not measured:
        return 0
    first, last = (problem.node_by_id[stop].hex for stop in (measured[0], measured[-1]))
    return term.per_hex * _apart(problem, first, last) if len(measured) > 1 else 0


def _partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    head, rest = items[0], items[1:]
    for parts in _partitions(rest):
        yield [[head], *parts]
        for i in range(len(parts)):
            yield [*parts[:i], [head, *parts[i]], *parts[i + 1 :]]


def _areas(problem: RouteProblem, term: AreaBonus, routes: Sequence[Route]) -> int:
    meeting: nx.Graph[int] = nx.Graph()
    meeting.add_nodes_from(range(len(routes)))
    for i, one in enumerate(routes):
        for j, other in enumerate(routes[:i]):
            common = set(one.nodes) & set(other.nodes)
            if any(problem.node_by_id[stop].kind in term.meeting for stop in common):
                meeting.add_edge(i, j)

    def earned(part: list[int]) -> int:
        stops = {stop for i in part for stop in routes[i].nodes}
        return sum(m for a, b, m in term.pairs if stops & term.areas[a] and stops & term.areas[b])

    return max(
        sum(earned(part) for part in parts)
        for parts in _partitions(list(range(len(routes))))
        if all(nx.is_connected(meeting.subgraph(part)) for part in parts)
    )


def _largest(problem: RouteProblem, term: LargestTrainBonus, routes: Sequence[Route]) -> int:
    offers = [
        (term.amounts.get(_train(problem, route).kind, 0), -i)
        for i, route in enumerate(routes)
        if set(route.nodes) & term.nodes
    ]
    if not offers:
        return 0
    amount, place = max(offers)
    stops = set(routes[-place].nodes) & term.nodes
    return 0 if stops <= term.lost_at else amount


def _chains(
    problem: RouteProblem, term: ChainBonus, routes: Sequence[Route]
) -> tuple[int, dict[int, tuple[str, ...]]]:
    money = 0
    fixed: dict[int, tuple[str, ...]] = {}
    for members, ends in chains_of(problem, term, routes):
        if not ends:
            ends = [members[0][1].nodes[0]] * 2
        corrected = 0
        measured = []
        for end in ends:
            node = problem.node_by_id[end]
            hex_ = node.hex
            if node.kind in term.from_last_hex:
                route = next(m[1] for m in members if end in (m[1].nodes[0], m[1].nodes[-1]))
                name = route.segments[0] if end == route.nodes[0] else route.segments[-1]
                segment = problem.segment_by_id[name]
                away = segment.hexes if segment.a == end else segment.hexes[::-1]
                if len(away) > 1:
                    hex_ = away[1]
                    corrected += 1
            measured.append(hex_)
        between = _apart(problem, *measured) - 1 + corrected
        rate = term.far_per_hex if set(ends) & term.far else term.per_hex
        money += rate * max(0, between)
        for i, route, _ in members:
            paying = _train(problem, route).paying
            fixed[i] = tuple(
                end
                for end in (route.nodes[0], route.nodes[-1])
                if end in ends and problem.node_by_id[end].kind in paying
            )
    return money, fixed
