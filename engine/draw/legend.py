"""The words around a drawn map: title, and a legend of the routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from engine.answer import PositionRoute
from engine.draw import palette
from engine.draw.runs import AnyRoute
from engine.draw.svg import element, width
from engine.position import Position
from engine.registry import find_game

TITLE = 44.0
"""Height of the title."""
ROW = 17.0
SIZE = 12.0


def paint_title(parent: ET.Element, position: Position, routes: Sequence[AnyRoute], left: float) -> None:
    """Draw the title line."""
    facts = find_game(position.game).facts(players=position.players, options=position.optional_rules)
    name = facts.companies[position.company].name
    company = f"{name} ({position.company})" if name != position.company else name
    element(
        parent,
        "text",
        f"{find_game(position.game).title} · {company}",
        x=left,
        y=18,
        font_size=17,
        font_weight="bold",
        class_="left",
        fill=palette.INK,
    )
    trains = ", ".join(train.name for train in position.trains) or "none"
    words = [f"phase {position.phase}", f"trains: {trains}"]
    if position.optional_rules:
        words.append(f"options: {', '.join(position.optional_rules)}")
    priced = [route for route in routes if isinstance(route, PositionRoute)]
    if priced and len(priced) == len(routes):
        words.append(f"revenue {sum(route.revenue for route in priced)}")
        subsidy = sum(route.subsidy for route in priced)
        if subsidy:
            words.append(f"subsidy {subsidy}")
    text = " · ".join(words)
    element(parent, "text", text, x=left, y=36, font_size=SIZE, class_="left", fill=palette.FAINT)


def legend_lines(
    position: Position, routes: Sequence[AnyRoute], names: Mapping[str, str], wide: float
) -> list[list[str]]:
    """Return the lines of text for each route; the first one begins with its train and money."""
    trains = {name: train.name for train in position.trains for name in (train.id, *train.subtrains)}
    found = []
    for route in routes:
        kind = trains.get(route.train, "")
        train = f"{route.train} (train {kind})" if kind else route.train
        words = [f"{train}: "]
        if isinstance(route, PositionRoute):
            money = f"{route.revenue}" + (f" + {route.subsidy}" if route.subsidy else "")
            words = [f"{train}: {money} = "]
            parts = [f"{_named(stop.hex, names)} {stop.revenue}" for stop in route.stops]
            parts += [f"{bonus.kind} {bonus.amount}" for bonus in route.bonuses]
            words += _joined(parts, " + ")
        else:
            words += _joined([_named(hex_id, names) for hex_id in _visited(route)], " – ")
        found.append(_filled(words, wide))
    return found


def _named(hex_id: str, names: Mapping[str, str]) -> str:
    name = names.get(hex_id, "").partition(" (")[0]
    return f"{name} {hex_id}" if name else hex_id


def _visited(route: AnyRoute) -> list[str]:
    """Return the hexes of the stops of a route."""
    ends = [name.partition(" ")[0] for chain in route.connections for name in (*chain[:1], *chain[-1:])]
    return list(route.hexes) or list(dict.fromkeys(ends))


def _joined(parts: Sequence[str], sign: str) -> list[str]:
    return [part + (sign if number < len(parts) - 1 else "") for number, part in enumerate(parts)]


def _filled(words: Sequence[str], wide: float) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and width(lines[-1] + word.rstrip(), SIZE) > wide:
            lines.append("")
        lines[-1] += word
    return lines


def legend_height(lines: Sequence[Sequence[str]]) -> float:
    """Return how high the legend is."""
    return 12 + ROW * sum(map(len, lines)) + 6 * len(lines) if lines else 0.0


def paint_legend(parent: ET.Element, lines: Sequence[Sequence[str]], left: float, top: float) -> None:
    """Draw the legend."""
    y = top + 12 + ROW / 2
    for number, texts in enumerate(lines):
        color, dashes = palette.route_style(number)
        more = {"stroke_dasharray": dashes} if dashes else {}
        element(
            parent,
            "path",
            d=f"M{left + 20:.1f} {y:.1f}h34",
            stroke=color,
            stroke_width=5,
            class_="route",
            **more,
        )
        paint_pip(parent, (left + 8, y), number)
        for text in texts:
            element(
                parent,
                "text",
                text.rstrip(),
                x=left + 64,
                y=y + SIZE * 0.35,
                font_size=SIZE,
                class_="left",
                fill=palette.INK,
            )
            y += ROW
        y += 6


def paint_pip(parent: ET.Element, at: tuple[float, float], number: int) -> None:
    """Draw the number of a route."""
    color, _ = palette.route_style(number)
    element(parent, "circle", cx=at[0], cy=at[1], r=5.8, fill=color, stroke="#ffffff", stroke_width=1)
    element(
        parent,
        "text",
        str(number + 1),
        x=at[0],
        y=at[1] + 2.7,
        font_size=7.5,
        font_weight="bold",
        fill="#ffffff",
    )
