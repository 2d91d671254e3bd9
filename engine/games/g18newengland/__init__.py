"""18 New England."""

from functools import cache

from engine.facts import GameFacts, MapFacts, by_sym
from engine.games.g18newengland import companies, map, market, meta, tiles, trains
from engine.games.g18newengland.meta import Constants18NewEngland
from engine.links import build_map
from engine.marks import homes, with_marks
from engine.notation import parse_hexes, parse_market, parse_tiles
from engine.registry import Game

__all__ = ["GAME", "Constants18NewEngland"]

_tiles = cache(parse_tiles)


@cache
def _map() -> MapFacts:
    hexes = parse_hexes(map.HEXES, layout=map.LAYOUT)
    return build_map(map.LAYOUT, with_marks(hexes, reservations=homes(companies.COMPANIES)))


def _build(players: int, options: frozenset[str], in_play: tuple[str, ...] | None) -> GameFacts:
    return GameFacts(
        name=meta.NAME,
        players=players,
        options=tuple(sorted(options)),
        map=_map(),
        tiles=_tiles(tiles.TILES),
        companies=by_sym(companies.COMPANIES),
        privates={},
        trains={train.name: train for train in trains.TRAINS},
        phases={phase.name: phase for phase in trains.PHASES},
        market=parse_market(market.MARKET, market.TYPES),
        constants=meta.CONSTANTS,
        starting_cash=meta.CONSTANTS.starting_cash[players],
        cert_limit=meta.CONSTANTS.cert_limit[players],
        markers=by_sym(companies.MARKERS),
        in_play=in_play,
    )


GAME = Game(meta.NAME, meta.TITLE, meta.PLAYERS, _build)
