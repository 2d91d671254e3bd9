"""The share market: a grid of cells, or one line of them (``00-common`` section 8.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.core.companies import Company
from engine.core.journal import Journal, State
from engine.facts import MarketFacts
from engine.refusal import IllegalAction

Direction = Literal["left", "right", "up", "down"]


@dataclass(frozen=True, slots=True)
class Place:
    """A cell and where it is; ``id`` is how records name it."""

    row: int
    column: int
    price: int
    types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The name in records: ``100,2,10``."""
        return f"{self.price},{self.row},{self.column}"

    @property
    def type(self) -> str:
        """The type that counts: the first one (R8.26)."""
        return self.types[0] if self.types else ""


class Market(State):
    """Where the companies' markers stand.

    Games override the four directions where their market differs.

    Attributes
    ----------
    stacks
        The companies in each cell, those that came first in front (R8.28).
    ended
        A marker moved into a cell that ends the game (R8.30).
    """

    def __init__(self, journal: Journal, facts: MarketFacts) -> None:
        super().__init__(journal)
        self.one_d = facts.one_d
        self.stacks: Mapping[Place, tuple[Company, ...]] = {}
        self.ended = False
        self._places: dict[tuple[int, int], Place] = {
            (row, column): Place(row, column, cell.price, cell.types)
            for row, cells in enumerate(facts.rows)
            for column, cell in enumerate(cells)
            if cell is not None
        }

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places.values())

    def at(self, row: int, column: int) -> Place | None:
        """Return a cell, if there is one."""
        return self._places.get((row, column))

    def named(self, name: str, entity: object) -> Place:
        """Return the cell that a record names; row and column decide (R2.8).

        Raises
        ------
        IllegalAction
            If there is no such cell.
        """
        parts = name.split(",")
        if len(parts) == 3 and all(part.isdigit() for part in parts):
            place = self.at(int(parts[1]), int(parts[2]))
            if place is not None and place.price == int(parts[0]):
                return place
        raise IllegalAction("00-common R2.8", entity, f"{name!r} is no cell of the market")

    def put(self, company: Company, place: Place) -> None:
        """Set a marker into a cell, at the end of its stack."""
        self.remove(company)
        self.stacks = {**self.stacks, place: (*self.stacks.get(place, ()), company)}
        company.place = place

    def remove(self, company: Company) -> None:
        """Take a marker off the market."""
        if company.place is not None:
            left = tuple(item for item in self.stacks[company.place] if item is not company)
            self.stacks = {**self.stacks, company.place: left}
            company.place = None

    def order(self, company: Company) -> tuple[int, int, int, int, str]:
        """Return the key by which companies operate, the first lowest (R8.29)."""
        place = company.place
        if place is None:
            return (0, 0, 0, 0, company.sym)
        arrival = self.stacks[place].index(company)
        return (-place.price, -place.column, place.row, arrival, company.sym)

    def move(self, company: Company, direction: Direction, times: int = 1) -> None:
        """Move a marker step by step; without a real move it keeps its place in the stack (R8.28)."""
        old = company.place
        if old is None:
            return
        place = old
        for _ in range(times):
            place = self._step(company, place, direction)
        if place != old:
            self.put(company, place)
            if place.type == "endgame":
                self.ended = True

    def _step(self, company: Company, place: Place, direction: Direction) -> Place:
        found = {"left": self.left, "right": self.right, "up": self.up, "down": self.down}[direction](
            company, place
        )
        if found is None or found.type == "liquidation":
            return place
        return found

    def right(self, company: Company, place: Place) -> Place | None:
        """Return the cell to the right; at the end of the row the one above."""
        if self.one_d:
            return self.at(place.row, place.column + 1)
        if any(other.row == place.row and other.column > place.column for other in self):
            return self.at(place.row, place.column + 1)
        return self.up(company, place)

    def left(self, company: Company, place: Place) -> Place | None:
        """Return the cell to the left; at the begin of the row the one below."""
        found = self.at(place.row, place.column - 1)
        return found if found is not None or self.one_d else self.down(company, place)

    def up(self, company: Company, place: Place) -> Place | None:
        """Return the cell above; on a line that to the right."""
        return self.right(company, place) if self.one_d else self.at(place.row - 1, place.column)

    def down(self, company: Company, place: Place) -> Place | None:
        """Return the cell below; on a line that to the left."""
        return self.left(company, place) if self.one_d else self.at(place.row + 1, place.column)
