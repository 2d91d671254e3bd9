"""The tiles that can still be laid, copy by copy (``00-common R2.2``, ``R5.4``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.journal import Journal, State
from engine.tiles import Tile


class Supply(State):
    """The numbers of the copies in the supply, by tile."""

    def __init__(self, journal: Journal, tiles: Mapping[str, Tile]) -> None:
        super().__init__(journal)
        self.tiles = tiles
        self.copies: Mapping[str, tuple[int, ...]] = {
            name: tuple(range(1 if tile.count is None else tile.count)) for name, tile in tiles.items()
        }
        self._highest: Mapping[str, int] = {name: 0 for name, tile in tiles.items() if tile.count is None}

    def __iter__(self) -> Iterator[Tile]:
        return (self.tiles[name] for name, copies in self.copies.items() if copies)

    def has(self, name: str, number: int | None = None) -> bool:
        """Tell whether a tile can be laid: this copy, or any."""
        copies = self.copies.get(name, ())
        return bool(copies) if number is None else number in copies

    def take(self, name: str, number: int) -> None:
        """Take a copy out; of an unlimited tile a fresh copy joins."""
        left = tuple(copy for copy in self.copies[name] if copy != number)
        if name in self._highest:
            fresh = self._highest[name] + 1
            self._highest = {**self._highest, name: fresh}
            left = (*left, fresh)
        self.copies = {**self.copies, name: left}

    def put_back(self, name: str, number: int) -> None:
        """Put a replaced copy back."""
        self.copies = {**self.copies, name: (*self.copies[name], number)}
