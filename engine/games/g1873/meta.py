"""What Harzbahn 1873 is: players, options, concessions, mines, figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.facts import Constants, TileLay

NAME = "1873"
TITLE = "Harzbahn 1873"
PLAYERS = (2, 3, 4, 5)
OPTIONS = {"aag_variant": PLAYERS}


@dataclass(frozen=True, slots=True)
class MineInfo:
    """A mine: what it earns with a machine of size 1 to 5, what a switcher of size 2 to 5 adds.

    Attributes
    ----------
    multiplier
        What the mine adds to a railway's stop, times the rank of the train.
    vor_harzer
        Whether it counts as a mine before the Harz.
    connected
        Whether it is linked to the state network from the start.
    """

    name: str
    hex: str
    value: int
    machine_revenue: tuple[int, ...]
    switcher_revenue: tuple[int, ...]
    multiplier: int
    vor_harzer: bool = False
    connected: bool = False
    open: bool = True

    @property
    def revenue_range(self) -> tuple[int, int]:
        """The least and the most the mine can earn."""
        return self.machine_revenue[0], self.machine_revenue[-1] + self.switcher_revenue[-1]


def _steps(first: int, step: int, count: int) -> tuple[int, ...]:
    return tuple(first + step * index for index in range(count))


def _mine(
    name: str, hex_id: str, value: int, revenue: tuple[int, int], *, step: int, **flags: bool
) -> MineInfo:
    """Return a mine by its least machine and switcher revenue.

    A larger machine earns ``step`` more, which is also the multiplier; a larger switcher earns 10 more.
    """
    machine, switcher = revenue
    return MineInfo(name, hex_id, value, _steps(machine, step, 5), _steps(switcher, 10, 4), step, **flags)


MINE_INFO: Mapping[str, MineInfo] = {
    "1": _mine("Königshütte", "E8", 110, (40, 30), step=10, vor_harzer=True),
    "2": _mine("Wurmberg", "E4", 120, (40, 20), step=20),
    "3": _mine("Silberhütte", "I16", 130, (40, 20), step=20),
    "4": _mine("Hüttenrode", "D11", 140, (40, 20), step=20, vor_harzer=True),
    "5": _mine("Braunesumpf", "D13", 150, (50, 40), step=10, vor_harzer=True),
    "6": _mine("Rübeland", "E10", 160, (50, 30), step=20, vor_harzer=True),
    "7": _mine("Lindenberg", "I14", 170, (50, 20), step=30),
    "8": _mine("Netzkater", "I8", 180, (60, 40), step=20),
    "9": _mine("Wieda", "G2", 190, (60, 30), step=30),
    "10": _mine("Elbingerode", "D9", 200, (60, 30), step=30, vor_harzer=True),
    "11": _mine("Tanne", "F7", 220, (70, 50), step=20, vor_harzer=True),
    "12": _mine("Blankenburg", "D15", 240, (70, 50), step=20, vor_harzer=True),
    "13": _mine("Harzgerode", "I18", 260, (70, 40), step=30),
    "14": _mine("Zorge", "G4", 280, (90, 70), step=20, vor_harzer=True),
    "15": _mine("Thale", "F15", 300, (90, 60), step=30, connected=True),
}


@dataclass(frozen=True, slots=True)
class RailwayInfo:
    """The concession of a railway.

    Attributes
    ----------
    concession_routes
        The hexes of each route that must be built and run.
    concession_phase
        Phase in which it is auctioned.
    pending, incomplete
        Whether its duties are not yet fulfilled, and its track not yet built, at the start.
    extra_tokens
        Tokens that are placed only later, beside those of its homes.
    """

    concession_phase: str
    concession_routes: tuple[tuple[str, ...], ...]
    concession_cost: int
    extra_tokens: int
    advanced: bool = False
    concession_pending: bool = True
    concession_incomplete: bool = True


@dataclass(frozen=True, slots=True)
class PublicMineInfo:
    """A public mining company; it begins without mines."""

    vor_harzer: bool = False
    slots: int = 2
    mines: tuple[str, ...] = ()


def _routes(*routes: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(route.split()) for route in routes)


RAILWAY_INFO: Mapping[str, RailwayInfo] = {
    "HBE": RailwayInfo("1", _routes("B19 B17 C16 D15"), 0, 4, advanced=True),
    "GHE": RailwayInfo("1", _routes("G20 H19 H17 I18"), 150, 3, advanced=True),
    "NWE": RailwayInfo("3", _routes("B9 C8 D7 E6 F5 G6", "G6 H7 H9 I8 J7"), 500, 3),
    "SHE": RailwayInfo("3", _routes("E4 F3 G2 H1 I2"), 300, 2),
    "KEZ": RailwayInfo("3", _routes("G4 H3 I4"), 100, 2),
    "WBE": RailwayInfo("4", _routes("B9 C10 C12 C14 D15"), 0, 2),
    "QLB": RailwayInfo("4", (), 0, 2, advanced=True, concession_incomplete=False),
}

PUBLIC_MINE_INFO: Mapping[str, PublicMineInfo] = {
    "U": PublicMineInfo(),
    "HW": PublicMineInfo(vor_harzer=True),
    "CO": PublicMineInfo(),
    "SN": PublicMineInfo(),
    "MO": PublicMineInfo(),
}


@dataclass(frozen=True, slots=True)
class ConcessionTile:
    """A hex of a concession route that needs a tile with certain exits; ``tile`` is the usual one."""

    entity: str
    tile: str
    exits: tuple[int, ...]
    cost: int


CONCESSION_TILES: Mapping[str, ConcessionTile] = {
    "B17": ConcessionTile("HBE", "78", (0, 4), 0),
    "C8": ConcessionTile("NWE", "79", (0, 3), 150),
    "D7": ConcessionTile("NWE", "956", (0, 3), 50),
    "E6": ConcessionTile("NWE", "956", (0, 3), 50),
    "H7": ConcessionTile("NWE", "78", (2, 4), 100),
    "I8": ConcessionTile("NWE", "956", (0, 3), 150),
    "C10": ConcessionTile("WBE", "78", (2, 4), 0),
    "C12": ConcessionTile("WBE", "956", (1, 4), 0),
    "C14": ConcessionTile("WBE", "76", (1, 5), 0),
    "D15": ConcessionTile("WBE", "974", (1, 2), 0),
    "F3": ConcessionTile("SHE", "956", (0, 3), 150),
    "G2": ConcessionTile("SHE", "956", (0, 3), 150),
    "H3": ConcessionTile("KEZ", "78", (3, 5), 100),
    "H19": ConcessionTile("GHE", "78", (1, 3), 150),
}

# Exits of the concession routes inside their hexes; hexes with a home token have none.
CONCESSION_ROUTE_EXITS: Mapping[str, tuple[int, ...]] = {
    **{hex_id: tile.exits for hex_id, tile in CONCESSION_TILES.items() if hex_id != "D15"},
    "C16": (0, 3),
    "F5": (3, 5),
    "H9": (0, 1),
    "H17": (4, 5),
}


@dataclass(frozen=True, slots=True)
class FactoryInfo:
    """A factory and what it adds to a railway's stop."""

    name: str
    revenue: int


FACTORY_INFO: Mapping[str, FactoryInfo] = {
    "B13": FactoryInfo("ZW", 70),
    "C6": FactoryInfo("SB", 60),
    "E18": FactoryInfo("PM", 40),
    "F11": FactoryInfo("SM", 50),
    "H9": FactoryInfo("SB", 50),
}

# fmt: off
_DOUBLE_LAY_TILES = (
    "77", "78", "79", "75", "76", "914", "956", "957", "958", "959", "960", "961",
    "964", "965", "966", "967", "968", "969", "970",
)
# fmt: on

_LEVEL_2 = {"1M": 100, "1T": 100, "2M": 50, "2S": 20, "2T": 100}


@dataclass(frozen=True, kw_only=True)
class Constants1873(Constants):
    """Figures of Harzbahn 1873.

    Attributes
    ----------
    stop_revenue, diesel_stop_revenue
        What a stop pays without an own token, and to a diesel.
    maintenance_by_phase
        Cost per train, machine or switcher in each run, by phase; phase "5a" is as "5".
    double_lay_tiles
        Tiles of which two may be laid in a turn.
    state_network
        Hexes from which the state railways run.
    """

    railway_info: Mapping[str, RailwayInfo] = field(default_factory=lambda: RAILWAY_INFO)
    public_mine_info: Mapping[str, PublicMineInfo] = field(default_factory=lambda: PUBLIC_MINE_INFO)
    mine_info: Mapping[str, MineInfo] = field(default_factory=lambda: MINE_INFO)
    concession_tiles: Mapping[str, ConcessionTile] = field(default_factory=lambda: CONCESSION_TILES)
    concession_route_exits: Mapping[str, tuple[int, ...]] = field(
        default_factory=lambda: CONCESSION_ROUTE_EXITS
    )
    factory_info: Mapping[str, FactoryInfo] = field(default_factory=lambda: FACTORY_INFO)
    stop_revenue: int = 10
    diesel_stop_revenue: int = 10
    hw_bonus: int = 50
    maintenance_by_phase: Mapping[str, Mapping[str, int]] = field(
        default_factory=lambda: {
            "1": {},
            "2": {},
            "3": {"1M": 50, "1T": 50},
            "4": _LEVEL_2,
            "5": _LEVEL_2,
            "D": {"1M": 150, "1T": 150, "2M": 100, "2S": 50, "2T": 150, "3M": 50, "3S": 30, "3T": 150},
        }
    )
    state_network: tuple[str, ...] = ("B9", "E20", "I2")
    double_lay_tiles: tuple[str, ...] = _DOUBLE_LAY_TILES
    legal_75_dbl_upgrades: tuple[str, ...] = ("914", "964", "967", "968")
    legal_76_dbl_upgrades: tuple[str, ...] = ("914", "963", "965", "966", "967", "969")
    legal_956_dbl_upgrades: tuple[str, ...] = ("968", "969", "970")
    diesel_pre_phase: str = "5"
    diesel_purchase_on: str = "5a"
    diesel_pool_highwater: int = 40
    diesel_pool_lowwater: int = 20
    mhe_start_price: int = 120
    railway_min_bid: int = 100
    token_price: int = 100
    switcher_prices: Mapping[int, int] = field(default_factory=lambda: {2: 50, 3: 100, 4: 150, 5: 200})


CONSTANTS = Constants1873(
    bank_cash=None,
    starting_cash={2: 2100, 3: 1400, 4: 1050, 5: 840},
    cert_limit=dict.fromkeys(PLAYERS, 999),
    capitalization="incremental",
    game_end_check={"stock_market": "current_or", "phase_five": "one_more_full_or_set"},
    market_share_limit=100,
    sold_out_increase=False,
    home_token_timing="float",
    track_restriction="restrictive",
    tile_lays=(TileLay(), TileLay(lay="double_lay", upgrade="double_lay")),
    ebuy_from_others="never",
    ebuy_pres_swap=False,
    min_bid_increment=10,
    must_bid_increment_multiple=True,
)
