"""The report of an audit: a page with the sums, and a page for each record with the board of every run.

Each page holds all that it needs. The boards of a record are put together from parts that it holds once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.answer import PositionRoute, PositionStop
from engine.audit.findings import Header
from engine.draw import palette
from engine.draw.parts import Part, overlay, parts_of, view_box
from engine.encoding import SiteRoute
from engine.explain import explain_routes
from engine.position import Position
from engine.registry import find_game
from engine.steps.route import site_routes
from router.errors import InvalidInput, TrunklineError
from router.solution import Bonus

if TYPE_CHECKING:
    from jinja2 import Environment

    from engine.audit.summary import Summary

TEMPLATES = Path(__file__).parent / "templates"


def record_page(header: Header, rows: Sequence[Mapping[str, Any]], path: str) -> str:
    """Return the page of a record.

    Parameters
    ----------
    rows
        Its runs, as :data:`engine.audit.table.RUNS` has them.
    path
        Of its file.
    """
    parts = _Parts()
    runs = [_run(row, parts) for row in rows]
    data = {
        "box": view_box(Position.from_json(json.loads(rows[0]["position"]))) if rows else "0 0 1 1",
        "runs": [run.pop("drawn") for run in runs],
    }
    return _page(
        "record.html",
        header=header,
        path=path,
        runs=runs,
        parts=parts.parts,
        data=data,
        drawing=_scoped(palette.STYLE),
    )


def summary_page(summary: Summary, pages: Mapping[str, str]) -> str:
    """Return the page with the sums.

    Parameters
    ----------
    pages
        The address of the page of each record, by digest.
    """
    return _page("summary.html", summary=summary, batch=summary.batch, total=summary.total, pages=pages)


@cache
def page_signature(signature: str) -> str:
    """Return a short text that differs where pages may differ although what they rest on does not."""
    import engine

    digest = hashlib.sha256(signature.encode())
    (root,) = (Path(place) for place in engine.__path__)
    for path in sorted([*root.glob("draw/*.py"), *TEMPLATES.iterdir()]):
        if path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class _Parts:
    """The parts of boards that a page needs, by number."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def numbers(self, parts: Sequence[Part]) -> list[int]:
        """Return the numbers of parts; drawings that are equal have one number."""
        found = []
        for part in parts:
            key = part.below, part.above
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self.parts)
                self.parts.append(part)
            found.append(number)
        return found


def _run(row: Mapping[str, Any], parts: _Parts) -> dict[str, Any]:
    """Return what the page tells of a run; under ``drawn`` what its boards are made of."""
    position = Position.from_json(json.loads(row["position"]))
    board = parts_of(position)
    ran, best = _routes(row["legal"], row["routes"]), _routes(True, row["best_routes"])
    sides = [_side("ran", position, board, ran)]
    if row["lost"] != 0:
        sides.append(_side("best", position, board, best))
    return {
        **{name: value for name, value in row.items() if name not in ("position", "routes", "best_routes")},
        "sides": sides,
        "drawn": {
            "parts": parts.numbers(board),
            "sides": {side["name"]: list(side.pop("drawn")) for side in sides},
        },
    }


def _side(
    name: str, position: Position, board: Sequence[Part], routes: Sequence[PositionRoute | SiteRoute]
) -> dict[str, Any]:
    names = {it.id: it.name for it in _hexes(position)}
    priced = [route for route in routes if isinstance(route, PositionRoute)]
    explained: list[str] = []
    if priced and len(priced) == len(routes):
        try:
            explained = explain_routes(position, priced)
        except TrunklineError:
            explained = []
    trains = {train_id: train.name for train in position.trains for train_id in (train.id, *train.subtrains)}
    return {
        "name": name,
        "drawn": overlay(position, board, routes),
        "explained": explained,
        "routes": [
            {
                "number": number + 1,
                "color": palette.route_style(number)[0],
                "train": trains.get(route.train, route.train),
                "priced": isinstance(route, PositionRoute),
                "revenue": getattr(route, "revenue", None),
                "subsidy": getattr(route, "subsidy", None),
                "stops": [(_named(stop.hex, names), stop.revenue) for stop in getattr(route, "stops", ())],
                "bonuses": getattr(route, "bonuses", ()),
                "hexes": route.hexes,
            }
            for number, route in enumerate(routes)
        ],
    }


def _hexes(position: Position) -> Any:
    facts = find_game(position.game).facts(players=position.players, options=position.optional_rules)
    return facts.map.hexes.values()


def _named(hex_id: str, names: Mapping[str, str]) -> str:
    return f"{names.get(hex_id, '').partition(' (')[0]} {hex_id}".strip()


def _routes(priced: bool, text: str) -> Sequence[PositionRoute | SiteRoute]:
    values = json.loads(text)
    if priced:
        return [_priced(value) for value in values]
    try:
        return site_routes(values)
    except InvalidInput:
        return ()


def _priced(value: Mapping[str, Any]) -> PositionRoute:
    """Read the public form of a route with its money."""
    return PositionRoute(
        value["train"],
        value["revenue"],
        value["subsidy"],
        tuple(value["hexes"]),
        tuple(map(tuple, value["connections"])),
        tuple(value["nodes"]),
        tuple(PositionStop(stop["hex"], stop["node"], stop["revenue"]) for stop in value["stops"]),
        tuple(Bonus(bonus["kind"], bonus["amount"], bonus["why"]) for bonus in value["bonuses"]),
    )


def _scoped(style: str) -> str:
    """Return rules of style that hold within boards only."""
    rules = [rule for rule in style.split("}") if rule]
    scoped = []
    for rule in rules:
        names, _, body = rule.partition("{")
        scoped.append(",".join(f".map {name}" for name in names.split(",")) + f"{{{body}}}")
    return "".join(scoped)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["money"] = lambda value: "–" if value is None else f"{value:,}"
    return found


def _page(name: str, **values: Any) -> str:
    return _environment().get_template(name).render(values)
