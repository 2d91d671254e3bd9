"""The trains and phases of 18 New England."""

from engine.facts import PhaseFacts, TrainFacts

TRAINS: tuple[TrainFacts, ...] = (
    TrainFacts("2", 10, 100, 2, rusts_on="4"),
    TrainFacts("3", 7, 180, 3, rusts_on="6E"),
    TrainFacts("4", 4, 300, 4, rusts_on="8E"),
    TrainFacts("5E", 4, 500, 5),
    TrainFacts("6E", 3, 600, 6),
    TrainFacts("8E", None, 800, 8),
)

PHASES: tuple[PhaseFacts, ...] = (
    PhaseFacts("2", ("yellow",), {"minor": 2, "major": 4}, 2),
    PhaseFacts("3", ("yellow", "green"), {"minor": 2, "major": 4}, 2, on="3"),
    PhaseFacts("4", ("yellow", "green"), {"minor": 1, "major": 3}, 2, on="4"),
    PhaseFacts("5", ("yellow", "green", "brown"), {"minor": 1, "major": 3}, 2, on="5E"),
    PhaseFacts("6", ("yellow", "green", "brown"), {"minor": 1, "major": 2}, 2, on="6E"),
    PhaseFacts("8", ("yellow", "green", "brown", "gray"), {"minor": 1, "major": 2}, 2, on="8E"),
)
