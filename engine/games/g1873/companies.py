"""The companies of Harzbahn 1873, and the rights to found or buy them."""

from engine.facts import CompanyFacts, PrivateFacts
from engine.games.g1873.meta import MINE_INFO


def _railway(sym: str, name: str, homes: str, paid_tokens: int) -> CompanyFacts:
    """Return a railway; its home tokens are free, the others cost 100."""
    hexes = tuple(homes.split())
    return CompanyFacts(
        sym,
        name,
        "railway",
        hexes,
        0,
        token_prices=(0,) * len(hexes) + (100,) * paid_tokens,
        shares=(20, 20, 20, 20, 20),
        float_percent=60,
        max_ownership_percent=100,
        capitalization="incremental",
    )


def _public_mine(sym: str, name: str) -> CompanyFacts:
    return CompanyFacts(
        sym,
        name,
        "mine",
        shares=(50, 50),
        float_percent=80,
        max_ownership_percent=100,
        capitalization="incremental",
    )


RAILWAYS: tuple[CompanyFacts, ...] = (
    _railway("HBE", "Halberstadt-Blankenburger Eisenbahn", "B19 D15", 6),
    _railway("GHE", "Gernrode-Harzgeroder Eisenbahn", "G20 I18", 4),
    _railway("NWE", "Nordhausen-Wernigeroder Eisenbahn", "J7 B9 G6", 3),
    _railway("SHE", "Südharzeisenbahn", "I2 E4", 2),
    _railway("KEZ", "Kleinbahn Ellrich-Zorge", "I4 G4", 2),
    _railway("WBE", "Wernigerode-Blankenburger Eisenbahn", "B9 D15", 2),
    _railway("QLB", "Quedlinburger Lokalbahn", "E20", 3),
)

PUBLIC_MINES: tuple[CompanyFacts, ...] = (
    _public_mine("U", "Union"),
    _public_mine("HW", "Harzer Werke"),
    _public_mine("CO", "Concordia"),
    _public_mine("SN", "Schachtbau"),
    _public_mine("MO", "Montania"),
)

EXTERNAL = CompanyFacts(
    "MHE",
    "Magdeburg-Halberstädter Eisenbahn",
    "external",
    shares=(10,) * 10,
    shares_held_by="market",
    float_percent=0,
    max_ownership_percent=100,
    capitalization="incremental",
)

MINES: tuple[CompanyFacts, ...] = tuple(
    CompanyFacts(sym, mine.name + (" (V-H)" if mine.vor_harzer else ""), "minor", (mine.hex,))
    for sym, mine in MINE_INFO.items()
)

COMPANIES: tuple[CompanyFacts, ...] = (*MINES, *RAILWAYS, *PUBLIC_MINES, EXTERNAL)


def _right(sym: str, name: str, value: int, revenue: tuple[int, int] | None) -> PrivateFacts:
    return PrivateFacts(sym, name, value, revenue, value // 2, 2 * value)


PRIVATES: tuple[PrivateFacts, ...] = (
    *(
        _right(sym, f"{sym} {company.name}", MINE_INFO[sym].value, MINE_INFO[sym].revenue_range)
        for sym, company in zip(MINE_INFO, MINES, strict=True)
    ),
    *(_right(item.sym, f"{item.sym} Concession", 100, None) for item in RAILWAYS),
    *(_right(item.sym, f"{item.sym} Purchase Option", 100, None) for item in PUBLIC_MINES),
)
