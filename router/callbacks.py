"""Who wants to hear of a search while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from router.solution import RouteSet


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Functions that a search calls with its news, in the thread that called the search.

    Attributes
    ----------
    on_incumbent
        Called with each legal set that is better than the ones before.
    on_bound
        Called with each bound that is lower than the ones before; no legal run brings more.
    on_status
        Called with a line for people on what the search does now.
    """

    on_incumbent: Callable[[RouteSet], object] | None = None
    on_bound: Callable[[int], object] | None = None
    on_status: Callable[[str], object] | None = None
