"""Walking all routes of a kind of train that are worth at least so much."""

from __future__ import annotations

import numpy as np

from router import kernels as k
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
        self.graph = graph = model.graph
        self.profile = profile
        self.in_use = in_use
        self.price = price
        self.scale = scale
        self._params = profile.params
        value, visit, cost = self._money()
        attached = profile.attached if scale == 1 else profile.attached * scale
        if_paid = value + attached
        entered = if_paid
        self._visits_pay = visit is not None
        if cost is not None and cost.any():
            entry = np.full(if_paid.shape[0], 1 << 40, dtype=np.int64)
            for (a, b), amount in zip(graph.seg_ends, cost.tolist(), strict=True):
                entry[a] = min(entry[a], amount)
                entry[b] = min(entry[b], amount)
            entered = if_paid - entry if visit is None else if_paid + (visit - entry)
        elif visit is not None:
            entered = if_paid + visit
        if entered is not if_paid and profile.bound_all.any():
            visited = entered - if_paid
            if (visited > 0).any():
                # a stop earns this also where the pay limits leave no room for it
                self._params = profile.params.copy()
                self._params[k.P_EXTRA] = np.maximum(visited, 0).sum()
                entered = if_paid + np.minimum(visited, 0)
        gain = np.concatenate((entered, if_paid))
        chain = profile.chain
        self._end_money = chain.most
        if len(chain.node):
            at_end = value[chain.node]
            self._end_money = (chain.most + chain.bonus) * scale + at_end[:, None] + at_end[None, :]
        self._cost = np.zeros(len(graph.segment_ids), dtype=np.int64) if cost is None else cost
        self._value = value
        self._visit = np.zeros(value.shape[0], dtype=np.int64) if visit is None else visit
        self._gain = gain
        self._order = (-entered).argsort(kind="stable")

    def _money(self) -> tuple[Ints, Ints | None, Ints | None]:
        """Return what stops bring if paid, what if visited, and what segments cost; ``None``: nothing."""
        model, profile, scale, price = self.model, self.profile, self.scale, self.price
        rows = profile.coverage
        value = profile.value if scale == 1 else profile.value * scale
        if price is None:
            paid, visited, inside = rows.money
            return (
                value + np.array(paid, dtype=np.int64) * scale if paid else value,
                np.array(visited, dtype=np.int64) * scale if visited else None,
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

    def _call(self, threshold: int, slice_: int, state: Ints, room: _Room) -> int:
        g, p = self.graph, self.profile
        return int(
            k.enumerate_routes(
                g.adj_ptr,
                g.adj_seg,
                g.adj_node,
                g.seg_mask,
                g.seg_len,
                self._cost,
                g.node_hex,
                g.node_group,
                g.end_sets,
                p.flags,
                self._value,
                self._visit,
                self._gain,
                p.visit_inc,
                p.visit_cap,
                p.pay_inc,
                p.pay_cap,
                p.bound_inc,
                p.bound_cap,
                p.bound_all,
                self._order,
                p.hops,
                p.single,
                p.end_class,
                p.bonus_amount * self.scale,
                p.bonus_visit,
                p.set_ptr,
                p.set_of,
                p.seg_hexes,
                p.required,
                p.chain.seg_end,
                self._end_money,
                g.seg_mark,
                p.mark_amount * self.scale,
                p.outlook.distance * self.scale,
                p.outlook.axes,
                p.outlook.span,
                p.outlook.per_step * self.scale,
                p.outlook.of_nodes,
                p.outlook.of_segments,
                p.outlook.ahead,
                p.outlook.need,
                p.outlook.amount * self.scale,
                self._params,
                p.roots,
                self.in_use,
                threshold,
                slice_,
                state,
                room.level,
                room.level_mask,
                room.value,
                room.mask,
                room.start,
                room.path,
                room.histogram,
                room.scratch,
            )
        )

    def routes(self, threshold: int, most: int, work: Work, budget: int = NO_END) -> Candidates:
        """Return the routes of scaled value less prices >= ``threshold``, about the ``most`` best of them.

        When more are found the threshold rises, which the result's ``floor`` tells; it is ``NO_END`` if the
        walk was broken off after ``budget`` expansions. The order of the result is that of the walk.
        """
        return columns(self.model, self.profile, self.walk(threshold, most, work, budget))

    def walk(self, threshold: int, most: int, work: Work, budget: int = NO_END) -> Candidates:
        """Return the same routes without the rows that pay once and without links."""
        room = _Room(self, 2 * most)
        state = np.zeros(k.S_SIZE, dtype=np.int64)
        while True:
            before = int(state[k.S_EXPANSIONS])
            if before >= budget:
                threshold = NO_END
                break
            code = self._call(threshold, min(work.SLICE, budget - before), state, room)
            if state[k.S_OVERFLOW]:
                raise Unsupported(
                    f"a route with more than {k.MAX_KEYS} stops that bonuses may or may not count"
                )
            work.done(int(state[k.S_EXPANSIONS]) - before)
            if code == k.DONE:
                break
            if code == k.FULL:
                threshold = self._squeeze(threshold, most, state, room)
        n = int(state[k.S_COUNT])
        start = np.empty((n, 2), dtype=np.int64)
        start[:, 0] = room.start[:n]
        start[:, 1] = room.start[1 : n + 1]
        path = room.path[: int(state[k.S_BUF])]
        money = room.value[:n]
        if self._visits_pay:
            visits = np.empty(n, dtype=np.int64)
            k.path_visits(start, path, self.graph.seg_a, self.graph.seg_b, self._visit, visits)
            money -= visits
        none = np.zeros((n, 0), dtype=np.uint64)
        return Candidates(
            money if self.scale == 1 else money // self.scale,
            room.mask[:n],
            none,
            np.zeros(n, dtype=np.int64),
            none,
            start,
            path,
            threshold,
        )

    def _squeeze(self, threshold: int, most: int, state: Ints, room: _Room) -> int:
        """Keep about the ``most`` best of a full room; return the raised threshold."""
        n = int(state[k.S_COUNT])
        most = min(most, n // 2)
        money = np.empty(n, dtype=np.int64)
        k.path_reduced(room.value, room.start, room.path, self._cost, money)
        cut = int(np.partition(money, n - most)[n - most])
        keep = np.flatnonzero(money > cut)
        if keep.shape[0] < most:
            ties = np.flatnonzero(money == cut)[: most - keep.shape[0]]
            keep = np.sort(np.concatenate((keep, ties)))
        state[k.S_COUNT] = keep.shape[0]
        state[k.S_BUF] = k.keep_routes(keep, room.value, room.mask, room.start, room.path)
        return max(threshold, cut + 1)

    def perft(self, work: Work | None = None) -> Ints:
        """Count the routes by number of stops (index), whatever they are worth.

        Raises
        ------
        Interrupted
            If the stop criterion of ``work`` is reached.
        """
        work = work or Work()
        room = _Room(self, 1, counting=True)
        state = np.zeros(k.S_SIZE, dtype=np.int64)
        code = k.SLICE
        while code != k.DONE:
            before = int(state[k.S_EXPANSIONS])
            code = self._call(0, work.SLICE, state, room)
            work.done(int(state[k.S_EXPANSIONS]) - before)
        return room.histogram


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
    """Working memory of one walk."""

    def __init__(self, walker: Walker, routes: int, *, counting: bool = False) -> None:
        graph, profile = walker.graph, walker.profile
        n = len(graph.node_ids)
        n_bound = profile.bound_cap.shape[0]
        self.level = np.zeros((n + 2, 11 + n_bound), dtype=np.int64)
        self.level_mask = np.zeros((n + 2, graph.words + graph.node_group.shape[1] + 1), dtype=np.uint64)
        self.value = np.empty(routes + 1, dtype=np.int64)
        self.mask = np.empty((routes + 1, graph.words), dtype=np.uint64)
        self.start = np.zeros(routes + 2, dtype=np.int64)
        self.path = np.empty(routes * 12 + 2 * n + 4, dtype=np.int64)
        self.histogram = np.zeros(n + 2 if counting else 0, dtype=np.int64)
        self.scratch = np.zeros(n + graph.hex_count + profile.visit_cap.shape[0] + n_bound, dtype=np.int64)
