"""Walking all routes of a kind of train that are worth at least so much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from router import kernels as k
from router.errors import Unsupported
from router.graph import Graph, Ints, Profile, Words
from router.work import Work


@dataclass(frozen=True, slots=True)
class Candidates:
    """Routes of one profile.

    Attributes
    ----------
    value
        Money of each route (unscaled, prices not taken off).
    mask
        Track used, one row of words per route.
    path
        Padded rows: a node, then segments in travel order, then -1.
    floor
        Every route whose scaled value less prices is at least this is here.
    """

    value: Ints
    mask: Words
    start: Ints
    path: Ints
    floor: int

    def __len__(self) -> int:
        return int(self.value.shape[0])

    def route(self, i: int) -> list[int]:
        """Return route ``i`` as a node followed by segments in travel order."""
        found: list[int] = self.path[self.start[i, 0] : self.start[i, 1]].tolist()
        return found

    def take(self, index: Ints) -> Candidates:
        """Return the routes at ``index``, in that order."""
        return Candidates(self.value[index], self.mask[index], self.start[index], self.path, self.floor)

    def join(self, other: Candidates) -> Candidates:
        """Return the routes of both; the floor is this one's."""
        return Candidates(
            np.concatenate((self.value, other.value)),
            np.concatenate((self.mask, other.mask)),
            np.concatenate((self.start, other.start + self.path.shape[0])),
            np.concatenate((self.path, other.path)),
            self.floor,
        )


class Walker:
    """Walks the routes of one profile, for given prices of the track.

    Parameters
    ----------
    in_use
        Track that no route may use.
    price
        Price of each class of track pieces, in money times ``scale``.
    """

    def __init__(
        self, graph: Graph, profile: Profile, in_use: Words, price: Ints | None = None, scale: int = 1
    ) -> None:
        self.graph = graph
        self.profile = profile
        self.in_use = in_use
        self.price = price
        self.scale = scale
        n = len(graph.node_ids)
        cost = np.zeros(len(graph.segment_ids), dtype=np.int64)
        entry = np.zeros(n, dtype=np.int64)
        if price is not None:
            charges: list[int] = price.tolist()
            for s, bits in enumerate(graph.seg_bits):
                total, key = 0, 0
                while bits:
                    if bits & 1:
                        total += charges[key]
                    bits >>= 1
                    key += 1
                cost[s] = total
            entry[:] = 1 << 40
            for s, (a, b) in enumerate(graph.seg_ends):
                entry[a] = min(entry[a], cost[s])
                entry[b] = min(entry[b], cost[s])
        ahead = profile.ahead * scale
        gain = np.concatenate((ahead - entry, ahead))
        self._cost = cost
        self._gain = gain
        self._order = np.argsort(-gain[:n], kind="stable")
        self._params = profile.params.copy()
        self._params[k.P_SCALE] = scale

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
                p.value,
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
                p.bonus_amount,
                p.set_ptr,
                p.set_of,
                g.seg_mark,
                p.mark_amount,
                p.distance,
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

    def routes(self, threshold: int, most: int, work: Work) -> Candidates:
        """Return the routes of scaled value less prices >= ``threshold``, about the ``most`` best of them.

        When more are found the threshold rises, which the result's ``floor`` tells. The order of the result
        is that of the walk.
        """
        room = _Room(self, 2 * most)
        state = np.zeros(k.S_SIZE, dtype=np.int64)
        while True:
            before = int(state[k.S_EXPANSIONS])
            code = self._call(threshold, work.SLICE, state, room)
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
        start = np.column_stack((room.start[:n], room.start[1 : n + 1]))
        return Candidates(
            room.value[:n].copy(),
            room.mask[:n].copy(),
            start,
            room.path[: int(state[k.S_BUF])].copy(),
            threshold,
        )

    def _squeeze(self, threshold: int, most: int, state: Ints, room: _Room) -> int:
        """Keep about the ``most`` best of a full room; return the raised threshold."""
        n = int(state[k.S_COUNT])
        most = min(most, n // 2)
        money = self.reduced(room.value[:n], room.mask[:n])
        cut = int(np.partition(money, n - most)[n - most])
        keep = np.flatnonzero(money > cut)
        if keep.shape[0] < most:
            ties = np.flatnonzero(money == cut)[: most - keep.shape[0]]
            keep = np.sort(np.concatenate((keep, ties)))
        buf = 0
        for to, i in enumerate(keep.tolist()):
            a, b = int(room.start[i]), int(room.start[i + 1])
            room.value[to] = room.value[i]
            room.mask[to] = room.mask[i]
            room.path[buf : buf + b - a] = room.path[a:b].copy()
            room.start[to] = buf
            buf += b - a
        room.start[keep.shape[0]] = buf
        state[k.S_COUNT] = keep.shape[0]
        state[k.S_BUF] = buf
        return max(threshold, cut + 1)

    def reduced(self, value: Ints, mask: Words) -> Ints:
        """Return scaled values less the prices of the track used."""
        if self.price is None:
            return value
        out = np.empty_like(value)
        k.reduced_values(value * self.scale, mask, self.price, out)
        return out

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


class _Room:
    """Working memory of one walk."""

    def __init__(self, walker: Walker, routes: int, *, counting: bool = False) -> None:
        graph, profile = walker.graph, walker.profile
        n = len(graph.node_ids)
        n_bound = profile.bound_cap.shape[0]
        self.level = np.zeros((n + 2, 8 + n_bound), dtype=np.int64)
        self.level_mask = np.zeros((n + 2, graph.words + graph.node_group.shape[1]), dtype=np.uint64)
        self.value = np.empty(routes + 1, dtype=np.int64)
        self.mask = np.empty((routes + 1, graph.words), dtype=np.uint64)
        self.start = np.zeros(routes + 2, dtype=np.int64)
        self.path = np.empty(routes * 12 + 2 * n + 4, dtype=np.int64)
        self.histogram = np.zeros(n + 2 if counting else 0, dtype=np.int64)
        self.scratch = np.zeros(n + graph.hex_count + profile.visit_cap.shape[0] + n_bound, dtype=np.int64)
