"""The network model, part 1: each route is a path, written as a circuit through a depot.

See :mod:`router.circuit`. A *slot* is one route that may run. Its variables say at which stop it starts and
ends, in which direction it runs each segment, and which stops it visits; the circuit constraint over them
allows exactly the simple paths, so nothing is enumerated and no subtour has to be cut off.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from router.problem import Limit, Node, RequiredRoute, RouteProblem, Segment, Train
from router.solution import Route

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Literal: TypeAlias = "cp_model.IntVar"
Linear: TypeAlias = Any
"""A linear expression of CP-SAT, or a number."""


@dataclass(slots=True, eq=False)
class Slot:
    """A route that may run, and the variables that describe it.

    Attributes
    ----------
    name
        The train or route id under which it runs.
    alike
        Slots of the same key may be exchanged for each other.
    fixed
        The route, if it is given.
    directed
        Whether the direction of travel matters.
    visit, start, end
        By node: it is visited, the route starts there, it ends there.
    forth, back
        By segment: it is run from ``a`` to ``b``, from ``b`` to ``a``.
    """

    number: int
    train: Train
    name: str
    alike: object
    fixed: Route | None
    directed: bool
    active: Literal
    nodes: list[Node] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    visit: dict[str, Literal] = field(default_factory=dict)
    start: dict[str, Literal] = field(default_factory=dict)
    end: dict[str, Literal] = field(default_factory=dict)
    forth: dict[str, Literal] = field(default_factory=dict)
    back: dict[str, Literal] = field(default_factory=dict)

    def runs(self, segments: Iterable[Segment]) -> list[Literal]:
        """Return the variables of which one is true if the route runs one of ``segments``."""
        return [way[segment.id] for segment in segments for way in (self.forth, self.back)]

    def visits(self, nodes: Iterable[str]) -> list[Literal]:
        """Return the variables of the visits at those of ``nodes`` that the route can reach."""
        return [self.visit[name] for name in nodes if name in self.visit]

    def through(self, hex_: str) -> list[Literal]:
        """Return the variables of which one is true if the route runs through a hex."""
        return self.runs(segment for segment in self.segments if hex_ in segment.hexes)


def add_path(program: cp_model.CpModel, problem: RouteProblem, slot: Slot) -> None:
    """Add the path of ``slot``, and everything that its train demands of it but for money."""
    _reach(problem, slot)
    numbers = {node.id: i for i, node in enumerate(slot.nodes, 1)}
    train = slot.train
    arcs: list[tuple[int, int, Any]] = [(0, 0, ~slot.active)]
    for node in slot.nodes:
        name, at = node.id, numbers[node.id]
        slot.visit[name] = visit = program.new_bool_var("")
        arcs.append((at, at, ~visit))
        if train.ends is None or name in train.ends:
            slot.start[name], slot.end[name] = program.new_bool_var(""), program.new_bool_var("")
            arcs += [(0, at, slot.start[name]), (at, 0, slot.end[name])]
            program.add_at_most_one(slot.start[name], slot.end[name])
    ways: dict[tuple[int, int], list[Literal]] = {}
    for segment in slot.segments:
        a, b = numbers[segment.a], numbers[segment.b]
        slot.forth[segment.id], slot.back[segment.id] = program.new_bool_var(""), program.new_bool_var("")
        ways.setdefault((a, b), []).append(slot.forth[segment.id])
        ways.setdefault((b, a), []).append(slot.back[segment.id])
        program.add_at_most_one(slot.forth[segment.id], slot.back[segment.id])
    for (a, b), parallel in ways.items():
        arc = parallel[0] if len(parallel) == 1 else program.new_bool_var("")
        if len(parallel) > 1:
            program.add(sum(parallel) == arc)
        arcs.append((a, b, arc))
    program.add_circuit(arcs)
    for visit in slot.visit.values():
        program.add_implication(visit, slot.active)
    if not slot.directed and slot.fixed is None:
        # of both directions the one that starts at the lesser end
        begin = sum(numbers[name] * literal for name, literal in slot.start.items())
        finish = sum(numbers[name] * literal for name, literal in slot.end.items())
        program.add(begin + slot.active <= finish)
    _train_rules(program, problem, slot)
    _board_rules(program, problem, slot)
    if slot.fixed is not None:
        _hold(program, slot, slot.fixed)


def _reach(problem: RouteProblem, slot: Slot) -> None:
    """Find the nodes and segments that a route of the slot can use.

    A token must be visited and the way from it to any stop of the route is part of the route, so a stop
    that is further from every token than a limit allows cannot be visited.
    """
    if slot.fixed is not None:
        slot.nodes = [node for node in problem.nodes if node.id in slot.fixed.nodes]
        slot.segments = [problem.segment_by_id[name] for name in slot.fixed.segments]
        return
    train = slot.train
    nodes = {n.id: n for n in problem.nodes if train.stops is None or n.id in train.stops}
    segments = [
        s for s in problem.segments if s.a in nodes and s.b in nodes and len(set(s.track)) == len(s.track)
    ]
    if train.needs_token:
        lifted = any(isinstance(c, RequiredRoute) for c in problem.conditions)
        limits: list[Limit | None] = [*train.visit, None]
        for limit in limits:
            near = _near(nodes, segments, train, lifted=lifted, limit=limit)
            nodes = {name: node for name, node in nodes.items() if name in near}
            segments = [s for s in segments if s.a in nodes and s.b in nodes]
    slot.nodes = sorted(nodes.values(), key=lambda node: node.id)
    slot.segments = sorted(segments, key=lambda segment: segment.id)


def _near(
    nodes: Mapping[str, Node],
    segments: Iterable[Segment],
    train: Train,
    *,
    lifted: bool,
    limit: Limit | None,
) -> set[str]:
    """Return the nodes that some way from a token reaches within ``limit``, or else within the hex edges."""
    around: dict[str, list[Segment]] = {}
    for segment in segments:
        around.setdefault(segment.a, []).append(segment)
        around.setdefault(segment.b, []).append(segment)
    kinds = limit.kinds if limit is not None else frozenset()
    most = limit.most if limit is not None else train.max_edges
    queue = [(int(node.kind in kinds), name) for name, node in nodes.items() if node.token]
    heapq.heapify(queue)
    found: set[str] = set()
    while queue:
        cost, name = heapq.heappop(queue)
        if most is not None and cost > most:
            break
        if name in found:
            continue
        found.add(name)
        if not nodes[name].token and not passes(nodes[name], train, lifted):
            continue
        for segment in around.get(name, ()):
            other = segment.other(name)
            if other not in found:
                step = int(nodes[other].kind in kinds) if limit is not None else segment.length
                heapq.heappush(queue, (cost + step, other))
    return found


def passes(node: Node, train: Train, lifted: bool) -> bool:
    """Tell whether a route of ``train`` may pass ``node``, blocked stops being passed if ``lifted``."""
    if node.kind == "offboard" or node.terminal or (node.blocked and not lifted):
        return False
    return train.through is None or node.id in train.through


def _train_rules(program: cp_model.CpModel, problem: RouteProblem, slot: Slot) -> None:
    train = slot.train
    for limit in train.visit:
        program.add(sum(slot.visit[n.id] for n in slot.nodes if n.kind in limit.kinds) <= limit.most)
    if train.max_edges is not None:
        edges = sum(s.length * run for s in slot.segments for run in slot.runs([s]))
        program.add(edges <= train.max_edges)
    if train.needs_token:
        program.add(sum(slot.visit[n.id] for n in slot.nodes if n.token) >= slot.active)
    if train.hex_visits == "free":
        return
    hexes: dict[str, list[str]] = {}
    for node in slot.nodes:
        hexes.setdefault(node.hex, []).append(node.id)
    for members in hexes.values():
        if len(members) < 2:
            continue
        if train.hex_visits == "once":
            program.add_at_most_one(slot.visits(members))
        else:
            inside = slot.runs(s for s in slot.segments if s.a in members and s.b in members)
            program.add(sum(slot.visits(members)) - 1 <= sum(inside))


def _board_rules(program: cp_model.CpModel, problem: RouteProblem, slot: Slot) -> None:
    pieces: dict[str, list[Segment]] = {}
    for segment in slot.segments:
        for piece in segment.track:
            pieces.setdefault(piece, []).append(segment)
    for users in pieces.values():
        if len(users) > 1:
            program.add_at_most_one(slot.runs(users))
    groups: dict[str, list[str]] = {}
    for node in slot.nodes:
        for group in node.groups:
            groups.setdefault(group, []).append(node.id)
    for members in groups.values():
        if len(members) > 1:
            program.add_at_most_one(slot.visits(members))
    for alike in problem.end_sets:
        ends = [way[name] for name in sorted(alike) for way in (slot.start, slot.end) if name in way]
        program.add(sum(ends) <= 1)
    blocked = [n for n in slot.nodes if n.blocked and passes(n, slot.train, True)]
    lifts = _lifts(program, problem, slot) if blocked else []
    for node in slot.nodes:
        ends = [way[node.id] for way in (slot.start, slot.end) if node.id in way]
        if passes(node, slot.train, False):
            continue
        if node in blocked:
            program.add(slot.visit[node.id] <= sum(ends) + sum(lifts))
        else:
            program.add(slot.visit[node.id] == sum(ends))


def _lifts(program: cp_model.CpModel, problem: RouteProblem, slot: Slot) -> list[Literal]:
    """Return variables that let a route pass blocked stops: it runs through all hexes of a duty."""
    lifts = []
    for condition in problem.conditions:
        if isinstance(condition, RequiredRoute):
            lift = program.new_bool_var("")
            for hex_ in sorted(condition.hexes):
                program.add(sum(slot.through(hex_)) >= lift)
            lifts.append(lift)
    return lifts


def _hold(program: cp_model.CpModel, slot: Slot, route: Route) -> None:
    """Demand that the slot runs ``route``."""
    program.add(slot.active == 1)
    if route.nodes[0] in slot.start:
        program.add(slot.start[route.nodes[0]] == 1)
    for name, at in zip(route.segments, route.nodes, strict=False):
        segment = next(s for s in slot.segments if s.id == name)
        program.add((slot.forth if segment.a == at else slot.back)[name] == 1)


def read_path(value: Callable[[Literal], int], slot: Slot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes and segments that a solution gives the route of ``slot``, in travel order."""
    leave: dict[str, tuple[str, str]] = {}
    for segment in slot.segments:
        if value(slot.forth[segment.id]):
            leave[segment.a] = segment.id, segment.b
        elif value(slot.back[segment.id]):
            leave[segment.b] = segment.id, segment.a
    nodes = [next(name for name, literal in slot.start.items() if value(literal))]
    segments = []
    while nodes[-1] in leave:
        segment_id, node = leave[nodes[-1]]
        segments.append(segment_id)
        nodes.append(node)
    return tuple(nodes), tuple(segments)
