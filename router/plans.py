"""Chains of linked routes as candidates of their own.

Routes that pay at the ends of a chain are worth something exact only together. So where several may run,
trains are divided into *blocks*, one chain each; every way to divide them that the rules allow is a *plan*.
The candidates of a block are the pairs of ends that a chain of its trains can have: they settle what the
chain brings, and the search packs them as it packs routes. Which routes lie between the ends is chosen when
a set is complete (:mod:`router.linking`); until then a candidate has the links of all that could.

No two chains of a legal run end at the same stop: the one that the referee grows first would go on there. So
each end of a chain is a row that one chain can use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from router import kernels as k
from router.candidates import Candidates, bit_counts
from router.chains import chain_term
from router.columns import add_links, path_ends
from router.enumerate import Walker
from router.found import Slot
from router.graph import Ints, Words, to_words, unit_words
from router.linking import Linker
from router.model import Model
from router.problem import ChainBonus
from router.profile import Profile
from router.reach import Lines, Links, Reach, Used
from router.work import Work

MOST_ROUTES = 20_000
"""Routes of one kind of train that are linked at most."""
MOST_PAIRS = 4_000_000
"""Pairs of ends that are laid out at most; beyond, routes are packed one by one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to divide the trains that form chains: the model with rows for ends, and all slots."""

    model: Model
    slots: list[Slot]
    linker: Linker | None = None


def plans(model: Model, slots: Sequence[Slot], work: Work) -> list[Plan] | None:
    """Return the plans for ``slots``; ``None`` where routes are better packed one by one.

    Raises
    ------
    Interrupted
        If the stop criterion is reached.
    """
    terms = [term for term in model.problem.terms if isinstance(term, ChainBonus)]
    if len(terms) != 1 or model.blocks or not model.trusted:
        return None
    chained = [i for i, slot in enumerate(slots) if chain_term(model, slot.profile.train)]
    counts = [slots[i].count for i in chained]
    if sum(counts) < 2 or any(not _plain(slots[i].profile) for i in chained):
        return None
    ways = []
    for i in chained:
        way = _ways(model, slots[i], work)
        if way is None:
            return None
        ways.append(way)
    ends, links = _numbered(slots, chained, ways)
    if len(ends) ** 2 * prod(count + 1 for count in counts) > MOST_PAIRS:
        return None
    reach = Reach(ends, links, counts, model.node_link.shape[1], work)
    tied = [slots[i].profile.train.kind in terms[0].dependent for i in chained]
    ended = replace(model, end_rows=(len(model.graph.node_ids) + 63) // 64)
    others = [slot for i, slot in enumerate(slots) if i not in chained]
    linker = Linker(ended, links, reach)
    made: list[Plan] = []
    pools: dict[Used, Slot] = {}
    money = _money(ended, slots, reach.ends)
    for blocks in _divisions(counts, tied):
        own: list[Slot] = []
        for block in sorted(set(blocks)):
            if block not in pools:
                pool = _pool(ended, money, linker, *reach.chains(block, tied))
                pools[block] = replace(slots[chained[0]], pool=pool)
            own.append(replace(pools[block], count=blocks.count(block)))
        made.append(Plan(ended, [*own, *others], linker))
    return made


def _plain(profile: Profile) -> bool:
    """Tell whether a route brings nothing of its own but what it is paid at its ends."""
    rows = any(profile.coverage.visited) or any(profile.coverage.inside)
    return not (profile.bonuses or rows or profile.mark_amount.any() or profile.outlook.distance.shape[0])


def _ways(model: Model, slot: Slot, work: Work) -> tuple[Ints, Candidates] | None:
    """Return the routes of a slot and their two ends (see ``_points``), the lesser first.

    Those that another can replace as a link are left out.
    """
    pool = Walker(model, slot.profile, slot.taken).walk(-(1 << 50), MOST_ROUTES, work)
    if pool.floor > -(1 << 50):
        return None
    add_links(model, slot.profile, pool)
    at = path_ends(model, slot.profile, pool)
    ends = at[:, ::2] * _points(slot) + at[:, 1::2]
    ends = np.column_stack((np.minimum(ends[:, 0], ends[:, 1]), np.maximum(ends[:, 0], ends[:, 1])))
    if not len(pool):
        return ends, pool
    # of equals the first of the walk stays, whose order does not depend on how a problem is written
    pair = ends[:, 0] * (int(ends.max()) + 1) + ends[:, 1]
    order = np.lexsort((-bit_counts(pool.link), pair))
    covered = np.zeros(len(pool), dtype=np.uint8)
    k.mark_covered(pair.take(order), pool.link.take(order, 0), covered)
    kept = order[covered == 0]
    return ends.take(kept, 0), pool.take(kept)


def _points(slot: Slot) -> int:
    """Return how many end points are told apart; an end is its stop times these, and its point."""
    return int(slot.profile.chain.most.shape[0])


def _numbered(
    slots: Sequence[Slot], chained: Sequence[int], ways: Sequence[tuple[Ints, Candidates]]
) -> tuple[Ints, list[Links]]:
    """Return all ends in order, and the routes of each slot with the numbers of theirs."""
    owners = max(chained) + 1
    owner = np.repeat(chained, [2 * len(ends) for ends, _ in ways])
    name = np.concatenate([ends.ravel() for ends, _ in ways]) * owners + owner
    known = np.zeros(int(name.max(initial=0)) + 1, dtype=bool)
    known[name] = True
    names, number = np.flatnonzero(known), (np.cumsum(known) - 1)[name]
    at, who = np.divmod(names, owners)
    stop, point = np.divmod(at, _points(slots[chained[0]]))
    cuts = np.cumsum([len(ends) for ends, _ in ways])[:-1]
    parts = np.split(number.reshape(-1, 2), cuts)
    links = [Links(i, part, routes) for i, part, (_, routes) in zip(chained, parts, ways, strict=True)]
    return np.column_stack((stop, point, who)), links


def _divisions(counts: Sequence[int], tied: Sequence[bool]) -> list[tuple[Used, ...]]:
    """Return the ways to divide trains into blocks; dependent ones stay together."""
    free = tuple(0 if bound else count for count, bound in zip(counts, tied, strict=True))
    bound = tuple(count if tie else 0 for count, tie in zip(counts, tied, strict=True))
    if not any(free):
        return [(bound,)]
    found: list[tuple[Used, ...]] = []
    for blocks in _partitions(free, free):
        if not any(bound):
            found.append(blocks)
            continue
        for block in sorted(set(blocks), reverse=True):
            rest = list(blocks)
            rest.remove(block)
            joined = tuple(a + b for a, b in zip(block, bound, strict=True))
            found.append((joined, *rest))
    if any(bound):
        found.append((bound,))
    return found


def _partitions(left: Used, most: Used) -> Iterator[tuple[Used, ...]]:
    """Yield the partitions of a multiset into parts, none after a greater one (by order of tuples)."""
    if not any(left):
        yield ()
        return
    parts = product(*(range(count + 1) for count in left))
    for part in sorted(parts, reverse=True):
        if any(part) and part <= most:
            rest = tuple(a - b for a, b in zip(left, part, strict=True))
            for others in _partitions(rest, part):
                yield (part, *others)


def _pool(model: Model, money: _Money, linker: Linker, lines: Lines, links: Words) -> Candidates:
    """Lay pairs of ends out as candidates; their path is the number under which the linker knows them.

    The score of a closed chain is a bound.
    """
    count = len(lines.first)
    value = np.empty(count, dtype=np.int64)
    mask = np.empty((count, model.end_rows + model.words), dtype=np.uint64)
    k.pay_chains(
        lines.first,
        lines.last,
        money.at_end,
        money.apart,
        money.outer,
        money.covers,
        model.worth,
        value,
        mask,
    )
    closed = np.flatnonzero(lines.first == lines.last)
    if len(closed):
        stop = np.searchsorted(money.stop, lines.first[closed], side="right") - 1
        most = money.far[stop] + money.most[stop] * max(map(sum, lines.used))
        if model.words:
            k.reduced_values(most.copy(), money.joined[stop], -model.worth, most)
        value[closed] = most
        mask[closed, : model.end_rows] = 0
        mask[closed, model.end_rows :] = money.joined[stop]
    numbers = linker.add(lines)
    return Candidates(
        value,
        mask,
        links,
        np.zeros(count, dtype=np.int64),
        np.zeros((count, model.end_words), dtype=np.uint64),
        np.column_stack((np.arange(count), np.arange(1, count + 1))),
        numbers,
        0,
    )


@dataclass(frozen=True, slots=True)
class _Money:
    """What ends bring.

    Attributes
    ----------
    at_end, covers, outer
        Per end the score and the rows of its stop, and the row for the end itself.
    apart
        Score of the distance of two ends.
    stop
        First end of each stop.
    far, most, joined
        Per stop the greatest distance of an end from itself, the greatest score, and all rows.
    """

    at_end: Ints
    covers: Words
    outer: Words
    apart: Ints
    stop: Ints
    far: Ints
    most: Ints
    joined: Words


def _money(model: Model, slots: Sequence[Slot], ends: Ints) -> _Money:
    """Lay out what ends bring; those of a stop follow each other."""
    at, point, owner = ends.T
    at_end = np.zeros(len(ends), dtype=np.int64)
    if not model.counts_once:
        at_end[:] = [slots[i].profile.value[stop] for stop, i in zip(at, owner, strict=True)]
    rows = [slots[i].profile.coverage.paid[stop] for stop, i in zip(at.tolist(), owner.tolist(), strict=True)]
    covers = to_words(rows, 64 * model.words)[:, : model.words]
    outer = unit_words(len(model.graph.node_ids), 64 * model.end_rows).take(at, 0)
    apart = np.zeros((len(ends), len(ends)), dtype=np.int64)
    if len(ends):
        apart = slots[int(owner[0])].profile.chain.alone.take(point, 0).take(point, 1)
    _, stop = np.unique(at, return_index=True)
    if not len(ends):
        return _Money(at_end, covers, outer, apart, stop, at_end, at_end, covers)
    far, most = (np.maximum.reduceat(of, stop) for of in (apart.diagonal(), at_end))
    return _Money(at_end, covers, outer, apart, stop, far, most, np.bitwise_or.reduceat(covers, stop))
