"""The trains and phases of Harzbahn 1873.

The number of a T train is its number of sub-trains, that of an M train the size of a mine's machine.
"""

from engine.facts import PhaseFacts, TrainFacts, TrainVariant

TRAINS: tuple[TrainFacts, ...] = (
    TrainFacts("1T", 2, 100, 1),
    TrainFacts("2T", 10, 250, 2, sides=(("2M", 150, 2),)),
    TrainFacts("3T", 7, 450, 3, sides=(("3M", 300, 3),), events=("remove_locks",)),
    TrainFacts("4T", 3, 750, 4, sides=(("4M", 500, 4),)),
    TrainFacts("5T", 99, 1200, 5, sides=(("5M", 800, 5),)),
    TrainFacts("D", 47, 250, 999, available_on="5a"),
)

# They enlarge mines; the bank makes them on demand.
SWITCHERS = {
    name: TrainVariant(name, name, price, size)
    for name, price, size in (("2S", 50, 2), ("3S", 100, 3), ("4S", 150, 4), ("5S", 200, 5))
}

_COLORS = ("yellow", "green", "brown", "gray")

PHASES: tuple[PhaseFacts, ...] = (
    PhaseFacts("1", _COLORS[:1], 99, 1, status=("HBE_GHE_active",)),
    PhaseFacts("2", _COLORS[:1], 99, 1, on="2T", status=("NWE_SHE_KEZ_may",)),
    PhaseFacts("3", _COLORS[:2], 99, 2, on="3T", status=("NWE_SHE_KEZ_active", "maintenance_level_1")),
    PhaseFacts("4", _COLORS[:2], 99, 2, on="4T", status=("WBE_QLB_active", "maintenance_level_2")),
    PhaseFacts("5", _COLORS[:3], 99, 3, on="5T", status=("end_of_game_trigger", "maintenance_level_2")),
    PhaseFacts("5a", _COLORS[:3], 99, 3, status=("maintenance_level_2",)),
    PhaseFacts("D", _COLORS, 99, 3, on="D", status=("maintenance_level_3",)),
)
