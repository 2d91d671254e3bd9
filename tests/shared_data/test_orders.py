"""A run is worth the same in whatever order and direction its routes are listed, but for known exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path

import pytest

from engine.compile import compile_board
from engine.encoding import Codec, SiteRoute
from engine.position import Position
from router.check import check
from router.problem import ChainBonus, RouteProblem
from router.solution import Route
from support import read_jsonl

GAMES = ("18GB", "1862", "1873")
FEW = 4
"""Number of routes up to which every order is tried."""


def legal_runs(shared: Path, game: str) -> Iterator[tuple[str, RouteProblem, list[Route]]]:
    """Yield every run of two or more routes that is legal."""
    for name in (f"positions/{game}.jsonl", f"positions/random-{game}.jsonl.gz", f"pricing/{game}.jsonl.gz"):
        for line in read_jsonl(shared / name):
            if not line.get("expected", {"legal": True})["legal"]:
                continue
            listed = line["recorded"]["routes"] if "recorded" in line else line["routes"]
            routes = SiteRoute.list_from_json(listed)
            if len(routes) < 2:
                continue
            position = Position.from_json(line["position"])
            compiled = compile_board(position, whole_board=True, names={route.train for route in routes})
            yield (
                line["id"],
                compiled.problem,
                [route for route in Codec(compiled).decode(routes) if isinstance(route, Route)],
            )


def orders(routes: Sequence[Route]) -> list[tuple[Route, ...]]:
    if len(routes) <= FEW:
        return list(permutations(routes))
    turned = [(*routes[i:], *routes[:i]) for i in range(len(routes))]
    return [*turned, *(order[::-1] for order in turned)]


def directions(routes: Sequence[Route]) -> list[tuple[Route, ...]]:
    def flipped(route: Route) -> Route:
        return Route(route.train, route.nodes[::-1], route.segments[::-1])

    ways = [(route, flipped(route)) for route in routes]
    if len(routes) <= FEW:
        return list(product(*ways))
    return [tuple(way[1] for way in ways)]


def branches_or_closes(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """Whether chained routes leave a choice: three meet at one end, or they close a loop."""
    for term in problem.terms:
        if not isinstance(term, ChainBonus):
            continue
        kinds = {name: train.kind for train in problem.trains for name in (train.id, *train.route_ids)}
        ends = [(r.nodes[0], r.nodes[-1]) for r in routes if kinds[r.train] in term.trains]
        if max(Counter(end for pair in ends for end in pair).values(), default=0) > 2:
            return True
        group = {end: end for pair in ends for end in pair}

        def find(end: str, group: dict[str, str] = group) -> str:
            while group[end] != end:
                end = group[end]
            return end

        for one, other in ends:
            if find(one) == find(other):
                return True
            group[find(one)] = find(other)
    return False


def two_cities_of_a_hex(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """Whether routes visit different stops that count as one (1873 R119, 1862 R7.18)."""
    stops = {name for route in routes for name in route.nodes}
    names = Counter(problem.node_by_id[stop].counts_as or stop for stop in stops)
    return max(names.values()) > 1


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_the_routes_does_not_matter(shared: Path, game: str) -> None:
    """18GB R129; 1862 R7.34: freight chains are found in every order; 1873 R119."""
    compared = 0
    for name, problem, routes in legal_runs(shared, game):
        if branches_or_closes(problem, routes) or two_cities_of_a_hex(problem, routes):
            continue
        listed = check(problem, routes)
        expected = (listed.revenue, listed.subsidy)
        assert listed.legal
        for order in orders(routes):
            verdict = check(problem, order)
            got = (verdict.revenue, verdict.subsidy)
            assert got == expected, f"{name}: expected {expected}, got {got} for {order}"
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("game", ["1862", "1873"])
def test_the_direction_of_the_routes_does_not_matter(shared: Path, game: str) -> None:
    compared = 0
    for name, problem, routes in legal_runs(shared, game):
        if branches_or_closes(problem, routes) or two_cities_of_a_hex(problem, routes):
            continue
        listed = check(problem, routes)
        expected = (listed.revenue, listed.subsidy)
        for run in directions(routes):
            verdict = check(problem, run)
            got = (verdict.revenue, verdict.subsidy)
            assert got == expected, f"{name}: expected {expected}, got {got} for {run}"
        compared += 1
    assert compared > 100
