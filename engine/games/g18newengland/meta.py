"""What 18 New England is: players, figures."""

from dataclasses import dataclass, field

from engine.facts import Constants, TileLay

NAME = "18NewEngland"
TITLE = "18NewEngland"
PLAYERS = (3, 4, 5)


@dataclass(frozen=True, kw_only=True)
class Constants18NewEngland(Constants):
    """Figures of 18 New England.

    Attributes
    ----------
    yellow_prices, green_prices
        Values at which minors are formed; the green ones from phase 3.
    top_minor_row, bottom_minor_row, major_row
        Rows of the market.
    minor_tile_lays
        The track quota of minors.
    num_start_minors
        Minors that can be formed from the start.
    preprinted_upgrades
        The tiles that may replace certain printed hexes.
    """

    yellow_prices: tuple[int, ...] = (50, 55, 60, 65, 70)
    green_prices: tuple[int, ...] = (80, 90, 100)
    top_minor_row: int = 0
    bottom_minor_row: int = 1
    major_row: int = 2
    minor_tile_lays: tuple[TileLay, ...] = (TileLay(),)
    num_start_minors: int = 10
    preprinted_upgrades: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {"L7": ("6",), "K4": ("14", "15", "619"), "G8": ("14", "15", "619")}
    )
    bankruptcy_ends_game_after: str = "all_but_one"


CONSTANTS = Constants18NewEngland(
    bank_cash=12000,
    starting_cash={3: 400, 4: 280, 5: 280},
    cert_limit={3: 20, 4: 16, 5: 13},
    capitalization="full",
    game_end_check={"stock_market": "current_or", "bankrupt": "immediate", "bank": "full_or"},
    sell_movement="left_share_pres",
    sold_out_increase=False,
    home_token_timing="operating_round",
    tile_lays=(TileLay(), TileLay(lay="not_if_upgraded", upgrade=False)),
    must_buy_train="always",
    ebuy_from_others="never",
    limit_tokens_after_merger=999,
)
