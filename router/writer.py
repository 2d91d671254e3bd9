"""Writing sets of routes down, and what the referee pays for them."""

from __future__ import annotations

from collections.abc import Sequence

from router.canonical import write_routes
from router.found import Found
from router.graph import Graph
from router.listings import best_listing
from router.problem import RouteProblem
from router.solution import Route, RouteSet
from router.teams import Group, Team


class Writer:
    """Writes sets of routes of groups down in the words of the problem.

    Attributes
    ----------
    fixed
        Routes that stand before those of every set.
    weight
        How much revenue outweighs subsidy, whatever the problem.
    """

    def __init__(self, problem: RouteProblem, graph: Graph, fixed: Sequence[Route], objective: str) -> None:
        self.problem = problem
        self.graph = graph
        self.fixed = list(fixed)
        self.objective = objective
        self.weight = 1 if objective == "total" else 1 << 40

    def routes(self, sets: Sequence[tuple[Group, Found]]) -> list[Route] | None:
        """Return the routes of one set per group, ``None`` if they cannot be shared out."""
        chosen: list[tuple[Team, list[Sequence[int]]]] = []
        for group, found in sets:
            for i, team in enumerate(group.teams):
                paths: list[Sequence[int]] = [path for at, path in found.routes if at == i]
                chosen.append((team, paths * group.copies))
        written = write_routes(self.problem, self.graph, chosen, self.fixed)
        return None if written is None else [*self.fixed, *written]

    def price(
        self, sets: Sequence[tuple[Group, Found]], weight: int = 0, enough: int | None = None
    ) -> RouteSet | None:
        """Return the priced set, in the order of listing that pays most; ``None`` if it is not legal.

        With a score that is ``enough`` for this ``weight`` of revenue no better listing is looked for.
        """
        routes = self.routes(sets)
        if routes is None:
            return None
        weight = weight or self.weight
        return best_listing(self.problem, routes, fixed=len(self.fixed), weight=weight, enough=enough)[0]

    def score(self, found: RouteSet | None) -> int:
        """Return what a set is worth with the weight of revenue; -1: none."""
        return -1 if found is None else found.revenue * self.weight + found.subsidy
