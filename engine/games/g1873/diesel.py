"""How far the diesel of a railway runs (rules, R81, R116, R128)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.compile import Case
from engine.games.g1873.meta import Constants1873, RailwayInfo
from engine.network import Chain


def diesel_stops(case: Case, info: RailwayInfo, constants: Constants1873) -> frozenset[str]:
    """Return the stops that diesel routes may visit.

    Those are the stops on the hexes of the concession that take a tile, and those to which a trail leads over
    narrow track from a token at home or on the concession route.
    """
    symbol = case.position.company
    built = [hex_id for hex_id, tile in constants.concession_tiles.items() if tile.entity == symbol]
    return case.nodes_in(*built) | _reached(case, _sources(case, info, constants))


def _sources(case: Case, info: RailwayInfo, constants: Constants1873) -> list[str]:
    """Return the stops with a token at home, or in a city through which the concession route leads."""
    homes = case.facts.companies[case.position.company].homes
    concession = {hex_id for route in info.concession_routes for hex_id in route}
    found = []
    for stop in case.network.stops:
        if not case.nodes[stop.id].token:
            continue
        if stop.hex not in homes:
            exits = constants.concession_route_exits.get(stop.hex)
            if exits is None or stop.hex not in concession:
                continue
            paths = [path for path in case.board.tile(stop.hex).paths if stop.index in path.nodes]
            if not {edge for path in paths for edge in path.edges}.issuperset(exits):
                continue
        found.append(stop.id)
    return found


def _reached(case: Case, sources: Sequence[str]) -> frozenset[str]:
    """Return the stops to which a trail leads: it passes no stop twice and crosses no border twice.

    Nearly always the first way that a flood finds is a trail; where it is not, all trails are tried.
    """
    ways = _ways(case)
    reached = set(sources)
    doubtful: dict[str, None] = {}
    trails: dict[str, frozenset[str]] = {name: frozenset() for name in sources}
    ahead = list(sources)
    for name in ahead:
        if name not in sources and case.nodes[name].end_only:
            continue
        for chain, other in ways.get(name, ()):
            if other in reached:
                continue
            if trails[name].isdisjoint(chain.track):
                reached.add(other)
                doubtful.pop(other, None)
                trails[other] = trails[name].union(chain.track)
                ahead.append(other)
            else:
                doubtful[other] = None
    if doubtful:
        reached |= _try_trails(case, ways, sources)
    return frozenset(reached)


def _ways(case: Case) -> Mapping[str, list[tuple[Chain, str]]]:
    """Return the narrow track from each stop, with the stop at its other end."""
    ways: dict[str, list[tuple[Chain, str]]] = {}
    for chain in case.network.chains:
        if "broad" not in chain.gauges:
            ways.setdefault(chain.a.id, []).append((chain, chain.b.id))
            ways.setdefault(chain.b.id, []).append((chain, chain.a.id))
    return ways


def _try_trails(case: Case, ways: Mapping[str, list[tuple[Chain, str]]], sources: Sequence[str]) -> set[str]:
    """Return every stop at the end of some trail."""
    reached = set(sources)
    ahead = [(name, frozenset({name}), frozenset[str]()) for name in sources]
    while ahead:
        name, passed, crossed = ahead.pop()
        for chain, other in ways.get(name, ()):
            if other in passed or not crossed.isdisjoint(chain.track):
                continue
            reached.add(other)
            if other not in sources and not case.nodes[other].end_only:
                ahead.append((other, passed | {other}, crossed.union(chain.track)))
    return reached
