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

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.chains import chain_term
from router.enumerate import Walker
from router.found import Slot
from router.graph import to_ints, to_words
from router.linking import Arc, Chain, End, Linker, Used
from router.model import Model
from router.problem import ChainBonus
from router.profile import Profile
from router.work import Work

MOST_ROUTES = 20_000
"""Routes of one kind of train that are linked at most."""
MOST_CHAINS = 200_000
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
    arcs: list[list[Arc]] = []
    for i in chained:
        found = _arcs(model, slots[i], i, work)
        if found is None:
            return None
        arcs.append(found)
    reach = _reach(arcs, counts, work)
    if reach is None:
        return None
    tied = [slots[i].profile.train.kind in terms[0].dependent for i in chained]
    ended = replace(model, end_rows=(len(model.graph.node_ids) + 63) // 64)
    others = [slot for i, slot in enumerate(slots) if i not in chained]
    linker = Linker(ended, arcs, reach)
    made: list[Plan] = []
    pools: dict[Used, Slot] = {}
    for blocks in _divisions(counts, tied):
        own: list[Slot] = []
        for block in sorted(set(blocks)):
            if block not in pools:
                pool = _pool(ended, slots, linker, _chains(reach, block, tied))
                pools[block] = replace(slots[chained[0]], pool=pool)
            own.append(replace(pools[block], count=blocks.count(block)))
        made.append(Plan(ended, [*own, *others], linker))
    return made


def _plain(profile: Profile) -> bool:
    """Tell whether a route brings nothing of its own but what it is paid at its ends."""
    rows = any(profile.coverage.visited) or any(profile.coverage.inside)
    return not (profile.bonuses or rows or profile.mark_amount.any() or profile.distance.shape[0])


def _arcs(model: Model, slot: Slot, at: int, work: Work) -> list[Arc] | None:
    """Return the routes of a slot, without those that another can replace as a link."""
    pool = Walker(model, slot.profile, slot.taken).routes(-(1 << 50), MOST_ROUTES, work)
    if pool.floor > -(1 << 50):
        return None
    graph, seg_end = model.graph, slot.profile.chain.seg_end
    links = to_ints(pool.link)
    kept: dict[tuple[End, End], list[tuple[int, tuple[int, ...]]]] = {}
    for i in range(len(pool)):
        path = tuple(pool.route(i))
        node = path[0]
        for s in path[1:]:
            a, b = graph.seg_ends[s]
            node = b if node == a else a
        begin = (path[0], int(seg_end[path[1], int(path[0] == graph.seg_ends[path[1]][1])]), at)
        end = (node, int(seg_end[path[-1], int(node == graph.seg_ends[path[-1]][1])]), at)
        if begin > end:
            begin, end = end, begin
        kept.setdefault((begin, end), []).append((links[i], path))
    arcs: list[Arc] = []
    for ends, ways in sorted(kept.items()):
        ways.sort(key=lambda way: (-way[0].bit_count(), way[1]))
        largest: list[int] = []
        for link, path in ways:
            if not any(link | more == more for more in largest):
                largest.append(link)
                arcs.append(Arc(at, ends, link, path))
    return arcs


Reach = dict[tuple[End, End], int]
"""Pairs of ends of trails, and the bits of the links of all routes of these trails."""


def _reach(arcs: Sequence[Sequence[Arc]], counts: Sequence[int], work: Work) -> dict[Used, Reach] | None:
    """Return the ends that trails can have for each number of routes per slot; ``None`` if too many.

    Trails may run through a stop several times here, so these are all, and more.
    """
    steps: list[dict[int, Reach]] = []
    for slot in arcs:
        step: dict[int, Reach] = {}
        for arc in slot:
            for here, there in (arc.ends, arc.ends[::-1]):
                own = step.setdefault(here[0], {})
                own[here, there] = own.get((here, there), 0) | arc.link
        steps.append(step)
    found: dict[Used, Reach] = {}
    total = 0
    for used in sorted(product(*(range(count + 1) for count in counts)), key=lambda u: (sum(u), u)):
        work.look()
        ends: Reach = {}
        for j, count in enumerate(used):
            if not count:
                continue
            before = (*used[:j], count - 1, *used[j + 1 :])
            if not any(before):
                for ways in steps[j].values():
                    ends.update(ways)
                continue
            for (first, last), link in found[before].items():
                for (_, there), more in steps[j].get(last[0], {}).items():
                    ends[first, there] = ends.get((first, there), 0) | link | more
        if any(used):
            found[used] = ends
            total += len(ends)
            if total > MOST_CHAINS:
                return None
    return found


def _chains(reach: dict[Used, Reach], block: Used, tied: Sequence[bool]) -> dict[Chain, int]:
    """Return the chains of a block, with their links: all its independent trains, and some dependent ones.

    Where each stop at which routes end is an end of two or more, the referee lets the chain end twice at the
    first: such a chain is *closed*.
    """
    lines: dict[tuple[End, End], tuple[int, list[Used]]] = {}
    closed: dict[int, tuple[int, list[Used]]] = {}
    for used, ways in reach.items():
        if any(n > most or (n < most and not tie) for n, most, tie in zip(used, block, tied, strict=True)):
            continue
        everywhere = 0
        for (first, last), link in ways.items():
            everywhere |= link
            if first < last and first[0] != last[0]:
                known, others = lines.get((first, last), (0, []))
                lines[first, last] = (known | link, [*others, used])
        if sum(used) > 1:
            for stop in {end[0] for pair in ways for end in pair}:
                known, others = closed.get(stop, (0, []))
                closed[stop] = (known | everywhere, [*others, used])
    found = {Chain(a, b, tuple(several)): link for (a, b), (link, several) in sorted(lines.items())}
    for stop, (link, several) in sorted(closed.items()):
        end = (stop, 0, 0)
        found[Chain(end, end, tuple(several))] = link
    return found


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


def _pool(
    model: Model,
    slots: Sequence[Slot],
    linker: Linker,
    chains: dict[Chain, int],
) -> Candidates:
    """Lay pairs of ends out as candidates; their path is the number under which the linker knows them."""
    values: list[int] = []
    rows: list[int] = []
    outer: list[int] = []
    links: list[int] = []
    numbers: list[int] = []
    for chain, link in chains.items():
        covered, besides = _worth(model, slots, chain)
        values.append(besides)
        rows.append(covered)
        outer.append(0 if chain.closed else 1 << chain.first[0] | 1 << chain.last[0])
        links.append(link)
        numbers.append(linker.add(chain))
    count = len(values)
    covers = to_words(rows, 64 * model.words)[:, : model.words]
    total = np.array(values, dtype=np.int64)
    if model.words:
        k.reduced_values(total.copy(), covers, -model.worth, total)
    return Candidates(
        total,
        np.concatenate((to_words(outer, 64 * model.end_rows), covers), axis=1),
        to_words(links, 64 * model.node_link.shape[1]),
        np.zeros(count, dtype=np.int64),
        np.zeros((count, model.end_words), dtype=np.uint64),
        np.column_stack((np.arange(count), np.arange(1, count + 1))),
        np.array(numbers, dtype=np.int64),
        0,
    )


def _worth(model: Model, slots: Sequence[Slot], chain: Chain) -> tuple[int, int]:
    """Return the rows of the ends, and the score of distance and stops besides; for closed chains a bound."""
    rows, money = 0, 0
    if not chain.closed:
        for node, _, owner in (chain.first, chain.last):
            profile = slots[owner].profile
            rows |= profile.coverage.paid[node]
            money += 0 if model.counts_once else int(profile.value[node])
        ends = slots[chain.first[2]].profile.chain
        return rows, money + int(ends.alone[chain.first[1], chain.last[1]])
    stop = chain.first[0]
    far = 0
    for profile in (slot.profile for slot in slots if len(slot.profile.chain.node)):
        rows |= profile.coverage.paid[stop]
        money = max(money, int(profile.value[stop]))
        far = int(np.diag(profile.chain.alone)[profile.chain.node == stop].max(initial=0))
    return rows, far + (0 if model.counts_once else money * max(map(sum, chain.used)))
