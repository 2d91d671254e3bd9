"""How large a request may be. Each limit is refused by its name, with what was found and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from router.errors import Fault, InvalidInput
from router.problem import RouteProblem


class TooLarge(InvalidInput):
    """A request goes beyond a limit of this server.

    Attributes
    ----------
    limits
        Name of each limit that is exceeded, and how much is allowed.
    """

    def __init__(self, faults: list[Fault], limits: Mapping[str, str] | None = None) -> None:
        super().__init__(faults)
        self.limits = dict(limits or {})


@dataclass(frozen=True, slots=True)
class Sizes:
    """The largest problem that is accepted."""

    hexes: int = 2000
    nodes: int = 1000
    segments: int = 5000
    trains: int = 64

    def judge(self, found: Mapping[str, int], fields: Mapping[str, str]) -> None:
        """Refuse what is too large.

        Parameters
        ----------
        found
            How many there are of each.
        fields
            The field of the request that holds each.

        Raises
        ------
        TooLarge
            With every limit that is exceeded.
        """
        over = {name: number for name, number in found.items() if number > getattr(self, name)}
        if over:
            faults = [
                Fault(fields[name], f"{number} {name}; this server takes {getattr(self, name)} at most")
                for name, number in over.items()
            ]
            raise TooLarge(faults, {name: str(getattr(self, name)) for name in over})


def sizes_of(problem: RouteProblem) -> dict[str, int]:
    """Return how large a problem is."""
    hexes = {hex for segment in problem.segments for hex in segment.hexes} | {it.hex for it in problem.nodes}
    return {
        "hexes": max(len(problem.hexes), len(hexes)),
        "nodes": len(problem.nodes),
        "segments": len(problem.segments),
        "trains": len(problem.trains),
    }
