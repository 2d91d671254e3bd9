"""Trains, routes and revenue of Harzbahn 1873 as data (rules, section 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from engine.compile import Case, RouteRules
from engine.facts import GameFacts
from engine.games.g1873.diesel import diesel_stops
from engine.games.g1873.meta import Constants1873
from engine.network import Stop
from engine.position import OwnedTrain, Position
from engine.tiles import Tile
from router.problem import Condition, LargestTrainBonus, Node, RequiredRoute, Term, Train

_DIESEL = "D"
_DIESELS = "diesel"
"""Diesel routes share track and stops only among themselves (R114, R122)."""
_POOL = (9, 8, 7, *range(46, 9, -1))
"""Numbers of diesels, those first that are in use last (R126)."""


def passes_blocked(position: Position, facts: GameFacts) -> bool:
    """Tell whether some routes may pass blocked cities: those that hold a concession route (R113)."""
    info = facts.typed(Constants1873).railway_info.get(position.company)
    return info is not None and bool(info.concession_routes)


def rules(case: Case) -> RouteRules:
    """Return the trains, the mines and the concession routes.

    Diesel routes and others do not get into each other's way: each kind keeps its own track (R114), and
    counts each hex once (R118, R121). Routes over the state's broad track are legal, since recorded games
    have them (R116a).
    """
    constants = case.facts.typed(Constants1873)
    info = constants.railway_info.get(case.position.company)
    if info is None:
        return RouteRules(trains=())
    plain = [owned for owned in case.position.trains if owned.name.endswith("T")]
    diesels = [owned for owned in case.position.trains if owned.name == _DIESEL]
    nodes = {stop.id: _node(case, constants, stop) for stop in case.network.stops}
    passable = frozenset(stop.id for stop in case.network.stops if not _unturned(case, stop.hex).frame)
    trains = [*_plain_trains(case, constants, plain, passable)]
    if diesels:
        stops = diesel_stops(case, info, constants)
        trains.append(_diesel(case, diesels, passable, stops))
    classes = tuple(dict.fromkeys(train.track_class for train in trains))
    return RouteRules(
        trains=tuple(trains),
        terms=tuple(_mines(case, constants, plain)),
        conditions=tuple(_concession(info.concession_routes, classes)),
        track_scope="class",
        count="class",
        nodes=nodes,
        idle={
            owned.id: "only T trains and diesels run routes"
            for owned in case.position.trains
            if owned not in plain and owned not in diesels
        },
    )


def _unturned(case: Case, hex_id: str) -> Tile:
    """Return the tile on a hex, in whatever orientation."""
    laid = case.board.laid.get(hex_id)
    return case.facts.map.hexes[hex_id].printed if laid is None else case.facts.tiles[laid.tile]


def _node(case: Case, constants: Constants1873, stop: Stop) -> Node:
    """Return a stop with what it brings to plain trains, and to diesels (R117, R118, R121).

    A city without an own token brings little, a blocked one nothing. A factory adds its value.
    """
    plain = case.nodes[stop.id]
    factory = constants.factory_info.get(stop.hex)
    value = diesel = 0
    if not plain.blocked:
        if plain.kind == "city":
            value = plain.value if plain.token else constants.stop_revenue
            diesel = constants.diesel_stop_revenue
        value += factory.revenue if factory is not None else 0
    return replace(
        plain,
        value=value,
        values={_DIESEL: diesel} if diesel != value else {},
        counts_as=stop.hex if len(_unturned(case, stop.hex).nodes) > 1 else "",
    )


def _plain_trains(
    case: Case, constants: Constants1873, owned: list[OwnedTrain], passable: frozenset[str]
) -> Iterator[Train]:
    """Yield the T trains, each with its sub-trains (R106).

    A route visits each hex once (R109) and ends at an own token, or at a mine or factory in a city that does
    not block (R110). The routes of one train hang together (R116).
    """
    if not owned:
        return
    opened = _open_mines(case, constants)
    ends = frozenset(
        node.id
        for node in case.nodes.values()
        if node.token or (not node.blocked and (node.hex in opened or node.hex in constants.factory_info))
    )
    for train in owned:
        rank = int(train.name.rstrip("T"))
        names = train.subtrains or tuple(f"{train.name}-{train.id}-{number}" for number in range(rank))
        yield Train(
            train.id,
            train.name,
            hex_visits="once",
            ends=ends,
            through=passable,
            routes=len(names),
            route_ids=names,
            routes_touch=True,
        )


def _diesel(case: Case, owned: list[OwnedTrain], passable: frozenset[str], stops: frozenset[str]) -> Train:
    """Return the diesel, which runs any number of routes between own tokens (R106, R110).

    Two would be no better than the one that a railway may own (R123).
    """
    return Train(
        owned[0].id,
        _DIESEL,
        ends=frozenset(node.id for node in case.nodes.values() if node.token),
        through=passable,
        stops=stops,
        track_class=_DIESELS,
        routes=None,
        route_ids=tuple(_diesel_names(case, owned)),
        routes_touch=True,
    )


def _diesel_names(case: Case, owned: list[OwnedTrain]) -> Iterator[str]:
    """Yield names for diesel routes: those that the diesel has, those proposed, others of the pool (R126).

    There are as many as there can be routes: each leaves a token over track of its own.
    """
    taken = {train.id for train in case.position.trains}
    taken.update(name for train in case.position.trains for name in train.subtrains)
    for train in owned:
        yield from train.subtrains
    for name in sorted(case.names - taken):
        if name.startswith(f"{_DIESEL}-") and name[2:].isdecimal():
            taken.add(name)
            yield name
    tokens = {node.id for node in case.nodes.values() if node.token}
    leaving = [chain for chain in case.network.chains if chain.a.id in tokens or chain.b.id in tokens]
    most = len({name for chain in leaving for name in chain.track})
    pool = (f"{_DIESEL}-{number}" for number in (*_POOL, *range(_POOL[3] + 1, 1000)))
    yield from islice((name for name in pool if name not in taken), most)


def _open_mines(case: Case, constants: Constants1873) -> dict[str, str]:
    """Return the open mines by hex."""
    mines = case.position.g1873.open_mines if case.position.g1873 is not None else ()
    return {constants.mine_info[mine].hex: mine for mine in mines}


def _mines(case: Case, constants: Constants1873, owned: list[OwnedTrain]) -> Iterator[Term]:
    """Yield what open mines bring: to the largest train that stops there, not if it is blocked (R118)."""
    ranks = {train.name: int(train.name.rstrip("T")) for train in owned}
    if not ranks:
        return
    for hex_id, mine in _open_mines(case, constants).items():
        nodes = case.nodes_in(hex_id)
        blocked = frozenset(name for name in nodes if case.nodes[name].blocked)
        if nodes - blocked:
            step = constants.mine_info[mine].multiplier
            amounts = {name: step * rank for name, rank in ranks.items()}
            yield LargestTrainBonus(f"mine {mine}", nodes, amounts, blocked)


def _concession(routes: Collection[tuple[str, ...]], classes: tuple[str, ...]) -> Iterator[Condition]:
    """Yield the routes that must be run, by a plain train and by the diesel if there are any (R115)."""
    if classes:
        for hexes in routes:
            name = f"the concession {hexes[0]}-{hexes[-1]}"
            yield RequiredRoute(name, frozenset(hexes), classes)
