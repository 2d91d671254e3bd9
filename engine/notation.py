"""The compact text in which tiles, maps and share markets are written down.

**A print** (what is on a tile or a hex) is a line of sections divided by ``|``: the colour, then stops,
track and marks in this order, each of which may be missing::

    yellow | city 30, city 30 ^3 | 0-a 3-b | label OO, cost 40 water
    red | offboard yellow:20/green:30 {East} | a-1! | icon west

* Stops: ``city``, ``town`` or ``offboard``, then what it pays, a number or a table by colour of the phase;
  then, as far as needed, ``x2`` slots, ``#2`` its part number if that is not its position, ``^3`` the edge
  beside which it is drawn, ``@2.5`` its place, ``{East}`` its group. Cities are numbered in the order of
  their parts.
* Track: two ends each, ``0`` to ``5`` an edge, ``a`` the first stop, ``b`` the second and so on, ``*`` the
  junction. The sign between them is the gauge: ``-`` broad, ``~`` narrow, ``=`` dual. ``!`` marks terminal
  track.
* Marks: ``label OO``, ``becomes Kh gray`` (label of the successor of that colour), ``cost 40 water``,
  ``border 2 impassable``, ``border 3 mountain 50``, ``icon west``, ``stub 4``, ``frame``, ``partition``.

**A tile** is its name, the number of copies (``x*`` for an unlimited supply) and a print::

    57 x4 yellow | city 20 | 0-a a-3

**A map** is a list of prints, each followed by indented lines with the hexes that bear it, ``ID Name, ID
Name``. Their order numbers the hexes below one print (``00-common R2.3``). In a list of changes to a map,
the word ``none`` in place of a print tells which hexes are not there.

**A market** has a line per row with the prices of its cells, each followed by a letter per type:
``60 65 70p 80px``; ``.`` is a place without cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.facts import Cell, HexFacts, MarketFacts
from engine.hexes import Layout, parse_coordinate
from engine.tiles import (
    AtNode,
    Border,
    Edge,
    Gauge,
    Junction,
    Path,
    PathEnd,
    StopKind,
    Terrain,
    Tile,
    TileNode,
)

_GAUGES: dict[str, Gauge] = {"-": "broad", "~": "narrow", "=": "dual"}
_STOPS: dict[str, StopKind] = {"city": "city", "town": "town", "offboard": "offboard"}
_COLORS = frozenset({"white", "yellow", "green", "brown", "gray", "red", "blue"})
_PATH = re.compile(r"([0-5a-h*])([-~=])([0-5a-h*])(!?)")
_CELL = re.compile(r"(\d+)([a-z]*)")


class NotationError(ValueError):
    """A piece of text that is not in this notation; the message quotes it."""


def parse_print(text: str, name: str = "", count: int | None = 0) -> Tile:
    """Read what is printed on a tile or hex.

    Raises
    ------
    NotationError
        If ``text`` cannot be read.
    """
    color, *sections = (section.strip() for section in text.split("|"))
    if color not in _COLORS:
        raise NotationError(
            f"{color!r} in {text!r} is no colour; expected one of {', '.join(sorted(_COLORS))}"
        )
    fields: dict[str, Any] = {}
    for section in sections:
        try:
            fields.update(_section(section))
        except (ValueError, IndexError, KeyError) as fault:
            raise NotationError(f"cannot read {section!r} in {text!r}: {fault}") from fault
    tile = Tile(name, color, count=count, **fields)
    used = {node for path in tile.paths for node in path.nodes}
    if used and max(used) >= len(tile.nodes):
        raise NotationError(f"track of {text!r} leads to a stop that is not there")
    return tile


def parse_tiles(text: str) -> dict[str, Tile]:
    """Read a list of tiles, one per line; blank lines and lines that begin with ``#`` are skipped."""
    tiles: dict[str, Tile] = {}
    for line in _lines(text):
        parts = line.split(None, 2)
        if len(parts) < 3 or not re.fullmatch(r"x(\d+|\*)", parts[1]):
            raise NotationError(f"{line!r} is no tile; expected 'NAME xCOUNT COLOUR ...'")
        name, count, rest = parts
        if name in tiles:
            raise NotationError(f"tile {name} is listed twice")
        tiles[name] = parse_print(rest, name, None if count == "x*" else int(count[1:]))
    return tiles


def parse_hexes(*texts: str, layout: Layout) -> tuple[HexFacts, ...]:
    """Read the hexes of a map, columns from left to right, each from top to bottom.

    Parameters
    ----------
    texts
        The map, then changes to it: a hex listed in a later text replaces the former one.
    """
    groups: list[_Group] = []
    place: dict[str, _Group] = {}
    for text in texts:
        listed = set()
        for group in _groups(text):
            groups.append(group)
            for hex_id in group.names:
                if hex_id in listed:
                    raise NotationError(f"hex {hex_id} is listed twice")
                listed.add(hex_id)
                if hex_id in place:
                    del place[hex_id].names[hex_id]
                place[hex_id] = group
    hexes = []
    for group in groups:
        printed = group.printed
        if printed is None:
            continue
        hexes += [
            HexFacts(
                hex_id,
                parse_coordinate(hex_id, layout),
                name,
                replace(printed, name=hex_id),
                f"{hex_id}-{index}",
            )
            for index, (hex_id, name) in enumerate(group.names.items())
        ]
    return tuple(sorted(hexes, key=lambda item: (item.coordinate.x, item.coordinate.y)))


def parse_market(text: str, types: Mapping[str, str], one_d: bool = False) -> MarketFacts:
    """Read a share market; ``types`` tells the meaning of the letters."""
    rows = []
    for line in _lines(text):
        row: list[Cell | None] = []
        for word in line.split():
            match = _CELL.fullmatch(word)
            if match and types.keys() >= set(match[2]):
                row.append(Cell(int(match[1]), tuple(types[letter] for letter in match[2])))
            elif word == ".":
                row.append(None)
            else:
                raise NotationError(f"{word!r} in {line!r} is no cell of a market")
        rows.append(tuple(row))
    return MarketFacts(tuple(rows), one_d)


@dataclass(slots=True)
class _Group:
    printed: Tile | None
    names: dict[str, str]


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.rstrip()


def _groups(text: str) -> Iterator[_Group]:
    group: _Group | None = None
    for line in _lines(text):
        if not line.startswith(" "):
            if group:
                yield group
            group = _Group(None if line == "none" else parse_print(line), {})
            continue
        if group is None:
            raise NotationError(f"hexes {line.strip()!r} stand below no print")
        for item in line.strip().rstrip(",").split(","):
            hex_id, _, name = item.strip().partition(" ")
            if hex_id in group.names:
                raise NotationError(f"hex {hex_id} is listed twice")
            group.names[hex_id] = name
    if group:
        yield group


def _section(text: str) -> dict[str, Any]:
    """Return the fields of a tile that a section fills."""
    if text.split(maxsplit=1)[0] in _STOPS:
        nodes = [_stop(item.split(), position) for position, item in enumerate(text.split(","))]
        cities = sorted(node.part for node in nodes if node.kind == "city")
        return {
            "nodes": tuple(
                replace(node, city=cities.index(node.part)) if node.kind == "city" else node for node in nodes
            )
        }
    if _PATH.fullmatch(text.split(maxsplit=1)[0]):
        return {"paths": tuple(_path(word) for word in text.split())}
    return _marks([item.split() for item in text.split(",")])


def _stop(words: list[str], position: int) -> TileNode:
    kind = _STOPS[words[0]]
    part, slots, edge, place, groups = position, int(kind == "city"), None, None, list[str]()
    for word in words[2:]:
        sign, value = word[0], word[1:]
        if sign == "x":
            slots = int(value)
        elif sign == "#":
            part = int(value)
        elif sign == "^":
            edge = float(value)
        elif sign == "@":
            place = value
        elif sign == "{" and value.endswith("}"):
            groups.append(value[:-1])
        else:
            raise ValueError(f"{word!r} says nothing about a stop")
    return TileNode(part, kind, _revenue(words[1]), None, slots, tuple(groups), edge, place)


def _revenue(word: str) -> int | dict[str, int]:
    if ":" not in word:
        return int(word)
    return {color: int(value) for color, value in (item.split(":") for item in word.split("/"))}


def _end(sign: str) -> PathEnd:
    if sign.isdigit():
        return Edge(int(sign))
    return Junction() if sign == "*" else AtNode(ord(sign) - ord("a"))


def _path(word: str) -> Path:
    match = _PATH.fullmatch(word)
    if match is None:
        raise ValueError(f"{word!r} is no track")
    return Path(_end(match[1]), _end(match[3]), _GAUGES[match[2]], terminal=bool(match[4]))


def _marks(items: list[list[str]]) -> dict[str, Any]:
    labels, icons, stubs = list[str](), list[str](), list[int]()
    terrain, borders = list[Terrain](), list[Border]()
    fields: dict[str, Any] = {}
    for word, *rest in items:
        match word, rest:
            case "label", [label]:
                labels.append(label)
            case "becomes", [label, color]:
                fields["future_label"] = (label, color)
            case "cost", [cost, *kinds]:
                terrain.append(Terrain(int(cost), tuple(kinds)))
            case "border", [edge]:
                borders.append(Border(int(edge)))
            case "border", [edge, kind]:
                borders.append(Border(int(edge), kind))
            case "border", [edge, kind, cost]:
                borders.append(Border(int(edge), kind, int(cost)))
            case "icon", [icon]:
                icons.append(icon)
            case "stub", [edge]:
                stubs.append(int(edge))
            case "frame", []:
                fields["frame"] = True
            case "partition", []:
                fields["partitions"] = fields.get("partitions", 0) + 1
            case _:
                raise ValueError(f"{' '.join([word, *rest])!r} is no mark")
    lists: dict[str, list[Any]] = {
        "labels": labels,
        "icons": icons,
        "stubs": stubs,
        "terrain": terrain,
        "borders": borders,
    }
    return fields | {key: tuple(value) for key, value in lists.items() if value}
