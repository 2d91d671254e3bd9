"""Faults of hexes, nodes and segments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from router.problem import MAX_MONEY, MAX_SIZE, NODE_KINDS, Hex, Node, RouteProblem, Segment
from router.validation.collector import Faults, Ids, repeated, shown

_SCOPES = ("route", "class", "all")


def hexes(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the hexes."""
    seen = ids.hexes
    for i, hex_ in enumerate(found.items("hexes", problem.hexes)):
        if type(hex_) is not Hex:
            found.add(f"hexes[{i}]", f"must be a Hex, not {shown(hex_)}")
            continue
        name = hex_.id
        if type(name) is not str or not name:
            found.text(f"hexes[{i}].id", name)
        elif name in seen:
            found.add(f"hexes[{i}].id", f"the id {shown(name)} is used twice")
        else:
            seen.add(name)
        for axis, value in (("q", hex_.q), ("r", hex_.r)):
            if type(value) is not int or not -MAX_SIZE <= value <= MAX_SIZE:
                found.number(f"hexes[{i}].{axis}", value, -MAX_SIZE, MAX_SIZE)


def nodes(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the nodes."""
    node_hex, node_kind, highest = ids.node_hex, ids.node_kind, 0
    for i, node in enumerate(found.items("nodes", problem.nodes)):
        if type(node) is not Node:
            found.add(f"nodes[{i}]", f"must be a Node, not {shown(node)}")
            continue
        name, kind, where, value, groups = node.id, node.kind, node.hex, node.value, node.groups
        if type(name) is str and name and type(where) is str:
            if name in node_hex:
                found.add(f"nodes[{i}].id", f"the id {shown(name)} is used twice")
            else:
                node_hex[name] = where
                node_kind[name] = kind
        if (
            type(name) is str
            and name
            and type(kind) is str
            and kind in NODE_KINDS
            and type(where) is str
            and where
            and type(value) is int
            and 0 <= value <= MAX_MONEY
            and not node.values
            and type(node.values) is dict
            and (node.token is False or (node.token is True and kind == "city"))
            and type(node.blocked) is bool
            and type(node.terminal) is bool
            and type(groups) is tuple
            and (not groups or (len(groups) == 1 and type(groups[0]) is str and groups[0]))
            and type(node.counts_as) is str
        ):
            highest = max(highest, value)
        else:
            highest = max(highest, _one_node(f"nodes[{i}]", node, found))
    ids.highest = highest


def _one_node(where: str, node: Any, found: Faults) -> int:
    highest = 0
    found.text(f"{where}.id", node.id)
    found.choice(f"{where}.kind", node.kind, NODE_KINDS)
    found.text(f"{where}.hex", node.hex)
    if found.money(f"{where}.value", node.value):
        highest = node.value
    found.amounts(f"{where}.values", node.values)
    if isinstance(node.values, Mapping):
        highest = max([highest, *(v for v in node.values.values() if type(v) is int)])
    for name in ("token", "blocked", "terminal"):
        found.truth(f"{where}.{name}", getattr(node, name))
    if node.token is True and node.kind in ("town", "offboard", "halt"):
        found.add(f"{where}.token", f"only a city can hold a token, not a node of kind {node.kind}")
    for j, group in enumerate(found.items(f"{where}.groups", node.groups)):
        found.text(f"{where}.groups[{j}]", group)
    if type(node.groups) is tuple and repeated(node.groups):
        found.add(f"{where}.groups", f"names the group {shown(repeated(node.groups)[0])} twice")
    if type(node.counts_as) is not str:
        found.add(f"{where}.counts_as", f"must be a text, not {shown(node.counts_as)}")
    return highest


def segments(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the segments."""
    node_hex = ids.node_hex
    seen: set[str] = set()
    for i, segment in enumerate(found.items("segments", problem.segments)):
        if type(segment) is not Segment:
            found.add(f"segments[{i}]", f"must be a Segment, not {shown(segment)}")
            continue
        name, a, b, track, hexes = segment.id, segment.a, segment.b, segment.track, segment.hexes
        if type(name) is str:
            if name in seen:
                found.add(f"segments[{i}].id", f"the id {shown(name)} is used twice")
            seen.add(name)
        try:
            if (
                type(name) is str
                and name
                and a != b
                and type(track) is tuple
                and type(hexes) is tuple
                and type(segment.marks) is tuple
                and not segment.marks
                and node_hex[a] == hexes[0]
                and node_hex[b] == hexes[-1]
                and len(set(hexes)) == len(hexes)
                and len(set(track)) == len(track)
                and "" not in hexes
                and "" not in track
                and "".join(track)
                and "".join(hexes)
            ):
                continue
        except (TypeError, KeyError, IndexError):
            pass
        _one_segment(f"segments[{i}]", segment, ids, found)


def _one_segment(where: str, segment: Any, ids: Ids, found: Faults) -> None:
    found.text(f"{where}.id", segment.id)
    hexes = found.items(f"{where}.hexes", segment.hexes)
    for side, node, at in (("a", segment.a, 0), ("b", segment.b, -1)):
        if not found.text(f"{where}.{side}", node):
            continue
        if node not in ids.node_hex:
            found.add(f"{where}.{side}", f"the node {shown(node)} is unknown")
        elif hexes and hexes[at] != ids.node_hex[node]:
            path = f"{where}.hexes[{at % len(hexes)}]"
            found.add(path, f"must be {shown(ids.node_hex[node])}, the hex of node {shown(node)}")
    if type(segment.a) is str and segment.a == segment.b:
        found.add(where, f"leads from node {shown(segment.a)} to itself")
    if type(segment.hexes) is tuple and not hexes:
        found.add(f"{where}.hexes", "must hold at least one hex")
    for j, hex_ in enumerate(hexes):
        if found.text(f"{where}.hexes[{j}]", hex_) and j and hexes[j - 1] == hex_:
            found.add(f"{where}.hexes[{j}]", f"the hex {shown(hex_)} follows itself")
    for part in ("track", "marks"):
        names = found.items(f"{where}.{part}", getattr(segment, part))
        for j, name in enumerate(names):
            found.text(f"{where}.{part}[{j}]", name)
        for name in repeated(names):
            found.add(f"{where}.{part}", f"names {shown(name)} twice")


def whole(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the fields that concern the whole problem."""
    for name in ("track_scope", "count"):
        value = getattr(problem, name)
        if type(value) is not str or value not in _SCOPES:
            found.choice(name, value, _SCOPES)
    for i, nodes in enumerate(found.items("end_sets", problem.end_sets)):
        if type(nodes) is not frozenset or not nodes <= ids.node_hex.keys():
            found.names(f"end_sets[{i}]", nodes, ids.node_hex, "node")
    if type(problem.id) is not str:
        found.add("id", f"must be a text, not {shown(problem.id)}")
