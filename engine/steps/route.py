"""Running trains (``00-common`` section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from engine.actions import Action
from engine.choices import Choice, Free
from engine.core.companies import Company
from engine.encoding import SiteRoute
from engine.reach import has_route
from engine.refusal import IllegalAction
from engine.solving import check_position
from engine.steps.base import Step, choice
from router.errors import InvalidInput
from router.solution import Code

if TYPE_CHECKING:
    from engine.game import Entity

_RULES = {
    Code.UNKNOWN_TRAIN: "R7.20",
    Code.TRAIN_TWICE: "R7.20",
    Code.UNKNOWN_TRACK: "R7.12",
    Code.NOT_JOINED: "R7.12",
    Code.TOO_SHORT: "R7.13",
    Code.NODE_TWICE: "R7.13",
    Code.NO_TOKEN: "R7.14",
    Code.BLOCKED: "R7.15",
    Code.TERMINAL: "R7.16",
    Code.GROUP_TWICE: "R7.17",
    Code.TOO_LONG: "R7.18",
    Code.TRACK_TWICE: "R7.19",
}
"""The shared rules that routes can break."""


class Run(Step):
    """The company runs its trains; what they bring waits for the dividend step.

    Attributes
    ----------
    routes
        The routes of this turn as recorded.
    revenue, subsidy
        What they bring.
    """

    def reset(self) -> None:
        """Forget the last run."""
        self.ran = False
        self.routes: tuple[Any, ...] = ()
        self.revenue = 0
        self.subsidy = 0

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``run_routes`` if there is a train that has not run and a route (R6.9, R9.8)."""
        if entity is not self.entity or not isinstance(entity, Company) or self.ran:
            return ()
        trains = self.game.rules.runnable(self.game, entity)
        if all(train.ran for train in trains) or not has_route(self.game.map, entity):
            return ()
        return ("run_routes",)

    def do_run_routes(self, action: Action, entity: Entity) -> None:
        """Run (R7.1); in a trusting game a recorded revenue is taken as it is (R1.17)."""
        routes, game = action.items("routes"), self.game
        if game.trusting and all(_told(route) for route in routes):
            self.revenue = sum(route["revenue"] for route in routes) + action.number("extra_revenue", 0)
            self.subsidy = action.number("subsidy", 0)
            if game.judging:
                self._compare(routes, entity)
        else:
            self.revenue, self.subsidy = self.judge(routes, entity)
        self.routes = routes
        self.ran = True

    def _compare(self, routes: tuple[Any, ...], entity: Entity) -> None:
        """Note how a believed run differs from what the referee says."""
        try:
            price = self.judge(routes, entity)
        except IllegalAction as error:
            self.game.lenient(error.rule, entity, error.why)
            return
        if price != (self.revenue, self.subsidy):
            told = f"{self.revenue} and {self.subsidy}"
            self.game.lenient(
                "00-common R1.17", entity, f"the run brings {price[0]} and {price[1]}, not {told}"
            )

    def judge(self, routes: tuple[Any, ...], entity: Entity) -> tuple[int, int]:
        """Return what routes bring, or refuse them."""
        if not routes:
            return 0, 0
        try:
            proposed = site_routes(routes)
        except InvalidInput as error:
            raise self.refuse("00-common R7.1", entity, str(error)) from error
        used = {train.id: train for train in self.company.trains}
        for route in proposed:
            if route.train in used and used[route.train].ran:
                raise self.refuse("00-common R7.20", entity, f"{route.train} has run in this round already")
        verdict = check_position(self.game.position(self.company), proposed)
        if not verdict.legal:
            first = verdict.violations[0]
            own = self.game.rules.route_rules.get(first.code)
            rule = f"00-common {_RULES.get(first.code, 'R7.22')}" if own is None else own
            raise self.refuse(rule, entity, f"{first.why} ({first.code})")
        return verdict.revenue, verdict.subsidy

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield the run; which routes is left open, to run nothing is allowed (R1.23)."""
        yield choice("run_routes", self.company, routes=Free([]))


def site_routes(routes: Iterable[Any]) -> tuple[SiteRoute, ...]:
    """Read the routes of a ``run_routes`` action, whatever else is recorded of them.

    Raises
    ------
    InvalidInput
        If they are no routes in form.
    """
    wanted = ("train", "connections", "nodes", "hexes")
    return SiteRoute.list_from_json(
        [
            {name: route[name] for name in wanted if route.get(name)} if isinstance(route, dict) else route
            for route in routes
        ]
    )


def _told(route: object) -> bool:
    """Tell whether a record names the revenue of a route."""
    return isinstance(route, dict) and isinstance(route.get("revenue"), int)
