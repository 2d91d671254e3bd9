"""Legality by enumeration: a route is legal if it is found among all the legal ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import networkx as nx

from naive.chains import chains_of, legal_chains
from router.problem import (
    ChainBonus,
    MustRun,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    Train,
    VisitHome,
)
from router.solution import Route


def _graph(problem: RouteProblem) -> nx.MultiGraph[str]:
    graph: nx.MultiGraph[str] = nx.MultiGraph()
    graph.add_nodes_from(node.id for node in problem.nodes)
    for segment in problem.segments:
        graph.add_edge(segment.a, segment.b, key=segment.id)
    return graph


def _paths(problem: RouteProblem) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield every simple path of one segment or more, in one direction."""
    graph = _graph(problem)
    for start, end in combinations([node.id for node in problem.nodes], 2):
        for edges in nx.all_simple_edge_paths(graph, start, end):
            yield (start, *(edge[1] for edge in edges)), tuple(edge[2] for edge in edges)


def _count(problem: RouteProblem, stops: Sequence[str], kinds: frozenset[str]) -> int:
    return len([stop for stop in stops if problem.node_by_id[stop].kind in kinds])


def hexes_of(problem: RouteProblem, segments: Sequence[str]) -> set[str]:
    """Return every hex that a route runs through."""
    return {hex_ for name in segments for hex_ in problem.segment_by_id[name].hexes}


def _board_allows(problem: RouteProblem, stops: Sequence[str], segments: Sequence[str]) -> bool:
    nodes = [problem.node_by_id[stop] for stop in stops]
    used = Counter(piece for name in segments for piece in problem.segment_by_id[name].track)
    if used and max(used.values()) > 1:
        return False
    groups = Counter(group for node in nodes for group in node.groups)
    if groups and max(groups.values()) > 1:
        return False
    run_through = hexes_of(problem, segments)
    privileged = any(isinstance(c, RequiredRoute) and c.hexes <= run_through for c in problem.conditions)
    for node in nodes[1:-1]:
        if node.terminal or node.kind == "offboard" or (node.blocked and not privileged):
            return False
    return not any({stops[0], stops[-1]} <= alike for alike in problem.end_sets)


def _paying_sets_exist(problem: RouteProblem, train: Train, stops: Sequence[str]) -> bool:
    return any(True for _ in paying_sets(problem, train, stops))


def paying_sets(problem: RouteProblem, train: Train, stops: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every set of stops that may pay, in the order of the route."""
    eligible = [stop for stop in stops if problem.node_by_id[stop].kind in train.paying]
    must = train.must_pay
    if must is None:
        must = frozenset() if train.pay else train.paying
    forced = {stop for stop in eligible if problem.node_by_id[stop].kind in must}
    for size in range(len(eligible), -1, -1):
        for chosen in combinations(eligible, size):
            if not forced <= set(chosen):
                continue
            if any(_count(problem, chosen, limit.kinds) > limit.most for limit in train.pay):
                continue
            if train.token_pays and not any(problem.node_by_id[stop].token for stop in chosen):
                continue
            yield chosen


def _train_allows(problem: RouteProblem, train: Train, stops: Sequence[str], segments: Sequence[str]) -> bool:
    nodes = [problem.node_by_id[stop] for stop in stops]
    if train.needs_token and True not in [node.token for node in nodes]:
        return False
    if train.stops is not None and set(stops) - train.stops:
        return False
    if train.through is not None and set(stops[1:-1]) - train.through:
        return False
    if train.ends is not None and {stops[0], stops[-1]} - train.ends:
        return False
    if any(_count(problem, stops, limit.kinds) > limit.most for limit in train.visit):
        return False
    crossed = sum(len(problem.segment_by_id[name].hexes) - 1 for name in segments)
    if train.max_edges is not None and crossed > train.max_edges:
        return False
    for i, j in combinations(range(len(nodes)), 2):
        if nodes[i].hex == nodes[j].hex:
            if train.hex_visits == "once":
                return False
            between = {nodes[k].hex for k in range(i, j)}
            if train.hex_visits == "consecutive" and between != {nodes[i].hex}:
                return False
    chained = any(isinstance(t, ChainBonus) and train.kind in t.trains for t in problem.terms)
    return chained or _paying_sets_exist(problem, train, stops)


def naive_routes(problem: RouteProblem, train: Train) -> list[Route]:
    """Return all routes that ``train`` may run taken alone, each in one direction."""
    return [
        Route(train.id, stops, segments)
        for stops, segments in _paths(problem)
        if _board_allows(problem, stops, segments) and _train_allows(problem, train, stops, segments)
    ]


def perft(problem: RouteProblem, train: Train) -> dict[int, int]:
    """Return how many legal routes of ``train`` visit 2, 3, ... stops."""
    counts = Counter(len(route.nodes) for route in naive_routes(problem, train))
    return {length: counts[length] for length in sorted(counts)}


def train_of(problem: RouteProblem, route: Route) -> Train | None:
    """Return the train that runs ``route``."""
    return next((t for t in problem.trains if route.train in (t.id, *t.route_ids)), None)


def flip(route: Route) -> Route:
    """Return the same route run the other way."""
    return Route(route.train, route.nodes[::-1], route.segments[::-1])


def compatible(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """Whether track alone allows the routes."""
    used: set[tuple[str, str]] = set()
    for route in routes:
        train = train_of(problem, route)
        assert train is not None
        scope = train.track_class if problem.track_scope == "class" else ""
        pieces = {(scope, p) for name in route.segments for p in problem.segment_by_id[name].track}
        if problem.track_scope != "route" and used & pieces:
            return False
        used |= pieces
    return True


def _connected(problem: RouteProblem, routes: Sequence[Route], blocked_too: bool) -> bool:
    """Whether shared stops hold the routes together."""
    graph: nx.Graph[tuple[str, object]] = nx.Graph()
    for i, route in enumerate(routes):
        graph.add_node(("route", i))
        for stop in route.nodes:
            if blocked_too or not problem.node_by_id[stop].blocked:
                graph.add_edge(("route", i), ("stop", stop))
    return len(routes) < 2 or nx.is_connected(graph)


def naive_legal(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """Whether ``routes`` are a legal run."""
    known: dict[str, set[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for route in routes:
        train = train_of(problem, route)
        if train is None:
            return False
        if train.id not in known:
            known[train.id] = {(r.nodes, r.segments) for r in naive_routes(problem, train)}
        if not {(route.nodes, route.segments), (flip(route).nodes, flip(route).segments)} & known[train.id]:
            return False
    return legal_together(problem, routes)


def legal_together(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """Whether routes that are legal one by one are a legal run."""
    by_train: dict[str, list[Route]] = {}
    by_class: dict[str, list[Route]] = {}
    for route in routes:
        train = train_of(problem, route)
        assert train is not None
        by_train.setdefault(train.id, []).append(route)
        by_class.setdefault(train.track_class, []).append(route)
    for train in problem.trains:
        own = by_train.get(train.id, [])
        if train.routes is not None and len(own) > train.routes:
            return False
        names = [route.train for route in own if route.train in train.route_ids]
        if len(names) > len(set(names)):
            return False
        if train.routes_touch and not _connected(problem, own, blocked_too=False):
            return False
    if problem.track_scope != "route":
        for mates in [list(routes)] if problem.track_scope == "all" else by_class.values():
            pieces = [p for r in mates for name in r.segments for p in problem.segment_by_id[name].track]
            if len(pieces) > len(set(pieces)):
                return False
    return all(_holds(problem, condition, routes, by_class) for condition in problem.conditions) and all(
        legal_chains(term, chains_of(problem, term, routes))
        for term in problem.terms
        if isinstance(term, ChainBonus)
    )


def _holds(
    problem: RouteProblem, condition: object, routes: Sequence[Route], by_class: dict[str, list[Route]]
) -> bool:
    match condition:
        case VisitHome(nodes):
            return not routes or any(stop in nodes for route in routes for stop in route.nodes)
        case RoutesTouch():
            return _connected(problem, routes, blocked_too=True)
        case MustRun(name):
            return bool(by_class.get(name))
        case RequiredRoute(_, hexes, classes):
            return all(
                hexes in [hexes_of(problem, route.segments) for route in by_class.get(name, [])]
                for name in classes
            )
    raise AssertionError(condition)
