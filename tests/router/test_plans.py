"""Chains of linked routes against the naive oracle."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from naive import TooBig, naive_best
from router import limits
from router.errors import InvalidProblem
from router.problem import (
    ChainBonus,
    Hex,
    HexSubsidy,
    Limit,
    Node,
    RouteProblem,
    RoutesTouch,
    Segment,
    Train,
    VisitHome,
    kinds,
)
from router.solution import Status
from router.solve import solve
from router.stop import Deadline

LENGTH = {"f": 1, "g": 2, "h": 3}
BIG = kinds("city", "offboard")


def chained(seed: int) -> RouteProblem:
    """Return a small random board with two or three trains whose routes are linked, and perhaps another."""
    chance = random.Random(seed)
    while True:
        try:
            return _chained(chance)
        except InvalidProblem:
            continue


def _chained(chance: random.Random) -> RouteProblem:
    n = chance.randint(3, 6)
    nodes = []
    for i in range(n):
        kind = chance.choice(["city", "city", "town", "offboard"])
        city = kind == "city"
        nodes.append(
            Node(
                f"n{i}",
                kind,
                f"H{i}",
                10 * chance.randint(0, 5),
                token=city and chance.random() < 0.6,
                blocked=city and chance.random() < 0.1,
                groups=("g",) if chance.random() < 0.1 else (),
            )
        )
    segments = []
    for j in range(chance.randint(n - 1, n + 2)):
        a, b = chance.sample(range(n), 2)
        between = (f"P{j}",) if chance.random() < 0.5 else ()
        segments.append(Segment(f"s{j}", f"n{a}", f"n{b}", (f"t{j}",), (f"H{a}", *between, f"H{b}")))
    names = [*(f"H{i}" for i in range(n)), *(f"P{j}" for j in range(len(segments)))]
    trains = []
    for t in range(chance.randint(2, 3)):
        kind = chance.choice("fgh")
        trains.append(Train(f"F{t}", kind, max_edges=LENGTH[kind], needs_token=chance.random() < 0.3))
    if chance.random() < 0.5:
        trains.append(
            Train("E", "e", visit=(Limit(BIG, chance.randint(2, 3)),), paying=BIG, needs_token=False)
        )
    conditions: list[RoutesTouch | VisitHome] = [RoutesTouch()] if chance.random() < 0.5 else []
    if chance.random() < 0.4:
        conditions.append(VisitHome(frozenset({f"n{chance.randrange(n)}"})))
    chain = ChainBonus(
        "chain",
        frozenset("fgh"),
        frozenset(kind for kind in "fgh" if chance.random() < 0.4),
        20,
        30,
        frozenset(node.id for node in nodes if chance.random() < 0.2),
        from_last_hex=kinds("offboard") if chance.random() < 0.7 else frozenset(),
    )
    subsidy = (HexSubsidy("hexes", 10, frozenset("e")),) if chance.random() < 0.3 else ()
    return RouteProblem(
        tuple(nodes),
        tuple(segments),
        tuple(trains),
        hexes=tuple(Hex(name, chance.randint(0, 4), chance.randint(0, 4)) for name in names),
        terms=(chain, *subsidy),
        conditions=tuple(conditions),
        track_scope="route",
        count=chance.choice(["all", "all", "route"]),
    )


@pytest.mark.parametrize("part", range(4))
def test_chains_as_the_oracle(part: int) -> None:
    """Also loops, and three routes that end at one stop."""
    seen: Counter[str] = Counter()
    for seed in range(100 * part, 100 * part + 100):
        problem = chained(seed)
        try:
            naive = naive_best(problem, most=120)
        except TooBig:
            continue
        for method in ("exact", "select"):
            found = solve(problem, method=method, stop=Deadline(20))
            seen[found.status] += 1
            if naive is None:
                assert found.status is Status.INFEASIBLE, (seed, method)
            elif method == "exact" or found.status is Status.OPTIMAL:
                assert found.status is Status.OPTIMAL, (seed, method)
                assert (found.revenue, found.subsidy) == (naive.revenue, naive.subsidy), (seed, method)
        seen["linked"] += sum(1 for route in found.routes if route.train.startswith("F")) > 1
    assert seen[Status.OPTIMAL] >= 40
    assert seen["linked"] >= 5


def test_few_of_many_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains that are not among the most valued are packed too where a better set may need them."""
    monkeypatch.setattr(limits, "PROMISING", 2)
    seen = 0
    for seed in range(400, 520):
        problem = chained(seed)
        try:
            naive = naive_best(problem, most=120)
        except TooBig:
            continue
        found = solve(problem, stop=Deadline(20))
        if naive is not None:
            assert found.status is Status.OPTIMAL, seed
            assert (found.revenue, found.subsidy) == (naive.revenue, naive.subsidy), seed
            seen += 1
    assert seen >= 40
