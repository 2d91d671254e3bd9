"""Find, and prove, the most lucrative set of train routes of a route problem.

>>> from router import RouteProblem, solve, check  # doctest: +SKIP

``solve`` and the compiled search behind it are loaded on first use, so that importing the package stays
cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from router.check import check
from router.problem import RouteProblem
from router.solution import Route, Solution, Status, Verdict

if TYPE_CHECKING:
    from router.solve import solve

__all__ = ["Route", "RouteProblem", "Solution", "Status", "Verdict", "check", "solve"]


def __getattr__(name: str) -> Any:
    if name == "solve":
        from router.solve import solve

        return solve
    raise AttributeError(f"module 'router' has no attribute {name!r}")
