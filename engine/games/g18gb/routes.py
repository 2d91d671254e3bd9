"""Trains, routes and revenue of 18GB as data (rules, section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.compile import Case, RouteRules, worth
from engine.games.g18gb.meta import Constants18GB, Estuary
from router.problem import AreaBonus, DistanceBonus, Limit, StopBonus, Term, TrackBonus, Train, kinds

_FULL = kinds("city", "offboard")
_ALL = kinds("city", "town", "offboard")
_PAIRS = (("N", "S"), ("E", "W"))


def rules(case: Case) -> RouteRules:
    """Return the trains and the money beside the stops; a leased train runs like an own one (R117)."""
    constants = case.facts.typed(Constants18GB)
    hexes = [stop.hex for stop in case.network.stops]
    shared = len(set(hexes)) < len(hexes)
    return RouteRules(
        trains=tuple(_train(owned.id, owned.name, shared) for owned in case.position.trains),
        terms=(
            *_private_bonuses(case),
            *_estuary_bonuses(case, constants),
            *_compass_bonus(case, constants),
            *_distance_bonus(case, constants),
        ),
        marks=dict(_estuary_marks(case, constants)),
    )


def _is_express(name: str) -> bool:
    return name.endswith("X")


def _train(train_id: str, name: str, shared: bool) -> Train:
    """Return a train.

    Trains N+M visit N stops of any kind and M towns besides, all of which pay (R122). Trains NX visit N
    cities and off-board areas, which pay, and any number of towns, which do not (R123). Of several stops in
    one hex only the first pays (R125); ``shared`` tells whether there is such a hex.
    """
    if _is_express(name):
        visit: tuple[Limit, ...] = (Limit(_FULL, int(name.rstrip("X"))),)
        paying = _FULL
    else:
        full, towns = (int(number) for number in name.split("+"))
        visit = (Limit(_FULL, full), Limit(_ALL, full + towns))
        paying = _ALL
    return Train(train_id, name, visit=visit, paying=paying, hex_pays_once=shared)


def _private_bonuses(case: Case) -> Iterator[Term]:
    """Yield the bonuses of closed privates, each for its hex, once per route (R127)."""
    for bonus in case.position.hex_bonuses:
        for hex_id in bonus.hexes:
            nodes = case.nodes_in(hex_id)
            if nodes:
                yield StopBonus(bonus.source, bonus.amount, (nodes,))


def _estuary_bonuses(case: Case, constants: Constants18GB) -> Iterator[Term]:
    """Yield the bonuses for crossing an estuary (R128)."""
    marked = {label for _, labels in _estuary_marks(case, constants) for label in labels}
    for estuary in constants.estuaries:
        if estuary.label in marked:
            yield TrackBonus(estuary.label, estuary.amount, estuary.label)


def _estuary_marks(case: Case, constants: Constants18GB) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the segments that cross an estuary with the label of its tile, the mark that pays (R128)."""
    for estuary in constants.estuaries:
        laid = case.board.laid.get(estuary.hex)
        if laid is None or case.facts.tiles[laid.tile].label != estuary.label:
            continue
        crossings = _crossings(case, estuary)
        for chain in case.network.chains:
            if estuary.hex in chain.hexes[1:-1]:
                at = chain.hexes.index(estuary.hex)
                if chain.hexes[at - 1 : at + 2] in crossings:
                    yield chain.id, (estuary.label,)


def _crossings(case: Case, estuary: Estuary) -> tuple[tuple[str, ...], ...]:
    """Return the hexes of the way over the track that pays, in both directions."""
    links = case.facts.map.links(estuary.hex)
    one, other = estuary.edges
    if one not in links or other not in links:
        return ()
    return (links[one], estuary.hex, links[other]), (links[other], estuary.hex, links[one])


def _compass_bonus(case: Case, constants: Constants18GB) -> tuple[Term, ...]:
    """Return the bonus for sets of meeting routes that lead from north to south or from east to west (R129).

    The amounts are printed on two hexes of the map (R126).
    """
    colors = case.facts.phases[case.position.phase].tiles
    areas = {side: case.nodes_in(*hexes) for side, hexes in constants.scenario.compass_hexes.items()}
    pairs = []
    for (one, other), hex_id in zip(_PAIRS, constants.compass_bonus_hexes, strict=True):
        if areas[one] and areas[other]:
            revenue = case.facts.map.hexes[hex_id].printed.nodes[0].revenue
            pairs.append((one, other, worth(revenue, colors)))
    if not pairs:
        return ()
    used = {side for pair in pairs for side in pair[:2]}
    return (
        AreaBonus("compass", {side: nodes for side, nodes in areas.items() if side in used}, tuple(pairs)),
    )


def _distance_bonus(case: Case, constants: Constants18GB) -> tuple[Term, ...]:
    """Return the bonus of X trains for the distance of their outermost cities and off-board areas (R130)."""
    express = frozenset(train.name for train in case.position.trains if _is_express(train.name))
    return (DistanceBonus("distance", constants.distance_bonus, express),) if express else ()
