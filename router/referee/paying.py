"""Which stops of one route pay.

A paying set holds every visited stop of the ``must_pay`` kinds and obeys each limit of ``pay``. A paying stop
brings its money unless ``hex_pays_once`` holds and an earlier paying stop of the route lies in its hex, or
unless (where stops pay once over several routes) an earlier route already counts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from itertools import combinations

from router.problem import StopBonus
from router.referee.book import Book, Run

_FEW = 4
"""Number of stops of which every set is tried."""
_WIDTH = 20
"""Bits in which a limit counts its stops; more than the largest problem has nodes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A paying set.

    Attributes
    ----------
    positions
        Places of the paying stops on the route, ascending.
    value
        Money that it brings whatever other routes do: uncontested stops and stop bonuses.
    rank
        Among choices that bring the same the highest rank is taken: more stops, then stops nearer to the
        begin.
    contested
        Contested stops that it counts, with the money that each brings if no earlier route counts it.
    """

    positions: tuple[int, ...]
    value: int
    rank: tuple[int, int]
    contested: Mapping[str, int]


def positions_that_pay(book: Book, run: Run) -> list[int]:
    """Return the places of the stops that pay on a route whose stops no other route takes away."""
    train = run.runner
    paying, nodes = train.paying, run.nodes
    places = [i for i, node in enumerate(nodes) if node.kind in paying]
    if not train.pay and (train.must_pay is None or not train.hex_pays_once):
        return places
    if not train.hex_pays_once or len({nodes[i].hex for i in places}) == len(places):
        quick = _quick(book, run, places)
        if quick is not None:
            return quick
    return list(choices(book, run, frozenset())[0].positions)


def _quick(book: Book, run: Run, places: list[int]) -> list[int] | None:
    """Solve the case that at most one limit decides and bonuses or tokens hang on few stops.

    Every set of those few is tried, filled up with the most valuable of the others.
    """
    train = run.runner
    nodes, ids, must = run.nodes, run.ids, train.always_pays
    limits = [lim for lim in train.pay if sum([nodes[i].kind in lim.kinds for i in places]) > lim.most]
    if not limits:
        return places
    inside = limits[0].kinds
    spare = [i for i in places if nodes[i].kind not in must]
    if len(limits) > 1 or any(nodes[i].kind not in inside for i in spare):
        return None
    fixed = [i for i in places if nodes[i].kind in must]
    room = limits[0].most - sum([nodes[i].kind in inside for i in fixed])
    kind, factor = train.kind, train.multiplier
    spare.sort(key=lambda i: -nodes[i].worth(kind))
    bonuses = [
        bonus
        for bonus in book.stop_bonuses
        if all(not nodes_.isdisjoint(ids) for nodes_ in bonus.all_of) and bonus.worth(kind)
    ]
    token = train.token_pays and not any(nodes[i].token for i in fixed)
    special = [
        i
        for i in spare
        if (token and nodes[i].token) or any(ids[i] in nodes_ for bonus in bonuses for nodes_ in bonus.all_of)
    ]
    if not special:
        return sorted(fixed + spare[:room])
    if len(special) > _FEW:
        return None
    plain = [i for i in spare if i not in special]
    best: tuple[int, int, list[int]] | None = None
    for number in range(min(len(special), room) + 1):
        for some in combinations(special, number):
            chosen = fixed + list(some) + plain[: room - number]
            if token and not any(nodes[i].token for i in chosen):
                continue
            value = factor * sum([nodes[i].worth(kind) for i in chosen])
            if bonuses:
                here = {ids[i] for i in chosen}
                for bonus in bonuses:
                    if all(not nodes_.isdisjoint(here) for nodes_ in bonus.all_of):
                        value += bonus.worth(kind)
            chosen.sort()
            # More stops, then stops nearer to the begin.
            entry = (value, len(chosen), [-i for i in chosen])
            if best is None or entry > best:
                best = entry
    return None if best is None else [-i for i in best[2]]


def choices(book: Book, run: Run, contested: Set[str]) -> list[Choice]:
    """Return the best paying set for each way of counting contested stops.

    Parameters
    ----------
    contested
        Ids of the stops that another route may count too.

    Notes
    -----
    Dynamic programming along the route. A state is what later steps may depend on: how full the limits are,
    and flags for the tokens, hexes, bonus sets and contested stops met by the paying stops so far.
    """
    train = run.runner
    nodes, must = run.nodes, train.always_pays
    places = [i for i, node in enumerate(nodes) if node.kind in train.paying]
    flags = _flags(book, run, places, contested)
    full = [
        sum(1 for i in places if nodes[i].kind in must and nodes[i].kind in lim.kinds) for lim in train.pay
    ]
    start = sum(count << (_WIDTH * j) for j, count in enumerate(full))
    states: dict[tuple[int, int], tuple[int, int, int]] = {(start, 0): (0, 0, 0)}
    last = len(nodes)
    for i in places:
        kind = nodes[i].kind
        forced = kind in must
        worth = nodes[i].worth(train.kind) * train.multiplier
        mask = 1 << (last - i)
        inside = [j for j, limit in enumerate(train.pay) if kind in limit.kinds]
        after: dict[tuple[int, int], tuple[int, int, int]] = {} if forced else dict(states)
        for (counts, seen), (value, number, chosen) in states.items():
            if not forced:
                if any((counts >> (_WIDTH * j)) % (1 << _WIDTH) >= train.pay[j].most for j in inside):
                    continue
                counts += sum(1 << (_WIDTH * j) for j in inside)
            earns = not seen & flags.hex[i]
            seen |= flags.always[i]
            if flags.earning[i]:
                seen |= flags.earning[i] if earns else 0
            elif earns:
                value += worth
            entry = (value, number + 1, chosen | mask)
            key = (counts, seen)
            if key not in after or after[key] < entry:
                after[key] = entry
        states = after
    return _finish(run, places, flags, states)


class _Flags:
    """Bits by which a state remembers what its paying stops have met."""

    __slots__ = ("always", "bonuses", "earning", "hex", "token")

    def __init__(self, size: int) -> None:
        self.always = [0] * size
        self.earning = [0] * size
        self.hex = [0] * size
        self.token = 0
        self.bonuses: list[tuple[StopBonus, int]] = []


def _flags(book: Book, run: Run, places: list[int], contested: Set[str]) -> _Flags:
    train, nodes, ids = run.runner, run.nodes, run.ids
    flags = _Flags(len(nodes))
    bit = 1
    if train.token_pays:
        flags.token = bit
        for i in places:
            if nodes[i].token:
                flags.always[i] |= bit
        bit <<= 1
    if train.hex_pays_once:
        for hex_ in {nodes[i].hex for i in places}:
            here = [i for i in places if nodes[i].hex == hex_]
            if len(here) > 1:
                for i in here:
                    flags.hex[i] = bit
                    flags.always[i] |= bit
                bit <<= 1
    for bonus in book.stop_bonuses:
        hits = [[i for i in places if ids[i] in nodes_] for nodes_ in bonus.all_of]
        if all(hits) and bonus.worth(train.kind):
            needed = 0
            for places_ in hits:
                for i in places_:
                    flags.always[i] |= bit
                needed |= bit
                bit <<= 1
            flags.bonuses.append((bonus, needed))
    for i in places:
        if ids[i] in contested:
            flags.always[i] |= bit
            flags.earning[i] = bit << 1
            bit <<= 2
    return flags


def _finish(
    run: Run,
    places: list[int],
    flags: _Flags,
    states: Mapping[tuple[int, int], tuple[int, int, int]],
) -> list[Choice]:
    nodes, train = run.nodes, run.runner
    last = len(nodes)
    worth = {i: nodes[i].worth(train.kind) * train.multiplier for i in places if flags.earning[i]}
    contested = sum(1 << (last - i) for i in worth)
    earning = sum(flags.earning[i] for i, money in worth.items() if money)
    best: dict[tuple[int, int], tuple[int, int, int, int]] = {}
    for (_, seen), (value, number, chosen) in states.items():
        if seen & flags.token != flags.token:
            continue
        for bonus, needed in flags.bonuses:
            if seen & needed == needed:
                value += bonus.worth(train.kind)
        entry = (value, number, chosen, seen & earning)
        key = (chosen & contested, seen & earning)
        if key not in best or best[key] < entry:
            best[key] = entry
    return [
        Choice(
            tuple([i for i in places if chosen & 1 << (last - i)]),
            value,
            (number, chosen),
            {
                run.ids[i]: money if earned & flags.earning[i] else 0
                for i, money in worth.items()
                if chosen & 1 << (last - i)
            },
        )
        for value, number, chosen, earned in sorted(best.values(), reverse=True)
    ]
