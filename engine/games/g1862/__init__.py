"""1862: Railway Mania in the Eastern Counties."""

from dataclasses import replace
from functools import cache

from engine.facts import GameFacts, MapFacts, by_sym
from engine.games.g1862 import companies, map, market, meta, tiles, trains
from engine.games.g1862.meta import Constants1862
from engine.links import build_map
from engine.marks import with_marks
from engine.notation import parse_hexes, parse_market, parse_tiles
from engine.registry import Game

__all__ = ["GAME", "Constants1862"]

_tiles = cache(parse_tiles)
_hexes = cache(parse_hexes)


@cache
def _map(in_play: tuple[str, ...] | None) -> MapFacts:
    """Return the map; the homes of the companies that were drawn bear their icons."""
    drawn = [item for item in companies.COMPANIES if in_play and item.sym in in_play]
    icons = [(home, companies.icon(item)) for item in drawn for home in item.homes]
    return build_map(map.LAYOUT, with_marks(_hexes(map.HEXES, layout=map.LAYOUT), icons=icons))


def _build(players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    chosen = [item for item in companies.COMPANIES if in_play is None or item.sym in in_play]
    counts = (trains.SHORT_LENGTH if "short_length" in options else {}) | (
        trains.LONG_LENGTH if "long_length" in options else {}
    )
    deck = [replace(item, count=counts.get(item.name, item.count)) for item in trains.TRAINS]
    return GameFacts(
        name=meta.NAME,
        players=players,
        options=tuple(sorted(options)),
        map=_map(in_play),
        tiles=_tiles(tiles.TILES),
        companies=by_sym(chosen),
        privates=by_sym([companies.obligation(item) for item in chosen]),
        trains={train.name: train for train in deck},
        phases={phase.name: phase for phase in trains.PHASES},
        market=parse_market(market.MARKET, market.TYPES, one_d=True),
        constants=meta.CONSTANTS,
        starting_cash=meta.CONSTANTS.starting_cash[players],
        cert_limit=meta.CONSTANTS.cert_limit[players],
        in_play=in_play,
    )


GAME = Game(meta.NAME, meta.TITLE, meta.PLAYERS, _build, meta.OPTIONS)
