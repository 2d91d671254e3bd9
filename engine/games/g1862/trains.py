"""The trains and phases of 1862.

A card is bought as one of three kinds: freight (F, counts hex edges), local (L, counts cities) or express
(E, counts cities and off-boards). A star in a printed name is a warranty.
"""

from engine.facts import Distance, PhaseFacts, Reach, TrainFacts


def _sides(price: int, freight: str, local: str, express: str) -> tuple[tuple[str, int, Reach], ...]:
    """Return the kinds of a card; a name tells how many stops pay and how many may be visited."""

    def stops(name: str, *kinds: str, towns_pay: int) -> Reach:
        pay, _, visit = name.rstrip("*LE").partition("/")
        return (
            Distance(kinds, pay=int(pay), visit=int(visit or pay)),
            Distance(("town",), pay=towns_pay, visit=99),
        )

    return (
        (freight, price, int(freight.rstrip("*F"))),
        (local, price, stops(local, "city", towns_pay=99)),
        (express, price, stops(express, "city", "offboard", towns_pay=0)),
    )


TRAINS: tuple[TrainFacts, ...] = (
    TrainFacts("A", 7, 100, 99, rusts_on="C", sides=_sides(100, "1F*", "2L*", "2E*"), no_local=True),
    TrainFacts("B", 6, 200, 99, rusts_on="E", sides=_sides(200, "2F", "2/3L", "2/3E")),
    TrainFacts("C", 4, 280, 99, rusts_on="F", sides=_sides(280, "3F", "3L", "3E")),
    TrainFacts("D", 3, 360, 99, rusts_on="G", sides=_sides(360, "5F*", "4L*", "4E*")),
    TrainFacts("E", 3, 500, 99, sides=_sides(500, "6F", "4/5L", "4/5E")),
    TrainFacts("F", 2, 600, 99, sides=_sides(600, "7F", "5L", "5E")),
    TrainFacts("G", 1, 700, 99, sides=_sides(700, "8F", "5/6L", "5/6E")),
    TrainFacts("H", None, 800, 99, sides=_sides(800, "9F", "6L", "6E"), events=("lner_trigger",)),
)

SHORT_LENGTH = {"A": 6, "B": 5}
LONG_LENGTH = {"C": 5, "D": 4}

_COLORS = ("yellow", "green", "brown")

PHASES: tuple[PhaseFacts, ...] = (
    PhaseFacts("A", _COLORS[:1], 3, 1, status=("three_per", "first_rev")),
    PhaseFacts("B", _COLORS[:2], 3, 2, on="B", status=("three_per", "first_rev")),
    PhaseFacts("C", _COLORS[:2], 3, 2, on="C", status=("three_per", "middle_rev")),
    PhaseFacts("D", _COLORS, 3, 3, on="D", status=("three_per", "middle_rev")),
    PhaseFacts("E", _COLORS, 2, 3, on="E", status=("two_per", "last_rev")),
    PhaseFacts("F", _COLORS, 2, 3, on="F", status=("two_per", "last_rev")),
    PhaseFacts("G", _COLORS, 3, 3, on="G", status=("three_total", "last_rev")),
    PhaseFacts("H", _COLORS, 3, 3, on="H", status=("three_total", "last_rev")),
)
