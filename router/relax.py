"""The linear relaxation of the choice among candidates, sharpened by triples.

A *triple* of rows (pieces of track) is a further row that a route uses if it uses two or more of the three;
of such routes a set holds at most one, while a fraction of each could pass the three rows. The linear
program (GLOP) only proposes prices: they are rounded to whole numbers and the bound is computed anew from
all candidates, so no rounding of the solver can spoil a proof.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.graph import Ints, Words
from router.prices import SCALE, Priced, reduced_values, top_money, within_gap
from router.work import Work

TRIPLES = 20
"""Triples added per round, 64 (a word of the masks) at most."""
START = 60
"""Columns per profile that the program starts with."""
GROW = 15
"""Columns per profile added per round of pricing."""
FINE = 10_000
"""Weights of columns are counted in this fraction."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Candidates, masks widened by the triples' rows, and the prices found."""

    pools: list[Candidates]
    priced: Priced


def sharpen(
    pools: list[Candidates],
    counts: list[int],
    priced: Priced,
    target: int,
    *,
    work: Work,
    rounds: int,
    cap: Ints,
    triples: bool,
    again: bool,
) -> Relaxed:
    """Lower the bound by triples until it falls below the scaled ``target`` or stops falling.

    Candidates that can be in no set worth ``target`` are dropped on the way.
    """
    program = _Program(pools, counts, priced, cap, again=again)
    best = priced
    stale = 0
    for _ in range(rounds):
        work.count("relaxations")
        found = program.solve(work)
        stale = 0 if found.bound < best.bound - SCALE // 2 else stale + 1
        if found.bound < best.bound:
            best = found
        if best.bound < target or stale > 2 or not triples or not program.add_triples():
            break
        best = replace(best, price=np.concatenate((best.price, np.zeros(64, dtype=np.int64))))
    pools = program.pools
    if best.price.shape[0] < pools[0].mask.shape[1] * 64:
        best = replace(best, price=np.pad(best.price, (0, pools[0].mask.shape[1] * 64 - best.price.shape[0])))
    return Relaxed(within_gap(pools, best, target), best)


class _Program:
    """The linear program over a growing choice of the candidates."""

    def __init__(
        self, pools: list[Candidates], counts: list[int], priced: Priced, cap: Ints, *, again: bool
    ) -> None:
        from ortools.linear_solver import pywraplp

        self.pools = pools
        self._counts = counts
        self._again = again
        self._cap: dict[int, int] = {r: c for r, c in enumerate(cap.tolist()) if c < 1 << 40}
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._objective = self._solver.Objective()
        self._objective.SetMaximization()
        self._profile_rows = [self._solver.Constraint(0, count) for count in counts]
        self._rows: dict[int, pywraplp.Constraint] = {}
        self._columns: list[dict[int, pywraplp.Variable]] = [{} for _ in pools]
        for p, pool in enumerate(pools):
            reduced = reduced_values(pool, priced.price)
            self._add(p, np.argsort(-reduced, kind="stable")[:START].tolist())

    def solve(self, work: Work) -> Priced:
        """Solve over all candidates, by pricing; return the best whole-number prices met on the way."""
        best: Priced | None = None
        while True:
            self._solver.Solve()
            work.done(sum(map(len, self._columns)))
            price = np.zeros(self.pools[0].mask.shape[1] * 64, dtype=np.int64)
            for r, row in self._rows.items():
                price[r] = min(self._cap.get(r, 1 << 60), max(0, round(row.dual_value() * SCALE)))
            floors = [round(row.dual_value() * SCALE) + SCALE // 4 for row in self._profile_rows]
            reduced = [reduced_values(pool, price) for pool in self.pools]
            tops = []
            grown = False
            for p, values in enumerate(reduced):
                tops.append(top_money(values, self._counts[p], again=self._again))
                better = np.flatnonzero(values > floors[p])
                if better.shape[0]:
                    order = better[np.argsort(-values[better], kind="stable")].tolist()
                    fresh = [i for i in order if i not in self._columns[p]][:GROW]
                    grown = grown or bool(fresh)
                    self._add(p, fresh)
            found = Priced(price, int(price.sum()) + sum(map(sum, tops)), tops, reduced)
            if best is None or found.bound < best.bound:
                best = found
            if not grown:
                return best

    def add_triples(self) -> bool:
        """Add the triples that the solution violates most; return whether there are any."""
        masks: list[Words] = []
        weights: list[int] = []
        for pool, columns in zip(self.pools, self._columns, strict=True):
            for i, variable in columns.items():
                weight = round(variable.solution_value() * FINE)
                if weight > 0:
                    masks.append(pool.mask[i])
                    weights.append(weight)
        if not masks:
            return False
        mask = np.array(masks, dtype=np.uint64)
        weight = np.array(weights, dtype=np.int64)
        rows = np.array(sorted(r for r in self._rows if r not in self._cap), dtype=np.int64)
        load = np.zeros(rows.shape[0], dtype=np.int64)
        one = np.uint64(1)
        for at, r in enumerate(rows.tolist()):
            load[at] = int(weight[(mask[:, r // 64] >> np.uint64(r % 64) & one) != 0].sum())
        rows = np.ascontiguousarray(rows[load * 4 > FINE])
        out = np.zeros((TRIPLES, 3), dtype=np.int64)
        excess = np.zeros(TRIPLES, dtype=np.int64)
        found = k.find_triples(mask, weight, FINE, rows, out, excess)
        if not found:
            return False
        self._widen(out[:found])
        return True

    def _widen(self, triples: Ints) -> None:
        width = self.pools[0].mask.shape[1]
        wide = []
        for p, pool in enumerate(self.pools):
            new = np.empty(len(pool), dtype=np.uint64)
            k.triple_words(pool.mask, triples, new)
            wide.append(replace(pool, mask=np.column_stack((pool.mask, new))))
            for i, variable in self._columns[p].items():
                self._fill(variable, int(new[i]), width * 64)
        self.pools = wide

    def _add(self, p: int, index: list[int]) -> None:
        pool = self.pools[p]
        for i in index:
            variable = self._solver.NumVar(0, self._counts[p] if self._again else 1, "")
            self._columns[p][i] = variable
            self._objective.SetCoefficient(variable, float(pool.value[i]))
            self._profile_rows[p].SetCoefficient(variable, 1.0)
            for w, bits in enumerate(pool.mask[i].tolist()):
                self._fill(variable, bits, w * 64)

    def _fill(self, variable: object, bits: int, base: int) -> None:
        while bits:
            low = bits & -bits
            r = base + low.bit_length() - 1
            row = self._rows.get(r)
            if row is None:
                row = self._rows[r] = self._solver.Constraint(-self._solver.infinity(), 1)
                if r in self._cap:
                    # a row that pays once may be used again, at the loss of its worth
                    again = self._solver.NumVar(0, self._solver.infinity(), "")
                    self._objective.SetCoefficient(again, -self._cap[r] / SCALE)
                    row.SetCoefficient(again, -1.0)
            row.SetCoefficient(variable, 1.0)
            bits ^= low
