"""Prices on track: Lagrange multipliers of "each piece at most once".

For prices of zero or more, no set is worth more than the sum of the prices plus, per profile, the largest
reduced values (a route's value less the prices of the track it uses).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from router import kernels as k
from router import limits
from router.candidates import Candidates
from router.graph import Ints

SCALE = 64
"""Prices are whole multiples of 1/64 of a unit of money."""

NOTHING = 1 << 60
"""Less than all losses."""

PROMISING = 200
"""Candidates per profile that the steps look at besides those that the prices favour."""


@dataclass(frozen=True, slots=True)
class Priced:
    """Prices and the bound they prove.

    Attributes
    ----------
    bound
        Scaled: no set of the candidates is worth more.
    tops
        Per profile the largest reduced values, one per slot.
    reduced
        Per profile the reduced values of all candidates.
    """

    price: Ints
    bound: int
    tops: list[list[int]]
    reduced: list[Ints]


def best_prices(
    pools: list[Candidates],
    counts: list[int],
    price: Ints,
    *,
    cap: Ints,
    target: int,
    steps: int,
    again: bool,
) -> Priced:
    """Improve ``price`` (each up to its ``cap``) by subgradient steps until the bound is below ``target``.

    The steps look at the most promising candidates only; those that the prices found favour join them, and
    the steps go on. The bound is that of all candidates. ``again`` says that a route may be run by several
    trains.
    """
    inside = [np.zeros(len(pool), dtype=bool) for pool in pools]
    best: Priced | None = None
    while True:
        reduced = [reduced_values(pool, price) for pool in pools]
        tops = [top_money(r, count, again=again) for r, count in zip(reduced, counts, strict=True)]
        found = Priced(price, int(price.sum()) + sum(map(sum, tops)), tops, reduced)
        if best is None or found.bound < best.bound:
            best = found
        grown = False
        for r, known, top, count in zip(reduced, inside, tops, counts, strict=True):
            size = max(PROMISING, 4 * count)
            missing = r >= max(1, top[-1])
            missing &= ~known
            if missing.any():
                grown = True
                known |= missing
                known[(-r).argpartition(size)[:size] if len(r) > size else slice(None)] = True
        if not grown or best.bound < target:
            return best
        price = best.price.copy()
        some = [known.nonzero()[0] for known in inside]
        k.improve_prices(
            np.concatenate([pool.value.take(at) for pool, at in zip(pools, some, strict=True)]) * SCALE,
            np.concatenate([pool.mask.take(at, 0) for pool, at in zip(pools, some, strict=True)]),
            np.cumsum([0, *map(len, some)]),
            np.array(counts, dtype=np.int64),
            cap,
            best.price.copy(),
            price,
            target,
            steps,
            again,
        )


def closer_prices(
    pools: list[Candidates], counts: list[int], priced: Priced, cap: Ints, target: int, *, again: bool
) -> Priced:
    """Improve prices by more steps that look at these candidates only; rows beyond ``cap`` have none."""
    rows = 64 * pools[0].mask.shape[1]
    return best_prices(
        pools,
        counts,
        np.pad(priced.price, (0, rows - priced.price.shape[0])),
        cap=np.pad(cap, (0, rows - cap.shape[0]), constant_values=1 << 60),
        target=target,
        steps=limits.MORE_STEPS,
        again=again,
    )


def promising(
    pools: list[Candidates], reduced: list[Ints], most: int, least: int
) -> tuple[list[Candidates], list[int]]:
    """Return ``most`` candidates of largest reduced value per pool, and what all others are worth at most.

    Routes worth less than ``least`` are none. What is not among the candidates of a pool is worth less than
    its floor, whatever the prices.
    """
    few, others = [], []
    for pool, values in zip(pools, reduced, strict=True):
        best, other = best_of(pool, values, most)
        unknown = (pool.floor - 1) * SCALE if pool.floor > least else -NOTHING
        others.append(max(unknown, other))
        few.append(best)
    return few, others


def best_of(pool: Candidates, value: Ints, most: int) -> tuple[Candidates, int]:
    """Return the ``most`` candidates of largest ``value``, of equals the first, and what others have."""
    if len(pool) <= most:
        return pool, -NOTHING
    by_value = np.partition(value, (len(pool) - most - 1, len(pool) - most))
    other, least = by_value[len(pool) - most - 1 :][:2].tolist()
    above = value >= least
    if other == least:
        above = value > least
        equal = (value == least).nonzero()[0]
        above[equal[: most - np.count_nonzero(above)]] = True
    return pool.take(above.nonzero()[0]), other


def reduced_values(pool: Candidates, price: Ints) -> Ints:
    """Return scaled values less the prices of the rows used."""
    value = pool.value * SCALE
    if price.any():
        k.reduced_values(value, pool.mask, price, value)
    return value


def within_gap(pools: list[Candidates], priced: Priced, target: int) -> list[Candidates]:
    """Drop candidates that can be in no set worth the scaled ``target``."""
    gap = priced.bound - target
    return [
        pool.take((reduced_values(pool, priced.price) >= top[-1] - gap).nonzero()[0])
        for pool, top in zip(pools, priced.tops, strict=True)
    ]


def top_money(values: Ints, count: int, *, again: bool, unknown: int = 0) -> list[int]:
    """Return the ``count`` largest values, at least 0 each, falling.

    With ``again`` a route may be run by several trains, so the largest counts each time. ``unknown`` is the
    most that a route can be worth that is not among ``values``.
    """
    if again:
        return [max(0, unknown, int(values.max(initial=0)))] * count
    if values.shape[0] > 4 * count:
        values = np.partition(values, values.shape[0] - count)[-count:]
    best = [max(0, unknown, int(v)) for v in np.sort(values)[::-1][:count]]
    return best + [max(0, unknown)] * (count - len(best))
