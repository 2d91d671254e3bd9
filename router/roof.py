"""A bound that needs no search."""

from __future__ import annotations

from router.chains import chain_ends
from router.model import Model
from router.problem import ChainBonus, DistanceBonus, TrackBonus
from router.teams import Group


def roof(model: Model, group: Group) -> int:
    """Return a bound that needs no search: every stop and every bonus on every route."""
    problem = model.problem
    total = int(model.worth.sum())
    chains = any(isinstance(term, ChainBonus) for term in problem.terms)
    for team in group.teams:
        train = team.trains[0]
        each = sum(bonus.amount for bonus in model.bonuses(train) if bonus.amount > 0)
        if not model.counts_once:
            each += sum(node.worth(train.kind) * train.multiplier for node in problem.nodes) * model.factor
        for term in problem.terms:
            if isinstance(term, TrackBonus):
                each += term.amount * model.factor
            elif isinstance(term, DistanceBonus):
                far = max((a.distance(b) for a in problem.hexes for b in problem.hexes), default=0)
                each += term.per_hex * far * model.factor
        if chains:
            each += int(chain_ends(model, train).most.max(initial=0))
        total += team.count * each
    return total
