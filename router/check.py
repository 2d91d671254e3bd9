"""The referee: says what is wrong with a set of routes, and prices it if nothing is.

It is plain Python, reads nothing but the problem, and shares no code with the search whose answers it judges.
"""

from __future__ import annotations

from collections.abc import Sequence

from router.problem import ChainBonus, RouteProblem
from router.referee.book import Run, open_book
from router.referee.chains import Chain, chain_violations, find_chains
from router.referee.conditions import condition_violations, track_shared, trains_twice
from router.referee.legal import examine
from router.referee.pricing import price
from router.solution import Code, Route, Verdict, Violation


def check(problem: RouteProblem, routes: Sequence[Route]) -> Verdict:
    """Judge ``routes`` as one run, in the order given.

    Parameters
    ----------
    routes
        What is proposed; anything that is no route of the problem is a violation, never an error. No routes
        at all are a legal run that earns nothing, unless the problem demands a route.

    Returns
    -------
    Verdict
        All violations, or the routes with their money. The order matters only where the first listed route is
        paid for what several share.
    """
    book = open_book(problem)
    violations: list[Violation] = []
    try:
        listed = list(routes)
    except Exception:  # whatever was handed in
        why = f"the routes must be a sequence, not a {type(routes).__name__}"
        return Verdict(False, 0, 0, (), (Violation(Code.UNKNOWN_TRACK, None, why),))
    runs: list[Run] = []
    for index, route in enumerate(listed):
        run = examine(book, index, route, violations)
        if run is not None:
            runs.append(run)
    trains_twice(book, runs, violations)
    track_shared(book, runs, violations)
    chains: list[tuple[ChainBonus, Chain]] = []
    if len(runs) == len(listed):
        violations += condition_violations(book, runs)
        for term in book.chain_terms:
            found = find_chains(term, runs)
            violations += chain_violations(term, found)
            chains += [(term, chain) for chain in found]
    if violations:
        return Verdict(False, 0, 0, (), tuple(violations))
    priced = price(book, runs, chains)
    revenue = sum([route.revenue for route in priced])
    subsidy = sum([route.subsidy for route in priced])
    return Verdict(True, revenue, subsidy, tuple(priced), ())


__all__ = ["check"]
