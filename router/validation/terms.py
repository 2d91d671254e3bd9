"""Faults of terms and conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from router.problem import (
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    HexSubsidy,
    LargestTrainBonus,
    MustRun,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    Segment,
    StopBonus,
    TrackBonus,
    Train,
    VisitHome,
)
from router.validation.collector import Faults, Ids, shown


def terms(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the terms."""
    if problem.terms == () and type(problem.terms) is tuple:
        return
    listed = found.items("terms", problem.terms)
    for i, term in enumerate(listed):
        test = _TESTS.get(type(term))
        if test is None:
            found.add(f"terms[{i}]", f"must be a term, not {shown(term)}")
            continue
        found.text(f"terms[{i}].name", term.name)
        test(f"terms[{i}]", term, problem, ids, found)
    _chain_kinds(listed, found)


def _stop_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.money(f"{where}.amount", term.amount)
    found.amounts(f"{where}.amounts", term.amounts)
    sets = found.items(f"{where}.all_of", term.all_of)
    if term.all_of == ():
        found.add(f"{where}.all_of", "must hold at least one set of nodes")
    for j, nodes in enumerate(sets):
        found.names(f"{where}.all_of[{j}]", nodes, ids.node_hex, "node")


def _track_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.money(f"{where}.amount", term.amount)
    found.text(f"{where}.mark", term.mark)


def _distance_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.money(f"{where}.per_hex", term.per_hex)
    found.names(f"{where}.trains", term.trains)
    found.kinds(f"{where}.between", term.between)
    if type(term.between) is type(term.trains) is frozenset and _runs(problem, term.trains):
        for name, hex_ in ids.node_hex.items():
            if type(ids.node_kind[name]) is str and ids.node_kind[name] in term.between:
                _needs_hex(where, hex_, f"node {shown(name)}", ids, found)


def _needs_hex(where: str, hex_: Any, of: str, ids: Ids, found: Faults) -> None:
    if type(hex_) is str and hex_ not in ids.hexes:
        found.add(where, f"measures from {of}, yet its hex {shown(hex_)} is not among the hexes")


def _runs(problem: Any, kinds: frozenset[str]) -> list[Any]:
    """Return the trains whose kind is among ``kinds``."""
    if type(problem.trains) is not tuple:
        return []
    return [t for t in problem.trains if type(t) is Train and type(t.kind) is str and t.kind in kinds]


def _area_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.kinds(f"{where}.meeting", term.meeting)
    areas: set[str] = set()
    if isinstance(term.areas, Mapping):
        for name, nodes in term.areas.items():
            if found.text(f"{where}.areas (a key)", name):
                areas.add(name)
                found.names(f"{where}.areas[{name!r}]", nodes, ids.node_hex, "node")
    else:
        found.add(f"{where}.areas", f"must be a mapping from names to nodes, not {shown(term.areas)}")
    for j, pair in enumerate(found.items(f"{where}.pairs", term.pairs)):
        path = f"{where}.pairs[{j}]"
        if type(pair) is not tuple or len(pair) != 3:
            found.add(path, "must be (area, area, amount)")
            continue
        for name in pair[:2]:
            if found.text(path, name) and name not in areas:
                found.add(path, f"names the unknown area {shown(name)}")
        if type(pair[0]) is str and pair[0] == pair[1]:
            found.add(path, f"names the area {shown(pair[0])} twice")
        found.money(path, pair[2])


def _largest_train_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.names(f"{where}.nodes", term.nodes, ids.node_hex, "node")
    found.names(f"{where}.lost_at", term.lost_at, ids.node_hex, "node")
    found.amounts(f"{where}.amounts", term.amounts)


def _hex_subsidy(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.money(f"{where}.per_hex", term.per_hex)
    found.names(f"{where}.trains", term.trains)


def _chain_bonus(where: str, term: Any, problem: Any, ids: Ids, found: Faults) -> None:
    found.money(f"{where}.per_hex", term.per_hex)
    found.money(f"{where}.far_per_hex", term.far_per_hex)
    found.names(f"{where}.trains", term.trains)
    found.names(f"{where}.dependent", term.dependent)
    found.names(f"{where}.far", term.far, ids.node_hex, "node")
    found.kinds(f"{where}.from_last_hex", term.from_last_hex)
    if not type(term.trains) is type(term.dependent) is type(term.from_last_hex) is frozenset:
        return
    for kind in sorted(k for k in term.dependent - term.trains if type(k) is str):
        found.add(f"{where}.dependent", f"{shown(kind)} is not among the kinds that form chains")
    trains = _runs(problem, term.trains)
    if not trains or type(problem.segments) is not tuple:
        return
    for name, hex_ in _chain_hexes(trains, problem.segments, term.from_last_hex, ids):
        _needs_hex(where, hex_, f"node {shown(name)}", ids, found)


def _chain_hexes(
    trains: list[Any], segments: Any, from_last: frozenset[str], ids: Ids
) -> list[tuple[str, str]]:
    """Return the hexes that a chain may be measured from, each with the node that it stands for."""
    needed: dict[tuple[str, str], None] = {}
    for segment in segments:
        if type(segment) is not Segment or type(segment.hexes) is not tuple or not segment.hexes:
            continue
        for node, step in ((segment.a, 1), (segment.b, -2)):
            if type(node) is not str or node not in ids.node_hex:
                continue
            if not any(t.ends is None or type(t.ends) is not frozenset or node in t.ends for t in trains):
                continue
            last = type(ids.node_kind[node]) is str and ids.node_kind[node] in from_last
            hex_ = segment.hexes[step] if last and len(segment.hexes) > 1 else ids.node_hex[node]
            if type(hex_) is str:
                needed[node, hex_] = None
    return list(needed)


def _chain_kinds(listed: tuple[Any, ...], found: Faults) -> None:
    taken: dict[str, int] = {}
    for i, term in enumerate(listed):
        if type(term) is ChainBonus and type(term.trains) is frozenset:
            for kind in sorted(k for k in term.trains if type(k) is str):
                if taken.setdefault(kind, i) != i:
                    why = f"{shown(kind)} already forms the chains of terms[{taken[kind]}]"
                    found.add(f"terms[{i}].trains", why)


def conditions(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the conditions."""
    for i, condition in enumerate(found.items("conditions", problem.conditions)):
        where = f"conditions[{i}]"
        if type(condition) is VisitHome:
            found.names(f"{where}.nodes", condition.nodes, ids.node_hex, "node")
        elif type(condition) is RequiredRoute:
            found.text(f"{where}.name", condition.name)
            found.names(f"{where}.hexes", condition.hexes)
            if condition.hexes == frozenset():
                found.add(f"{where}.hexes", "must hold at least one hex")
            for j, name in enumerate(found.items(f"{where}.track_classes", condition.track_classes)):
                if type(name) is not str:
                    found.add(f"{where}.track_classes[{j}]", f"must be a text, not {shown(name)}")
        elif type(condition) is MustRun:
            if type(condition.track_class) is not str:
                found.add(f"{where}.track_class", f"must be a text, not {shown(condition.track_class)}")
        elif type(condition) is not RoutesTouch:
            found.add(where, f"must be a condition, not {shown(condition)}")


_Test: TypeAlias = Callable[[str, Any, RouteProblem, Ids, Faults], None]
_TESTS: dict[type, _Test] = {
    StopBonus: _stop_bonus,
    TrackBonus: _track_bonus,
    DistanceBonus: _distance_bonus,
    AreaBonus: _area_bonus,
    LargestTrainBonus: _largest_train_bonus,
    HexSubsidy: _hex_subsidy,
    ChainBonus: _chain_bonus,
}
