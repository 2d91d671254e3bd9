"""Says in words of the board what the referee says in names of a route problem."""

from __future__ import annotations

import re
from functools import cached_property

from engine.compile import Compiled
from engine.network import Stop

_NAME = re.compile(r"[^\s,;]+")


class Words:
    """The words for the stops and the track of one board, whether the company can reach them or not."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    @cached_property
    def _words(self) -> dict[str, str]:
        network = self._compiled.network
        words = {stop.id: self._stop(stop) for stop in network.stops}
        for chain in network.chains:
            inside = len(chain.hexes) == 1
            words[chain.id] = f"inside {chain.hexes[0]}" if inside else "-".join(chain.hexes)
            if not inside:
                words.update((name, f"between {name.replace('|', ' and ')}") for name in chain.track)
        return words

    def _stop(self, stop: Stop) -> str:
        """Return the hex, with the number of the city or the part if it has several stops."""
        board = self._compiled.board
        laid = board.laid.get(stop.hex)
        tile = board.facts.tiles[laid.tile] if laid else board.facts.map.hexes[stop.hex].printed
        if len(tile.nodes) == 1:
            return stop.hex
        if stop.node.city is not None:
            return f"city {stop.node.city} of {stop.hex}"
        if stop.node.kind != "offboard":
            return f"town {stop.node.part} of {stop.hex}"
        named = stop.node.groups
        return f"{named[0]} in {stop.hex}" if named else f"off-board area {stop.node.part} of {stop.hex}"

    def say(self, text: str) -> str:
        """Return a sentence with all names replaced."""
        return _NAME.sub(self._replaced, text)

    def _replaced(self, match: re.Match[str]) -> str:
        name = match[0]
        core = name.strip("().:")
        return name.replace(core, self._words[core]) if core in self._words else name
