"""Track that no route can use: behind stops where no train may end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from router.problem import Node, Segment, Train


def useful_segments(
    nodes: Mapping[str, Node],
    segments: tuple[Segment, ...],
    trains: Sequence[Train],
    *,
    past_blocked: bool = False,
) -> tuple[Segment, ...]:
    """Return the segments without those that lie on no route of any of the trains.

    A stop is of use if some train may end there, or may pass it and there are two neighbours to come from and
    to go to.

    Parameters
    ----------
    past_blocked
        Whether some route may pass blocked stops.
    """
    if all(train.ends is None and train.through is None and train.stops is None for train in trains):
        return segments
    ends = _allowed(nodes, [(train.ends, train.stops) for train in trains])
    passed = _allowed(nodes, [(train.through, train.stops) for train in trains])
    passed.difference_update(name for name in passed.copy() if _ends_routes(nodes[name], past_blocked))
    neighbors: dict[str, set[str]] = {name: set() for name in nodes}
    for segment in segments:
        neighbors[segment.a].add(segment.b)
        neighbors[segment.b].add(segment.a)
    ahead = list(nodes)
    useless = set()
    while ahead:
        name = ahead.pop()
        around = neighbors[name]
        if name in useless or name in ends or (name in passed and len(around) > 1):
            continue
        useless.add(name)
        for other in around:
            neighbors[other].discard(name)
        ahead.extend(around)
    if not useless:
        return segments
    return tuple(segment for segment in segments if segment.a not in useless and segment.b not in useless)


def _allowed(
    nodes: Iterable[str], limits: Iterable[tuple[frozenset[str] | None, frozenset[str] | None]]
) -> set[str]:
    """Return the nodes that lie within both limits of some train."""
    found: set[str] = set()
    for one, other in limits:
        if one is None:
            found.update(nodes if other is None else other)
        else:
            found |= one if other is None else one & other
    return found


def _ends_routes(node: Node, past_blocked: bool) -> bool:
    return node.terminal or node.kind == "offboard" or (node.blocked and not past_blocked)
