"""Sets of meeting routes that together touch two areas: the partition that brings most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from router.problem import AreaBonus, Node
from router.referee.book import Run

_FEW = 7
"""Number of routes up to which every partition is looked at."""


@dataclass(frozen=True, slots=True)
class AreaCredit:
    """Money that a set of routes earns; ``leader`` is the place of its first route."""

    leader: int
    amount: int
    why: str


def area_credits(term: AreaBonus, runs: Sequence[Run], nodes: Mapping[str, Node]) -> list[AreaCredit]:
    """Return what the best partition of ``runs`` earns.

    Of the partitions that bring most, one that arises by adding route after route in listed order is
    preferred, then one with more sets, then the first when each route in turn opens a set of its own rather
    than joining the first, second, ... set.
    """
    touched = [_touched(term, run) for run in runs]
    meets = _meetings(term, runs, nodes)
    earned: list[AreaCredit] = []
    for group in _hanging_together(meets):
        reached = frozenset().union(*(touched[i] for i in group))
        if not _amount(term, reached):
            continue
        for part in _best_partition(term, group, touched, meets):
            areas = frozenset().union(*(touched[i] for i in part))
            for one, other, amount in term.pairs:
                if amount and one in areas and other in areas:
                    names = ", ".join(f"routes[{runs[i].index}]" for i in part)
                    earned.append(AreaCredit(part[0], amount, f"{names} touch {one} and {other}"))
    return earned


def _touched(term: AreaBonus, run: Run) -> frozenset[str]:
    return frozenset(name for name, nodes in term.areas.items() if not nodes.isdisjoint(run.ids))


def _meetings(term: AreaBonus, runs: Sequence[Run], nodes: Mapping[str, Node]) -> list[set[int]]:
    """Return for each route the others that it meets."""
    places = [{name for name in run.ids if nodes[name].kind in term.meeting} for run in runs]
    everyone = range(len(runs))
    return [{j for j in everyone if j != i and not places[i].isdisjoint(places[j])} for i in everyone]


def _hanging_together(meets: Sequence[set[int]]) -> Iterator[list[int]]:
    """Yield the routes that are connected by meetings, however indirectly."""
    left = set(range(len(meets)))
    for i in range(len(meets)):
        if i not in left:
            continue
        group, edge = {i}, [i]
        while edge:
            new = meets[edge.pop()] - group
            group |= new
            edge.extend(new)
        left -= group
        yield sorted(group)


def _amount(term: AreaBonus, areas: frozenset[str]) -> int:
    return sum([amount for one, other, amount in term.pairs if one in areas and other in areas])


def _best_partition(
    term: AreaBonus, group: list[int], touched: Sequence[frozenset[str]], meets: Sequence[set[int]]
) -> list[list[int]]:
    """Return the best partition of ``group`` into sets that hang together."""
    if len(group) == 1:
        return [group]
    if len(group) > _FEW:
        return sorted(_Packing(term, touched, meets).best(frozenset(group))[1])
    best: tuple[tuple[int, bool, int], list[list[int]]] | None = None
    for parts, listed in _partitions(group, meets):
        if not listed and not all(_hangs(part, meets) for part in parts):
            continue
        total = sum([_amount(term, frozenset().union(*[touched[i] for i in part])) for part in parts])
        key = (total, listed, len(parts))
        if best is None or key > best[0]:
            best = key, [list(part) for part in parts]
    assert best is not None
    return best[1]


class _Packing:
    """The same for many routes: total and number of sets are best, the listed order is not looked at."""

    def __init__(self, term: AreaBonus, touched: Sequence[frozenset[str]], meets: Sequence[set[int]]) -> None:
        self.term = term
        self.touched = touched
        self.meets = meets
        self.known: dict[frozenset[int], tuple[tuple[int, int], list[list[int]]]] = {}

    def best(self, left: frozenset[int]) -> tuple[tuple[int, int], list[list[int]]]:
        """Return (total, number of sets) and the partition of the routes ``left``."""
        if not left:
            return (0, 0), []
        if left not in self.known:
            first = min(left)
            results = []
            for part in self._connected(first, left):
                (total, number), parts = self.best(left - part)
                total += _amount(self.term, frozenset().union(*[self.touched[i] for i in part]))
                results.append(((total, number + 1), [sorted(part), *parts]))
            self.known[left] = max(results, key=lambda result: result[0])
        return self.known[left]

    def _connected(self, first: int, left: frozenset[int]) -> list[frozenset[int]]:
        """Return the sets of routes that hang together around ``first`` and earn more than smaller ones."""
        found = [frozenset({first})]
        seen = set(found)
        useful = []
        for part in found:
            amount = _amount(self.term, frozenset().union(*[self.touched[i] for i in part]))
            if len(part) == 1 or amount:
                useful.append(part)
            if amount == sum(pair[2] for pair in self.term.pairs):
                continue
            for new in sorted(frozenset().union(*[self.meets[i] for i in part]) & left - part):
                more = part | {new}
                if more not in seen:
                    seen.add(more)
                    found.append(more)
        return useful


def _partitions(group: list[int], meets: Sequence[set[int]]) -> Iterator[tuple[list[list[int]], bool]]:
    """Yield every partition, and whether each route met the set that it was added to."""
    parts: list[list[int]] = []

    def add(place: int, listed: bool) -> Iterator[tuple[list[list[int]], bool]]:
        if place == len(group):
            yield parts, listed
            return
        route = group[place]
        parts.append([route])
        yield from add(place + 1, listed)
        parts.pop()
        for part in list(parts):
            met = not meets[route].isdisjoint(part)
            part.append(route)
            yield from add(place + 1, listed and met)
            part.pop()

    return add(0, True)


def _hangs(part: Sequence[int], meets: Sequence[set[int]]) -> bool:
    members = set(part)
    reached, edge = {part[0]}, [part[0]]
    while edge:
        new = (meets[edge.pop()] & members) - reached
        reached |= new
        edge.extend(new)
    return reached == members
