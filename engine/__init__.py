"""The rules side of Trunkline: hexes, tiles, companies and the five games."""

from engine.position import Position
from engine.solving import check_position, solve_position

__all__ = ["Position", "check_position", "solve_position"]
