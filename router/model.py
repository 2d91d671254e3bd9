"""What a set of routes earns, in the form in which the search can bound it.

The *score* of a set is ``factor`` x revenue + subsidy, the factor being large enough that no subsidy
outweighs a unit of revenue (or 1 where the objective is their sum). Money that pays once over several
routes becomes *rows*: each row has a worth, a route covers rows, and a set earns the worth of the rows
covered. A stop with different values for different trains has a row per step of its value. What rows cannot
say (areas, who is paid first) is bounded from above and settled by the referee when a set is complete.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from math import gcd
from typing import Any, TypeAlias

import numpy as np

from router.areas import NO_AREAS, Areas, build_areas
from router.graph import Graph, Ints, Words, to_words, unit_words
from router.problem import (
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    HexSubsidy,
    LargestTrainBonus,
    MustRun,
    Node,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    StopBonus,
    Term,
    TrackBonus,
    Train,
    VisitHome,
)

NOTHING: Words = np.zeros(0, dtype=np.uint64)
_NO_ROWS: Words = np.zeros((0, 0), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class RouteBonus:
    """Money once per route if each of ``sets`` holds a stop of it, a paying one unless ``visit``."""

    amount: int
    sets: tuple[frozenset[str], ...]
    visit: bool = False


@dataclass(slots=True, eq=False)
class Model:
    """How sets of routes are scored.

    Attributes
    ----------
    whole
        The problem with the trains of fixed routes.
    worth
        Score of each row, padded to whole words; empty if nothing pays once only.
    node_link
        Per node the bits that can help a set: stops where routes meet, areas, required hexes.
    touch
        How many of the first words of the links must hang together.
    passable
        Bits of stops by which the routes of one train can hang together; empty if none need to.
    needs
        Rows of links of which a set needs one each.
    marks
        Conditions that a single route can meet, with the bit of its link.
    settled
        Whether the score of a complete set may differ from the model's.
    odd
        Kinds of trains to which a stop that pays once is worth something of its own.
    trusted
        Whether it does so only in odd cases, so that it is enough to ask the referee at the end.
    blind
        Whether trains choose among stops of which several count as one: they are chosen one by one, so a
        candidate's choice may not be the one that is made.
    blocks
        Track classes that do not compete, each with a block of track words of its own; empty: no route
        competes with another for track.
    words
        Words of rows that pay once.
    end_words
        Words of the ends of routes that form chains, with a bit to spare; 0 if none do.
    areas
        Pairs of areas that sets of meeting routes earn.
    end_rows
        Words of rows for the stops at which chains end, after those of track.
    """

    problem: RouteProblem
    whole: RouteProblem
    graph: Graph
    factor: int
    unit: int
    worth: Ints
    steps: dict[object, dict[object, list[tuple[int, int]]]] = field(repr=False)
    """By scope, per name of what pays once the values of its steps, with the bit of the row of each."""
    rows: dict[object, int] = field(repr=False)
    """Rows of hexes."""
    node_link: Words
    touch: int
    passable: Words
    needs: Words
    marks: tuple[tuple[RequiredRoute | MustRun, str, int], ...]
    stop_names: dict[str, str]
    settled: bool
    trusted: bool
    counts_once: bool
    odd: frozenset[str]
    blind: bool
    blocks: tuple[str, ...]
    words: int
    end_words: int
    areas: Areas = NO_AREAS
    end_rows: int = 0
    memo: dict[object, Any] = field(default_factory=dict, repr=False)
    """What was laid out for one train and is the same for others."""

    @property
    def track_words(self) -> int:
        """Words of track, and of ends of chains, in the masks of candidates."""
        return self.graph.words * len(self.blocks) + self.end_rows

    def block(self, train: Train) -> int:
        """Return the first track word of routes of ``train``."""
        return self.graph.words * (self.blocks.index(train.track_class) if len(self.blocks) > 1 else 0)

    def bonuses(self, train: Train) -> list[RouteBonus]:
        """Return what is paid once per route of ``train``, and what routes at areas are credited with."""
        found = []
        for term in self.problem.terms:
            if isinstance(term, StopBonus):
                found.append(RouteBonus(term.worth(train.kind) * self.factor, term.all_of))
        found += [RouteBonus(amount, (nodes,), visit=True) for nodes, amount in self.areas.sides]
        return found


def build_model(
    problem: RouteProblem, graph: Graph, objective: str, whole: RouteProblem | None = None
) -> Model:
    """Lay out the rows, the links and the score of ``problem``.

    Parameters
    ----------
    whole
        The problem with the trains of fixed routes, where it is another.
    """
    once = problem.count != "route"
    subsidies = [term for term in problem.terms if isinstance(term, HexSubsidy)]
    hexes: set[str] = set()
    if subsidies:
        hexes.update(*[segment.hexes for segment in problem.segments], [node.hex for node in problem.nodes])
    most = sum([term.per_hex * len(hexes) for term in subsidies])
    factor = 1 if objective == "total" else most + 1
    steps: dict[object, dict[object, list[tuple[int, int]]]] = {"largest": {}}
    rows: dict[object, int] = {}
    worth: list[int] = []
    odd: frozenset[str] = frozenset()
    names = stop_names(problem, graph.nodes) if once else {}

    def steps_of(values: set[int]) -> list[tuple[int, int]]:
        below = 0
        found = []
        for value in sorted(values) if len(values) > 1 else values:
            if value > 0:
                found.append((value, 1 << len(worth)))
                worth.append((value - below) * factor)
                below = value
        return found

    if once:
        odd = odd.union(*[node.values for node in graph.nodes])
        buyers = {
            (count_scope(problem, train), train.kind if train.kind in odd else None, train.multiplier)
            for train in problem.trains
        }
        for scope in sorted({scope for scope, _, _ in buyers}):
            values: dict[str, set[int]] = {name: set() for name in names.values()}
            own = [values[names[node.id]] for node in graph.nodes]
            for kind, times in [(kind, times) for other, kind, times in buyers if other == scope]:
                for node, here in zip(graph.nodes, own, strict=True):
                    here.add((node.values.get(kind, node.value) if kind is not None else node.value) * times)
            steps["stop", scope] = {name: steps_of(values[name]) for name in sorted(values)}
    for number, term in enumerate(problem.terms):
        if isinstance(term, LargestTrainBonus):
            amounts = {term.amounts.get(train.kind, 0) for train in problem.trains}
            steps["largest"][number] = steps_of(amounts)
        elif isinstance(term, HexSubsidy) and term.per_hex > 0:
            for hex_ in sorted(hexes):
                rows["hex", number, hex_] = len(worth)
                worth.append(term.per_hex)
    words = (len(worth) + 63) // 64
    whole = whole or problem
    kinds = set(map(type, problem.terms))
    node_link, touch, needs, marks, simple = _links(problem, graph, whole, kinds)
    return Model(
        problem=problem,
        graph=graph,
        factor=factor,
        unit=_unit(whole, graph, factor),
        whole=whole,
        worth=np.array(worth + [0] * (64 * words - len(worth)), dtype=np.int64),
        steps=steps,
        rows=rows,
        node_link=node_link,
        touch=touch,
        passable=NOTHING if simple else _passable(problem, graph),
        needs=needs,
        marks=marks,
        stop_names=names,
        settled=not simple or once or bool(worth),
        trusted=_trusted(problem, names),
        counts_once=once,
        odd=odd,
        blind=once and _blind(problem, graph),
        blocks=_blocks(problem),
        words=words,
        end_words=(len(graph.nodes) + 64) // 64 if ChainBonus in kinds else 0,
        areas=build_areas(problem, graph, factor, node_link.shape[1]) if AreaBonus in kinds else NO_AREAS,
    )


def _blind(problem: RouteProblem, graph: Graph) -> bool:
    """Tell whether a train chooses among stops, and some count as one."""
    if not any(train.pay for train in problem.trains):
        return False
    names = [node.counts_as or node.id for node in graph.nodes]
    return len(set(names)) < len(names)


def _trusted(problem: RouteProblem, names: dict[str, str]) -> bool:
    """Tell whether rows and links say all that the referee will say of almost every set."""
    for term in problem.terms:
        if isinstance(term, AreaBonus) or (isinstance(term, LargestTrainBonus) and term.lost_at):
            return False
    for train in problem.trains:
        if train.hex_pays_once or (train.routes_touch and train.routes != 1):
            return False
    return "\n" not in "".join(names.values())


def count_scope(problem: RouteProblem, train: Train) -> str:
    """Return the name of the trains that share the counting of stops with ``train``."""
    return train.track_class if problem.count == "class" else ""


def _blocks(problem: RouteProblem) -> tuple[str, ...]:
    if problem.track_scope == "route":
        return ()
    if problem.track_scope == "all":
        return ("",)
    return tuple(sorted({train.track_class for train in problem.trains})) or ("",)


def stop_names(problem: RouteProblem, nodes: Sequence[Node]) -> dict[str, str]:
    """Return, by node, the name under which the stop pays once.

    Stops of one name that a single route may visit together keep their own names: such a route is paid for
    each of them, so only their sum is a bound.
    """
    names = {node.id: node.counts_as or node.id for node in nodes}
    if len(set(names.values())) == len(names):
        return names
    mates: dict[str, list[Node]] = {}
    for node in nodes:
        mates.setdefault(names[node.id], []).append(node)
    once = all(train.hex_visits == "once" for train in problem.trains)
    for name, alike in mates.items():
        if len(alike) > 1 and any(
            not set(a.groups) & set(b.groups) and not (a.hex == b.hex and once)
            for i, a in enumerate(alike)
            for b in alike[:i]
        ):
            names.update({node.id: f"{name}\n{node.id}" for node in alike})
    return names


Mark: TypeAlias = tuple[RequiredRoute | MustRun, str, int]
"""A condition, the track class in which it must be met, and the bit of the link that says so."""


def _links(
    problem: RouteProblem, graph: Graph, whole: RouteProblem, kinds: Set[type[Term]]
) -> tuple[Words, int, Words, tuple[Mark, ...], bool]:
    """Return the links of the nodes, the words that hang together, what is needed, and whether nothing is."""
    hanging = [train for train in whole.trains if train.routes_touch and train.routes != 1]
    n = len(graph.node_ids)
    if not (problem.conditions or AreaBonus in kinds or ChainBonus in kinds or hanging):
        return np.empty((n, 0), dtype=np.uint64), 0, _NO_ROWS, (), True
    width = max(1, (n + 63) // 64)
    bit = 64 * width
    needs: list[int] = []
    marks: list[Mark] = []
    for condition in problem.conditions:
        if isinstance(condition, VisitHome):
            names = [name for name in condition.nodes if name in graph.node_index]
            needs.append(sum(1 << graph.node_index[name] for name in names))
        elif isinstance(condition, RequiredRoute | MustRun):
            classes = (
                condition.track_classes if isinstance(condition, RequiredRoute) else (condition.track_class,)
            )
            for name in classes:
                needs.append(1 << bit)
                marks.append((condition, name, bit))
                bit += 1
    link = unit_words(n, bit)
    need_words = to_words(needs, bit) if needs else np.zeros((0, link.shape[1]), dtype=np.uint64)
    touch = any(isinstance(c, RoutesTouch) for c in problem.conditions)
    return link, width if touch else 0, need_words, tuple(marks), False


def _passable(problem: RouteProblem, graph: Graph) -> Words:
    if not any(train.routes_touch for train in problem.trains):
        return NOTHING
    bits = sum([1 << i for i, node in enumerate(graph.nodes) if not node.blocked])
    words: Words = to_words([bits], max(1, len(graph.node_ids)))[0]
    return words


def _unit(problem: RouteProblem, graph: Graph, factor: int) -> int:
    values = {node.value for node in graph.nodes}
    for others in [node.values for node in graph.nodes if node.values]:
        values.update(others.values())
    # gcd(v * m for all v, m) = gcd(all v) * gcd(all m)
    unit = gcd(*values) * gcd(*[train.multiplier for train in problem.trains]) * factor
    for term in problem.terms:
        amounts: list[int] = []
        if isinstance(term, StopBonus):
            amounts = [term.amount, *term.amounts.values()]
        elif isinstance(term, TrackBonus):
            amounts = [term.amount]
        elif isinstance(term, DistanceBonus):
            amounts = [term.per_hex]
        elif isinstance(term, AreaBonus):
            amounts = [amount for _, _, amount in term.pairs]
        elif isinstance(term, LargestTrainBonus):
            amounts = list(term.amounts.values())
        elif isinstance(term, ChainBonus):
            amounts = [term.per_hex, term.far_per_hex]
        for amount in amounts:
            unit = gcd(unit, amount * factor)
        if isinstance(term, HexSubsidy):
            unit = gcd(unit, term.per_hex)
    return unit or 1


__all__ = ["Model", "RouteBonus", "build_model"]
