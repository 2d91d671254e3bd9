"""Sweeps: candidates are chosen stop by stop, and of the sets that have the same future the best is kept.

Where trains are short and track is free, most of what a packing tries differs only in what no route to come
can touch. A sweep goes over the board from one end to the other, so it sees that: it is a dynamic program
whose states are bounded like the partial sets of a packing. Where not all states are kept it is no proof, but
finds good sets quickly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.found import Slot
from router.graph import Ints, Words
from router.model import Model

MOST_TEAMS = 12
"""Teams for which there is room in a figure of a state."""
MOST_CANDIDATES = 3_000
"""Candidates for which each place has room for a list."""
MOST_LINKS = 4
"""Words of stops that are put in order."""
MOST_ROUTES = 15
"""Routes of a team for which there is room."""
MOST_ISLANDS = 62
"""Routes, of which each may be an island, for which there are bits."""
MOST_NEEDS = 62
"""Needs for which there is room."""
SPARE = 4
"""For so many times as many states as are kept there is room while they are found."""


def has_room(model: Model, slots: Sequence[Slot], pools: Sequence[Candidates]) -> bool:
    """Tell whether a sweep can say what the value of a set depends on, and has room for it."""
    return (
        0 < sum(map(len, pools)) <= MOST_CANDIDATES
        and model.touch <= MOST_LINKS
        and not model.areas.pairs.shape[0]
        and not any(slot.islands for slot in slots)
        and not any(pool.excess.any() for pool in pools)
        and len(slots) <= MOST_TEAMS
        and max(slot.count for slot in slots) <= MOST_ROUTES
        and sum(slot.count for slot in slots) <= MOST_ISLANDS
        and model.needs.shape[0] <= MOST_NEEDS
    )


class Sweep:
    """One sweep over the candidates of ``pools``, one per slot.

    Parameters
    ----------
    price, scale
        Prices of the rows in score times ``scale``.
    again
        Whether a route may be run by several trains.
    width
        States kept per place at most.
    most
        Candidates per place at most; of one stop there may be more.
    """

    def __init__(
        self,
        model: Model,
        slots: Sequence[Slot],
        pools: Sequence[Candidates],
        price: Ints,
        scale: int,
        *,
        again: bool,
        width: int,
        most: int,
    ) -> None:
        self._pools = pools
        self._width, self._scale, self._unit, self._again = width, scale, model.unit, again
        self._first = np.cumsum([0, *map(len, pools)])
        value = np.concatenate([pool.value for pool in pools])
        mask = np.concatenate([pool.mask for pool in pools])
        link = np.concatenate([pool.link for pool in pools])
        team = np.repeat(np.arange(len(pools)), np.diff(self._first))
        reduced = np.empty_like(value)
        k.reduced_values(value * scale, mask, price, reduced)
        chains = np.array([slot.pool is not None for slot in slots])[team]
        place = _places(
            link[:, : model.touch] if model.touch else mask, team, chains, model.needs[:, : model.touch]
        )
        order = np.lexsort((-reduced, place))
        place = place[order]
        nth = np.arange(len(order)) - np.searchsorted(place, place)
        place = np.cumsum((nth % most == 0).astype(np.int64)) - 1
        self._order, self._team = order, team[order]
        self._value, self._reduced, self._mask = value[order], reduced[order], mask[order]
        self._link = np.ascontiguousarray(link[order, : model.touch])
        needs = len(model.needs)
        meets = [(link[order] & need).any(axis=1).astype(np.int64) << j for j, need in enumerate(model.needs)]
        self._met: Ints = np.bitwise_or.reduce([np.zeros_like(order), *meets])
        self._wanted = (1 << needs) - 1
        places = int(place[-1]) + 1
        self._begin = np.searchsorted(place, np.arange(places + 1))
        self._starts = np.zeros((places + 1, len(pools) + 1), dtype=np.int64)
        self._lists = np.empty((places + 1, len(order)), dtype=np.int64)
        self._rows = np.zeros(((places + 1) * len(pools), mask.shape[1]), dtype=np.uint64)
        self._links = np.zeros((places + 1, model.touch), dtype=np.uint64)
        k.look_ahead(
            place,
            self._team,
            np.lexsort((-self._reduced, self._team)),
            self._mask,
            self._link,
            self._starts,
            self._lists,
            self._rows,
            self._links,
        )
        self._track = mask.shape[1] - model.words
        prices = np.pad(price, (0, 64 * mask.shape[1] - price.shape[0]))
        self._worth = k.byte_table(model.worth)
        self._net = k.byte_table(model.worth * scale - prices[64 * self._track :])
        self._price = k.byte_table(prices)
        self._begin_with([slot.count for slot in slots])

    def _begin_with(self, counts: Sequence[int]) -> None:
        """Make room for the states, the first of which is the empty set."""
        room, size = SPARE * self._width, sum(counts)
        self._state = np.zeros(k.SWEEP_SIZE, dtype=np.int64)
        self._state[k.SWEEP_COUNT] = self._state[k.SWEEP_STAMP] = 1
        self._seen = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int64)
        self._figures = np.empty((2 * room, k.F_SIZE), dtype=np.int64)
        self._used = np.empty((2 * room, self._mask.shape[1]), dtype=np.uint64)
        self._island = np.empty((2 * room, size * self._link.shape[1]), dtype=np.uint64)
        self._picks = np.empty((2 * room, size), dtype=np.int64)
        self._figures[0] = 0
        self._figures[0, k.F_LEFT] = sum(count << 5 * at for at, count in enumerate(counts))
        self._used[0] = 0
        self._choice = np.full(size, -1, dtype=np.int64)

    @property
    def found(self) -> int:
        """Score of the set found last."""
        return int(self._state[k.SWEEP_BEST])

    @property
    def cut(self) -> bool:
        """Whether states were dropped that might lead to a better set."""
        return bool(self._state[k.SWEEP_CUT])

    def refuse(self) -> bool:
        """Take note that the set found last is not what it seemed; return whether that spoils the proof.

        Others may have been taken for the same state, or passed over for its sake.
        """
        return True

    def picked(self, numbers: Sequence[int]) -> list[tuple[int, Candidates, int]]:
        """Return, with the ``numbers`` of the slots, pool and place of the candidates of the set found."""
        chosen = self._choice[self._choice >= 0]
        teams, at = self._team[chosen], self._order[chosen] - self._first[self._team[chosen]]
        return [
            (numbers[t], self._pools[t], i) for t, i in sorted(zip(teams.tolist(), at.tolist(), strict=True))
        ]

    def step(self, target: int, slice_: int) -> tuple[int, int]:
        """Go on for about ``slice_`` sets and candidates in search of a set worth ``target``.

        Returns
        -------
        The kernel's code (DONE, SLICE or FOUND), and how many sets and candidates were looked at.
        """
        before = int(self._state[k.SWEEP_NODES])
        self._state[k.SWEEP_TARGET] = target * self._scale
        code = k.sweep_routes(
            self._value,
            self._reduced,
            self._mask,
            self._track,
            self._link,
            self._met,
            self._wanted,
            self._team,
            self._begin,
            self._starts,
            self._lists,
            self._rows,
            self._links,
            self._worth,
            self._net,
            self._price,
            self._again,
            self._scale,
            self._unit,
            self._width,
            slice_,
            self._state,
            self._seen,
            self._figures,
            self._used,
            self._island,
            self._picks,
            self._choice,
        )
        return int(code), int(self._state[k.SWEEP_NODES]) - before


def _places(marks: Words, team: Ints, chains: Words, needs: Words) -> Ints:
    """Return where each candidate is decided: ``chains`` first, then each route at the first of its stops.

    The stops are in such an order that few of them are open at a time.
    """
    marks = np.ascontiguousarray(marks)
    at = np.empty(64 * marks.shape[1], dtype=np.int64)
    k.order_marks(marks[~chains], np.ascontiguousarray(needs), at)
    first = np.full(len(team), len(at))
    bits = np.unpackbits(marks.view(np.uint8), axis=1, bitorder="little").astype(bool)
    for bit in np.flatnonzero(at >= 0):
        has = bits[:, bit]
        first[has] = np.minimum(first[has], at[bit])
    first[chains] = team[chains] - len(team)
    places: Ints = np.unique(first, return_inverse=True)[1]
    return places


__all__ = ["Sweep", "has_room"]
