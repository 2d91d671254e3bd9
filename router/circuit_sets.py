"""The network model, part 3: what binds several routes together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from router.circuit_money import Score
from router.circuit_paths import Literal, Slot
from router.problem import (
    AreaBonus,
    MustRun,
    Node,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    VisitHome,
)

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def add_together(program: cp_model.CpModel, problem: RouteProblem, slots: Sequence[Slot]) -> None:
    """Add track that is used once, all conditions, and an order of slots that are alike."""
    _track(program, problem, slots)
    _order(program, slots)
    for condition in problem.conditions:
        if isinstance(condition, VisitHome):
            home = sum(literal for slot in slots for literal in slot.visits(sorted(condition.nodes)))
            for slot in slots:
                program.add(home >= slot.active)
        elif isinstance(condition, RoutesTouch):
            Trees(program, slots, share_a_stop(program, lambda node: True), single=True)
        elif isinstance(condition, MustRun):
            mates = [slot.active for slot in slots if slot.train.track_class == condition.track_class]
            program.add(sum(mates) >= 1)
        else:
            _required(program, condition, slots)
    for train in problem.trains:
        own = [slot for slot in slots if slot.train.id == train.id]
        if train.routes_touch and len(own) > 1:
            Trees(program, own, share_a_stop(program, lambda node: not node.blocked), single=True)


def _track(program: cp_model.CpModel, problem: RouteProblem, slots: Sequence[Slot]) -> None:
    if problem.track_scope == "route":
        return
    users: dict[tuple[str, str], list[Literal]] = {}
    for slot in slots:
        scope = slot.train.track_class if problem.track_scope == "class" else ""
        for segment in slot.segments:
            for piece in segment.track:
                users.setdefault((scope, piece), []).extend(slot.runs([segment]))
    for runs in users.values():
        if len(runs) > 2:
            program.add_at_most_one(runs)


def _order(program: cp_model.CpModel, slots: Sequence[Slot]) -> None:
    """Let the routes of slots that are alike start at ascending stops; those that do not run come last."""
    last: dict[object, Slot] = {}
    for slot in slots:
        if slot.fixed is not None:
            continue
        before = last.get(slot.alike)
        last[slot.alike] = slot
        if before is None:
            continue
        program.add_implication(slot.active, before.active)
        numbers = {node.id: i for i, node in enumerate(slot.nodes, 1)}
        first, second = (
            sum(numbers[name] * literal for name, literal in which.start.items()) for which in (before, slot)
        )
        program.add(first <= second).only_enforce_if(slot.active)


def _required(program: cp_model.CpModel, condition: RequiredRoute, slots: Sequence[Slot]) -> None:
    for name in condition.track_classes:
        ways = []
        for slot in slots:
            if slot.train.track_class != name:
                continue
            way = program.new_bool_var("")
            program.add_implication(way, slot.active)
            for hex_ in sorted(condition.hexes):
                program.add(sum(slot.through(hex_)) >= way)
            for run in slot.runs(s for s in slot.segments if not condition.hexes.issuperset(s.hexes)):
                program.add_bool_or(~way, ~run)
            ways.append(way)
        program.add(sum(ways) >= 1)


class Trees:
    """Trees that hold routes together: a route hangs on another with which it shares a stop.

    Parameters
    ----------
    meets
        Returns a variable that may only be true if two routes meet.
    single
        Whether all routes must hang in one tree.

    Attributes
    ----------
    root, parent
        By slot: it is the root of a tree; by two slots: the first hangs on the second.
    """

    def __init__(
        self,
        program: cp_model.CpModel,
        slots: Sequence[Slot],
        meets: Callable[[Slot, Slot], Literal],
        *,
        single: bool,
    ) -> None:
        self.root = [program.new_bool_var("") for _ in slots]
        self.parent: dict[tuple[int, int], Literal] = {}
        depth = [program.new_int_var(0, max(0, len(slots) - 1), "") for _ in slots]
        for k, slot in enumerate(slots):
            for j, other in enumerate(slots[:k]):
                joined = meets(slot, other)
                for child, parent in ((k, j), (j, k)):
                    literal = program.new_bool_var("")
                    self.parent[child, parent] = literal
                    program.add_implication(literal, joined)
                    program.add(depth[child] >= depth[parent] + 1).only_enforce_if(literal)
        for k, slot in enumerate(slots):
            hangs = [literal for (child, _), literal in self.parent.items() if child == k]
            program.add(self.root[k] + sum(hangs) == slot.active)
            if single:
                # the first route that runs is the root
                for other in slots[:k]:
                    program.add_bool_or(~self.root[k], ~other.active)


def share_a_stop(
    program: cp_model.CpModel, meeting: Callable[[Node], bool]
) -> Callable[[Slot, Slot], Literal]:
    """Return how routes meet: at a stop that both visit, if ``meeting`` says that it counts."""

    def meets(one: Slot, other: Slot) -> Literal:
        common = []
        for node in one.nodes:
            if node.id in other.visit and meeting(node):
                both = program.new_bool_var("")
                program.add_implication(both, one.visit[node.id])
                program.add_implication(both, other.visit[node.id])
                common.append(both)
        joined = program.new_bool_var("")
        program.add(joined <= sum(common))
        return joined

    return meets


def members(program: cp_model.CpModel, trees: Trees, slots: Sequence[Slot]) -> dict[tuple[int, int], Literal]:
    """Return by two slots whether the first belongs to the tree of which the second is the root.

    The root of a tree is the first of its routes.
    """
    member: dict[tuple[int, int], Literal] = {}
    for k, slot in enumerate(slots):
        for p in range(k):
            member[k, p] = program.new_bool_var("")
            program.add_implication(member[k, p], trees.root[p])
        member[k, k] = trees.root[k]
        program.add(sum(member[k, p] for p in range(k + 1)) == slot.active)
    for (child, parent), literal in trees.parent.items():
        for p in range(len(slots)):
            ours, theirs = member.get((child, p)), member.get((parent, p))
            if ours is not None and theirs is not None:
                program.add_bool_or(~literal, ~ours, theirs)
                program.add_bool_or(~literal, ~theirs, ours)
            elif ours is not None:
                program.add_bool_or(~literal, ~ours)
            elif theirs is not None:
                program.add_bool_or(~literal, ~theirs)
    return member


def add_areas(program: cp_model.CpModel, term: AreaBonus, slots: Sequence[Slot], score: Score) -> None:
    """Pay pairs of areas to sets of meeting routes; each set is a tree."""
    pairs = [pair for pair in term.pairs if pair[2]]
    trees = Trees(program, slots, share_a_stop(program, lambda node: node.kind in term.meeting), single=False)
    member = members(program, trees, slots)
    for p in range(len(slots)):
        touch: dict[str, Literal] = {}
        for name in sorted({area for one, other, _ in pairs for area in (one, other)}):
            touches = []
            for k in range(p, len(slots)):
                visits = slots[k].visits(sorted(term.areas.get(name, frozenset())))
                if visits:
                    both = program.new_bool_var("")
                    program.add_implication(both, member[k, p])
                    program.add(both <= sum(visits))
                    touches.append(both)
            touch[name] = program.new_bool_var("")
            program.add(touch[name] <= sum(touches))
        for one, other, amount in pairs:
            earned = program.new_bool_var("")
            program.add_implication(earned, touch[one])
            program.add_implication(earned, touch[other])
            score.revenue(amount, earned)
