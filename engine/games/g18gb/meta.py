"""What 18GB is: players, options, scenarios, figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.facts import Constants, TileLay

NAME = "18GB"
TITLE = "18GB"
PLAYERS = (2, 3, 4, 5, 6)
OPTIONS = {"two_player_ns": (2,), "two_player_ew": (2,), "four_player_alt": (4,)}


@dataclass(frozen=True, eq=False)
class Scenario:
    """What differs by number of players and option.

    Attributes
    ----------
    map
        "Standard", "2NS" or "2EW".
    corporations, corporation_extra
        The companies that take part, and those of which one more is drawn.
    tier2_corps
        How many companies can be started only later.
    required_bids
        Winning bids that a player must hold to be allowed to pass in the auction.
    gray_tiles
        Whether the gray tiles are in the supply.
    compass_hexes
        The hexes that count as N, E, S and W for the compass bonus.
    """

    name: str
    map: str
    cert_limit: int
    starting_cash: int
    train_counts: Mapping[str, int]
    corporations: tuple[str, ...]
    companies: tuple[str, ...]
    compass_hexes: Mapping[str, tuple[str, ...]]
    tier2_corps: int
    corporation_extra: tuple[str, ...] = ()
    required_bids: int = 1
    gray_tiles: bool = False


def _counts(*counts: int) -> Mapping[str, int]:
    return dict(zip(("2+1", "3+1", "4+2", "5+2", "4X", "5X", "6X"), counts, strict=True))


def _compass(north: str, east: str, south: str, west: str) -> Mapping[str, tuple[str, ...]]:
    return {side: tuple(text.split()) for side, text in zip("NESW", (north, east, south, west), strict=True)}


_STANDARD = _compass("G0 I0 K0", "K0 K22 J27 G26", "J27 G26 D27 a25", "a19 a25 C16 C14 E6")
_ALL = ("CR", "GER", "GSWR", "GWR", "LNWR", "LSWR", "LYR", "MR", "MSLR", "NBR", "NER", "SWR")
_NORTH = ("CR", "LNWR", "LYR", "MR", "NBR", "NER")
_NORTH_PRIVATES = ("LB", "AF", "GN", "SD", "LM", "LS")

SCENARIOS = {
    item.name: item
    for item in (
        Scenario(
            "2NS",
            "2NS",
            cert_limit=19,
            starting_cash=375,
            train_counts=_counts(4, 3, 3, 1, 2, 2, 6),
            corporations=_NORTH,
            companies=_NORTH_PRIVATES,
            compass_hexes=_compass("G0 I0 K0", "K0 K22 J27 G26", "J27 G26 D27", "E6"),
            tier2_corps=3,
            required_bids=2,
        ),
        Scenario(
            "2EW",
            "2EW",
            cert_limit=19,
            starting_cash=375,
            train_counts=_counts(4, 3, 3, 1, 2, 2, 6),
            corporations=("GER", "GWR", "LNWR", "LSWR", "MR", "SWR"),
            companies=("LB", "GN", "LM", "LS", "TV", "CH"),
            compass_hexes=_compass("H9 J11", "K22 J27 G26", "a25 J27 G26 D27", "a19 a25 C16 C14"),
            tier2_corps=3,
            required_bids=2,
        ),
        Scenario(
            "3",
            "Standard",
            cert_limit=14,
            starting_cash=330,
            train_counts=_counts(5, 4, 4, 1, 2, 2, 7),
            corporations=_NORTH,
            corporation_extra=("GSWR", "GWR", "MSLR"),
            companies=_NORTH_PRIVATES,
            compass_hexes=_STANDARD,
            tier2_corps=3,
        ),
        Scenario(
            "4Std",
            "Standard",
            cert_limit=14,
            starting_cash=330,
            train_counts=_counts(7, 5, 5, 2, 3, 2, 7),
            corporations=("CR", "GWR", "LNWR", "LSWR", "LYR", "MR", "NBR", "NER", "SWR"),
            companies=("LB", "AF", "GN", "SD", "LM", "LS", "TV", "CH"),
            compass_hexes=_STANDARD,
            tier2_corps=4,
        ),
        Scenario(
            "4Alt",
            "Standard",
            cert_limit=14,
            starting_cash=330,
            train_counts=_counts(7, 5, 5, 2, 3, 2, 7),
            corporations=("CR", "GSWR", "GWR", "LNWR", "LYR", "MR", "MSLR", "NBR", "NER"),
            companies=("LB", "AF", "GN", "SD", "LM", "LS", "MC", "CH"),
            compass_hexes=_STANDARD,
            tier2_corps=4,
        ),
        Scenario(
            "5",
            "Standard",
            cert_limit=14,
            starting_cash=320,
            train_counts=_counts(9, 6, 5, 3, 3, 3, 8),
            corporations=_ALL,
            companies=("LB", "AF", "GN", "SD", "LM", "LS", "TV", "MC", "CH"),
            compass_hexes=_STANDARD,
            tier2_corps=6,
            gray_tiles=True,
        ),
        Scenario(
            "6",
            "Standard",
            cert_limit=12,
            starting_cash=305,
            train_counts=_counts(10, 7, 6, 3, 3, 3, 8),
            corporations=_ALL,
            companies=("LB", "AF", "GN", "SD", "LM", "LS", "TV", "MC", "CH"),
            compass_hexes=_STANDARD,
            tier2_corps=6,
            gray_tiles=True,
        ),
    )
}


def scenario(players: int, options: frozenset[str]) -> Scenario:
    """Return the scenario for a number of players and the options in force."""
    if players == 2:
        return SCENARIOS["2EW" if "two_player_ew" in options else "2NS"]
    if players == 4:
        return SCENARIOS["4Alt" if "four_player_alt" in options else "4Std"]
    return SCENARIOS[str(players)]


@dataclass(frozen=True, slots=True)
class Estuary:
    """A crossing: its hex, its label, the edges joined by the track that pays, and what that pays."""

    hex: str
    label: str
    edges: tuple[int, int]
    amount: int


@dataclass(frozen=True, kw_only=True)
class Constants18GB(Constants):
    """Figures of 18GB.

    Attributes
    ----------
    scenario
        The scenario that is played.
    compass_bonus_hexes
        The printed hexes that show the value of the north-south and of the east-west bonus.
    estuaries
        The river crossings that earn a bonus.
    distance_bonus
        What an X train earns per hex of distance between its ends.
    valid_abilities_open, valid_abilities_closed
        Abilities that a private has before and after it is closed.
    """

    scenario: Scenario
    scenarios: Mapping[str, Scenario] = field(default_factory=lambda: SCENARIOS)
    compass_bonus_hexes: tuple[str, str] = ("C8", "C10")
    estuaries: tuple[Estuary, ...] = (Estuary("I4", "FT", (4, 5), 40), Estuary("C22", "S", (2, 5), 30))
    distance_bonus: int = 10
    bankruptcy_allowed: bool = False
    cert_limit_types: tuple[str, ...] = ()
    discarded_trains: str = "remove"
    next_sr_player_order: str = "first_to_pass"
    only_highest_bid_committed: bool = True
    show_share_percent_ownership: bool = True
    valid_abilities_open: tuple[str, ...] = ("blocks_hexes", "choose_ability", "reservation")
    valid_abilities_closed: tuple[str, ...] = ("hex_bonus", "reservation", "tile_lay", "token")


def constants(players: int, options: frozenset[str]) -> Constants18GB:
    """Return the figures for a number of players and the options in force."""
    chosen = scenario(players, options)
    return Constants18GB(
        scenario=chosen,
        bank_cash=None,
        starting_cash={players: chosen.starting_cash},
        cert_limit={players: chosen.cert_limit},
        capitalization="full",
        game_end_check={"final_train": "current_or", "stock_market": "current_or"},
        sell_after="any_time",
        must_sell_in_blocks=True,
        market_share_limit=100,
        president_sales_to_market=True,
        sold_out_increase=False,
        cert_limit_includes_privates=False,
        home_token_timing="start",
        track_restriction="restrictive",
        tile_lays=(TileLay(), TileLay()),
        ebuy_from_others="never",
        min_bid_increment=5,
        must_bid_increment_multiple=True,
    )
