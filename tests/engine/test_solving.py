"""Solving and judging positions: what is handed to the solver, and what people get to see."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engine.answer import PositionRouteSet
from engine.encoding import SiteRoute
from engine.position import Charter1862, LaidTile, OwnedTrain, Position, Token
from engine.solving import Objective, PositionCallbacks, check_position, solve_position
from router.callbacks import Callbacks
from router.check import check
from router.errors import InvalidRoutes
from router.problem import RouteProblem
from router.solution import Code, Route, RouteSet, Solution, Status
from router.stop import AnyOf, Cancelled, Deadline, Never, Stop

POSITION = Position(
    game="18NewEngland",
    players=4,
    company="NYW",
    phase="3",
    tiles=(LaidTile("B17", "88", 0), LaidTile("A18", "7", 4)),
    tokens=(Token("B19", 0, 0, "NYW"),),
    trains=(OwnedTrain("2-0", "2"), OwnedTrain("2-1", "2")),
)
DIRECT = SiteRoute("2-0", (("B19", "B17"),))
ROUND = SiteRoute("2-1", (("B17", "A18", "B19"),))


@dataclass
class Recorder:
    """A solver that answers with both tracks to New York and remembers what it was asked."""

    asked: dict[str, Any] = field(default_factory=dict)

    def __call__(
        self,
        problem: RouteProblem,
        *,
        fixed: Sequence[Route] = (),
        objective: Objective = "revenue",
        alternatives: int = 0,
        stop: Stop = Never(),  # noqa: B008
        callbacks: Callbacks | None = None,
    ) -> Solution:
        self.asked = {"fixed": fixed, "objective": objective, "alternatives": alternatives, "stop": stop}
        routes = [
            Route("2-0", ("B19-0", "B17-0"), ("B17-0/B19-0",)),
            Route("2-1", ("B17-0", "B19-0"), ("B17-0/B19-0:A18",)),
        ]
        verdict = check(problem, routes)
        if callbacks is not None and callbacks.on_incumbent is not None:
            callbacks.on_incumbent(RouteSet(verdict.revenue, 0, verdict.routes))
        one = check(problem, routes[:1])
        return Solution(
            Status.OPTIMAL,
            verdict.revenue,
            0,
            verdict.revenue,
            verdict.routes,
            (RouteSet(one.revenue, 0, one.routes),),
            {"expansions": 3},
        )


def test_an_answer_in_the_encoding_of_the_site() -> None:
    answer = solve_position(POSITION, solver=Recorder(), id="mine").to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert answer == {
        "id": "mine",
        "status": "OPTIMAL",
        "revenue": 120,
        "subsidy": 0,
        "bound": 120,
        "routes": [
            {
                "train": "2-0",
                "revenue": 60,
                "subsidy": 0,
                "hexes": ["B19", "B17"],
                "connections": [["B19", "B17"]],
                "nodes": ["B19-0", "B17-0"],
                "stops": [
                    {"hex": "B19", "node": 0, "revenue": 50},
                    {"hex": "B17", "node": 0, "revenue": 10},
                ],
                "bonuses": [],
            },
            {
                "train": "2-1",
                "revenue": 60,
                "subsidy": 0,
                "hexes": ["B17", "B19"],
                "connections": [["B17", "A18", "B19"]],
                "nodes": ["B17-0", "B19-0"],
                "stops": [
                    {"hex": "B17", "node": 0, "revenue": 10},
                    {"hex": "B19", "node": 0, "revenue": 50},
                ],
                "bonuses": [],
            },
        ],
        "alternatives": [{"revenue": 60, "subsidy": 0, "routes": [answer["routes"][0]]}],  # type: ignore[index]
        "stats": {"expansions": 3},
    }


def test_the_solver_hears_what_is_wanted() -> None:
    solver, cancelled = Recorder(), Cancelled()
    solve_position(POSITION, objective="total", alternatives=2, stop=cancelled, solver=solver)
    assert solver.asked == {"fixed": (), "objective": "total", "alternatives": 2, "stop": cancelled}
    solve_position(POSITION, time_limit=5.0, solver=solver)
    assert isinstance(solver.asked["stop"], Deadline)
    solve_position(POSITION, time_limit=5.0, stop=cancelled, solver=solver)
    assert isinstance(solver.asked["stop"], AnyOf)


def test_news_of_a_search_is_translated() -> None:
    heard: list[PositionRouteSet] = []
    solve_position(POSITION, callbacks=PositionCallbacks(on_incumbent=heard.append), solver=Recorder())
    assert [(news.revenue, news.routes[0].connections) for news in heard] == [(120, (("B19", "B17"),))]


def test_fixed_routes_are_handed_on() -> None:
    solver = Recorder()
    solve_position(POSITION, fixed_routes=[ROUND], solver=solver)
    assert solver.asked["fixed"] == (Route("2-1", ("B17-0", "B19-0"), ("B17-0/B19-0:A18",)),)


@pytest.mark.parametrize(
    ("route", "why"),
    [
        (replace(DIRECT, connections=(("B19", "B15"),)), "B19 and B15 are no neighbours (UNKNOWN_TRACK)"),
        (replace(DIRECT, train="9-9"), "there is no train '9-9' (UNKNOWN_TRAIN)"),
        (SiteRoute("2-0", (("L7",),)), "visits no stop with a token (NO_TOKEN)"),
    ],
)
def test_fixed_routes_must_be_legal(route: SiteRoute, why: str) -> None:
    with pytest.raises(InvalidRoutes) as caught:
        solve_position(POSITION, fixed_routes=[ROUND, route], solver=Recorder())
    (fault,) = caught.value.faults
    assert (fault.where, fault.why) == ("fixedRoutes[1]", why)


def test_a_legal_run_is_priced() -> None:
    verdict = check_position(POSITION, [DIRECT, ROUND], id="mine")
    assert verdict.legal
    assert [route.revenue for route in verdict.routes] == [60, 60]
    line = verdict.to_json()
    assert json.loads(json.dumps(line)) == line
    assert (line["id"], line["legal"], line["revenue"], line["violations"]) == ("mine", True, 120, [])


def test_a_run_of_nothing_is_legal() -> None:
    assert check_position(POSITION, []).legal


def test_an_illegal_run_brings_nothing_and_says_why() -> None:
    verdict = check_position(POSITION, [DIRECT, replace(DIRECT, train="2-1")])
    assert (verdict.legal, verdict.revenue, verdict.routes) == (False, 0, ())
    assert {violation.code for violation in verdict.violations} == {Code.TRACK_TWICE}
    assert all("between B17 and B19" in violation.why for violation in verdict.violations)
    for line in verdict.to_json()["violations"]:  # type: ignore[attr-defined]
        assert set(line) == {"code", "route", "why"}


def test_routes_that_cannot_be_read_do_not_hide_the_others() -> None:
    unread = SiteRoute("2-0", (("B19", "C18"),))
    verdict = check_position(POSITION, [unread, SiteRoute("2-1", (("L7",),))])
    assert [(violation.code, violation.route) for violation in verdict.violations] == [
        (Code.UNKNOWN_TRACK, 0),
        (Code.NO_TOKEN, 1),
    ]


def test_stops_of_crowded_hexes_are_named() -> None:
    """L7 has a town and a city, B17 and B19 one stop each."""
    there_and_back = SiteRoute("2-0", (("L7",), ("L7",)))
    whys = {violation.why for violation in check_position(POSITION, [there_and_back]).violations}
    assert any("city 0 of L7" in why or "town 0 of L7" in why for why in whys)
    assert not any("L7-" in why for why in whys)


def test_the_solver_of_this_process_is_the_default() -> None:
    pytest.importorskip("router.client")
    answer = solve_position(POSITION)
    assert (answer.status, answer.revenue, answer.bound) == (Status.OPTIMAL, 120, 120)
    nothing = solve_position(replace(POSITION, tokens=()))
    assert (nothing.status, nothing.revenue, nothing.routes) == (Status.OPTIMAL, 0, ())


def test_trains_that_run_nothing_are_explained() -> None:
    """1862 R7.3, 18 New England R7.2, 1873 R106."""
    company = Position(
        game="1862",
        players=4,
        company="WVR",
        phase="C",
        tiles=(LaidTile("G8", "57", 1), LaidTile("H7", "57", 1)),
        tokens=(Token("G8", 0, 0, "WVR"),),
        trains=(OwnedTrain("B-0", "2F"), OwnedTrain("B-1", "2/3E"), OwnedTrain("A-0", "A")),
        g1862=Charter1862(("express",), 100),
    )
    chains = (("G8", "H7"),)
    said = {
        name: [item.why for item in check_position(company, [SiteRoute(name, chains)]).violations]
        for name in ("B-0", "B-1", "A-0", "C-0")
    }
    assert said == {
        "B-0": ["train B-0 does not run: the company has no permit for freight trains"],
        "B-1": [],
        "A-0": ["train A-0 does not run: it is neither F, L nor E"],
        "C-0": ["there is no train 'C-0'"],
    }
    express = replace(POSITION, trains=(OwnedTrain("5E-0", "5E"), OwnedTrain("6E-0", "6E")))
    (spare,) = check_position(express, [replace(DIRECT, train="6E-0")]).violations
    assert spare.why == "train 6E-0 does not run: train 5E-0 runs for all express trains"
    unread = SiteRoute("5E-0", (("B19", "B3"),))
    apart = check_position(express, [unread, replace(DIRECT, train="6E-0")]).violations
    assert [item.why for item in apart if item.route == 1] == [spare.why]
