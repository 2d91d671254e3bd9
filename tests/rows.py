"""Small boards written as rows of stops, one row per route.

``"A9:o30 B8:t10 (C7) E1:c40*"`` is a route from off-board area A9 over town B8 and plain hex C7 to city E1,
which holds a token. A stop is described where it first occurs and only named later; ``G4/1`` is a second stop
of hex G4. Letters: ``c`` city, ``t`` town, ``o`` off-board area, ``h`` halt; ``*`` token, ``!`` blocked,
``|`` terminal. ``-mark-`` between two stops gives the track between them a mark. Every row has its own track.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from router.check import check
from router.problem import Hex, Node, NodeKind, RouteProblem, Segment, Train, kinds
from router.solution import Code, Route, Verdict

BIG = kinds("city", "offboard")

KIND: dict[str, NodeKind] = {"c": "city", "t": "town", "o": "offboard", "h": "halt"}
STOP = re.compile(r"(?P<id>[A-Za-z0-9/]+)(?::(?P<kind>[ctoh])(?P<value>\d+))?(?P<flags>[*!|]*)")
PLACE = re.compile(r"([A-Za-z])(\d+)")


def hex_at(name: str) -> Hex:
    """Return the hex with this letter as column and this number as (doubled) row; ``a`` lies before ``A``."""
    match = PLACE.fullmatch(name)
    if match is None:
        return Hex(name)
    letter, number = match[1], int(match[2])
    column = -1 - (ord(letter) - ord("a")) if letter.islower() else ord(letter) - ord("A")
    return Hex(name, column, (number - column) // 2)


class Board:
    """The nodes, segments and routes of rows of stops."""

    def __init__(self, rows: Sequence[str], **changes: Mapping[str, Any]) -> None:
        self.nodes: dict[str, Node] = {}
        self.segments: list[Segment] = []
        self.routes: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for number, row in enumerate(rows):
            self._add(number, row)
        for name, fields in changes.items():
            key = name.replace("_", "/")
            self.nodes[key] = replace(self.nodes[key], **fields)

    def _add(self, number: int, row: str) -> None:
        stops: list[str] = []
        used: list[str] = []
        passed: list[str] = []
        marks: tuple[str, ...] = ()
        for word in row.split():
            if word.startswith("("):
                passed.append(word.strip("()"))
            elif word.startswith("-"):
                marks = (word.strip("-"),)
            else:
                node = self._node(word)
                if stops:
                    before = self.nodes[stops[-1]]
                    name = f"{number}.{len(used)}"
                    inside = before.hex == node.hex and not passed
                    hexes = (node.hex,) if inside else (before.hex, *passed, node.hex)
                    self.segments.append(Segment(name, before.id, node.id, (f"track {name}",), hexes, marks))
                    used.append(name)
                stops.append(node.id)
                passed, marks = [], ()
        self.routes.append((tuple(stops), tuple(used)))

    def _node(self, word: str) -> Node:
        match = STOP.fullmatch(word)
        assert match, word
        name = match["id"]
        if name not in self.nodes:
            assert match["kind"], f"{name} is not described"
            self.nodes[name] = Node(
                id=name,
                kind=KIND[match["kind"]],
                hex=name.partition("/")[0],
                value=int(match["value"]),
                token="*" in match["flags"],
                blocked="!" in match["flags"],
                terminal="|" in match["flags"],
            )
        return self.nodes[name]

    def problem(self, trains: Sequence[Train], **fields: Any) -> RouteProblem:
        """Return the problem that ``trains`` have here."""
        names = {node.hex for node in self.nodes.values()} | {h for s in self.segments for h in s.hexes}
        return RouteProblem(
            nodes=tuple(self.nodes.values()),
            segments=tuple(self.segments),
            trains=tuple(trains),
            hexes=tuple(hex_at(name) for name in sorted(names)),
            **fields,
        )


def run(
    rows: Sequence[tuple[Train, str]], nodes: Mapping[str, Mapping[str, Any]] | None = None, **fields: Any
) -> Verdict:
    """Let each train run its row, all together, and return what the referee says.

    A train that runs several rows is given with ``routes`` and ``route_ids``; its names are used in order.
    """
    board = Board([row for _, row in rows], **(nodes or {}))
    trains = list(dict.fromkeys(train for train, _ in rows))
    names = {train.id: list(train.route_ids) for train in trains}
    listed = []
    for (train, _), (stops, used) in zip(rows, board.routes, strict=True):
        free = names[train.id]
        listed.append(Route(free.pop(0) if free else train.id, stops, used))
    return check(board.problem(trains, **fields), listed)


def at(*nodes: str) -> frozenset[str]:
    """Return a set of nodes."""
    return frozenset(nodes)


def only(verdict: Verdict) -> int:
    """Return the revenue of a legal run."""
    assert verdict.legal, verdict.violations
    return verdict.revenue


def each(verdict: Verdict) -> list[int]:
    """Return the revenue of each route of a legal run."""
    assert verdict.legal, verdict.violations
    return [route.revenue for route in verdict.routes]


def codes(verdict: Verdict) -> set[Code]:
    """Return the kinds of violations."""
    return {violation.code for violation in verdict.violations}
