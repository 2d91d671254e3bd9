"""The trains and phases of 1861."""

from engine.facts import Distance, PhaseFacts, TrainFacts


def _cities(count: int) -> tuple[Distance, ...]:
    """So many cities and off-boards; towns are passed without limit."""
    return (Distance(("city", "offboard"), pay=count, visit=count), Distance(("town",), pay=0, visit=99))


_EXPRESS = (Distance(("offboard",), pay=5, visit=5), Distance(("city", "town"), pay=0, visit=99))
_COLORS = ("yellow", "green", "brown", "gray")

TRAINS: tuple[TrainFacts, ...] = (
    TrainFacts("2", 10, 100, _cities(2), rusts_on="4"),
    TrainFacts("3", 7, 225, _cities(3), rusts_on="6", events=("green_minors_available",)),
    TrainFacts("4", 4, 350, _cities(4), rusts_on="8", events=("majors_can_ipo", "trainless_nationalization")),
    TrainFacts("5", 4, 550, _cities(5), events=("minors_cannot_start",)),
    TrainFacts("6", 2, 650, _cities(6), events=("nationalize_companies", "trainless_nationalization")),
    TrainFacts("7", 2, 800, _cities(7)),
    TrainFacts("8", None, 1000, _cities(8), events=("minors_nationalized", "trainless_nationalization")),
    TrainFacts("2+2", None, 600, _cities(2), available_on="8", multiplier=2),
    TrainFacts("5+5E", None, 1500, _EXPRESS, available_on="8", multiplier=2),
)

PHASES: tuple[PhaseFacts, ...] = (
    PhaseFacts("2", _COLORS[:1], {"minor": 2}, 2),
    PhaseFacts("3", _COLORS[:2], {"minor": 2, "major": 4}, 2, on="3", status=("can_buy_companies",)),
    PhaseFacts(
        "4",
        _COLORS[:2],
        {"minor": 1, "major": 3, "national": 99},
        2,
        on="4",
        status=("can_buy_companies", "national_operates"),
    ),
    PhaseFacts(
        "5",
        _COLORS[:3],
        {"minor": 1, "major": 3, "national": 99},
        2,
        on="5",
        status=("can_buy_companies", "national_operates"),
    ),
    PhaseFacts(
        "6", _COLORS, {"minor": 1, "major": 2, "national": 99}, 2, on="6", status=("national_operates",)
    ),
    PhaseFacts(
        "7", _COLORS, {"minor": 1, "major": 2, "national": 99}, 2, on="7", status=("national_operates",)
    ),
    PhaseFacts("8", _COLORS, {"major": 2, "national": 99}, 2, on="8"),
)
