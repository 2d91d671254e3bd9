"""Says in words of the board what the referee says in names of a route problem."""

from __future__ import annotations

import re
from collections import Counter

from engine.network import Network

_NAME = re.compile(r"[^\s,;]+")


class Words:
    """The words for the stops and the track of one board."""

    def __init__(self, network: Network) -> None:
        stops_in = Counter(stop.hex for stop in network.stops)
        self._words: dict[str, str] = {}
        for stop in network.stops:
            kind = "off-board area" if stop.node.kind == "offboard" else stop.node.kind
            where = (
                f"{stop.node.part} of {stop.hex}"
                if stop.node.city is None
                else f"{stop.node.city} of {stop.hex}"
            )
            self._words[stop.id] = stop.hex if stops_in[stop.hex] == 1 else f"{kind} {where}"
        for chain in network.chains:
            inside = len(chain.hexes) == 1
            self._words[chain.id] = f"inside {chain.hexes[0]}" if inside else "-".join(chain.hexes)
            if not inside:
                for name in chain.track:
                    self._words[name] = f"between {name.replace('|', ' and ')}"

    def of(self, name: str) -> str:
        """Return the words for the name of a stop, a segment or a piece of track."""
        return self._words.get(name, name)

    def say(self, text: str) -> str:
        """Return a sentence with all names replaced."""

        def replaced(match: re.Match[str]) -> str:
            name = match[0]
            core = name.rstrip(".:)").lstrip("(")
            return name.replace(core, self._words[core]) if core in self._words else name

        return _NAME.sub(replaced, text)
