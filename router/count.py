"""Counting the routes of a train (perft)."""

from __future__ import annotations

import numpy as np

from router.enumerate import Walker
from router.errors import Fault, InvalidInput
from router.graph import build_graph
from router.model import build_model
from router.problem import RouteProblem
from router.profile import build_profile
from router.stop import Stop
from router.work import Work


def count_routes(problem: RouteProblem, train: str, stop: Stop | None = None) -> dict[int, int]:
    """Return how many single routes a train has, by number of visited stops.

    Raises
    ------
    InvalidInput
        If the problem has no such train.
    Interrupted
        If the stop criterion is reached.
    """
    found = problem.train_by_id.get(train)
    if found is None:
        raise InvalidInput([Fault("train", f"the problem has no train {train!r}")])
    graph = build_graph(problem)
    model = build_model(problem, graph, "revenue")
    walker = Walker(model, build_profile(model, found), np.zeros(graph.words, dtype=np.uint64))
    histogram = walker.perft(Work(stop))
    return {stops: int(routes) for stops, routes in enumerate(histogram) if routes}
