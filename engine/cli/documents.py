"""Answers to route problems as JSON; the answers to positions bring their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from router.solution import PricedRoute, Solution, Verdict


def solution_document(solution: Solution, name: str) -> dict[str, Any]:
    """Return an answer to the request called ``name``."""
    found: dict[str, Any] = {
        "id": name,
        "status": str(solution.status),
        "revenue": solution.revenue,
        "subsidy": solution.subsidy,
        "bound": solution.bound,
        "routes": _routes(solution.routes),
        "alternatives": [
            {"revenue": it.revenue, "subsidy": it.subsidy, "routes": _routes(it.routes)}
            for it in solution.alternatives
        ],
        "stats": dict(solution.stats),
    }
    if solution.why:
        found["why"] = solution.why
    return found


def verdict_document(verdict: Verdict, name: str) -> dict[str, Any]:
    """Return a verdict on the routes of the request called ``name``."""
    return {
        "id": name,
        "legal": verdict.legal,
        "revenue": verdict.revenue,
        "subsidy": verdict.subsidy,
        "routes": _routes(verdict.routes),
        "violations": [{"code": str(it.code), "route": it.route, "why": it.why} for it in verdict.violations],
    }


def _routes(routes: Iterable[PricedRoute]) -> list[dict[str, Any]]:
    return [
        {
            "train": route.train,
            "revenue": route.revenue,
            "subsidy": route.subsidy,
            "nodes": list(route.nodes),
            "segments": list(route.segments),
            "stops": [{"node": stop.node, "revenue": stop.revenue} for stop in route.stops],
            "bonuses": [{"kind": it.kind, "amount": it.amount, "why": it.why} for it in route.bonuses],
        }
        for route in routes
    ]
