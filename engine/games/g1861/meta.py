"""What 1861 is: players, options, figures."""

from dataclasses import dataclass, field

from engine.facts import Constants, TileLay

NAME = "1861"
TITLE = "1861"
PLAYERS = (2, 3, 4, 5, 6)
OPTIONS = {"column_market": PLAYERS}

# Cards taken out when two play.
TRAINS_REMOVED_TWO_PLAYERS = {"2": 3, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1}


@dataclass(frozen=True, kw_only=True)
class Constants1861(Constants):
    """Figures of 1861.

    Attributes
    ----------
    bonus_capitals, bonus_revenue, bonus, double_bonus
        A route that counts one of the capitals and the other hex earns the bonus, with a doubling train the
        double one.
    green_corporations
        Minors that exist only from phase 3.
    national_reservations
        Hexes in which the state railway keeps a token place.
    corporation_sizes
        How a company with so many shares is called.
    trains_remove_2_player
        Cards of each type that are taken out when two play.
    """

    bonus_capitals: tuple[str, ...] = ("H8",)
    bonus_revenue: str = "Q3"
    bonus: int = 40
    double_bonus: int = 80
    green_corporations: tuple[str, ...] = ("MB", "Y", "V", "TR", "SV", "E")
    national_reservations: tuple[str, ...] = ("E1", "H8")
    minimum_minor_price: int = 50
    tile_upgrades_must_use_max_exits: tuple[str, ...] = ("cities",)
    all_companies_assignable: bool = True
    cert_limit_change_on_bankruptcy: bool = True
    corporation_sizes: dict[int, str] = field(default_factory=lambda: {2: "small", 10: "large"})
    game_end_timing_priority: tuple[str, ...] = ("one_more_full_or_set", "current_or")
    trains_remove_2_player: dict[str, int] = field(default_factory=lambda: dict(TRAINS_REMOVED_TWO_PLAYERS))


CONSTANTS = Constants1861(
    bank_cash=15000,
    starting_cash={2: 420, 3: 420, 4: 315, 5: 252, 6: 210},
    cert_limit={2: 21, 3: 21, 4: 16, 5: 13, 6: 11},
    capitalization="incremental",
    game_end_check={"bank": "current_or", "final_phase": "one_more_full_or_set"},
    sell_after="operate",
    sell_movement="down_block_pres",
    pool_share_drop="none",
    home_token_timing="par",
    tile_lays=(TileLay(), TileLay(upgrade="not_if_upgraded", cost=20, cannot_reuse_same_hex=True)),
    must_buy_train="always",
    must_bid_increment_multiple=True,
    ebuy_depot_train_must_be_cheapest=False,
    limit_tokens_after_merger=2,
)
