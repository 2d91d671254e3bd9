"""The trains and phases of 18GB; how many there are depends on the scenario."""

from engine.facts import Distance, PhaseFacts, TrainFacts


def _mixed(stops: int, towns: int) -> tuple[Distance, ...]:
    """So many stops of any kind and so many towns besides."""
    return (
        Distance(("town",), pay=towns, visit=towns),
        Distance(("city", "offboard", "town"), pay=stops, visit=stops),
    )


def _express(stops: int) -> tuple[Distance, ...]:
    """So many cities and off-boards; towns are passed without pay."""
    return (Distance(("city", "offboard"), pay=stops, visit=stops), Distance(("town",), pay=0, visit=99))


# The counts are those of the scenario for four; each scenario tells its own.
TRAINS: tuple[TrainFacts, ...] = (
    TrainFacts("2+1", 7, 80, _mixed(2, 1), rusts_on="4+2"),
    TrainFacts("3+1", 5, 200, _mixed(3, 1), rusts_on="4X", events=("float_60",)),
    TrainFacts("4+2", 5, 300, _mixed(4, 2), rusts_on="6X"),
    TrainFacts("5+2", 2, 500, _mixed(5, 2), events=("float_10_share",)),
    TrainFacts("4X", 3, 550, _express(4)),
    TrainFacts("5X", 2, 650, _express(5), available_on="4X"),
    TrainFacts("6X", 7, 700, _express(6), available_on="5X", events=("remove_unstarted",)),
)

_COLORS = ("yellow", "green", "blue", "brown", "gray")

PHASES: tuple[PhaseFacts, ...] = (
    PhaseFacts("2+1", _COLORS[:1], {"5-share": 3, "10-share": 4}, 2),
    PhaseFacts("3+1", _COLORS[:2], {"5-share": 3, "10-share": 4}, 2, on="3+1"),
    PhaseFacts("4+2", _COLORS[:3], {"5-share": 2, "10-share": 3}, 2, on="4+2"),
    PhaseFacts("5+2", _COLORS[:4], {"5-share": 2, "10-share": 3}, 2, on="5+2"),
    PhaseFacts("4X", _COLORS[:4], 2, 2, on="4X"),
    PhaseFacts("5X", _COLORS[:4], 2, 2, on="5X"),
    PhaseFacts("6X", _COLORS, 2, 2, on="6X", status=("only_pres_drop",)),
)
