"""Packing: candidates of all profiles laid out for the kernel, and the state of one branch and bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from router import kernels as k
from router.candidates import Candidates, bit_counts
from router.found import Slot
from router.graph import Ints
from router.model import Model
from router.prices import SCALE


class Packing:
    """One branch and bound over the candidates of ``pools``, one per slot.

    Parameters
    ----------
    price, scale
        Prices of the rows in score times ``scale``; none: 1, no prices.
    again
        Whether a route may be run by several trains.

    Attributes
    ----------
    choice
        Per slot the candidate of the set found last, -1 if the slot is empty.
    slot_profile, start
        Profile of each slot; first candidate of each profile.
    """

    def __init__(
        self,
        model: Model,
        slots: Sequence[Slot],
        pools: list[Candidates],
        price: Ints | None,
        scale: int,
        *,
        again: bool,
    ) -> None:
        self._model = model
        self._again = again
        self._scale = scale
        self._pools = pools
        sizes = [len(pool) for pool in pools]
        counts = [slot.count for slot in slots]
        width = sum(counts) + 1
        self._most_islands = np.array([slot.islands for slot in slots], dtype=np.int64)
        self.slot_profile = np.arange(len(pools)).repeat(counts)
        self._next_slot = np.cumsum(counts).repeat(counts)
        self.start = np.cumsum([0, *sizes])
        total = int(self.start[-1])
        value = np.concatenate([pool.value for pool in pools])
        mask = np.concatenate([pool.mask for pool in pools])
        money = value
        if price is not None:
            money = np.empty(total, dtype=np.int64)
            k.reduced_values(value * SCALE, mask, price, money)
        # by falling reduced value, of equal ones those of less track first
        bits = bit_counts(mask[:, : model.track_words])
        owner = np.arange(len(pools)).repeat(sizes)
        order = np.lexsort((bits, -money, owner))
        self._place = order - self.start.take(owner)
        self._value, self._money, self._mask = value.take(order), money.take(order), mask.take(order, 0)
        self._link = np.concatenate([pool.link for pool in pools]).take(order, 0)
        self._excess = np.concatenate([pool.excess for pool in pools]).take(order)
        self._ends = np.concatenate([pool.ends for pool in pools]).take(order, 0)
        self._touched = model.areas.touched(self._link)
        self._track = self._mask.shape[1] - model.words
        self._net = model.worth * scale
        prices = np.zeros(64 * self._mask.shape[1], dtype=np.int64)
        self._priced = price is not None and bool(price.any())
        if price is not None:
            self._net = self._net - price[64 * self._track :]
            prices[: price.shape[0]] = price
        self._tables = k.byte_table(self._net), k.byte_table(model.worth), k.byte_table(prices)
        self._state = np.zeros(k.K_SIZE, dtype=np.int64)
        self._cursor = np.zeros(8 * width, dtype=np.int64)
        self._list_start = np.zeros((width, len(pools) + 1), dtype=np.int64)
        self._lists = np.empty((width, total), dtype=np.int64)
        self._list_reduced = np.empty((width, total), dtype=np.int64)
        self._used = np.zeros((width, self._mask.shape[1]), dtype=np.uint64)
        self.choice = np.full(width, -1, dtype=np.int64)

    @property
    def found(self) -> int:
        """Score of the set found last."""
        return int(self._state[k.K_BEST])

    def share(self) -> float:
        """Return which share of the search is done, if all choices of a level were worth the same effort."""
        done, part = 0.0, 1.0
        level = int(self._state[k.K_LEVEL])
        for t, p in enumerate(self.slot_profile[: level + 1].tolist()):
            choices = int(self._list_start[t, p + 1] - self._list_start[t, p]) + 1
            tried = min(int(self._cursor[t]), choices) - (t < level)
            part /= choices
            done += max(0, tried) * part
        return done

    def picked(self, numbers: Sequence[int]) -> list[tuple[int, Candidates, int]]:
        """Return, with the ``numbers`` of the slots, pool and place of the candidates of the set found."""
        found = []
        for t, c in enumerate(self.choice[: self.slot_profile.shape[0]].tolist()):
            if c >= 0:
                p = int(self.slot_profile[t])
                found.append((numbers[p], self._pools[p], int(self._place[c])))
        return found

    def step(self, target: int, slice_: int, rise: int) -> tuple[int, int]:
        """Go on for about ``slice_`` candidates in search of a set worth ``target``.

        With a ``rise`` each set found raises the target by so much over its score until the slice ends;
        without, the first one is returned at once.

        Returns
        -------
        The kernel's code (DONE, SLICE or FOUND), and how many candidates were tried.
        """
        before = int(self._state[k.K_NODES])
        self._state[k.K_TARGET] = target * self._scale
        code = k.pack_routes(
            self._value,
            self._money,
            self._mask,
            self._track,
            self.start,
            self._net,
            *self._tables[:2],
            self._link,
            self._model.needs,
            self._model.touch,
            self._most_islands,
            self._model.passable,
            self._again,
            self._excess,
            self._ends,
            self._touched,
            self._model.areas.pairs,
            self._model.areas.meeting,
            self.slot_profile,
            self._next_slot,
            self._priced,
            self._tables[2],
            self._scale,
            rise * self._scale,
            slice_,
            self._state,
            self._cursor,
            self._list_start,
            self._lists,
            self._list_reduced,
            self._used,
            self.choice,
        )
        return int(code), int(self._state[k.K_NODES]) - before
