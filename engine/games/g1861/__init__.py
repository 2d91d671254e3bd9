"""1861: The Railways of the Russian Empire."""

from dataclasses import replace
from functools import cache

from engine.facts import GameFacts, MapFacts, by_sym
from engine.games.g1861 import companies, map, market, meta, tiles, trains
from engine.games.g1861.meta import Constants1861
from engine.links import build_map
from engine.marks import homes, with_marks
from engine.notation import parse_hexes, parse_market, parse_tiles
from engine.registry import Game

__all__ = ["GAME", "Constants1861"]

_tiles = cache(parse_tiles)


@cache
def _map() -> MapFacts:
    hexes = parse_hexes(map.HEXES, layout=map.LAYOUT)
    return build_map(map.LAYOUT, with_marks(hexes, reservations=homes(companies.COMPANIES)))


def _build(players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    corporations, deck = companies.COMPANIES, trains.TRAINS
    if players == 2:
        limit = companies.MAJOR_OWNERSHIP_TWO_PLAYERS
        corporations = tuple(
            item if item.kind == "minor" else replace(item, max_ownership_percent=limit)
            for item in corporations
        )
        removed = meta.TRAINS_REMOVED_TWO_PLAYERS
        deck = tuple(
            item if item.count is None else replace(item, count=item.count - removed[item.name])
            for item in deck
        )
    column = "column_market" in options
    return GameFacts(
        name=meta.NAME,
        players=players,
        options=tuple(sorted(options)),
        map=_map(),
        tiles=_tiles(tiles.TILES),
        companies=by_sym(corporations),
        privates=by_sym(
            item for item in companies.PRIVATES if in_play is None or item.sym in (*in_play, "3")
        ),
        trains={train.name: train for train in deck},
        phases={phase.name: phase for phase in trains.PHASES},
        market=parse_market(market.COLUMN if column else market.MARKET, market.TYPES, one_d=column),
        constants=meta.CONSTANTS,
        starting_cash=meta.CONSTANTS.starting_cash[players],
        cert_limit=meta.CONSTANTS.cert_limit[players],
        in_play=in_play,
    )


GAME = Game(meta.NAME, meta.TITLE, meta.PLAYERS, _build, meta.OPTIONS)
