"""One way to write an answer down: travel direction, and which of several like trains runs which route."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TypeAlias

from router.check import check
from router.graph import Graph
from router.problem import RouteProblem, Train
from router.solution import Route
from router.teams import Team

Walked: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Ids of nodes and segments in travel order."""


def travel(graph: Graph, path: Sequence[int]) -> Walked:
    """Return the ids of nodes and segments of ``path`` (a node, then segments)."""
    names, node = graph.node_ids, path[0]
    nodes = [names[node]]
    for s in path[1:]:
        a, b = graph.seg_ends[s]
        node = b if node == a else a
        nodes.append(names[node])
    return tuple(nodes), tuple([graph.segment_ids[s] for s in path[1:]])


def route_names(train: Train, count: int) -> list[str]:
    """Return the names under which ``count`` routes of ``train`` run."""
    named = list(train.route_ids[:count])
    return named + [train.id] * (count - len(named))


def write_routes(
    problem: RouteProblem,
    graph: Graph,
    chosen: Iterable[tuple[Team, Sequence[Sequence[int]]]],
    fixed: Sequence[Route] = (),
) -> tuple[Route, ...] | None:
    """Name and direct the routes of each team.

    A route starts at its lesser end, unless the other direction pays more; routes of like trains are
    sorted, and the trains take them in the order of the problem; the result follows that order. ``None`` if
    the routes of a team cannot be shared out so that those of each train, and those of it that are
    ``fixed``, hang together.
    """
    order = {train.id: i for i, train in enumerate(problem.trains)}
    found: list[tuple[int, int, Route]] = []
    for team, paths in chosen:
        trains = team.trains
        if len(trains) > 1:
            trains = sorted(trains, key=lambda train: order[train.id])
        if not paths:
            continue
        routes = sorted([_directed(problem, trains[0], *travel(graph, path)) for path in paths])
        shares = share_out(problem, trains, routes, fixed)
        if shares is None:
            return None
        for train, share in zip(trains, shares, strict=True):
            if not share:
                continue
            names = route_names(train, train.routes if train.routes is not None else len(share))
            for i, (nodes, segments) in enumerate(share):
                found.append((order[train.id], i, Route(names[i], nodes, segments)))
    found.sort(key=itemgetter(0, 1))
    return tuple([route for _, _, route in found])


def share_out(
    problem: RouteProblem, trains: Sequence[Train], routes: Sequence[Walked], fixed: Sequence[Route] = ()
) -> list[list[Walked]] | None:
    """Give ``routes`` to like ``trains``; those of one train hang together where the rules want it."""
    rooms = [len(routes) if train.routes is None else train.routes for train in trains]
    if not trains[0].routes_touch or (len(routes) < 2 and not fixed):
        shares: list[list[Walked]] = []
        at = 0
        for room in rooms:
            shares.append(list(routes[at : at + room]))
            at += room
        return shares

    by_id = problem.node_by_id

    def passable(nodes: Iterable[str]) -> set[str]:
        return {n for n in nodes if not by_id[n].blocked}

    if len(trains) == 1 and not fixed:
        return [list(routes)] if len(routes) <= rooms[0] and _hang_together(routes, passable) else None
    owner = {name: train.id for train in problem.trains for name in (train.id, *train.route_ids)}
    begun: dict[str, set[str]] = {}
    for route in fixed:
        begun.setdefault(owner[route.train], set()).update(passable(route.nodes))
    found = _connected_shares(
        [passable(nodes) for nodes, _ in routes],
        rooms,
        [begun.get(train.id, set()) for train in trains],
        frozenset(range(len(routes))),
    )
    return None if found is None else [[routes[i] for i in share] for share in found]


def _hang_together(routes: Sequence[Walked], passable: Callable[[Iterable[str]], set[str]]) -> bool:
    """Tell whether all routes hang together by passable stops."""
    stops = [passable(nodes) for nodes, _ in routes]
    reached = stops.pop()
    while stops:
        apart = [own for own in stops if reached.isdisjoint(own)]
        if len(apart) == len(stops):
            return False
        if not apart:
            return True
        reached = reached.union(*[own for own in stops if not reached.isdisjoint(own)])
        stops = apart
    return True


def _connected_shares(
    stops: Sequence[set[str]], rooms: Sequence[int], begun: Sequence[set[str]], left: frozenset[int]
) -> list[list[int]] | None:
    """Split the routes ``left`` into sets, one per room, none too large.

    Each set hangs together, and with the stops where its train has ``begun``.
    """
    if not left:
        return [[] for _ in rooms]
    if not rooms or sum(rooms) < len(left):
        return None
    seen: set[frozenset[int]] = set()
    stack = [frozenset([i]) for i in sorted(left, reverse=True) if not begun[0] or stops[i] & begun[0]]
    options: list[frozenset[int]] = []
    while stack:
        share = stack.pop()
        if share in seen:
            continue
        seen.add(share)
        options.append(share)
        if len(share) < rooms[0]:
            reached = begun[0].union(*(stops[i] for i in share))
            stack += [
                share | {i} for i in sorted(left - share, reverse=True) if not reached.isdisjoint(stops[i])
            ]
    for share in sorted(options, key=lambda s: (-len(s), sorted(s))):
        rest = _connected_shares(stops, rooms[1:], begun[1:], left - share)
        if rest is not None:
            return [sorted(share), *rest]
    rest = _connected_shares(stops, rooms[1:], begun[1:], left)
    return None if rest is None else [[], *rest]


def _directed(
    problem: RouteProblem, train: Train, nodes: tuple[str, ...], segments: tuple[str, ...]
) -> Walked:
    forth = (nodes, segments)
    if train.hex_pays_once and len({problem.node_by_id[name].hex for name in nodes}) < len(nodes):
        back = (nodes[::-1], segments[::-1])
        if train.paying == train.always_pays:
            ahead, behind = _first_in_hex(problem, train, nodes), _first_in_hex(problem, train, nodes[::-1])
        else:
            alone = replace(problem, trains=(replace(train, route_ids=()),), conditions=())
            ahead, behind = (check(alone, [Route(train.id, *way)]).revenue for way in (forth, back))
        if ahead != behind:
            return forth if ahead > behind else back
    return forth if nodes[0] <= nodes[-1] else (nodes[::-1], segments[::-1])


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
