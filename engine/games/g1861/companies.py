"""The companies and privates of 1861."""

from engine.facts import Ability, CompanyFacts, PrivateFacts


def _minor(sym: str, name: str, home: str, city: int | None = None) -> CompanyFacts:
    return CompanyFacts(
        sym, name, "minor", (home,), city, (0,), (100,), "company", 100, 100, capitalization="incremental"
    )


def _major(sym: str, name: str) -> CompanyFacts:
    return CompanyFacts(
        sym,
        name,
        "major",
        token_prices=(0, 20, 40),
        shares=(20, 10, 10, 10, 10, 10, 10, 10, 10),
        float_percent=20,
        max_ownership_percent=60,
        capitalization="incremental",
    )


COMPANIES: tuple[CompanyFacts, ...] = (
    _minor("RO", "Riga-Orel Railway", "B4"),
    _minor("KB", "Kiev-Brest Railway", "D14", 1),
    _minor("OK", "Odessa-Kiev Railway", "D20"),
    _minor("KK", "Kiev-Kursk Railway", "D14", 2),
    _minor("SPW", "St. Petersburg Warsaw", "E1", 0),
    _minor("KR", "Kharkiv-Rostov Railway", "G15"),
    _minor("N", "Nikolaev Railway", "H8", 1),
    _minor("M-K", "Moscow-Kursk Railway", "H8", 0),
    _minor("MNN", "Moscow-Nizhnii Novgorod", "H8", 2),
    _minor("MV", "Moscow-Voronezh Railway", "I13"),
    _major("NW", "North Western Railway"),
    _major("SW", "Southwestern Railway"),
    _major("SE", "Southeastern Railway"),
    _major("MVR", "Moscow, Vindava & Rybinsk Railway"),
    _major("MK", "Moscow & Kazan Railway"),
    _major("GRR", "Grand Russian Railway"),
    _major("MKN", "Moscow, Kursk & Nizhnii Novgorod"),
    _major("MKV", "Moscow, Kiev & Voronezh Railway"),
    _minor("MB", "Moscow-Brest Railway", "E9"),
    _minor("Y", "Yuzovka Railway", "H18"),
    _minor("V", "Vladikavkaz Railway", "I19"),
    _minor("TR", "Tsaritsyn-Riga Railway", "K17"),
    _minor("SV", "Samara-Vyazma Railway", "N10"),
    _minor("E", "Ekaterinin Railway", "Q3"),
    CompanyFacts(
        "RSR",
        "Russian State Railway",
        "national",
        ("E1",),
        1,
        token_prices=(0,) * 8,
        float_percent=60,
        capitalization="incremental",
    ),
)

# For two players.
MAJOR_OWNERSHIP_TWO_PLAYERS = 70


def _private(sym: str, name: str, value: int, revenue: int, *bonus_hexes: str) -> PrivateFacts:
    """Return a private that adds 10 to some hexes for the corporation that owns it."""
    bonus = Ability("hex_bonus", owner="corporation", passive=True, hexes=bonus_hexes, amount=10)
    return PrivateFacts(
        sym, name, value, revenue, 1, value, discount=revenue, abilities=(bonus,) if bonus_hexes else ()
    )


PRIVATES: tuple[PrivateFacts, ...] = (
    _private("TSR", "Tsarskoye Selo Railway", 30, 10),
    _private("BSS", "Black Sea Shipping Company", 45, 15, "D20"),
    _private("MYR", "Moscow - Yaroslavl Railway", 60, 20, "H8"),
    _private("MRR", "Moscow - Ryazan Railway", 75, 25, "H8"),
    _private("WVR", "Warsaw - Vienna Railway", 90, 30, "A9", "A11", "A13", "A15"),
    PrivateFacts(
        "3",
        "rules until start of phase 3",
        3,
        0,
        1,
        3,
        abilities=(Ability("blocks_hexes", passive=True, hexes=("E3", "H6", "I5", "I9", "J10")),),
    ),
)
