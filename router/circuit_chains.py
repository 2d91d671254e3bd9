"""The network model, part 4: routes that are linked end to end.

A chain is a tree of routes in which each end of a route is linked to at most one other; so it is a path of
routes. The referee links whatever can be linked, so two ends at one stop are left unlinked only within one
chain. A chain is *open* and paid at its two outer ends, or *closed* (every end meets another) and paid at
one stop. Which links the referee makes can depend on the order of listing; the model takes the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from router.circuit_money import Score, distance_at_most
from router.circuit_paths import Linear, Literal, Slot
from router.circuit_sets import Trees, members
from router.problem import ChainBonus, Hex, Node, RouteProblem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True, slots=True)
class _Outer:
    """An end of a chain: a literal, the hex from which it is measured, and whether that is not its own."""

    literal: Literal
    node: str
    hex: Hex
    moved: bool


def add_chains(
    program: cp_model.CpModel,
    problem: RouteProblem,
    term: ChainBonus,
    slots: Sequence[Slot],
    score: Score,
) -> dict[tuple[int, str], Literal]:
    """Add chains of ``slots`` and the money for their length.

    Returns
    -------
    dict
        By slot and node: the route may be paid there.
    """
    if not slots:
        return {}
    chains = _Chains(program, problem, term, slots)
    chains.depend()
    for k in range(len(slots)):
        for j in range(k + 1):
            chains.pay_length(k, j, score)
    chains.pay_closed(score)
    return chains.pays()


class _Chains:
    """The variables of the chains of one term, by the places of the routes in ``slots``."""

    def __init__(
        self, program: cp_model.CpModel, problem: RouteProblem, term: ChainBonus, slots: Sequence[Slot]
    ) -> None:
        self.program = program
        self.problem = problem
        self.term = term
        self.slots = slots
        self.place = {slot.number: k for k, slot in enumerate(slots)}
        self.ends: list[dict[str, Literal]] = [self._ends(slot) for slot in slots]
        self.links: list[dict[str, list[Literal]]] = [{name: [] for name in ends} for ends in self.ends]
        self.joined: dict[tuple[int, int], Literal] = {}
        self.trees = Trees(program, slots, self._link, single=False)
        for (k, j), joined in self.joined.items():
            program.add_bool_or(~joined, self.trees.parent[k, j], self.trees.parent[j, k])
        self.member = members(program, self.trees, slots)
        self.same = {(k, j): self._same(k, j) for k in range(len(slots)) for j in range(k)}
        self.same |= {(j, k): literal for (k, j), literal in self.same.items()}
        self.free = [self._free(k) for k in range(len(slots))]
        self.at = [
            {name: program.new_bool_var("") for name in sorted({n for ends in self.ends for n in ends})}
            for _ in slots
        ]
        self.closed = [program.new_bool_var("") for _ in slots]
        self._shape()
        self.outer = [(self._outer(k, slot.start), self._outer(k, slot.end)) for k, slot in enumerate(slots)]

    def _ends(self, slot: Slot) -> dict[str, Literal]:
        ends = {}
        for name in slot.start:
            ends[name] = literal = self.program.new_bool_var("")
            self.program.add(slot.start[name] + slot.end[name] == literal)
        return ends

    def _link(self, one: Slot, other: Slot) -> Literal:
        """Return a variable that says that two routes are linked, at one stop at which both end."""
        k, j = self.place[one.number], self.place[other.number]
        here = []
        for name in self.ends[k]:
            if name in self.ends[j]:
                link = self.program.new_bool_var("")
                self.program.add_implication(link, self.ends[k][name])
                self.program.add_implication(link, self.ends[j][name])
                self.links[k][name].append(link)
                self.links[j][name].append(link)
                here.append(link)
        joined = self.program.new_bool_var("")
        self.program.add(sum(here) == joined)
        self.joined[k, j] = joined
        return joined

    def _same(self, k: int, j: int) -> Literal:
        """Return whether two routes belong to one chain."""
        same = self.program.new_bool_var("")
        self.program.add_implication(same, self.slots[k].active)
        self.program.add_implication(same, self.slots[j].active)
        for p in range(max(k, j) + 1):
            ours, theirs = self.member.get((k, p)), self.member.get((j, p))
            if ours is not None and theirs is not None:
                self.program.add_bool_or(~ours, ~theirs, same)
                self.program.add_bool_or(~same, ~ours, theirs)
                self.program.add_bool_or(~same, ~theirs, ours)
            elif ours is not None:
                self.program.add_bool_or(~same, ~ours)
            elif theirs is not None:
                self.program.add_bool_or(~same, ~theirs)
        return same

    def _free(self, k: int) -> dict[str, Literal]:
        """Return the ends of a route that are not linked."""
        free = {}
        for name, end in self.ends[k].items():
            free[name] = literal = self.program.new_bool_var("")
            self.program.add(literal + sum(self.links[k][name]) == end)
        return free

    def _shape(self) -> None:
        """Tell open chains from closed ones."""
        program = self.program
        for k, slot in enumerate(self.slots):
            program.add(sum(self.at[k].values()) == self.closed[k])
            program.add_implication(self.closed[k], slot.active)
            for name, free in self.free[k].items():
                company = []
                for j in range(len(self.slots)):
                    if j == k or name not in self.ends[j]:
                        continue
                    same, end = self.same[k, j], self.ends[j][name]
                    beside = program.new_bool_var("")
                    program.add_implication(beside, same)
                    program.add_implication(beside, end)
                    program.add_bool_or(~same, ~end, beside)
                    program.add_bool_or(~free, self.closed[k], ~beside)
                    if j < k:
                        program.add_bool_or(~free, ~self.free[j][name], same)
                    company.append(beside)
                program.add_bool_or(~free, ~self.closed[k], *company)
            for j in range(k):
                for name in self.at[k]:
                    program.add_bool_or(~self.same[k, j], ~self.at[k][name], self.at[j][name])
                    program.add_bool_or(~self.same[k, j], ~self.at[j][name], self.at[k][name])

    def _outer(self, k: int, side: dict[str, Literal]) -> list[_Outer]:
        """Return the ways in which one end of a route can be an outer end of an open chain."""
        slot, program = self.slots[k], self.program
        found = []
        for node in slot.nodes:
            if node.id not in side:
                continue
            for hex_, moved, ways in self._measured(slot, node):
                literal = program.new_bool_var("")
                program.add_implication(literal, side[node.id])
                program.add_implication(literal, self.free[k][node.id])
                program.add_implication(literal, ~self.closed[k])
                if ways:
                    program.add_bool_or(~literal, *ways)
                found.append(_Outer(literal, node.id, hex_, moved))
        return found

    def _measured(self, slot: Slot, node: Node) -> list[tuple[Hex, bool, list[Literal]]]:
        hexes = self.problem.hex_by_id
        own = hexes[node.hex]
        if node.kind not in self.term.from_last_hex:
            return [(own, False, [])]
        ways: dict[tuple[str, bool], list[Literal]] = {}
        for segment in slot.segments:
            if node.id not in (segment.a, segment.b):
                continue
            moved = len(segment.hexes) > 1
            name = (segment.hexes[1] if segment.a == node.id else segment.hexes[-2]) if moved else own.id
            ways.setdefault((name, moved), []).extend(slot.runs([segment]))
        return [(hexes[name], moved, runs) for (name, moved), runs in ways.items()]

    def depend(self) -> None:
        """Hold the dependent routes in one chain, and with an independent one if any runs."""
        kinds = [slot.train.kind in self.term.dependent for slot in self.slots]
        independent = [k for k, dependent in enumerate(kinds) if not dependent]
        for k, dependent in enumerate(kinds):
            if not dependent:
                continue
            active = self.slots[k].active
            for j in range(k):
                if kinds[j]:
                    self.program.add_bool_or(~active, ~self.slots[j].active, self.same[k, j])
            beside = [self.same[k, m] for m in independent]
            for j in independent:
                self.program.add_bool_or(~active, ~self.slots[j].active, *beside)

    def pay_length(self, k: int, j: int, score: Score) -> None:
        """Pay the length of an open chain that ends with the routes ``k`` and ``j``."""
        program, term = self.program, self.term
        sides = (
            self.outer[k]
            if k == j
            else (
                [*self.outer[k][0], *self.outer[k][1]],
                [*self.outer[j][0], *self.outer[j][1]],
            )
        )
        if not all(sides) or not (term.per_hex or term.far_per_hex):
            return
        gains = program.new_bool_var("")
        if k != j:
            program.add_implication(gains, self.same[k, j])
        for side in sides:
            program.add(sum(way.literal for way in side) >= gains)
        places = [way.hex for side in sides for way in side]
        ends: list[tuple[Linear, Linear]] = [
            (sum(way.hex.q * way.literal for way in side), sum(way.hex.r * way.literal for way in side))
            for side in sides
        ]
        most = max(a.distance(b) for a in places for b in places)
        apart = distance_at_most(program, ends, places, most)
        length = program.new_int_var(0, most + 1, "")
        moved = sum(way.literal for side in sides for way in side if way.moved)
        program.add(length <= apart - 1 + moved).only_enforce_if(gains)
        top = max(term.per_hex, term.far_per_hex) * (most + 1)
        money = program.new_int_var(0, top, "")
        program.add(money == 0).only_enforce_if(~gains)
        far = program.new_bool_var("")
        distant = [way.literal for side in sides for way in side if way.node in term.far]
        program.add(far <= sum(distant))
        program.add(money <= term.far_per_hex * length).only_enforce_if(far)
        program.add(money <= term.per_hex * length).only_enforce_if(~far)
        for literal in distant:
            program.add(money <= term.far_per_hex * length).only_enforce_if(literal)
        score.measured(1, money, top)

    def pay_closed(self, score: Score) -> None:
        """Pay the one hex that a closed chain can count when it ends where the last hex is measured."""
        for k, at in enumerate(self.at):
            for name, literal in at.items():
                if self.problem.node_by_id[name].kind in self.term.from_last_hex:
                    each = self.term.far_per_hex if name in self.term.far else self.term.per_hex
                    earned = self.program.new_bool_var("")
                    self.program.add_implication(earned, literal)
                    self.program.add_implication(earned, self.trees.root[k])
                    score.revenue(each, earned)

    def pays(self) -> dict[tuple[int, str], Literal]:
        """Return where each route may be paid."""
        found = {}
        for k, slot in enumerate(self.slots):
            for name, end in self.ends[k].items():
                closed = self.program.new_bool_var("")
                self.program.add_implication(closed, end)
                self.program.add_implication(closed, self.at[k][name])
                ways = [way.literal for side in self.outer[k] for way in side if way.node == name]
                paid = self.program.new_bool_var("")
                self.program.add(paid <= sum(ways) + closed)
                found[slot.number, name] = paid
        return found
