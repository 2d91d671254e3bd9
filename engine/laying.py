"""Which tile may be laid where, and how it may be turned (``00-common`` sections 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.core.companies import Company
from engine.core.gamemap import GameMap, city_map
from engine.hexes import EDGES
from engine.moves import FITS
from engine.reach import reach, reaches_edge, reaches_piece
from engine.tiles import AtNode, Path, PathEnd, Tile, turned

NEXT_COLOR = {"white": "yellow", "yellow": "green", "green": "brown", "brown": "gray"}


@dataclass(frozen=True, slots=True)
class LayFault:
    """Why a tile may not be laid; ``rule`` without the name of the game is one of ``00-common``."""

    rule: str
    why: str


class Laying:
    """The shared rules of laying tiles.

    A game overrides :meth:`exception` for its special upgrades and :meth:`preferred` for tiles that it offers
    only where no better one fits; both work on top of the shared rules.

    Parameters
    ----------
    restriction
        "permissive", "semi_restrictive" or "restrictive" (``00-common R5.22``).
    """

    preference_rule = "00-common R5.21"
    """The rule behind :meth:`preferred`."""

    def __init__(self, restriction: str = "semi_restrictive") -> None:
        self.restriction = restriction

    def exception(self, hex_id: str, old: Tile, new: Tile) -> bool:
        """Tell whether a game allows an upgrade although stops and labels do not fit."""
        return False

    def preferred(
        self, board: GameMap, company: Company, colors: Collection[str], hex_id: str, tile: Tile
    ) -> str:
        """Return the tile that must be taken instead of ``tile`` on this hex, "" if none."""
        return ""

    def tile_fault(self, board: GameMap, colors: Collection[str], hex_id: str, tile: Tile) -> LayFault | None:
        """Say why a tile cannot replace the one on a hex, however it is turned (R5.4 to R5.8)."""
        old = board.tile(hex_id)
        color = self.color_for(old)
        if color != tile.color:
            return LayFault("R5.5", f"{tile.name} is {tile.color}; {hex_id} takes {color or 'no tile'} next")
        if tile.color not in colors:
            return LayFault("R5.5", f"{tile.color} tiles cannot be laid yet")
        if not board.supply.has(tile.name):
            return LayFault("R5.4", f"no tile {tile.name} is left")
        if self.exception(hex_id, old, tile):
            return None
        later = board.facts.map.hexes[hex_id].printed.future_label
        label = later[0] if later is not None and later[1] == tile.color else old.label
        if label != tile.label:
            return LayFault("R5.7", f"{tile.name} has label {tile.label}, {hex_id} has {label}")
        towns = [sum(node.kind == "town" for node in one.nodes) for one in (old, tile)]
        if towns[0] != towns[1]:
            return LayFault("R5.8", f"{tile.name} has {towns[1]} towns, {hex_id} has {towns[0]}")
        before, after = len(old.cities), len(tile.cities)
        if before != after and (not old.labels or not after or not before):
            return LayFault("R5.8", f"{tile.name} has {after} cities, {hex_id} has {before}")
        if old.color == "white" and old.label == "OO" and before != after:
            return LayFault("R5.8", f"{tile.name} has {after} cities, {hex_id} has {before}")
        return None

    def color_for(self, old: Tile) -> str | None:
        """Return the colour that may replace a tile, ``None`` if it stays for ever."""
        return NEXT_COLOR.get(old.color)

    def turn_fault(self, board: GameMap, hex_id: str, new: Tile, tile: Tile) -> LayFault | None:
        """Say why a tile cannot lie so on a hex, whoever lays it (R5.20 without reach).

        Parameters
        ----------
        new
            The tile as it would lie.
        tile
            The same tile as it is drawn.
        """
        old, links = board.tile(hex_id), board.links(hex_id)
        astray = sorted(edge for edge in new.exits if edge not in links)
        if astray:
            return LayFault("R5.20", f"no hex lies beyond edge {astray[0]} of {hex_id}")
        if not set(old.stubs) <= new.exits:
            return LayFault("R5.24", f"{hex_id} needs track to every stub")
        if self.exception(hex_id, old, tile):
            if not old.exits <= new.exits:
                return LayFault("R5.20", f"old track of {hex_id} would be lost")
            return None
        return _track_fault(hex_id, old, new)

    def reach_fault(
        self, board: GameMap, company: Company, hex_id: str, new: Tile, tile: Tile
    ) -> LayFault | None:
        """Say why a company cannot lay a tile so for want of a connection (R5.20b, R5.22)."""
        old = board.tile(hex_id)
        if not reaches_edge(board, company, hex_id, new.exits):
            return LayFault("R5.20", f"{company.sym} does not reach an exit of the tile on {hex_id}")
        if self.exception(hex_id, old, tile) or self.restriction == "permissive" or not old.paths:
            return None
        return self._use_fault(board, company, hex_id, old, new)

    def _use_fault(
        self, board: GameMap, company: Company, hex_id: str, old: Tile, new: Tile
    ) -> LayFault | None:
        """Say why a lay does not use new track or a changed city (R5.22)."""
        if not _overrides(old, new):
            return LayFault("R5.22", f"a stop of {hex_id} would lose its track")
        useful = _useful(old, new, self.restriction)
        if not useful:
            return LayFault("R5.22", f"the tile brings no new track on {hex_id}")
        if reaches_piece(board, company, hex_id, new, useful):
            return None
        return LayFault("R5.22", f"{company.sym} does not reach what is new on {hex_id}")

    def fault(
        self,
        board: GameMap,
        company: Company,
        colors: Collection[str],
        hex_id: str,
        tile: Tile,
        *,
        rotation: int,
    ) -> LayFault | None:
        """Say why a company cannot lay a tile."""
        new = turned(tile, rotation)
        return (
            self.tile_fault(board, colors, hex_id, tile)
            or self.turn_fault(board, hex_id, new, tile)
            or self.reach_fault(board, company, hex_id, new, tile)
        )

    def _can_reach(self, board: GameMap, company: Company, hex_id: str, new: Tile, tile: Tile) -> bool:
        """Tell the same as :meth:`reach_fault`; cheaper when many tiles are asked for."""
        old, reached = board.tile(hex_id), reach(board, company)
        if not new.exits & reached.edges.get(hex_id, frozenset()):
            return False
        if not old.paths or self.restriction == "permissive" or self.exception(hex_id, old, tile):
            return True
        useful = _useful(old, new, self.restriction)
        if not useful or not _overrides(old, new):
            return False
        edges = {edge for number in useful for edge in new.paths[number].edges}
        if edges & reached.around.get(hex_id, frozenset()):
            return True
        stops = any(node[0] == hex_id for node in reached.nodes)
        if not edges & reached.facing.get(hex_id, frozenset()) and not stops:
            return False
        return reaches_piece(board, company, hex_id, new, useful)

    def lays(
        self, board: GameMap, company: Company, colors: Collection[str], hex_id: str
    ) -> Iterator[tuple[Tile, int]]:
        """Yield every tile with every rotation that a company can lay on a hex."""
        for tile in board.supply:
            if self.tile_fault(board, colors, hex_id, tile) is not None:
                continue
            if self.preferred(board, company, colors, hex_id, tile):
                continue
            for rotation in EDGES:
                new = turned(tile, rotation)
                if self.turn_fault(board, hex_id, new, tile) is not None:
                    continue
                if self._can_reach(board, company, hex_id, new, tile):
                    yield tile, rotation


def _end(tile: Tile, end: PathEnd) -> object:
    """Return what of a path's end must be there again (R5.6)."""
    return tile.nodes[end.node].kind if isinstance(end, AtNode) else end


@lru_cache(maxsize=65_536)
def _continues(old: Tile, path: Path, new: Tile, later: Path) -> bool:
    """Tell whether a path of a tile is matched by one of another (R5.6)."""
    if later.gauge not in FITS[path.gauge] or (path.gauge == "dual" and later.gauge != "dual"):
        return False
    ends = (_end(new, later.a), _end(new, later.b))
    return _end(old, path.a) in ends and _end(old, path.b) in ends


def _stop_sets(tile: Tile) -> list[frozenset[int]]:
    """Return the edge lists of the cities and towns that have track."""
    return [
        frozenset(edge for path in tile.paths if index in path.nodes for edge in path.edges)
        for index, node in enumerate(tile.nodes)
        if node.kind != "offboard" and any(index in path.nodes for path in tile.paths)
    ]


@lru_cache(maxsize=65_536)
def _track_fault(hex_id: str, old: Tile, new: Tile) -> LayFault | None:
    """Say what of the old track would be lost (R5.20c to f)."""
    for path in old.paths:
        if not any(_continues(old, path, new, later) for later in new.paths):
            return LayFault("R5.20", f"old track of {hex_id} would be lost")
    before, after = _stop_sets(old), _stop_sets(new)
    fresh = sum(not any(there & here for here in before) for there in after)
    if fresh > max(0, len(after) - len(before)):
        return LayFault("R5.20", f"a stop of {hex_id} would come apart from its track")
    if len(old.cities) > 1 and len(new.cities) > 1:
        for here in before:
            if sum(here <= there for there in after) != 1:
                return LayFault("R5.20", f"the cities of {hex_id} would not stay apart")
    slots = [city.slots for city in old.cities]
    if len(set(slots)) > 1 and new.cities:
        for city, target in enumerate(city_map(old, new)):
            if new.cities[target].slots < slots[city]:
                return LayFault("R5.20", f"a city of {hex_id} would lose a slot")
    return None


@lru_cache(maxsize=16_384)
def _overrides(old: Tile, new: Tile) -> bool:
    """Tell whether every stop of a tile has one on its successor with all its exits (R5.22)."""
    after = _stop_sets(new)
    return all(any(here <= there for there in after) for here in _stop_sets(old))


@lru_cache(maxsize=16_384)
def _useful(old: Tile, new: Tile, restriction: str) -> frozenset[int]:
    """Return the numbers of the paths that are new track, or lead to a changed city (R5.22)."""
    found = set()
    for number, path in enumerate(new.paths):
        older = next((item for item in old.paths if _continues(new, path, old, item)), None)
        if older is None or (restriction == "semi_restrictive" and _worth(old, older) != _worth(new, path)):
            found.add(number)
    return frozenset(found)


def _worth(tile: Tile, path: Path) -> list[int]:
    """Return the largest revenue of each stop at the ends of a path."""
    values = (tile.nodes[node].revenue for node in path.nodes)
    return sorted(value if isinstance(value, int) else max(value.values()) for value in values)
