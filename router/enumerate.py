"""Walking all routes of a kind of train that are worth at least so much."""

from __future__ import annotations

import numpy as np

from router import kernels as k
from router import limits
from router.candidates import Candidates
from router.columns import columns
from router.errors import Unsupported
from router.graph import Ints, Words
from router.model import Model
from router.profile import Profile
from router.work import Work

NO_END = 1 << 60
"""More than any expansions or any score."""


class Walker:
    """Walks the routes of one profile, for given prices of the rows.

    Parameters
    ----------
    in_use
        Track that no route may use.
    price
        Price of each row (track, then rows that pay once), in score times ``scale``.
    """

    def __init__(
        self, model: Model, profile: Profile, in_use: Words, price: Ints | None = None, scale: int = 1
    ) -> None:
        self.model = model
        self.graph = model.graph
        self.profile = profile
        self.in_use = in_use
        self.price = price
        self.scale = scale
        self._value, visit, cost = self._money()
        self._visit = _NOTHING if visit is None else visit
        self._cost = _NOTHING if cost is None else cost
        chain = profile.chain
        self._end_money = chain.most
        if len(chain.node):
            self._end_money = np.empty_like(chain.most)
            k.end_amounts(chain.most, chain.bonus, chain.node, self._value, scale, self._end_money)

    def _money(self) -> tuple[Ints, Ints | None, Ints | None]:
        """Return what stops bring if paid, what if visited, and what segments cost; ``None``: nothing."""
        model, profile, scale, price = self.model, self.profile, self.scale, self.price
        rows = profile.coverage
        value = profile.value if scale == 1 else profile.value * scale
        if price is None:
            paid, visited, inside = rows.money
            return (
                _times(np.array(paid, dtype=np.int64), scale) if paid else value,
                _times(np.array(visited, dtype=np.int64), scale) if visited else None,
                np.array(inside, dtype=np.int64) * -scale if inside else None,
            )
        charges: list[int] = []
        if model.blocks:
            first = 64 * model.block(profile.train)
            charges = price[first : first + 64 * self.graph.words].tolist()
        track = 64 * model.track_words
        net = model.worth * scale
        worth = (net - price[track : track + net.shape[0]]).tolist()
        pairs = zip(self.graph.seg_bits, rows.inside, strict=True)
        return (
            value + np.array([_total(bits, worth) for bits in rows.paid], dtype=np.int64) if worth else value,
            np.array([_total(bits, worth) for bits in rows.visited], dtype=np.int64) if worth else None,
            np.array([_total(a, charges) - _total(b, worth) for a, b in pairs], dtype=np.int64),
        )

    def _call(self, slice_: int, room: _Room) -> int:
        g, p, outlook, scale = self.graph, self.profile, self.profile.outlook, self.scale
        return int(
            k.enumerate_routes(
                g.adj_ptr,
                g.adj_seg,
                g.adj_node,
                g.seg_a,
                g.seg_b,
                g.seg_mask,
                g.seg_len,
                self._cost,
                g.node_hex,
                g.node_group,
                g.end_sets,
                p.flags,
                self._value,
                _times(p.attached, scale),
                self._visit,
                p.visit_inc,
                p.visit_cap,
                p.pay_inc,
                p.pay_cap,
                p.bound_inc,
                p.bound_cap,
                p.bound_all,
                p.hops,
                p.single,
                p.end_class,
                _times(p.bonus_amount, scale),
                p.bonus_visit,
                p.set_ptr,
                p.set_of,
                p.seg_hexes,
                p.required,
                p.chain.seg_end,
                self._end_money,
                g.seg_mark,
                _times(p.mark_amount, scale),
                _times(outlook.distance, scale),
                outlook.axes,
                outlook.span,
                outlook.per_step * scale,
                outlook.of_nodes,
                outlook.of_segments,
                outlook.ahead,
                outlook.need,
                _times(outlook.amount, scale),
                p.params,
                self.in_use,
                g.hex_count,
                room.most,
                slice_,
                room.memory,
                room.level_mask,
                room.out,
                room.path,
                room.mask,
                room.histogram,
            )
        )

    def routes(self, threshold: int, most: int, work: Work, budget: int = NO_END) -> Candidates:
        """Return the routes of scaled value less prices >= ``threshold``, about the ``most`` best of them.

        When more are found the threshold rises, which the result's ``floor`` tells; it is ``NO_END`` if the
        walk was broken off after ``budget`` expansions. The order of the result is that of the walk.
        """
        return columns(self.model, self.profile, self.walk(threshold, most, work, budget))

    def all_routes(self, threshold: int, work: Work) -> Candidates:
        """Return the same routes, all of them unless they are more than ``limits.LAST``."""
        # room for so many takes longer to get than most walks
        found = self.routes(threshold, limits.SOME, work)
        return found if found.floor <= threshold else self.routes(threshold, limits.LAST, work)

    def walk(self, threshold: int, most: int, work: Work, budget: int = NO_END) -> Candidates:
        """Return the same routes without the rows that pay once and without links."""
        room = _Room(self, most)
        memory = room.memory
        memory[k.S_THRESHOLD] = threshold
        complete = self._go(room, work, budget)
        n, size = int(memory[k.S_COUNT]), room.size
        money = room.out[:n]
        start = room.out[size : size + 2 * n].reshape(n, 2)
        path = room.path[: int(memory[k.S_BUF])]
        if self._visit is not _NOTHING:
            k.take_visits(start, path, self.graph.seg_a, self.graph.seg_b, self._visit, money)
        none = np.empty((n, 0), dtype=np.uint64)
        return Candidates(
            money if self.scale == 1 else money // self.scale,
            room.mask[:n],
            none,
            np.zeros(n, dtype=np.int64),
            none,
            start,
            path,
            int(memory[k.S_THRESHOLD]) if complete else NO_END,
        )

    def _go(self, room: _Room, work: Work, budget: int = NO_END) -> bool:
        """Walk for so many expansions at most; return whether that was all."""
        done = 0
        code = k.SLICE
        while code != k.DONE and done < budget:
            code = self._call(min(work.SLICE, budget - done), room)
            if room.memory[k.S_OVERFLOW]:
                raise Unsupported(
                    f"a route with more than {k.MAX_KEYS} stops that bonuses may or may not count"
                )
            before, done = done, int(room.memory[k.S_EXPANSIONS])
            work.done(done - before)
        return code == k.DONE

    def perft(self, work: Work | None = None) -> Ints:
        """Count the routes by number of stops (index), whatever they are worth.

        Raises
        ------
        Interrupted
            If the stop criterion of ``work`` is reached.
        """
        room = _Room(self, 1, counting=True)
        self._go(room, work or Work())
        return room.histogram


_NOTHING = np.zeros(0, dtype=np.int64)


def _times(amounts: Ints, scale: int) -> Ints:
    return amounts if scale == 1 else amounts * scale


def _total(bits: int, amounts: list[int]) -> int:
    """Return the sum of the amounts of the bits set."""
    total = 0
    if amounts:
        while bits:
            low = bits & -bits
            total += amounts[low.bit_length() - 1]
            bits ^= low
    return total


class _Room:
    """Working memory of one walk, and room for twice the ``most`` routes that are wanted."""

    def __init__(self, walker: Walker, most: int, *, counting: bool = False) -> None:
        graph, profile = walker.graph, walker.profile
        n = len(graph.node_ids)
        n_bound = profile.bound_cap.shape[0]
        levels = (n + 2) * (k.LEVEL + n_bound)
        counts = n + graph.hex_count + profile.visit_cap.shape[0] + n_bound
        self.most = most
        self.size = size = 2 * most + 1
        self.memory = np.zeros(k.S_SIZE + counts + levels, dtype=np.int64)
        self.level_mask = np.zeros((n + 2, graph.words + graph.node_group.shape[1] + 1), dtype=np.uint64)
        # one block: a large array costs more to get than to cut
        kept = 3 * size
        paths = kept + 24 * most + 2 * n + 4
        block = np.empty(paths + size * graph.words, dtype=np.int64)
        self.out, self.path = block[:kept], block[kept:paths]
        self.mask = block[paths:].view(np.uint64).reshape(size, graph.words)
        self.histogram = np.zeros(n + 2, dtype=np.int64) if counting else _NOTHING
