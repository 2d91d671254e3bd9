"""What 1862 is: players, options, figures."""

from dataclasses import dataclass, field

from engine.facts import Constants, TileLay

NAME = "1862"
TITLE = "1862"
PLAYERS = (2, 3, 4, 5, 6, 7, 8)
OPTIONS = {"short_length": PLAYERS, "long_length": PLAYERS, "eight_tokens": PLAYERS}


@dataclass(frozen=True, kw_only=True)
class Constants1862(Constants):
    """Figures of 1862.

    Attributes
    ----------
    london_hexes, london_token_hexes
        The off-map areas called London; the hexes whose lone city gives the link to it.
    harwich_hex, ipswitch_hex
        Hexes with tiles of their own.
    freight_bonus, port_freight_bonus
        What a freight run earns per hex of distance, without and with a port at an end.
    local_subsidy
        What each hex brings through which local trains run.
    real_phase_to_rev_phase
        The column of the off-map tables that is valid in a phase.
    chartered_token_cost, unchartered_token_cost
        Price of a token when a company floats.
    norm_tokens, optional_tokens
        The most tokens of a company after a merger, ordinarily and with the option "eight_tokens".
    """

    london_hexes: tuple[str, ...] = ("A12", "A14", "B15", "C14", "D15")
    london_token_hexes: tuple[str, ...] = ("B15", "D15")
    harwich_hex: str = "F13"
    ipswitch_hex: str = "F11"
    freight_bonus: int = 20
    port_freight_bonus: int = 30
    local_subsidy: int = 10
    real_phase_to_rev_phase: dict[str, str] = field(
        default_factory=lambda: {
            **dict.fromkeys("AB", "white"),
            **dict.fromkeys("CD", "gray"),
            **dict.fromkeys("EFGH", "purple"),
        }
    )
    chartered_token_cost: int = 60
    unchartered_token_cost: int = 40
    norm_tokens: int = 7
    optional_tokens: int = 8


CONSTANTS = Constants1862(
    bank_cash=15000,
    starting_cash={2: 1200, 3: 800, 4: 600, 5: 480, 6: 400, 7: 345, 8: 300},
    cert_limit={2: 25, 3: 18, 4: 13, 5: 11, 6: 10, 7: 9, 8: 8},
    capitalization="full",
    game_end_check={"stock_market": "current_or", "bank": "full_or", "lner": "full_or"},
    sell_after="round",
    must_sell_in_blocks=True,
    market_share_limit=100,
    president_sales_to_market=True,
    sold_out_increase=False,
    cert_limit_includes_privates=False,
    home_token_timing="operate",
    tile_lays=(TileLay(), TileLay(lay="not_if_upgraded", upgrade=False)),
    ebuy_from_others="never",
    ebuy_pres_swap=False,
)
