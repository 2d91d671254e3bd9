"""Packing few candidates at once, where laying out a search that can be stopped costs more than searching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from router import kernels as k
from router import limits
from router.candidates import Candidates
from router.found import Slot
from router.model import Model
from router.prices import top_money


class Packed(NamedTuple):
    """What was packed at once.

    Attributes
    ----------
    value
        Score of the best set, -1 if none reaches the target.
    picked
        Number of its slot, pool and place of each of its candidates.
    complete
        Whether there is no better set.
    tried
        How many candidates were tried.
    """

    value: int
    picked: list[tuple[int, Candidates, int]]
    complete: bool
    tried: int


def best_alone(model: Model, pool: Candidates, least: int) -> int | None:
    """Return the place of the best candidate by itself, -1: none; ``None`` if others may be better.

    Of candidates worth less than ``least`` nobody asks.
    """
    if pool.ends.shape[1] and pool.excess.any():
        return None
    at = pool.best(model.track_words, model.needs)
    value = int(pool.value[at]) if at >= 0 else 0
    return None if pool.floor > max(least, value + 1) else at


def first_tops(pool: Candidates, count: int, least: int, *, again: bool) -> list[int]:
    """Return the ``count`` largest values, at least ``least``, be they in the pool or below its floor."""
    unknown = pool.floor - 1 if pool.floor > least else 0
    return top_money(pool.value, count, again=again, unknown=unknown)


def pack_few(
    model: Model, slots: Sequence[Slot], pools: Sequence[Candidates], target: int, *, again: bool
) -> Packed:
    """Return the best set of candidates worth ``target`` or more; nothing if they are not few and plain."""
    sizes = [len(pool) for pool in pools]
    odd = model.areas.pairs.shape[0] or any(pool.ends.shape[1] and pool.excess.any() for pool in pools)
    if odd or sum(sizes) > limits.FEW:
        return Packed(-1, [], False, 0)
    first = pools[0]
    value, mask, link, start = first.value, first.mask, first.link, [0, sizes[0]]
    if len(pools) > 1:
        value = np.concatenate([pool.value for pool in pools])
        mask = np.concatenate([pool.mask for pool in pools])
        link = np.concatenate([pool.link for pool in pools])
        for size in sizes[1:]:
            start.append(start[-1] + size)
    counts = [slot.count for slot in slots]
    rest = len(start) + len(counts)
    figures = np.array([*start, *counts, *[slot.islands for slot in slots]], dtype=np.int64)
    choice = np.empty(sum(counts), dtype=np.int64)
    done = np.empty(2, dtype=np.int64)
    found = k.pack_few(
        value,
        mask,
        model.track_words,
        figures[: len(start)],
        figures[len(start) : rest],
        model.worth,
        link,
        model.needs,
        model.touch,
        figures[rest:],
        model.passable,
        again,
        target,
        model.unit,
        limits.LOOKS,
        choice,
        done,
    )
    picked: list[tuple[int, Candidates, int]] = []
    if found >= 0:
        number, left = 0, counts[0]
        for c in choice.tolist():
            while not left:
                number += 1
                left = counts[number]
            left -= 1
            if c >= 0:
                picked.append((number, pools[number], c - start[number]))
    complete, tried = done.tolist()
    return Packed(int(found), picked, bool(complete), tried)
