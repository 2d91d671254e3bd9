"""Chained routes, by trying every order in which routes can be strung together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from router.problem import ChainBonus, RouteProblem
from router.solution import Route

Member = tuple[int, Route, bool]
"""Place in the list, the route, whether its train is dependent."""


def _members(problem: RouteProblem, term: ChainBonus, routes: Sequence[Route]) -> list[Member]:
    kind = {name: train.kind for train in problem.trains for name in (train.id, *train.route_ids)}
    return [
        (i, route, kind[route.train] in term.dependent)
        for i, route in enumerate(routes)
        if kind[route.train] in term.trains
    ]


def _strings(start: str, left: Sequence[Member]) -> list[tuple[Member, ...]]:
    """Return every longest string of routes that leads away from ``start``, in listed order."""
    found = []
    for size in range(len(left) + 1):
        for string in permutations(left, size):
            node = start
            for _, route, _ in string:
                if node not in (route.nodes[0], route.nodes[-1]):
                    break
                node = route.nodes[0] if node == route.nodes[-1] else route.nodes[-1]
            else:
                if not any(
                    node in (other[1].nodes[0], other[1].nodes[-1]) for other in left if other not in string
                ):
                    found.append(string)
    return sorted(found, key=lambda string: [member[0] for member in string])


def _preferred(strings: list[tuple[Member, ...]]) -> tuple[Member, ...]:
    """Choose link by link: the first way to a dependent route, else the first longest way."""
    if not strings or strings == [()]:
        return ()
    heads = list(dict.fromkeys(string[0] for string in strings))
    ways = [(head, *_preferred([s[1:] for s in strings if s[0] == head])) for head in heads]
    for way in ways:
        if len(ways) > 1 and any(member[2] for member in way):
            return way
    return max(ways, key=len)


def chains_of(
    problem: RouteProblem, term: ChainBonus, routes: Sequence[Route]
) -> list[tuple[list[Member], list[str]]]:
    """Return the chains: their routes and the nodes that are an end of exactly one of these."""
    left = _members(problem, term, routes)
    chains: list[tuple[list[Member], list[str]]] = []
    while left:
        dependent = [member for member in left if member[2]]
        seed = dependent[0] if dependent and not chains else left[0]
        left = [member for member in left if member != seed]
        members = [seed]
        for end in (seed[1].nodes[0], seed[1].nodes[-1]):
            more = _preferred(_strings(end, left))
            members += more
            left = [member for member in left if member not in more]
        times = Counter(end for m in members for end in (m[1].nodes[0], m[1].nodes[-1]))
        ends = [end for end in times if times[end] == 1]
        chains.append((members, ends))
    return chains


def legal_chains(term: ChainBonus, chains: Sequence[tuple[list[Member], list[str]]]) -> bool:
    """Whether no chain has a single end, and dependent routes hang on one chain with an independent one."""
    if any(len(ends) == 1 for _, ends in chains):
        return False
    with_dependent = [members for members, _ in chains if any(member[2] for member in members)]
    if len(with_dependent) > 1:
        return False
    lonely = [members for members in with_dependent if all(member[2] for member in members)]
    return not lonely or len(chains) == 1
