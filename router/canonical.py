"""One way to write an answer down: travel direction, and which of several like trains runs which route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from router.graph import Graph
from router.problem import RouteProblem, Train
from router.solution import Route


def travel(graph: Graph, path: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of nodes and segments of ``path`` (a node, then segments)."""
    node = path[0]
    nodes = [graph.node_ids[node]]
    segments = []
    for s in path[1:]:
        a, b = graph.seg_ends[s]
        node = b if node == a else a
        nodes.append(graph.node_ids[node])
        segments.append(graph.segment_ids[s])
    return tuple(nodes), tuple(segments)


def route_names(train: Train, count: int) -> list[str]:
    """Return the names under which ``count`` routes of ``train`` run."""
    if not train.route_ids and count == 1:
        return [train.id]
    named = list(train.route_ids[:count])
    return named + [f"{train.id}#{i + 1}" for i in range(len(named), count)]


def write_routes(
    problem: RouteProblem, graph: Graph, chosen: Iterable[tuple[Sequence[Train], Sequence[Sequence[int]]]]
) -> tuple[Route, ...]:
    """Name and direct the routes of each group of like trains.

    A route starts at its lesser end, unless the other direction pays more; routes of like trains are
    sorted, and the trains take them in the order of the problem; the result follows that order.
    """
    order = {train.id: i for i, train in enumerate(problem.trains)}
    found: list[tuple[int, int, Route]] = []
    for trains, paths in chosen:
        names: list[tuple[int, int, str]] = []
        for train in trains:
            room = train.routes if train.routes is not None else len(paths)
            names += [(order[train.id], i, name) for i, name in enumerate(route_names(train, room))]
        names.sort()
        routes = sorted(_directed(problem, train, *travel(graph, path)) for path in paths)
        for (at, i, name), (nodes, segments) in zip(names, routes, strict=False):
            found.append((at, i, Route(name, nodes, segments)))
    return tuple(route for _, _, route in sorted(found, key=lambda item: item[:2]))


def _directed(
    problem: RouteProblem, train: Train, nodes: tuple[str, ...], segments: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    forth = (nodes, segments)
    back = (nodes[::-1], segments[::-1])
    if train.hex_pays_once:
        ahead, behind = _first_in_hex(problem, train, nodes), _first_in_hex(problem, train, nodes[::-1])
        if ahead != behind:
            return forth if ahead > behind else back
    return min(forth, back)


def _first_in_hex(problem: RouteProblem, train: Train, nodes: Iterable[str]) -> int:
    """Return what the always paying stops bring when only the first in each hex counts."""
    seen: set[str] = set()
    total = 0
    for name in nodes:
        node = problem.node_by_id[name]
        if node.kind in train.always_pays and node.hex not in seen:
            seen.add(node.hex)
            total += node.worth(train.kind)
    return total
