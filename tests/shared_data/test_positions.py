"""Every recorded run: it decodes, is legal, and brings exactly the true price; every board compiles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.compile import compile_board, compile_position
from engine.encoding import Codec, SiteRoute
from engine.position import Position
from engine.solving import check_position, solve_position
from router.check import check
from router.solution import Route, Status
from support import read_jsonl

GAMES = ("1861", "18NewEngland", "18GB", "1862", "1873")
SOLVED = ("1861", "18NewEngland")


def files(games: tuple[str, ...]) -> list[str]:
    return [name for game in games for name in (f"{game}.jsonl", f"random-{game}.jsonl.gz")]


RECORDED = files(GAMES)

# Rules, section 7.5, of 18GB 7.9, of 1862 7H, of 1873 7.8: position and what the run brings; for 1861 also
# table E.
# The recording of 1862/46925 is older than today's rule for freight trains: action 120 brought 190 then.
WORKED = {
    "18NewEngland/73885/18": [30],
    "18NewEngland/73885/115": [60, 60],
    "18NewEngland/73885/276": [110],
    "18NewEngland/73885/202": [80, 70, 110, 90],
    "18NewEngland/73885/310": [100, 110, 160],
    "18NewEngland/73885/320": [130, 210],
    "18NewEngland/73885/467": [600],
    "18NewEngland/73885/599": [820],
    "18NewEngland/73885/655": [700],
    "18NewEngland/73885/659": [400],
    "18NewEngland/73885/536": [430],
    "1861/29683/86": [80],
    "1861/29683/98": [70],
    "1861/29683/161": [40],
    "1861/29683/282": [90],
    "1861/29683/462": [130, 200],
    "1861/167259/594": [330, 390],
    "1861/167259/653": [430],
    "1861/29683/582": [210, 180, 280],
    "18GB/18gb-6p/165": [70, 20, 60],
    "18GB/18gb-6p/335": [250, 180],
    "18GB/18gb-3p/416": [490],
    "18GB/18gb-leased_train/655": [300, 210],
    "18GB/18gb-leased_train/768": [270, 250],
    "18GB/18gb-leased_train/815": [330, 300],
    "1862/1862_game_end_bank/105": [50, 60],
    "1862/1862_game_end_bank/120": [40, 100],
    "1862/1862_game_end_bank/125": [80, 30],
    "1862/1862_game_end_bank/133": [110],
    "1862/1862_game_end_bank/144": [90, 80, 110],
    "1862/1862_game_end_bank/404": [150, 180, 280, 100],
    "1862/1862_game_end_bank/483": [200, 420, 140],
    "1862/1862_game_end_bank/631": [250, 350, 360, 450, 530],
    "1862/46925/120": [140, 0, 80],
    "1862/46925/305": [230],
    "1862/46925/402": [170, 170],
    "1873/1873_game_end_stock_market/346": [170, 100],
    "1873/1873_game_end_stock_market/455": [170, 100, 100, 220],
    "1873/1873_game_end_stock_market/664": [170, 160, 140, 330],
    "1873/1873_game_end_stock_market/676": [250, 110],
    "1873/1873_game_end_stock_market/1139": [410, 250, 590, 100, 40, 40, 20, 20, 0],
    "1873/1873_game_end_stock_market/1172": [270, 410, 500, 230, 90, 30, 10, 20, 40, 30, 20],
}


def lines(shared: Path, name: str) -> Iterator[tuple[str, Position, Any]]:
    for line in read_jsonl(shared / "positions" / name):
        yield line["id"], Position.from_json(line["position"]), line


def difference(name: str, what: str, expected: object, got: object) -> str:
    return f"{name}: {what}\n  expected {expected}\n  got      {got}"


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_runs_bring_their_true_price(shared: Path, name: str) -> None:
    for position_id, position, line in lines(shared, name):
        true = line["repriced"]
        verdict = check_position(position, SiteRoute.list_from_json(line["recorded"]["routes"]))
        assert verdict.legal, difference(position_id, "legality", "a legal run", verdict.violations)
        got = verdict.to_json()
        for what in ("revenue", "subsidy"):
            assert got[what] == true[what], difference(position_id, what, true[what], got[what])
        assert len(verdict.routes) == len(true["routes"]), position_id
        compiled = compile_board(position, whole_board=True)
        worth = {
            (stop.hex, stop.index): compiled.problem.node_by_id[stop.id].value
            for stop in compiled.network.stops
        }
        for number, (route, expected) in enumerate(zip(verdict.routes, true["routes"], strict=True)):
            where = f"routes[{number}]"
            for what in ("train", "revenue", "subsidy"):
                found = route.to_json()[what]
                assert found == expected[what], difference(
                    position_id, f"{where}.{what}", expected[what], found
                )
            ours = {(stop.hex, stop.node) for stop in route.stops}
            theirs = {(stop["hex"], stop["node"]) for stop in expected["stops"]}
            # Towns that bring the same may stand for each other.
            left, right = (sorted(worth[stop] for stop in stops) for stops in (ours - theirs, theirs - ours))
            assert left == right, difference(position_id, f"{where}.stops", sorted(theirs), sorted(ours))


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_routes_visit_the_true_stops(shared: Path, name: str) -> None:
    for position_id, position, line in lines(shared, name):
        recorded = SiteRoute.list_from_json(line["recorded"]["routes"])
        compiled = compile_board(position, whole_board=True, names={route.train for route in recorded})
        place = {stop.id: (stop.hex, stop.index) for stop in compiled.network.stops}
        codec = Codec(compiled)
        for number, route in enumerate(codec.decode(recorded)):
            where = f"routes[{number}]"
            assert isinstance(route, Route), difference(position_id, where, "a route", route)
            expected = [(stop["hex"], stop["node"]) for stop in line["repriced"]["routes"][number]["visits"]]
            got = [place[name] for name in route.nodes]
            assert got in (expected, expected[::-1]), difference(
                position_id, f"{where}.visits", expected, got
            )
            written = codec.encode(route)
            hexes = recorded[number].hexes
            assert written.hexes in (hexes, hexes[::-1]), difference(
                position_id, f"{where}.hexes", hexes, written.hexes
            )
            nodes = recorded[number].nodes
            assert not nodes or set(written.nodes) == set(nodes), difference(
                position_id, f"{where}.nodes", nodes, written.nodes
            )
            assert codec.decode([written]) == [route], difference(position_id, where, route, written)


@pytest.mark.parametrize("name", RECORDED)
def test_what_was_run_lies_in_the_part_that_is_searched(shared: Path, name: str) -> None:
    """What is left out before a search could not be run anyway."""
    for position_id, position, line in lines(shared, name):
        recorded = SiteRoute.list_from_json(line["recorded"]["routes"])
        names = {route.train for route in recorded}
        whole = compile_board(position, whole_board=True, names=names)
        routes = [route for route in Codec(whole).decode(recorded) if isinstance(route, Route)]
        verdict = check(compile_board(position, names=names).problem, routes)
        got, true = (verdict.revenue, verdict.subsidy), line["repriced"]
        assert got == (true["revenue"], true["subsidy"]), difference(
            position_id, "revenue, subsidy", (true["revenue"], true["subsidy"]), verdict.violations or got
        )


@pytest.mark.parametrize("name", RECORDED)
def test_positions_go_round(shared: Path, name: str) -> None:
    for line in read_jsonl(shared / "positions" / name):
        got = Position.from_json(line["position"]).to_json()
        given = dict(line["position"])
        given["trains"] = [{k: v for k, v in train.items() if v != []} for train in given["trains"]]
        assert got == given, difference(line["id"], "position", given, got)


@pytest.mark.parametrize("game", GAMES)
def test_boards_under_pressure_compile(shared: Path, game: str) -> None:
    for line in read_jsonl(shared / "stress" / f"{game}.jsonl"):
        position = Position.from_json(line["position"])
        part, whole = compile_position(position), compile_position(position, whole_board=True)
        names = {segment.id: segment for segment in whole.segments}
        for segment in part.segments:
            assert names[segment.id] == segment, difference(line["id"], "segment", names[segment.id], segment)
        nodes = {node.id: node for node in whole.nodes}
        for node in part.nodes:
            assert nodes[node.id] == node, difference(line["id"], "node", nodes[node.id], node)


def test_worked_examples(shared: Path) -> None:
    """The rules work these runs out by hand."""
    found: dict[str, list[int]] = {}
    for game in GAMES:
        for position_id, position, line in lines(shared, f"{game}.jsonl"):
            if position_id in WORKED:
                routes = SiteRoute.list_from_json(line["recorded"]["routes"])
                found[position_id] = [route.revenue for route in check_position(position, routes).routes]
    assert {name: sorted(values) for name, values in found.items()} == {
        name: sorted(values) for name, values in WORKED.items()
    }


@pytest.mark.parametrize("name", files(SOLVED))
def test_answers_are_proved_legal_and_never_below_what_was_run(shared: Path, name: str) -> None:
    """The answer, written and read again, is judged as the router priced it."""
    solver = pytest.importorskip("router.solve").solve
    for position_id, position, line in lines(shared, name):
        answer = solve_position(position, solver=solver)
        assert answer.status is Status.OPTIMAL, difference(position_id, "status", "OPTIMAL", answer.status)
        run = line["repriced"]["revenue"]
        assert answer.revenue >= run, difference(position_id, "revenue", f"{run} or more", answer.revenue)
        written = [SiteRoute(route.train, route.connections, route.nodes) for route in answer.routes]
        verdict = check_position(position, written)
        assert verdict.legal, difference(position_id, "legality", "a legal run", verdict.violations)
        assert verdict.routes == answer.routes, difference(
            position_id, "routes", answer.routes, verdict.routes
        )
