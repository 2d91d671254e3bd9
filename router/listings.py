"""The order and direction in which a set of routes is listed, where money depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice, permutations, product
from typing import TypeAlias

from router.check import check
from router.problem import ChainBonus, LargestTrainBonus, RouteProblem, Train
from router.solution import Route, RouteSet, Verdict

MOST_ORDERS = 400
"""Listings that are tried where the order or direction of listing matters."""


def best_listing(
    problem: RouteProblem, routes: list[Route], *, fixed: int, weight: int, enough: int | None = None
) -> tuple[RouteSet | None, bool]:
    """Price the routes in the listing that pays most; ``None`` if they are not legal.

    Parameters
    ----------
    fixed
        How many of the first routes keep the direction in which they are given; their place is free.
    weight
        How much revenue outweighs subsidy.
    enough
        Score that no listing exceeds.

    Returns
    -------
    The best listing tried, and whether another could pay more.
    """
    terms = [term for term in problem.terms if isinstance(term, ChainBonus)]
    if not terms and _each_alone(problem):
        return priced_as_listed(problem, routes), False
    owner = {name: train for train in problem.trains for name in (train.id, *train.route_ids)}
    beside = _order_matters(problem, routes, owner, hubs=False)
    chained = {kind for term in terms for kind in term.trains}
    if not beside and not (terms and _hubs(routes, owner, chained)):
        return priced_as_listed(problem, routes), False
    best: Verdict | None = None
    most = -1
    kind = {name: train.kind for name, train in owner.items()}
    by_outline = bool(terms) and not beside
    seen: set[object] = set()
    tried = 0
    for listing in _listings(problem, routes, fixed):
        tried += 1
        outlines = [chain_outline(term, listing, kind) for term in terms]
        if None in outlines:
            continue
        if by_outline:
            key = tuple(outlines)
            if key in seen:
                continue
            seen.add(key)
        verdict = check(problem, listing)
        score = weight * verdict.revenue + verdict.subsidy
        if verdict.legal and score > most:
            best, most = verdict, score
            if enough is not None and most >= enough:
                tried = 0
                break
    found = None if best is None else RouteSet(best.revenue, best.subsidy, best.routes)
    return found, tried > MOST_ORDERS


def _each_alone(problem: RouteProblem) -> bool:
    """Tell whether no route can change what another is paid."""
    return problem.count == "route" and not any(isinstance(term, LargestTrainBonus) for term in problem.terms)


def priced_as_listed(problem: RouteProblem, routes: list[Route]) -> RouteSet | None:
    """Price the routes in this listing; ``None`` if they are not legal."""
    verdict = check(problem, routes)
    return RouteSet(verdict.revenue, verdict.subsidy, verdict.routes) if verdict.legal else None


def _listings(problem: RouteProblem, routes: list[Route], fixed: int) -> Iterable[list[Route]]:
    """Return the orders and directions of listing that can differ in money."""
    kept = {id(route) for route in routes[:fixed]}
    owner = {name: train for train in problem.trains for name in (train.id, *train.route_ids)}
    if not _order_matters(problem, routes, owner):
        return [routes]
    chained = {kind for term in problem.terms if isinstance(term, ChainBonus) for kind in term.trains}
    ways: list[tuple[Route, ...]] = []
    still: list[Route] = []
    hubs = _hubs(routes, owner, chained)
    some = bool(hubs) and not _order_matters(problem, [r for r in routes if r not in hubs], owner)
    for route in routes:
        if some and route not in hubs:
            still.append(route)
            continue
        train = owner[route.train]
        hexes = {problem.node_by_id[name].hex for name in route.nodes}
        both = train.kind in chained or (train.hex_pays_once and len(hexes) < len(route.nodes))
        back = Route(route.train, route.nodes[::-1], route.segments[::-1])
        ways.append((route, back) if both and id(route) not in kept else (route,))
    orders = (order for listing in product(*ways) for order in permutations(listing))
    first = _worthiest_first(problem, routes, owner)
    return chain([first], ([*order, *still] for order in islice(orders, MOST_ORDERS)))


def _worthiest_first(problem: RouteProblem, routes: list[Route], owner: dict[str, Train]) -> list[Route]:
    """List each route before those to which a stop is worth less, as far as that is possible."""
    worth: dict[str, dict[int, int]] = {}
    for i, route in enumerate(routes):
        train = owner[route.train]
        scope = train.track_class if problem.count == "class" else ""
        for name in route.nodes:
            node = problem.node_by_id[name]
            if node.kind in train.paying:
                key = f"{scope}\n{node.counts_as or node.id}"
                worth.setdefault(key, {})[i] = node.worth(train.kind) * train.multiplier
    after: dict[int, set[int]] = {i: set() for i in range(len(routes))}
    for values in worth.values():
        most = max(values.values())
        best = next(i for i, value in values.items() if value == most)
        for i, value in values.items():
            if value < most:
                after[i].add(best)
    order: list[int] = []
    while len(order) < len(routes):
        left = [i for i in range(len(routes)) if i not in order]
        free = [i for i in left if after[i] <= set(order)]
        order.append((free or left)[0])
    return [routes[i] for i in order]


def _hubs(routes: Sequence[Route], owner: dict[str, Train], chained: set[str]) -> list[Route]:
    """Return the routes of chains that do not hang together in a line, but form a loop or meet by threes."""
    left = [route for route in routes if owner[route.train].kind in chained]
    found: list[Route] = []
    while left:
        part = [left.pop(0)]
        nodes = {part[0].nodes[0], part[0].nodes[-1]}
        grown = True
        while grown:
            near = [route for route in left if route.nodes[0] in nodes or route.nodes[-1] in nodes]
            grown = bool(near)
            for route in near:
                left.remove(route)
                nodes |= {route.nodes[0], route.nodes[-1]}
            part += near
        ends = [name for route in part for name in (route.nodes[0], route.nodes[-1])]
        if len(nodes) <= len(part) or any(ends.count(name) > 2 for name in nodes):
            found += part
    return found


def _order_matters(
    problem: RouteProblem, routes: list[Route], owner: dict[str, Train], *, hubs: bool = True
) -> bool:
    """Tell whether these routes can earn different money in another order of listing.

    So they can if a stop that pays once is worth more on one route than on another, if stops that count as
    one are chosen from or lie on one route, if a bonus can be lost, or if chains hang together otherwise than
    in a line (if ``hubs``).
    """
    chained: set[str] = set()
    for term in problem.terms:
        if isinstance(term, ChainBonus):
            chained |= term.trains
        elif isinstance(term, LargestTrainBonus) and term.lost_at:
            return True
    if hubs and _hubs(routes, owner, chained):
        return True
    if problem.count == "route":
        return False
    worth: dict[str, int] = {}
    nodes: dict[str, str] = {}
    by_id = problem.node_by_id
    choosing = any(owner[route.train].pay for route in routes)
    for route in routes:
        train = owner[route.train]
        paying: Sequence[str] = route.nodes
        if train.kind in chained:
            paying = (route.nodes[0], route.nodes[-1])
        if train.hex_pays_once and len({problem.node_by_id[n].hex for n in route.nodes}) < len(route.nodes):
            return True
        scope = f"{train.track_class if problem.count == 'class' else ''}\n"
        here: dict[str, str] = {}
        kind, times = train.kind, train.multiplier
        for name in paying:
            node = by_id[name]
            if node.kind not in train.paying:
                continue
            money = node.values.get(kind, node.value) * times
            key = scope + (node.counts_as or name)
            if worth.setdefault(key, money) != money:
                return True
            if nodes.setdefault(key, name) != name and choosing:
                return True
            if here.setdefault(key, name) != name and len(routes) > 1:
                return True
    return False


def chains_fit(term: ChainBonus, links: Sequence[tuple[str, int]]) -> bool:
    """Tell whether routes (train kind, bits of their ends) can be chained as ``term`` wants it."""
    left = [(kind in term.dependent, bits) for kind, bits in links if kind in term.trains]
    first = next((i for i, (dependent, _) in enumerate(left) if dependent), None)
    if first is None:
        return True
    reached, free = left[first][1], False
    rest = left[:first] + left[first + 1 :]
    grown = True
    while grown:
        grown = False
        for item in list(rest):
            if item[1] & reached:
                reached |= item[1]
                free = free or not item[0]
                rest.remove(item)
                grown = True
    if any(dependent for dependent, _ in rest):
        return False
    return free or not rest


Outline: TypeAlias = tuple[tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]], ...]
"""Per chain its routes, by train and segments, and its ends."""


def chain_outline(term: ChainBonus, routes: Sequence[Route], kind: dict[str, str]) -> Outline | None:
    """Return which routes form which chains in this listing, ``None`` if they are no legal chains.

    The growth of chains is that of the referee, on nothing but the ends of the routes.
    """
    left = [route for route in routes if kind.get(route.train) in term.trains]
    chains: list[tuple[list[Route], list[str]]] = []

    def tied(route: Route) -> bool:
        return kind[route.train] in term.dependent

    known: dict[tuple[str, tuple[int, ...]], list[Route]] = {}

    def grow(node: str, others: list[Route]) -> list[Route]:
        key = (node, tuple(map(id, others)))
        if key not in known:
            known[key] = grow_anew(node, others)
        return known[key]

    def grow_anew(node: str, others: list[Route]) -> list[Route]:
        best: list[Route] = []
        near = [route for route in others if node in (route.nodes[0], route.nodes[-1])]
        for route in near:
            far = route.nodes[-1] if node == route.nodes[0] else route.nodes[0]
            branch = [route, *grow(far, [other for other in others if other is not route])]
            if len(near) > 1 and any(map(tied, branch)):
                return branch
            if len(branch) > len(best):
                best = branch
        return best

    while left:
        seed = left[0] if chains else next(filter(tied, left), left[0])
        left = [route for route in left if route is not seed]
        linked = [seed]
        for end in (seed.nodes[0], seed.nodes[-1]):
            grown = grow(end, left)
            linked += grown
            left = [route for route in left if not any(route is other for other in grown)]
        names = [name for route in linked for name in (route.nodes[0], route.nodes[-1])]
        ends = [name for name in dict.fromkeys(names) if names.count(name) == 1] or [seed.nodes[0]] * 2
        if len(ends) != 2:
            return None
        chains.append((linked, ends))
    bound = [chain for chain, _ in chains if any(map(tied, chain))]
    if len(bound) > 1 or any(len(chains) > 1 and all(map(tied, chain)) for chain in bound):
        return None
    return tuple((tuple(sorted((r.train, r.segments) for r in c)), tuple(e)) for c, e in chains)
