"""The companies of 1862, in the order of the game's list; each has its home and what it is called."""

from engine.facts import CompanyFacts, PrivateFacts


def _company(sym: str, name: str, home: str) -> CompanyFacts:
    return CompanyFacts(
        sym,
        name,
        "major",
        (home,),
        token_prices=(0, 0, 0),
        shares=(30, 10, 10, 10, 10, 10, 10, 10),
        shares_held_by="bank",
        float_percent=50,
        max_ownership_percent=100,
        capitalization="full",
    )


COMPANIES: tuple[CompanyFacts, ...] = (
    _company("E&H", "Ely & Huntingdon", "C8"),
    _company("ECR", "Eastern Counties Railway", "D13"),
    _company("ENR", "East Norfolk Railway", "F3"),
    _company("ESR", "East Suffolk Railway", "F11"),
    _company("EUR", "Eastern Union Railway", "E12"),
    _company("FDR", "Felixstowe Dock & Railway", "G12"),
    _company("I&B", "Ipswich & Bury Railway", "D9"),
    _company("L&D", "Lynn & Dereham Railway", "D5"),
    _company("L&E", "Lynn & Ely Railway", "C6"),
    _company("L&H", "Lynn & Hunstanton Railway", "C4"),
    _company("N&B", "Norwich & Brandon Railway", "E8"),
    _company("N&E", "Northern & Eastern Railway", "B13"),
    _company("N&S", "Norfolk & Suffolk, Joint Railway", "H7"),
    _company("Y&N", "Yarmouth & Norwich Railway", "H5"),
    _company("NGC", "Newmarket and Great Chesterford Railway", "C10"),
    _company("SVR", "Colchester, Stour Valley, Sudbury & Halstead", "D11"),
    _company("WNR", "West Norfolk Railway", "E2"),
    _company("W&F", "Wells & Fakenham Railway", "E4"),
    _company("WVR", "Waveney Valley Railway", "G8"),
    _company("WStI", "Wisbech, St Ives & Cambridge Junction Rwy", "B5"),
)


def obligation(company: CompanyFacts) -> PrivateFacts:
    """Return the marker that a player holds from winning a company's auction until it floats."""
    return PrivateFacts(company.sym, f"{company.sym} Obligation", 0, 0, 0, 0)


def icon(company: CompanyFacts) -> str:
    """Return the name of a company's icon on its home hex."""
    return company.sym.replace("&", "").upper()
