"""The facts of a game as frozen data: map, tiles, companies, trains, phases, market, constants.

Facts say what lies in the box; what may be done with it is told by the rules elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from engine.hexes import Coordinate, Layout
from engine.tiles import Tile

HeldBy = Literal["company", "bank", "market"]


@dataclass(frozen=True, eq=False)
class HexFacts:
    """A hex of the map.

    Attributes
    ----------
    name
        Name of the place, "" if it has none.
    printed
        What is printed on the hex; its tile name is the coordinate.
    printed_id
        The name by which recorded games call the printed tile, such as ``I19-3`` (``00-common R2.3``).
    links
        Neighbours by edge, as far as track may lead there (``00-common R4.6``).
    blocked
        Adjacent hexes by edge to which no track may lead.
    """

    id: str
    coordinate: Coordinate
    name: str
    printed: Tile
    printed_id: str
    links: Mapping[int, str] = field(default_factory=dict)
    blocked: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class MapFacts:
    """The map: its hexes by coordinate, columns from left to right, each from top to bottom."""

    layout: Layout
    hexes: Mapping[str, HexFacts]

    def links(self, hex_id: str) -> Mapping[int, str]:
        """Return the neighbours of a hex by edge, without those that cannot be entered."""
        return self.hexes[hex_id].links

    def blocked(self, hex_id: str) -> Mapping[int, str]:
        """Return the adjacent hexes by edge that cannot be entered from a hex."""
        return self.hexes[hex_id].blocked

    def distance(self, one: str, other: str) -> int:
        """Return the straight-line distance of two hexes in steps (``00-common R4.5``)."""
        return self.hexes[one].coordinate.distance(self.hexes[other].coordinate, self.layout)


@dataclass(frozen=True, slots=True)
class Ability:
    """What a private or a company may do besides the ordinary rules.

    Attributes
    ----------
    kind
        "hex_bonus", "blocks_hexes", "tile_lay", "token", "reservation", "choose_ability" or "base".
    owner
        Kind of owner for whom it works ("player", "corporation"), "" if for any.
    when
        Moments at which it may be used; empty for abilities that need no action.
    count
        How often it may be used in the game, ``None`` if there is no such limit.
    hexes, hex, city, slot
        Where it works.
    amount
        Money of a bonus.
    tiles
        Tiles it may lay.
    until
        Phase with whose start it ends.
    """

    kind: str
    owner: str = ""
    when: tuple[str, ...] = ()
    count: int | None = None
    count_this_or: int = 0
    use_across_ors: bool = True
    passive: bool = False
    remove_when_used_up: bool = True
    hexes: tuple[str, ...] = ()
    amount: int = 0
    tiles: tuple[str, ...] = ()
    discount: int = 0
    cost: int = 0
    connect: bool = False
    reachable: bool = False
    special: bool = False
    consume_tile_lay: bool = False
    hex: str = ""
    city: int | None = None
    slot: int | None = None
    price: int = 0
    teleport_price: int | None = None
    special_only: bool = False
    check_tokenable: bool = False
    until: str | None = None


@dataclass(frozen=True, slots=True)
class PrivateFacts:
    """A private company, or the right to found another company.

    Attributes
    ----------
    revenue
        Income per operating round: money, ``None`` (none ever), or the least and the most of a range.
    min_price, max_price
        Between these a company may buy it from a player.
    discount
        By how much its first price lies below its value.
    """

    sym: str
    name: str
    value: int
    revenue: int | tuple[int, int] | None
    min_price: int
    max_price: int
    discount: int = 0
    abilities: tuple[Ability, ...] = ()


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    """A company that can run trains or own mines.

    Attributes
    ----------
    kind
        "minor", "major", "national" (1861), "5-share" (18GB), "railway", "mine" and "external" (1873), or
        "marker".
    homes
        Home hexes in the order of their tokens.
    home_city
        Index of the home city on its tile, ``None`` if the tile has but one.
    shares
        Percent of each certificate, the president's first.
    shares_held_by
        Who holds the certificates at the start.
    """

    sym: str
    name: str
    kind: str
    homes: tuple[str, ...] = ()
    home_city: int | None = None
    token_prices: tuple[int, ...] = ()
    shares: tuple[int, ...] = ()
    shares_held_by: HeldBy = "company"
    float_percent: int | None = None
    max_ownership_percent: int | None = None
    capitalization: str = ""
    abilities: tuple[Ability, ...] = ()

    @property
    def home(self) -> str | None:
        """The (first) home hex."""
        return self.homes[0] if self.homes else None


@dataclass(frozen=True, slots=True)
class Distance:
    """How many stops of some kinds a train may visit, and how many of them pay."""

    nodes: tuple[str, ...]
    pay: int
    visit: int


Reach: TypeAlias = int | tuple[Distance, ...]


@dataclass(frozen=True, slots=True)
class TrainVariant:
    """One printed side of a train card; ``base`` is the name of the card's type."""

    base: str
    name: str
    price: int
    distance: Reach


@dataclass(frozen=True, slots=True)
class TrainFacts:
    """A type of train.

    Attributes
    ----------
    count
        Cards of this type, ``None`` if unlimited.
    distance
        A plain number, or limits per kind of stop.
    rusts_on
        Train type whose first purchase removes this type.
    available_on
        Phase from which this type may be bought out of turn.
    events
        What happens when the first one is bought.
    sides
        Further names under which a card may be bought: (name, price, distance).
    """

    name: str
    count: int | None
    price: int
    distance: Reach
    rusts_on: str | None = None
    available_on: str | None = None
    events: tuple[str, ...] = ()
    multiplier: int = 1
    sides: tuple[tuple[str, int, Reach], ...] = ()
    requires_token: bool = True
    no_local: bool = False

    @property
    def variants(self) -> tuple[TrainVariant, ...]:
        """All names under which a card may be bought, the type's own name first."""
        own = (self.name, self.price, self.distance)
        return tuple(TrainVariant(self.name, *side) for side in (own, *self.sides))


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase; ``on`` is the train with whose first purchase it begins."""

    name: str
    tiles: tuple[str, ...]
    train_limit: int | Mapping[str, int] = field(hash=False)
    operating_rounds: int
    on: str | None = None
    status: tuple[str, ...] = ()

    def limit(self, kind: str) -> int:
        """Return how many trains a company of ``kind`` may own (0 if this kind does not exist any more)."""
        return self.train_limit if isinstance(self.train_limit, int) else self.train_limit.get(kind, 0)


@dataclass(frozen=True, slots=True)
class Cell:
    """A price of the share market; only the first of its ``types`` counts."""

    price: int
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarketFacts:
    """The share market, row by row; ``None`` where a row has no cell."""

    rows: tuple[tuple[Cell | None, ...], ...]
    one_d: bool


@dataclass(frozen=True, slots=True)
class TileLay:
    """One entry of the track quota of a turn (``00-common R5.27``)."""

    lay: bool | str = True
    upgrade: bool | str = True
    cost: int = 0
    cannot_reuse_same_hex: bool = False


@dataclass(frozen=True, kw_only=True)
class Constants:
    """Figures and choices that all games have (``00-common`` section 10); each game adds its own."""

    bank_cash: int | None
    starting_cash: Mapping[int, int]
    cert_limit: Mapping[int, int]
    capitalization: str
    game_end_check: Mapping[str, str]
    sell_buy_order: str = "sell_buy"
    sell_after: str = "first"
    sell_movement: str = "down_share"
    pool_share_drop: str | None = None
    must_sell_in_blocks: bool = False
    market_share_limit: int = 50
    president_sales_to_market: bool = False
    sold_out_increase: bool = True
    cert_limit_includes_privates: bool = True
    home_token_timing: str = "operate"
    track_restriction: str = "semi_restrictive"
    tile_lays: tuple[TileLay, ...] = (TileLay(),)
    must_buy_train: str = "route"
    ebuy_from_others: str = "value"
    ebuy_pres_swap: bool = True
    ebuy_depot_train_must_be_cheapest: bool = True
    min_bid_increment: int = 5
    must_bid_increment_multiple: bool = False
    limit_tokens_after_merger: int | None = None


C = TypeVar("C", bound=Constants)


@dataclass(frozen=True, eq=False)
class GameFacts:
    """All facts of one game for a number of players and a set of options.

    Attributes
    ----------
    options
        The optional rules in force, sorted; those that do not fit the number of players are left out.
    in_play
        Symbols of the companies and privates that a draw at set-up put into this game, ``None`` if not told.
        Printed marks of drawn companies appear on the map only if told.
    companies
        Every company that can take part, in the order of the game's own list.
    markers
        Pieces without business of their own that occupy a place of a company.
    switchers
        Trains that are no cards and run no routes (1873).
    """

    name: str
    players: int
    options: tuple[str, ...]
    map: MapFacts
    tiles: Mapping[str, Tile]
    companies: Mapping[str, CompanyFacts]
    privates: Mapping[str, PrivateFacts]
    trains: Mapping[str, TrainFacts]
    phases: Mapping[str, PhaseFacts]
    market: MarketFacts
    constants: Constants
    starting_cash: int
    cert_limit: int
    markers: Mapping[str, CompanyFacts] = field(default_factory=dict)
    switchers: Mapping[str, TrainVariant] = field(default_factory=dict)
    in_play: tuple[str, ...] | None = None

    @property
    def layout(self) -> Layout:
        """Whether the hexes are flat-topped or pointy-topped."""
        return self.map.layout

    @cached_property
    def train_names(self) -> Mapping[str, TrainVariant]:
        """Every train name with what it stands for; the type of a card is ``trains[variant.base]``."""
        cards = {variant.name: variant for train in self.trains.values() for variant in train.variants}
        return cards | dict(self.switchers)

    @cached_property
    def _bare_train_names(self) -> Mapping[str, TrainVariant]:
        return {name.rstrip("*"): variant for name, variant in self.train_names.items()}

    def train_named(self, name: str) -> TrainVariant:
        """Return the train called ``name``, whatever number of stars (warranties) it carries.

        Raises
        ------
        KeyError
            If the game has no train of that name.
        """
        return self.train_names.get(name) or self._bare_train_names[name.rstrip("*")]

    def typed(self, kind: type[C]) -> C:
        """Return the constants as those of a certain game.

        Raises
        ------
        TypeError
            If these are the facts of another game.
        """
        if not isinstance(self.constants, kind):
            raise TypeError(f"{self.name} has {type(self.constants).__qualname__}, not {kind.__qualname__}")
        return self.constants


T = TypeVar("T", CompanyFacts, PrivateFacts)


def by_sym(items: Iterable[T]) -> dict[str, T]:
    """Return companies or privates by symbol, in the given order."""
    return {item.sym: item for item in items}
