"""18GB: The Railways of Great Britain."""

from dataclasses import replace
from functools import cache

from engine.facts import CompanyFacts, GameFacts, HexFacts, MapFacts, PrivateFacts, by_sym
from engine.games.g18gb import companies, map, market, meta, tiles, trains
from engine.games.g18gb.meta import Constants18GB, Estuary, Scenario
from engine.links import build_map
from engine.marks import homes, private_reservations, with_marks
from engine.notation import parse_hexes, parse_market, parse_tiles
from engine.registry import Game

__all__ = ["GAME", "Constants18GB", "Estuary", "Scenario"]

_IMPASSABLE = frozenset({"gray", "red"})

_tiles = cache(parse_tiles)


@cache
def _hexes(name: str) -> tuple[HexFacts, ...]:
    match name:
        case "2NS":
            return parse_hexes(map.HEXES, map.NORTH_SOUTH, layout=map.LAYOUT)
        case "2EW":
            return parse_hexes(map.HEXES, map.EAST_WEST, layout=map.LAYOUT)
    return parse_hexes(map.HEXES, layout=map.LAYOUT)


def _map(name: str, certain: list[CompanyFacts], privates: list[PrivateFacts]) -> MapFacts:
    marked = with_marks(_hexes(name), reservations=private_reservations(privates), tokens=homes(certain))
    return build_map(map.LAYOUT, marked, _IMPASSABLE)


def _build(players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    constants = meta.constants(players, options)
    scenario = constants.scenario
    drawn = {item for item in scenario.corporation_extra if in_play and item in in_play}
    certain = [item for item in companies.COMPANIES if item.sym in drawn or item.sym in scenario.corporations]
    possible = [
        item for item in companies.COMPANIES if item in certain or item.sym in scenario.corporation_extra
    ]
    privates = [item for item in companies.PRIVATES if item.sym in scenario.companies]
    deck = [replace(item, count=scenario.train_counts[item.name]) for item in trains.TRAINS]
    return GameFacts(
        name=meta.NAME,
        players=players,
        options=tuple(sorted(options)),
        map=_map(scenario.map, certain, privates),
        tiles=_tiles(tiles.TILES + tiles.GRAY_TILES if scenario.gray_tiles else tiles.TILES),
        companies=by_sym(possible if in_play is None else certain),
        privates=by_sym(privates),
        trains={train.name: train for train in deck},
        phases={phase.name: phase for phase in trains.PHASES},
        market=parse_market(market.MARKET, market.TYPES, one_d=True),
        constants=constants,
        starting_cash=scenario.starting_cash,
        cert_limit=scenario.cert_limit,
        in_play=in_play,
    )


GAME = Game(meta.NAME, meta.TITLE, meta.PLAYERS, _build, meta.OPTIONS)
