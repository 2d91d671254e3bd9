"""The sets of stops that a walked route can be paid for, where stops pay once over several routes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.errors import Unsupported
from router.graph import Ints, Words, to_words
from router.model import Model
from router.profile import Profile

MOST_OPTIONAL = 16
"""Stops of one route that may pay but need not, at most."""


def choices(model: Model, profile: Profile, walked: Candidates) -> tuple[Words, Ints | None, Ints]:
    """Return one line per route and largest paying set.

    Returns
    -------
    rows, index, extra
        The rows that the chosen optional stops cover, the route of each line (``None``: one line per route,
        nothing optional), and the score of bonuses.
    """
    flags = profile.flags.tolist()
    graph = model.graph
    bonus = bool(profile.bonuses) or bool(graph.marks) or profile.distance.shape[0] > 0
    if not bonus and not any(flag & k.OPTIONAL for flag in flags):
        return np.zeros((0, model.words), dtype=np.uint64), None, np.zeros(len(walked), dtype=np.int64)
    rows: list[int] = []
    index: list[int] = []
    extra: list[int] = []
    for i in range(len(walked)):
        path = walked.route(i)
        stops = stops_of(model, path)
        must = [x for x in stops if flags[x] & k.MUST]
        optional = [x for x in stops if flags[x] & k.OPTIONAL]
        for more in _largest(profile, flags, must, optional):
            bits = 0
            for x in more:
                bits |= profile.coverage.paid[x]
            rows.append(bits)
            index.append(i)
            extra.append(route_bonus(model, profile, path, stops, {*must, *more}))
    return (
        to_words(rows, 64 * model.words).reshape(-1, model.words),
        np.array(index, dtype=np.int64),
        np.array(extra, dtype=np.int64),
    )


def stops_of(model: Model, path: list[int]) -> list[int]:
    """Return the nodes of a path in travel order."""
    stops = [path[0]]
    for s in path[1:]:
        a, b = model.graph.seg_ends[s]
        stops.append(b if stops[-1] == a else a)
    return stops


def route_bonus(model: Model, profile: Profile, path: list[int], stops: list[int], pays: set[int]) -> int:
    """Return the score of the bonuses of one route whose paying stops are ``pays``."""
    names = model.graph.node_ids
    visited = {names[x] for x in stops}
    paid = {names[x] for x in pays}
    total: int = sum(
        bonus.amount
        for bonus in profile.bonuses
        if all(not members.isdisjoint(visited if bonus.visit else paid) for members in bonus.sets)
    )
    marks = 0
    for s in path[1:]:
        marks |= int(model.graph.seg_mark[s])
    total += sum(amount for m, amount in enumerate(profile.mark_amount.tolist()) if marks >> m & 1)
    if profile.distance.shape[0]:
        outer = [x for x in stops if profile.flags[x] & k.BETWEEN]
        if outer:
            total += int(profile.distance[outer[0], outer[-1]])
    return total


def _largest(
    profile: Profile, flags: list[int], must: list[int], optional: list[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the largest sets of optional stops that the pay limits allow beside those that must pay."""
    train = profile.train
    room = profile.pay_cap - profile.pay_inc[must].sum(axis=0)
    if len(optional) > MOST_OPTIONAL:
        raise Unsupported(f"a route with more than {MOST_OPTIONAL} stops that may pay once only")
    must_token = not train.token_pays or any(flags[x] & k.TOKEN for x in must)
    for size in range(len(optional), -1, -1):
        found = False
        for more in combinations(optional, size):
            if (profile.pay_inc[list(more)].sum(axis=0) > room).any():
                continue
            if must_token or any(flags[x] & k.TOKEN for x in more):
                found = True
                yield more
        if found:
            return
