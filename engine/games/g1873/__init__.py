"""Harzbahn 1873."""

from functools import cache

from engine.facts import GameFacts, MapFacts, by_sym
from engine.games.g1873 import companies, map, market, meta, tiles, trains
from engine.games.g1873.meta import Constants1873, MineInfo, RailwayInfo
from engine.links import build_map
from engine.marks import homes, with_marks
from engine.notation import parse_hexes, parse_market, parse_tiles
from engine.registry import Game

__all__ = ["GAME", "Constants1873", "MineInfo", "RailwayInfo"]

_tiles = cache(parse_tiles)


@cache
def _map(aag: bool) -> MapFacts:
    texts = (map.HEXES, map.AAG_VARIANT) if aag else (map.HEXES,)
    hexes = parse_hexes(*texts, layout=map.LAYOUT)
    return build_map(map.LAYOUT, with_marks(hexes, reservations=homes(companies.RAILWAYS)))


def _build(players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    return GameFacts(
        name=meta.NAME,
        players=players,
        options=tuple(sorted(options)),
        map=_map("aag_variant" in options),
        tiles=_tiles(tiles.TILES),
        companies=by_sym(companies.COMPANIES),
        privates=by_sym(companies.PRIVATES),
        trains={train.name: train for train in trains.TRAINS},
        phases={phase.name: phase for phase in trains.PHASES},
        market=parse_market(market.MARKET, market.TYPES, one_d=True),
        constants=meta.CONSTANTS,
        starting_cash=meta.CONSTANTS.starting_cash[players],
        cert_limit=meta.CONSTANTS.cert_limit[players],
        switchers=trains.SWITCHERS,
        in_play=in_play,
    )


GAME = Game(meta.NAME, meta.TITLE, meta.PLAYERS, _build, meta.OPTIONS)
