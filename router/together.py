"""What sets of routes must fulfil together, as constraints of CP-SAT over candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from router.candidates import Candidates
from router.graph import to_ints
from router.model import Model

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def islands(links: Sequence[int], model: Model) -> list[int]:
    """Return the links of each part of a set that falls apart, and all links but those of the other parts."""
    touch = (1 << 64 * model.touch) - 1
    left = [link & touch for link in links]
    parts: list[int] = []
    while left and touch:
        reached = left.pop(0)
        near = left
        while near:
            near = [link for link in left if link & reached]
            left = [link for link in left if not link & reached]
            for link in near:
                reached |= link
        parts.append(reached)
    if len(parts) < 2:
        return []
    everything = 0
    for part in parts:
        everything |= part
    return [*parts, *(touch & ~(everything & ~part) for part in parts)]


def meet_needs(
    program: cp_model.CpModel,
    model: Model,
    pools: list[Candidates],
    chosen: list[list[cp_model.IntVar]],
    most: int,
) -> None:
    """Demand what a set of at most ``most`` routes needs: one route with a link of each row."""
    marked = {bit for _, _, bit in model.marks}
    for need in model.needs:
        met: list[cp_model.IntVar] = []
        others: list[cp_model.IntVar] = []
        for pool, row in zip(pools, chosen, strict=True):
            hits = ((pool.link & need) != 0).any(axis=1).tolist()
            for variable, hit in zip(row, hits, strict=True):
                (met if hit else others).append(variable)
        bits = {64 * w + b for w, word in enumerate(need.tolist()) for b in range(64) if word >> b & 1}
        if bits & marked:
            program.add(sum(met) >= 1)
        elif others:
            program.add(sum(others) <= most * sum(met))


def bridge_islands(
    program: cp_model.CpModel,
    model: Model,
    pools: list[Candidates],
    chosen: list[list[cp_model.IntVar]],
    apart: Sequence[int],
) -> None:
    """Demand a candidate with links on both sides where candidates run inside and outside an island."""
    touch = (1 << 64 * model.touch) - 1
    wanted = [need & touch for need in to_ints(model.needs) if need & touch]
    links = [[bits & touch for bits in to_ints(pool.link)] for pool in pools]
    for island in apart:
        inside: list[cp_model.IntVar] = []
        outside: list[cp_model.IntVar] = []
        bridges: list[cp_model.IntVar] = []
        for row, own in zip(chosen, links, strict=True):
            for variable, link in zip(row, own, strict=True):
                side = outside if not link & island else bridges if link & ~island else inside
                side.append(variable)
        sides = []
        for side, beyond in ((inside, touch & ~island), (outside, island)):
            if any(not need & beyond for need in wanted):
                # all that can meet the need is on this side or crosses
                continue
            runs = program.new_bool_var("")
            program.add(sum(side) == 0).only_enforce_if(~runs)
            sides.append(runs)
        program.add(sum(bridges) >= 1).only_enforce_if(sides)


def keep_company(
    program: cp_model.CpModel,
    model: Model,
    pools: list[Candidates],
    chosen: list[list[cp_model.IntVar]],
    most: int,
) -> None:
    """Demand of each candidate that runs, ``most`` times or less, a link that another has too."""
    touch = (1 << 64 * model.touch) - 1
    links = [[bits & touch for bits in to_ints(pool.link)] for pool in pools]
    at: dict[int, list[cp_model.IntVar]] = {}
    for row, own in zip(chosen, links, strict=True):
        for variable, link in zip(row, own, strict=True):
            for bit in _bits(link):
                at.setdefault(bit, []).append(variable)
    if not at:
        return
    everything = [variable for row in chosen for variable in row]
    alone = program.new_bool_var("")
    program.add(sum(everything) <= 1).only_enforce_if(alone)
    met = {}
    for bit, variables in sorted(at.items()):
        met[bit] = program.new_bool_var("")
        program.add(2 * met[bit] <= sum(variables))
    for row, own in zip(chosen, links, strict=True):
        for variable, link in zip(row, own, strict=True):
            program.add(variable <= most * (sum(met[bit] for bit in _bits(link)) + alone))


def _bits(word: int) -> list[int]:
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
