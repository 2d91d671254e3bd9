"""The rows that routes of a kind of train cover."""

from __future__ import annotations

from dataclasses import dataclass

from router.model import Model, count_scope
from router.problem import HexSubsidy, LargestTrainBonus, Train


@dataclass(slots=True, eq=False)
class Coverage:
    """Rows that routes of a kind of train cover, as bits: per node that pays, per node, per segment.

    ``money`` is the worth of the rows of each list, or empty if it has none.
    """

    paid: list[int]
    visited: list[int]
    inside: list[int]
    money: tuple[list[int], list[int], list[int]]


def coverage(model: Model, train: Train) -> Coverage:
    """Return the rows that routes of ``train`` cover; trains to which all is worth the same share them."""
    if not model.words:
        return _coverage(model, train)
    kind = train.kind
    key: list[object] = [
        term.amounts.get(kind, 0) if isinstance(term, LargestTrainBonus) else kind in term.trains
        for term in model.problem.terms
        if isinstance(term, LargestTrainBonus | HexSubsidy)
    ]
    if model.counts_once:
        key += [count_scope(model.problem, train), kind if kind in model.odd else None, train.multiplier]
    name = tuple(key)
    known: Coverage | None = model.memo.get(name)
    if known is None:
        known = model.memo[name] = _coverage(model, train)
    return known


def _coverage(model: Model, train: Train) -> Coverage:
    nodes, index = model.graph.nodes, model.graph.node_index
    paid, visited = [0] * len(nodes), [0] * len(nodes)
    inside = [0] * len(model.graph.segment_ids)
    money: tuple[list[int], list[int], list[int]] = ([], [], [])
    if model.counts_once:
        scope, kind, times = count_scope(model.problem, train), train.kind, train.multiplier
        steps, names, factor = model.steps["stop", scope], model.stop_names, model.factor
        for i, node in enumerate(nodes):
            value, most = node.values.get(kind, node.value) * times, 0
            for upto, bit in steps[names[node.id]]:
                if upto <= value:
                    paid[i] |= bit
                    most = upto
            money[0].append(most * factor)
    for number, term in enumerate(model.problem.terms):
        if isinstance(term, LargestTrainBonus):
            amount = term.amounts.get(train.kind, 0)
            met = [name for name in term.nodes if name in index and name not in term.lost_at]
            if amount > 0 and met:
                bits = sum([bit for upto, bit in model.steps["largest"][number] if upto <= amount])
                if not money[1]:
                    money[1].extend([0] * len(nodes))
                for name in met:
                    visited[index[name]] |= bits
                    money[1][index[name]] += amount * model.factor
        elif isinstance(term, HexSubsidy) and term.per_hex > 0 and train.kind in term.trains:
            if not money[1]:
                money[1].extend([0] * len(nodes))
            if not money[2]:
                money[2].extend([0] * len(inside))
            for i, node in enumerate(nodes):
                visited[i] |= 1 << model.rows["hex", number, node.hex]
                money[1][i] += term.per_hex
            for s, segment in enumerate(model.graph.segments):
                hexes = {*segment.hexes[1:-1]}
                for hex_ in hexes:
                    inside[s] |= 1 << model.rows["hex", number, hex_]
                money[2][s] += term.per_hex * len(hexes)
    return Coverage(paid, visited, inside, money)
