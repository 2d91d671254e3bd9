"""Trains, routes and revenue of 1862 as data (rules, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.compile import Case, RouteRules
from engine.facts import TrainVariant
from engine.games.g1862.meta import Constants1862
from engine.network import Stop
from engine.position import OwnedTrain
from router.problem import (
    ChainBonus,
    HexSubsidy,
    Limit,
    Node,
    RoutesTouch,
    Term,
    Train,
    VisitHome,
    kinds,
)

_FULL = kinds("city", "offboard")
_TOWN = kinds("town")
_LOCAL = kinds("city", "town")
_PERMITS = {"F": "freight", "L": "local", "E": "express"}
_LONDON = "London"


def rules(case: Case) -> RouteRules:
    """Return the trains, the money beside the stops and what binds the routes.

    Routes share track as they like (R7.6). A stop pays once over all routes, and so do off-board areas of one
    group (R7.17). All routes touch, and one visits the home while it holds a token (R7.27, R7.28).
    """
    constants = case.facts.typed(Constants1862)
    column = constants.real_phase_to_rev_phase[case.position.phase]
    areas = {stop.id: _area(stop, column) for stop in case.network.stops if stop.node.kind == "offboard"}
    red, blue = _by_color(case, areas)
    ends = frozenset(node.id for node in case.nodes.values() if node.kind == "city")
    if not _has_london_link(case, constants):
        areas_to_visit = frozenset(name for name, node in areas.items() if node.counts_as != _LONDON)
    else:
        areas_to_visit = frozenset(areas)
    trains = tuple(_trains(case, ends, ends | areas_to_visit))
    home = case.facts.companies[case.position.company].home
    homes = frozenset(node.id for node in case.nodes.values() if node.token and node.hex == home)
    return RouteRules(
        trains=trains,
        terms=tuple(_terms(case, constants, trains, blue)),
        conditions=(VisitHome(homes), RoutesTouch()),
        track_scope="route",
        count="all",
        end_sets=(red, blue),
        nodes=areas,
        idle=_idle(case),
    )


@lru_cache(maxsize=1000)
def _area(stop: Stop, column: str) -> Node:
    """Return an off-board area with its value in a column of the table (R1.11)."""
    revenue, groups = stop.node.revenue, stop.node.groups
    assert isinstance(revenue, Mapping)
    return Node(stop.id, "offboard", stop.hex, revenue[column], groups=groups, counts_as=groups[0])


def _by_color(case: Case, areas: Mapping[str, Node]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the red and the blue areas; of neither may a route have two ends (R7.10)."""
    color = {name: case.facts.map.hexes[node.hex].printed.color for name, node in areas.items()}
    red, blue = (frozenset(name for name in areas if color[name] == wanted) for wanted in ("red", "blue"))
    return red, blue


def _has_london_link(case: Case, constants: Constants1862) -> bool:
    """Tell whether the company has a token in a city that gives the link to London (R1.12)."""
    hexes = case.board.hexes_by_company.get(case.position.company, frozenset())
    return not hexes.isdisjoint(constants.london_token_hexes)


def _trains(case: Case, cities: frozenset[str], ends: frozenset[str]) -> Iterator[Train]:
    """Yield the trains of the kinds that the company may run (R7.1, R7.3); none ends in a town (R7.9)."""
    for owned in case.position.trains:
        variant = case.facts.train_named(owned.name)
        kind = variant.name.rstrip("*")
        permit = _permit(owned)
        if not _may_run(case, permit):
            continue
        if isinstance(variant.distance, int):
            yield Train(owned.id, kind, max_edges=variant.distance, paying=_FULL, ends=ends)
        else:
            yield _counting(owned.id, kind, variant, cities if permit == "local" else ends)


def _permit(owned: OwnedTrain) -> str:
    """Return the kind of a train, "" if it was not told for which kind the card stands."""
    return _PERMITS.get(owned.name.rstrip("*")[-1:], "")


def _may_run(case: Case, permit: str) -> bool:
    return case.position.g1862 is not None and permit in case.position.g1862.permits


def _idle(case: Case) -> dict[str, str]:
    """Return the trains that the company may not run, with the reason."""
    permits = {owned.id: _permit(owned) for owned in case.position.trains}
    return {
        name: f"the company has no permit for {permit} trains" if permit else "it is neither F, L nor E"
        for name, permit in permits.items()
        if not _may_run(case, permit)
    }


def _counting(train_id: str, kind: str, variant: TrainVariant, ends: frozenset[str]) -> Train:
    """Return a local or an express train.

    A local train visits N cities and any number of towns, all of which pay (R7.13). An express train visits N
    cities and off-board areas; the towns on its way do not pay (R7.14). Of a train M/N only M of the N pay.
    """
    assert not isinstance(variant.distance, int)
    reach = variant.distance[0]
    local = kind.endswith("L")
    limited = frozenset(reach.nodes)
    return Train(
        train_id,
        kind,
        visit=(Limit(limited, reach.visit),),
        pay=(Limit(limited, reach.pay),) if reach.pay < reach.visit else (),
        paying=_LOCAL if local else _FULL,
        must_pay=(_TOWN if local else frozenset()) if reach.pay < reach.visit else None,
        ends=ends,
    )


def _terms(
    case: Case, constants: Constants1862, trains: tuple[Train, ...], ports: frozenset[str]
) -> Iterator[Term]:
    """Yield the subsidy of local trains (R7.30) and the bonus for chains of freight trains (7D).

    Freight trains that rust must all be linked, and to one that does not if such a train runs (R7.26).
    """
    local = frozenset(train.kind for train in trains if train.kind.endswith("L"))
    if local:
        yield HexSubsidy("subsidy", constants.local_subsidy, local)
    freight = frozenset(train.kind for train in trains if train.kind.endswith("F"))
    if freight:
        dependent = frozenset(
            kind
            for kind in freight
            if case.facts.trains[case.facts.train_named(kind).base].rusts_on is not None
        )
        yield ChainBonus(
            "freight",
            freight,
            dependent,
            per_hex=constants.freight_bonus,
            far_per_hex=constants.port_freight_bonus,
            far=ports,
        )
