"""The companies of 18 New England; it has no privates."""

from engine.facts import CompanyFacts


def _minor(sym: str, name: str, home: str, city: int | None = None) -> CompanyFacts:
    return CompanyFacts(
        sym, name, "minor", (home,), city, (0,), (100,), "company", 100, 100, capitalization="incremental"
    )


def _major(sym: str, name: str) -> CompanyFacts:
    return CompanyFacts(
        sym,
        name,
        "major",
        token_prices=(0, 40, 80),
        shares=(20, 10, 10, 10, 10, 10, 10, 10, 10),
        shares_held_by="bank",
        float_percent=20,
        max_ownership_percent=60,
        capitalization="full",
    )


COMPANIES: tuple[CompanyFacts, ...] = (
    _minor("AWS", "Albany and West Stockbridge Railroad", "B3", 1),
    _minor("BL", "Boston and Lowell Railroad", "L5", 0),
    _minor("BP", "Boston & Providence", "K10"),
    _minor("CR", "Connecticut River", "G8", 1),
    _minor("CV", "Connecticut Valley", "E2"),
    _minor("ER", "Eastern Railroad", "L5", 1),
    _minor("FRR", "Fitchburg Railroad", "J3"),
    _minor("GR", "Granite Railway", "L7"),
    _minor("HNH", "Hartford and New Haven", "F13", 1),
    _minor("HRR", "Hudson Railroad", "B3", 0),
    _minor("NLN", "New London Northern Railroad", "F13", 2),
    _minor("NYNH", "New York New Haven Railroad", "F13", 0),
    _minor("NYW", "New York Westchester Boston", "B19"),
    _minor("PE", "Poughkeepsie and Eastern Railway", "B11"),
    _minor("WNR", "Worcester, Nashua and Rochester Railroad", "I6"),
    _major("B&A", "Boston and Albany Railroad"),
    _major("B&M", "Boston and Maine Railroad"),
    _major("CN", "Canadian National Railroad"),
    _major("CVT", "Central Vermont Railroad"),
    _major("D&H", "Delaware and Hudson Railroad"),
    _major("NYC", "New York Central Railroad"),
    _major("NYNHH", "New York, New Haven and Hartford Railroad"),
    _major("P&W", "Providence and Worcester Railroad"),
)

# They show which values of the minors' rows are free, and which are closed.
MARKERS: tuple[CompanyFacts, ...] = (
    CompanyFacts("Y", "Yellow Dummy", "marker", token_prices=(0,)),
    CompanyFacts("G", "Green Dummy", "marker", token_prices=(0,)),
    CompanyFacts("C", "Closed Dummy", "marker", token_prices=(0,)),
)
