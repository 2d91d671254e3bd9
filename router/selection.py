"""A CP-SAT model that selects among candidate routes.

One Boolean per candidate; at most as many of a profile as it has routes to run; each piece of track at most
once; the sum of the values is maximised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from router.candidates import Candidates
from router.dominate import beside_rows
from router.found import Found, Settle, Slot
from router.graph import to_ints
from router.linking import Linker, settled
from router.model import Model
from router.together import bridge_islands, islands, keep_company, meet_needs
from router.work import Interrupted, Work

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True, slots=True)
class Picked:
    """Candidates, by slot and index, and how many times each runs."""

    value: int
    times: dict[tuple[int, int], int]

    def chosen(
        self, slots: Sequence[Slot], pools: Sequence[Candidates]
    ) -> list[tuple[Slot, Candidates, int]]:
        """Return slot, pool and index of each candidate, as often as it runs."""
        return [(slots[p], pools[p], i) for (p, i), times in self.times.items() for _ in range(times)]


def select_all(
    pools: list[Candidates],
    slots: Sequence[Slot],
    target: Callable[[], int],
    add: Callable[[Found], None],
    *,
    work: Work,
    model: Model,
    settle: Settle | None,
    linker: Linker | None,
    exact: bool,
    trust: bool = False,
) -> bool:
    """Select and add sets until none can reach the target; return whether that is so.

    A set that does not hang together is cut off with all that fall apart in the same way; one that the
    referee values less is cut off alone.

    Parameters
    ----------
    target
        Returns the least score that is still wanted.
    exact
        No set is worth more than its candidates.

    Raises
    ------
    Interrupted
        If the stop criterion is reached before the proof.
    """
    counts = [slot.count for slot in slots]
    refused: list[Picked] = []
    apart: list[int] = []
    while True:
        picked = select_best(pools, counts, target(), work=work, model=model, refused=refused, apart=apart)
        if picked is None:
            return True
        chosen = picked.chosen(slots, pools)
        parts = islands([link for _, pool, i in chosen for link in to_ints(pool.link[i : i + 1])], model)
        if parts:
            apart += parts
            continue
        if settle is not None:
            work.count("settled")
        found = settled(chosen, picked.value, settle, linker, trust=trust)
        if found is not None:
            add(found)
            if exact and found.value >= picked.value:
                return True
        refused.append(picked)


def select_best(
    pools: list[Candidates],
    counts: list[int],
    at_least: int,
    *,
    work: Work,
    model: Model,
    refused: Sequence[Picked] = (),
    apart: Sequence[int] = (),
) -> Picked | None:
    """Return the best compatible candidates worth ``at_least`` or more, ``None`` if there are none.

    Parameters
    ----------
    refused
        Sets that are not wanted again.
    apart
        Bits of links: with candidates both of links inside and of links outside, one that bridges is wanted.

    Raises
    ------
    Interrupted
        If the stop criterion is reached before the proof.
    """
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    again = not model.blocks
    chosen: list[list[cp_model.IntVar]] = []
    users: dict[int, list[cp_model.IntVar]] = {}
    track = (pools[0].mask.shape[1] if pools else 0) - model.words
    for pool, count in zip(pools, counts, strict=True):
        row = [program.new_int_var(0, count if again else 1, "") for _ in range(len(pool))]
        chosen.append(row)
        if not row:
            continue
        program.add(sum(row) <= count)
        bits = np.unpackbits(pool.mask.view(np.uint8).reshape(len(pool), -1), axis=1, bitorder="little")
        for i, key in np.argwhere(bits).tolist():
            users.setdefault(key, []).append(row[i])
    money = [amount for pool in pools for amount in beside_rows(pool, model).tolist()]
    flat = [variable for row in chosen for variable in row]
    for key, variables in sorted(users.items()):
        if key < 64 * track:
            if len(variables) > 1:
                program.add(sum(variables) <= 1)
            continue
        covers = program.new_bool_var("")
        program.add(covers <= sum(variables))
        flat.append(covers)
        money.append(int(model.worth[key - 64 * track]))
    touched = [model.areas.touched(pool.link).tolist() for pool in pools]
    for pair, (amount, *_) in enumerate(model.areas.pairs.tolist()):
        sets = program.new_int_var(0, sum(counts), "")
        for side in (2 * pair, 2 * pair + 1):
            there = [
                variable
                for row, bits in zip(chosen, touched, strict=True)
                for variable, bit in zip(row, bits, strict=True)
                if bit >> side & 1
            ]
            program.add(sets <= sum(there))
        flat.append(sets)
        money.append(amount)
    for picked in refused:
        others = [
            variable
            for p, row in enumerate(chosen)
            for i, variable in enumerate(row)
            if (p, i) not in picked.times
        ]
        other = program.new_bool_var("")
        program.add(sum(others) >= 1).only_enforce_if(other)
        deviates = [other]
        for (p, i), times in picked.times.items():
            less, more = program.new_bool_var(""), program.new_bool_var("")
            program.add(chosen[p][i] <= times - 1).only_enforce_if(less)
            program.add(chosen[p][i] >= times + 1).only_enforce_if(more)
            deviates += [less, more]
        program.add_bool_or(deviates)
    work.look()
    meet_needs(program, model, pools, chosen, sum(counts))
    work.look()
    keep_company(program, model, pools, chosen, max(counts))
    work.look()
    bridge_islands(program, model, pools, chosen, apart)
    total = cp_model.LinearExpr.weighted_sum(flat, money)
    program.add(total >= at_least)
    program.maximize(total)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.relative_gap_limit = 0.0
    solver.parameters.absolute_gap_limit = 0.0
    solver.parameters.linearization_level = 2
    stopped = False

    def bound_moved(_: float) -> None:
        nonlocal stopped
        if work.stop.reached(work.expansions):
            stopped = True
            solver.stop_search()

    solver.best_bound_callback = bound_moved
    left = work.seconds_left()
    if left is not None:
        solver.parameters.max_time_in_seconds = max(0.01, left)
    status = solver.solve(program)
    work.count("branches", int(solver.num_branches))
    work.look()
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL or stopped:
        raise Interrupted("CP-SAT stopped early")
    values = ((p, i, int(solver.value(v))) for p, row in enumerate(chosen) for i, v in enumerate(row))
    return Picked(round(solver.objective_value), {(p, i): times for p, i, times in values if times})
