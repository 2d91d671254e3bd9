"""Dataclasses of the router <-> protocol buffers."""

from __future__ import annotations

from router.convert.problems import problem_from_proto, problem_to_proto
from router.convert.solutions import (
    route_set_from_proto,
    route_set_to_proto,
    routes_from_proto,
    routes_to_proto,
    solution_from_proto,
    solution_to_proto,
    verdict_from_proto,
    verdict_to_proto,
)

__all__ = [
    "problem_from_proto",
    "problem_to_proto",
    "route_set_from_proto",
    "route_set_to_proto",
    "routes_from_proto",
    "routes_to_proto",
    "solution_from_proto",
    "solution_to_proto",
    "verdict_from_proto",
    "verdict_to_proto",
]
