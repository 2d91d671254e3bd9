"""The public position: a board, a company and its trains at the moment of a run.

The JSON form is the proto3 JSON of ``engine.v1.Position``.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.reading import Reader
from router.errors import InvalidInput

MAX_LIST = 1000
"""Largest number of tiles, tokens or other items that a position may hold."""

_POSITION = (
    "game",
    "players",
    "optionalRules",
    "company",
    "phase",
    "tiles",
    "tokens",
    "trains",
    "hexBonuses",
    "g1862",
    "g1873",
)
_TILE = ("hex", "tile", "rotation")
_TOKEN = ("hex", "city", "slot", "company", "extra", "offCity")
_TRAIN = ("id", "name", "subtrains", "leased")
_BONUS = ("source", "hexes", "amount")
_G1862 = ("permits", "sharePrice")
_G1873 = ("openMines",)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile of the supply that lies on the map."""

    hex: str
    tile: str
    rotation: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {"hex": self.hex, "tile": self.tile, "rotation": self.rotation}


@dataclass(frozen=True, slots=True)
class Token:
    """A company's token.

    Attributes
    ----------
    city, slot
        Index among the cities of the tile, index among the slots of that city.
    extra
        It lies beside the slots and takes none.
    off_city
        It lies on the hex but in no city yet.
    """

    hex: str
    city: int
    slot: int
    company: str
    extra: bool = False
    off_city: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        found: dict[str, object] = {
            "hex": self.hex,
            "city": self.city,
            "slot": self.slot,
            "company": self.company,
        }
        if self.extra:
            found["extra"] = True
        if self.off_city:
            found["offCity"] = True
        return found


@dataclass(frozen=True, slots=True)
class OwnedTrain:
    """A train card; ``subtrains`` are the ids under which it runs if that is not its own."""

    id: str
    name: str
    subtrains: tuple[str, ...] = ()
    leased: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        found: dict[str, object] = {"id": self.id, "name": self.name}
        if self.subtrains:
            found["subtrains"] = list(self.subtrains)
        if self.leased:
            found["leased"] = True
        return found


@dataclass(frozen=True, slots=True)
class HexBonus:
    """Money that a private brings to routes through a hex."""

    source: str
    hexes: tuple[str, ...]
    amount: int

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {"source": self.source, "hexes": list(self.hexes), "amount": self.amount}


@dataclass(frozen=True, slots=True)
class Charter1862:
    """What only 1862 companies have: the kinds of trains they may run, and a share price."""

    permits: tuple[str, ...] = ()
    share_price: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {"permits": list(self.permits), "sharePrice": self.share_price}


@dataclass(frozen=True, slots=True)
class Mines1873:
    """What only 1873 has: the mines that are open."""

    open_mines: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the public form."""
        return {"openMines": list(self.open_mines)}


@dataclass(frozen=True, slots=True)
class Position:
    """A board as one company sees it when it runs its trains.

    What follows from the game's own data (homes, printed track, values, bonuses) is not repeated here.
    """

    game: str
    players: int
    company: str
    phase: str
    optional_rules: tuple[str, ...] = ()
    tiles: tuple[LaidTile, ...] = ()
    tokens: tuple[Token, ...] = ()
    trains: tuple[OwnedTrain, ...] = ()
    hex_bonuses: tuple[HexBonus, ...] = ()
    g1862: Charter1862 | None = None
    g1873: Mines1873 | None = None

    @staticmethod
    def from_json(value: object) -> Position:
        """Read the public form.

        Raises
        ------
        InvalidInput
            With everything that is wrong: in form, and against the game's own data.
        """
        from engine.position_faults import check_facts

        reader = Reader()
        position = _read(reader, value)
        if position is not None:
            check_facts(reader, position)
        if position is None or reader.faults:
            raise InvalidInput(reader.faults)
        return position

    def to_json(self) -> dict[str, object]:
        """Return the public form; lists that are empty are left out where they concern few games."""
        found: dict[str, object] = {
            "game": self.game,
            "players": self.players,
            "optionalRules": list(self.optional_rules),
            "company": self.company,
            "phase": self.phase,
            "tiles": [tile.to_json() for tile in self.tiles],
            "tokens": [token.to_json() for token in self.tokens],
            "trains": [train.to_json() for train in self.trains],
        }
        if self.hex_bonuses:
            found["hexBonuses"] = [bonus.to_json() for bonus in self.hex_bonuses]
        if self.g1862 is not None:
            found["g1862"] = self.g1862.to_json()
        if self.g1873 is not None:
            found["g1873"] = self.g1873.to_json()
        return found


def _read(reader: Reader, value: object) -> Position | None:
    """Read the form; items that cannot be read keep their place with empty names."""
    top = reader.fields(value, "position", _POSITION)
    if top is None:
        return None
    return Position(
        game=reader.text(top, "game", ""),
        players=reader.number(top, "players", "", least=1, most=99),
        optional_rules=reader.texts(top, "optionalRules", "", MAX_LIST),
        company=reader.text(top, "company", ""),
        phase=reader.text(top, "phase", ""),
        tiles=tuple(
            _tile(reader, item, f"tiles[{index}]")
            for index, item in enumerate(reader.items(top, "tiles", "", MAX_LIST))
        ),
        tokens=tuple(
            _token(reader, item, f"tokens[{index}]")
            for index, item in enumerate(reader.items(top, "tokens", "", MAX_LIST))
        ),
        trains=tuple(
            _train(reader, item, f"trains[{index}]")
            for index, item in enumerate(reader.items(top, "trains", "", MAX_LIST))
        ),
        hex_bonuses=tuple(
            _bonus(reader, item, f"hexBonuses[{index}]")
            for index, item in enumerate(reader.items(top, "hexBonuses", "", MAX_LIST))
        ),
        g1862=_g1862(reader, top["g1862"]) if "g1862" in top else None,
        g1873=_g1873(reader, top["g1873"]) if "g1873" in top else None,
    )


def _tile(reader: Reader, value: object, place: str) -> LaidTile:
    fields = reader.fields(value, place, _TILE)
    if fields is None:
        return LaidTile("", "")
    place += "."
    return LaidTile(
        reader.text(fields, "hex", place),
        reader.text(fields, "tile", place),
        reader.number(fields, "rotation", place, most=5),
    )


def _token(reader: Reader, value: object, place: str) -> Token:
    fields = reader.fields(value, place, _TOKEN)
    if fields is None:
        return Token("", 0, 0, "")
    place += "."
    return Token(
        reader.text(fields, "hex", place),
        reader.number(fields, "city", place),
        reader.number(fields, "slot", place),
        reader.text(fields, "company", place),
        reader.flag(fields, "extra", place),
        reader.flag(fields, "offCity", place),
    )


def _train(reader: Reader, value: object, place: str) -> OwnedTrain:
    fields = reader.fields(value, place, _TRAIN)
    if fields is None:
        return OwnedTrain("", "")
    place += "."
    return OwnedTrain(
        reader.text(fields, "id", place),
        reader.text(fields, "name", place),
        reader.texts(fields, "subtrains", place, MAX_LIST),
        reader.flag(fields, "leased", place),
    )


def _bonus(reader: Reader, value: object, place: str) -> HexBonus:
    fields = reader.fields(value, place, _BONUS)
    if fields is None:
        return HexBonus("", (), 0)
    place += "."
    return HexBonus(
        reader.text(fields, "source", place),
        reader.texts(fields, "hexes", place, MAX_LIST),
        reader.number(fields, "amount", place, most=100_000),
    )


def _g1862(reader: Reader, value: object) -> Charter1862:
    fields = reader.fields(value, "g1862", _G1862)
    if fields is None:
        return Charter1862()
    return Charter1862(
        reader.texts(fields, "permits", "g1862.", MAX_LIST),
        reader.number(fields, "sharePrice", "g1862.", most=100_000),
    )


def _g1873(reader: Reader, value: object) -> Mines1873:
    fields = reader.fields(value, "g1873", _G1873)
    if fields is None:
        return Mines1873()
    return Mines1873(reader.texts(fields, "openMines", "g1873.", MAX_LIST))
