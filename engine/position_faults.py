"""Holds a position against the facts of its game and notes everything that cannot be.

The history of a board is not judged: tiles that no upgrade leads to are accepted, and more trains than a
company may own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from engine.facts import GameFacts
from engine.hexes import opposite
from engine.links import IMPASSABLE
from engine.position import HexBonus, LaidTile, OwnedTrain, Position, Token
from engine.reading import Reader, listed, shown
from engine.registry import GAMES, Game, find_game
from engine.tiles import Tile

PERMITS = ("local", "express", "freight")


def check_facts(reader: Reader, position: Position) -> None:
    """Note what a position that was read says against the facts; empty names are faults noted before."""
    if not position.game:
        return
    if position.game not in GAMES:
        reader.fault("game", f"unknown game {shown(position.game)}; expected {listed(GAMES)}")
        return
    facts = _facts(reader, find_game(position.game), position)
    if position.company and position.company not in facts.companies:
        reader.fault(
            "company",
            f"{shown(position.company)} is no company of {facts.name}; expected {_of(facts.companies)}",
        )
    if position.phase and position.phase not in facts.phases:
        reader.fault(
            "phase", f"{shown(position.phase)} is no phase of {facts.name}; expected {_of(facts.phases)}"
        )
    _check_tiles(reader, facts, position.tiles)
    _check_tokens(reader, facts, position)
    _check_trains(reader, facts, position.trains)
    for index, bonus in enumerate(position.hex_bonuses):
        _check_bonus(reader, facts, bonus, f"hexBonuses[{index}]")
    _check_own_parts(reader, facts, position)


def _facts(reader: Reader, game: Game, position: Position) -> GameFacts:
    """Return the facts for the position's players and options, or near ones if these are wrong."""
    players = position.players
    if players not in game.players:
        if players:
            reader.fault(
                "players", f"{game.name} is not for {players} players; expected {listed(game.players)}"
            )
        players = game.players[0]
    known = []
    for index, option in enumerate(position.optional_rules):
        if option in game.options:
            known.append(option)
        else:
            reader.fault(
                f"optionalRules[{index}]",
                f"{shown(option)} is no option of {game.name}; expected {listed(game.options)}",
            )
    return game.facts(players=players, options=known)


def _of(names: Iterable[str]) -> str:
    return listed(names, 40)


def _check_tiles(reader: Reader, facts: GameFacts, tiles: tuple[LaidTile, ...]) -> None:
    laid = {tile.hex: tile for tile in tiles}
    seen: set[str] = set()
    for index, tile in enumerate(tiles):
        place = f"tiles[{index}]"
        if tile.hex in seen:
            reader.fault(f"{place}.hex", f"{tile.hex} has a tile already; expected one tile per hex")
            continue
        if tile.hex:
            seen.add(tile.hex)
        for field, why in _tile_faults(facts, tile.hex, tile.tile):
            reader.fault(f"{place}.{field}", why)
        for edge, neighbor in _doubtful_exits(facts, tile.hex, tile.tile, tile.rotation):
            other = laid.get(neighbor)
            if other is not None and opposite(edge) in _exits(facts, other.tile, other.rotation):
                continue
            beyond = f"{neighbor}, which cannot be entered" if neighbor else "no hex"
            reader.fault(
                f"{place}.rotation",
                f"is {tile.rotation}, which turns track of tile {tile.tile} on {tile.hex} towards {beyond} "
                f"at edge {edge}; expected a rotation that fits",
            )
    if len(tiles) > 1:
        _check_supply(reader, facts, tiles)


def _check_supply(reader: Reader, facts: GameFacts, tiles: tuple[LaidTile, ...]) -> None:
    count = Counter(tile.tile for tile in tiles)
    for name, number in count.items():
        tile = facts.tiles.get(name)
        if tile is not None and tile.count is not None and number > tile.count:
            last = max(index for index, item in enumerate(tiles) if item.tile == name)
            reader.fault(
                f"tiles[{last}].tile",
                f"tile {name} is laid {number} times; expected at most {tile.count} copies",
            )


@lru_cache(maxsize=100_000)
def _tile_faults(facts: GameFacts, hex_id: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return the faults of one tile by field, whatever lies around it."""
    found = []
    place = facts.map.hexes.get(hex_id)
    tile = facts.tiles.get(name)
    if hex_id and place is None:
        found.append(("hex", f"{shown(hex_id)} is no hex of the map of {facts.name}"))
    if name and tile is None:
        found.append(("tile", f"{shown(name)} is no tile of {facts.name}"))
    if place is not None and tile is not None:
        color = place.printed.color
        if color in IMPASSABLE and not (color == "blue" and tile.color == "blue"):
            found.append(("hex", f"{hex_id} is printed {color}; expected a hex that can take tiles"))
    return tuple(found)


@lru_cache(maxsize=100_000)
def _doubtful_exits(facts: GameFacts, hex_id: str, name: str, rotation: int) -> tuple[tuple[int, str], ...]:
    """Return the exits that only a tile beyond them can justify, each with the hex there, "" if none."""
    place = facts.map.hexes.get(hex_id)
    if place is None or name not in facts.tiles:
        return ()
    walls = {border.edge for border in place.printed.borders if border.kind == "impassable"}
    return tuple(
        (edge, place.blocked.get(edge, "") if edge not in walls else "")
        for edge in sorted(_exits(facts, name, rotation))
        if edge not in place.links
    )


@lru_cache(maxsize=100_000)
def _exits(facts: GameFacts, name: str, rotation: int) -> frozenset[int]:
    tile = facts.tiles.get(name)
    return tile.rotated(rotation).exits if tile is not None else frozenset()


def _check_tokens(reader: Reader, facts: GameFacts, position: Position) -> None:
    laid = {tile.hex: tile.tile for tile in position.tiles}
    taken: dict[tuple[str, int, int], int] = {}
    for index, token in enumerate(position.tokens):
        place = f"tokens[{index}]"
        if token.company and token.company not in facts.companies and token.company not in facts.markers:
            reader.fault(f"{place}.company", f"{shown(token.company)} is no company of {facts.name}")
        if not token.hex:
            continue
        where = facts.map.hexes.get(token.hex)
        if where is None:
            reader.fault(f"{place}.hex", f"{shown(token.hex)} is no hex of the map of {facts.name}")
            continue
        tile = facts.tiles.get(laid[token.hex]) if token.hex in laid else where.printed
        if tile is None or token.off_city:
            continue
        if not _fits_city(reader, token, tile, place) or token.extra:
            continue
        slot = (token.hex, token.city, token.slot)
        if slot in taken:
            reader.fault(
                f"{place}.slot",
                f"slot {token.slot} of city {token.city} in {token.hex} holds tokens[{taken[slot]}] already; "
                "expected an empty slot",
            )
        else:
            taken[slot] = index


def _fits_city(reader: Reader, token: Token, tile: Tile, place: str) -> bool:
    cities = tile.cities
    if token.city >= len(cities):
        expected = f"0 to {len(cities) - 1}" if cities else "a hex with a city"
        reader.fault(f"{place}.city", f"{token.hex} has no city {token.city}; expected {expected}")
        return False
    slots = cities[token.city].slots
    if token.slot >= slots and not token.extra:
        reader.fault(
            f"{place}.slot",
            f"city {token.city} in {token.hex} has no slot {token.slot}; "
            f"expected 0 to {slots - 1}, or an extra token",
        )
        return False
    return True


def _check_trains(reader: Reader, facts: GameFacts, trains: tuple[OwnedTrain, ...]) -> None:
    names: dict[str, str] = {}
    for index, train in enumerate(trains):
        place = f"trains[{index}]"
        if train.name:
            try:
                facts.train_named(train.name)
            except KeyError:
                reader.fault(
                    f"{place}.name",
                    f"{shown(train.name)} is no train of {facts.name}; expected {_of(facts.train_names)}",
                )
        runs = [(f"{place}.subtrains[{number}]", name) for number, name in enumerate(train.subtrains)]
        for where, name in [(f"{place}.id", train.id), *runs]:
            if name and name in names:
                reader.fault(where, f"{shown(name)} is {names[name]} already; expected each id once")
            elif name:
                names[name] = where


def _check_bonus(reader: Reader, facts: GameFacts, bonus: HexBonus, place: str) -> None:
    if bonus.source and bonus.source not in facts.privates:
        reader.fault(
            f"{place}.source",
            f"{shown(bonus.source)} is no private of {facts.name}; expected {_of(facts.privates)}",
        )
    for number, hex_id in enumerate(bonus.hexes):
        if hex_id not in facts.map.hexes:
            reader.fault(f"{place}.hexes[{number}]", f"{shown(hex_id)} is no hex of the map of {facts.name}")


def _check_own_parts(reader: Reader, facts: GameFacts, position: Position) -> None:
    if position.g1862 is not None:
        if facts.name != "1862":
            reader.fault("g1862", f"is for 1862 only; expected no such field in {facts.name}")
        for index, permit in enumerate(position.g1862.permits):
            if permit not in PERMITS:
                reader.fault(
                    f"g1862.permits[{index}]", f"unknown permit {shown(permit)}; expected {listed(PERMITS)}"
                )
    if position.g1873 is not None:
        if facts.name != "1873":
            reader.fault("g1873", f"is for 1873 only; expected no such field in {facts.name}")
            return
        for index, mine in enumerate(position.g1873.open_mines):
            if mine not in facts.companies or facts.companies[mine].kind != "minor":
                reader.fault(f"g1873.openMines[{index}]", f"{shown(mine)} is no mine of {facts.name}")
