"""The network model, part 2: the money of the routes, and what couples it.

Every variable here says that something *may* be paid; since all amounts are positive and the score is
maximised, constraints only have to keep a variable false where the rule does not pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from router.circuit_paths import Linear, Literal, Slot
from router.problem import (
    DistanceBonus,
    Hex,
    HexSubsidy,
    LargestTrainBonus,
    Node,
    RouteProblem,
    StopBonus,
    TrackBonus,
)

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class Score:
    """What is maximised: money with its factor, and a bound that needs no search."""

    def __init__(self, factor: int) -> None:
        self.factor = factor
        self.parts: list[Linear] = []
        self.roof = 0

    def revenue(self, amount: int, literal: Literal) -> None:
        """Add revenue that is paid if ``literal`` is true."""
        self.subsidy(amount * self.factor, literal)

    def subsidy(self, amount: int, literal: Literal) -> None:
        """Add subsidy that is paid if ``literal`` is true."""
        if amount > 0:
            self.parts.append(amount * literal)
            self.roof += amount

    def measured(self, each: int, number: Literal, most: int) -> None:
        """Add revenue per unit of a whole number."""
        if each > 0:
            self.parts.append(each * self.factor * number)
            self.roof += each * self.factor * most


def add_money(
    program: cp_model.CpModel,
    problem: RouteProblem,
    slots: Sequence[Slot],
    score: Score,
    chained: dict[tuple[int, str], Literal],
) -> None:
    """Add the stops and all terms but those for sets of linked or meeting routes.

    Parameters
    ----------
    chained
        By slot and node, whether a route that belongs to chains is paid there; for such slots only.
    """
    paid = [_paying(program, slot, chained) for slot in slots]
    _stops(program, problem, slots, paid, score)
    for term in problem.terms:
        if isinstance(term, StopBonus):
            for slot, pays in zip(slots, paid, strict=True):
                _stop_bonus(program, term, slot, pays, score)
        elif isinstance(term, TrackBonus):
            for slot in slots:
                runs = slot.runs(s for s in slot.segments if term.mark in s.marks)
                if runs and term.amount:
                    earned = program.new_bool_var("")
                    program.add(earned <= sum(runs))
                    score.revenue(term.amount, earned)
        elif isinstance(term, DistanceBonus):
            for slot in slots:
                if slot.train.kind in term.trains and term.per_hex:
                    _distance(program, problem, term, slot, score)
        elif isinstance(term, LargestTrainBonus):
            _largest(program, term, slots, score)
        elif isinstance(term, HexSubsidy):
            _hexes(program, term, slots, score)


def _paying(
    program: cp_model.CpModel, slot: Slot, chained: dict[tuple[int, str], Literal]
) -> dict[str, Literal]:
    """Choose the paying stops of a slot."""
    train = slot.train
    own = {name: literal for (number, name), literal in chained.items() if number == slot.number}
    if own:
        return {n.id: own[n.id] for n in slot.nodes if n.id in own and n.kind in train.paying}
    must = train.always_pays
    choosy = shadowed(slot)
    pays: dict[str, Literal] = {}
    for node in slot.nodes:
        if node.kind not in train.paying:
            continue
        if node.kind in must or not (choosy or any(node.kind in limit.kinds for limit in train.pay)):
            pays[node.id] = slot.visit[node.id]
        else:
            pays[node.id] = program.new_bool_var("")
            program.add_implication(pays[node.id], slot.visit[node.id])
    for limit in train.pay:
        program.add(
            sum(pays[n.id] for n in slot.nodes if n.id in pays and n.kind in limit.kinds) <= limit.most
        )
    if train.token_pays:
        program.add(sum(pays[n.id] for n in slot.nodes if n.id in pays and n.token) >= slot.active)
    return pays


def _stops(
    program: cp_model.CpModel,
    problem: RouteProblem,
    slots: Sequence[Slot],
    paid: Sequence[dict[str, Literal]],
    score: Score,
) -> None:
    """Pay the stops: one route per name where they pay once, the first in its hex where that counts."""
    earns: list[dict[str, Literal]] = []
    for slot, pays in zip(slots, paid, strict=True):
        earns.append(_first_in_hex(program, slot, pays) if slot.train.hex_pays_once else dict(pays))
    users: dict[tuple[str, str], list[int]] = {}
    if problem.count != "route":
        for i, slot in enumerate(slots):
            scope = slot.train.track_class if problem.count == "class" else ""
            names = {n.counts_as or n.id for n in slot.nodes if n.id in paid[i]}
            for name in sorted(names):
                users.setdefault((scope, name), []).append(i)
    for (_, name), members in sorted(users.items()):
        if len(members) < 2:
            continue
        owns = [program.new_bool_var("") for _ in members]
        program.add_at_most_one(owns)
        for i, own in zip(members, owns, strict=True):
            for node in slots[i].nodes:
                if node.id in earns[i] and (node.counts_as or node.id) == name:
                    earned = program.new_bool_var("")
                    program.add_implication(earned, earns[i][node.id])
                    program.add_implication(earned, own)
                    earns[i][node.id] = earned
    for slot, earn in zip(slots, earns, strict=True):
        for node in slot.nodes:
            if node.id in earn:
                score.revenue(node.worth(slot.train.kind) * slot.train.multiplier, earn[node.id])


def shadowed(slot: Slot) -> bool:
    """Tell whether a route of the slot may be paid for one of several stops of a hex only."""
    hexes = [node.hex for node in slot.nodes if node.kind in slot.train.paying]
    return slot.train.hex_pays_once and slot.train.hex_visits != "once" and len(set(hexes)) < len(hexes)


def _first_in_hex(program: cp_model.CpModel, slot: Slot, pays: dict[str, Literal]) -> dict[str, Literal]:
    """Of several paying stops in a hex pay the one that the route comes to first."""
    hexes: dict[str, list[Node]] = {}
    for node in slot.nodes:
        if node.id in pays:
            hexes.setdefault(node.hex, []).append(node)
    earns = dict(pays)
    if not shadowed(slot):
        return earns
    place = {node.id: program.new_int_var(1, len(slot.nodes), "") for node in slot.nodes}
    for segment in slot.segments:
        for way, a, b in ((slot.forth, segment.a, segment.b), (slot.back, segment.b, segment.a)):
            program.add(place[b] >= place[a] + 1).only_enforce_if(way[segment.id])
    for members in hexes.values():
        if len(members) < 2:
            continue
        for node in members:
            earns[node.id] = earned = program.new_bool_var("")
            program.add_implication(earned, pays[node.id])
            for other in members:
                if other is not node:
                    program.add(place[node.id] + 1 <= place[other.id]).only_enforce_if(earned, pays[other.id])
    return earns


def _stop_bonus(
    program: cp_model.CpModel, term: StopBonus, slot: Slot, pays: dict[str, Literal], score: Score
) -> None:
    amount = term.worth(slot.train.kind)
    hits = [[pays[name] for name in sorted(nodes) if name in pays] for nodes in term.all_of]
    if not amount or not all(hits):
        return
    earned = program.new_bool_var("")
    for hit in hits:
        program.add(earned <= sum(hit))
    score.revenue(amount, earned)


def _distance(
    program: cp_model.CpModel, problem: RouteProblem, term: DistanceBonus, slot: Slot, score: Score
) -> None:
    """Measure between the first and the last visited stop of the kinds between which is measured."""
    kind = {node.id: node.kind in term.between for node in slot.nodes}
    outer = [node for node in slot.nodes if kind[node.id]]
    if len(outer) < 2:
        return
    some = program.new_bool_var("")
    sides: list[dict[str, Literal]] = []
    for ahead, behind in ((slot.forth, slot.back), (slot.back, slot.forth)):
        # ``clear``: no such stop has been visited before, seen from this side
        clear = {node.id: program.new_bool_var("") for node in slot.nodes}
        for s in slot.segments:
            for way, a, b in ((ahead, s.a, s.b), (behind, s.b, s.a)):
                if kind[a]:
                    program.add_bool_or(~way[s.id], ~clear[b])
                else:
                    program.add_bool_or(~way[s.id], ~clear[b], clear[a])
        first = {node.id: program.new_bool_var("") for node in outer}
        for name, literal in first.items():
            program.add_implication(literal, slot.visit[name])
            program.add_implication(literal, clear[name])
        program.add(sum(first.values()) == some)
        sides.append(first)
    ends = [
        (
            sum(hexes[node.hex].q * side[node.id] for node in outer),
            sum(hexes[node.hex].r * side[node.id] for node in outer),
        )
        for hexes in (problem.hex_by_id,)
        for side in sides
    ]
    places = [problem.hex_by_id[node.hex] for node in outer]
    most = max(a.distance(b) for a in places for b in places)
    far = distance_at_most(program, ends, places, most)
    program.add(far == 0).only_enforce_if(~some)
    score.measured(term.per_hex, far, most)


def distance_at_most(
    program: cp_model.CpModel, ends: Sequence[tuple[Linear, Linear]], places: Sequence[Hex], most: int
) -> Literal:
    """Return a number that is at most the distance of two places given by their coordinates.

    The distance is the greatest of six linear forms, so it is at most one that may be chosen.
    """
    far = program.new_int_var(0, most, "")
    forms = [program.new_bool_var("") for _ in range(6)]
    program.add_exactly_one(forms)
    (q, r), (other_q, other_r) = ends
    span = 4 * max([max(abs(p.q), abs(p.r), abs(p.q + p.r)) for p in places], default=0) + most
    for form, (x, y) in zip(forms, ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)), strict=True):
        difference = x * (q - other_q) + y * (r - other_r)
        program.add(far <= difference + span * (1 - form))
    return far


def _largest(program: cp_model.CpModel, term: LargestTrainBonus, slots: Sequence[Slot], score: Score) -> None:
    offers = [(term.amounts.get(slot.train.kind, 0), slot, slot.visits(sorted(term.nodes))) for slot in slots]
    offers = [offer for offer in offers if offer[0] > 0 and offer[2]]
    taken = []
    for amount, slot, _ in offers:
        kept = slot.visits(sorted(term.nodes - term.lost_at))
        earned = program.new_bool_var("")
        program.add(earned <= sum(kept))
        for more, _, visits in offers:
            if more > amount:
                for visit in visits:
                    program.add_bool_or(~earned, ~visit)
        taken.append(earned)
        score.revenue(amount, earned)
    program.add_at_most_one(taken)


def _hexes(program: cp_model.CpModel, term: HexSubsidy, slots: Sequence[Slot], score: Score) -> None:
    covers: dict[str, list[Literal]] = {}
    for slot in slots:
        if slot.train.kind in term.trains:
            for segment in slot.segments:
                for hex_ in dict.fromkeys(segment.hexes):
                    covers.setdefault(hex_, []).extend(slot.runs([segment]))
    for runs in covers.values():
        covered = program.new_bool_var("")
        program.add(covered <= sum(runs))
        score.subsidy(term.per_hex, covered)
