"""Everything that can be wrong with a route problem, listed in one go.

:func:`faults` is called for every problem that is built, so sound problems take a quick way: each item is
tested by one flat expression, and only an item that fails it is looked at field by field.
"""

from __future__ import annotations

from router.errors import Fault
from router.problem import RouteProblem
from router.validation.board import hexes, nodes, segments, whole
from router.validation.collector import Faults, Ids
from router.validation.terms import conditions, terms
from router.validation.trains import trains


def faults(problem: RouteProblem) -> list[Fault]:
    """Return all faults of ``problem``, each with the path of the field; none if it is sound.

    Whatever the fields hold, this function never raises.
    """
    found = Faults()
    ids = Ids()
    for part in (hexes, nodes, segments, trains, terms, conditions, whole):
        try:
            part(problem, ids, found)
        except Exception as error:  # a field that cannot even be read is a fault like any other
            found.add(part.__name__, f"cannot be read ({type(error).__name__})")
    return found.list


__all__ = ["faults"]
