"""Faults of trains."""

from __future__ import annotations

from typing import Any

from router.problem import MAX_MONEY, MAX_SIZE, NODE_KINDS, Limit, RouteProblem, Segment, Train
from router.validation.collector import Faults, Ids, shown

_HEX_VISITS = ("free", "once", "consecutive")


def trains(problem: RouteProblem, ids: Ids, found: Faults) -> None:
    """Note the faults of the trains."""
    listed = found.items("trains", problem.trains)
    owner: dict[str, str] = {}
    for i, train in enumerate(listed):
        if type(train) is Train and type(train.id) is str:
            if train.id in owner:
                found.add(f"trains[{i}].id", f"the id {shown(train.id)} is used twice")
            owner.setdefault(train.id, train.id)
    for i, train in enumerate(listed):
        if type(train) is Train:
            _one_train(f"trains[{i}]", train, owner, ids, found)
            _high_values(f"trains[{i}].multiplier", train, problem, ids, found)
            if train.routes is None:
                _unbounded(f"trains[{i}].routes", problem, found)
        else:
            found.add(f"trains[{i}]", f"must be a Train, not {shown(train)}")


def _one_train(where: str, train: Any, owner: dict[str, str], ids: Ids, found: Faults) -> None:
    if type(train.id) is not str or not train.id:
        found.text(f"{where}.id", train.id)
    if type(train.kind) is not str or not train.kind:
        found.text(f"{where}.kind", train.kind)
    if train.visit != () or type(train.visit) is not tuple:
        _limits(f"{where}.visit", train.visit, found)
    if train.pay != () or type(train.pay) is not tuple:
        _limits(f"{where}.pay", train.pay, found)
    if train.max_edges is not None:
        found.number(f"{where}.max_edges", train.max_edges, 0, MAX_SIZE)
    if train.paying is not NODE_KINDS:
        found.kinds(f"{where}.paying", train.paying)
    if train.must_pay is not None:
        found.kinds(f"{where}.must_pay", train.must_pay)
        if type(train.must_pay) is type(train.paying) is frozenset:
            for kind in sorted((train.must_pay - train.paying) & NODE_KINDS):
                found.add(f"{where}.must_pay", f"{kind} must pay, yet is not among the paying kinds")
    for name in ("token_pays", "needs_token", "hex_pays_once", "routes_touch"):
        if type(getattr(train, name)) is not bool:
            found.truth(f"{where}.{name}", getattr(train, name))
    if train.multiplier != 1 or type(train.multiplier) is not int:
        found.number(f"{where}.multiplier", train.multiplier, 1, MAX_MONEY)
    if type(train.hex_visits) is not str or train.hex_visits not in _HEX_VISITS:
        found.choice(f"{where}.hex_visits", train.hex_visits, _HEX_VISITS)
    for name in ("ends", "through", "stops"):
        value = getattr(train, name)
        if value is not None and not (type(value) is frozenset and value <= ids.node_hex.keys()):
            found.names(f"{where}.{name}", value, ids.node_hex, "node")
    if type(train.track_class) is not str:
        found.add(f"{where}.track_class", f"must be a text, not {shown(train.track_class)}")
    if train.routes is not None and (train.routes != 1 or type(train.routes) is not int):
        found.number(f"{where}.routes", train.routes, 1, MAX_SIZE)
    if train.route_ids != () or type(train.route_ids) is not tuple:
        _route_ids(f"{where}.route_ids", train, owner, found)


def _limits(where: str, limits: object, found: Faults) -> None:
    for i, limit in enumerate(found.items(where, limits)):
        if type(limit) is not Limit:
            found.add(f"{where}[{i}]", f"must be a Limit, not {shown(limit)}")
            continue
        found.kinds(f"{where}[{i}].kinds", limit.kinds)
        if type(limit.kinds) is frozenset and not limit.kinds:
            found.add(f"{where}[{i}].kinds", "must hold at least one node kind")
        found.number(f"{where}[{i}].most", limit.most, 0, MAX_SIZE)


def _route_ids(where: str, train: Any, owner: dict[str, str], found: Faults) -> None:
    names = found.items(where, train.route_ids)
    for j, name in enumerate(names):
        if not found.text(f"{where}[{j}]", name):
            continue
        if name in names[:j]:
            found.add(f"{where}[{j}]", f"the id {shown(name)} is used twice")
        elif owner.setdefault(name, train.id) != train.id:
            found.add(f"{where}[{j}]", f"the id {shown(name)} belongs to train {shown(owner[name])}")
    if names and type(train.routes) is int and len(names) < train.routes:
        found.add(where, f"names {len(names)} routes, yet the train runs up to {train.routes}")


def _high_values(where: str, train: Any, problem: Any, ids: Ids, found: Faults) -> None:
    factor = train.multiplier
    if type(factor) is not int or not 1 < factor <= MAX_MONEY or factor * ids.highest <= MAX_MONEY:
        return
    for node in problem.nodes:
        value = node.worth(train.kind)
        if type(value) is int and factor * value > MAX_MONEY >= value:
            found.add(where, f"makes node {shown(node.id)} worth more than {MAX_MONEY}")


def _unbounded(where: str, problem: RouteProblem, found: Faults) -> None:
    """Any number of routes is finite only if every route uses up track."""
    if problem.track_scope == "route":
        found.add(where, "any number of routes needs track_scope class or all")
    for segment in problem.segments if type(problem.segments) is tuple else ():
        if type(segment) is Segment and segment.track == ():
            found.add(
                where, f"any number of routes needs track on every segment; {shown(segment.id)} has none"
            )
