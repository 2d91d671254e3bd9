"""Small positions and routes, written down briefly."""

from __future__ import annotations

from collections.abc import Iterable

from engine.answer import PositionVerdict
from engine.encoding import SiteRoute
from engine.position import LaidTile, OwnedTrain, Position, Token
from engine.solving import check_position


def laid(text: str) -> tuple[LaidTile, ...]:
    """Read tiles: ``"G8 57 1, H7 6 5"`` is hex, tile, rotation."""
    tiles = (item.split() for item in text.split(",") if item.strip())
    return tuple(LaidTile(hex_id, tile, int(rotation)) for hex_id, tile, rotation in tiles)


def tokens(text: str) -> tuple[Token, ...]:
    """Read tokens: ``"WVR G8 H7; N&S H5/1"`` is a company and its hexes, with the city if it is not 0."""
    found: list[Token] = []
    for item in text.split(";"):
        company, *places = item.split()
        for place in places:
            hex_id, _, city = place.partition("/")
            slot = sum(token.hex == hex_id and token.city == int(city or 0) for token in found)
            found.append(Token(hex_id, int(city or 0), slot, company))
    return tuple(found)


def trains(text: str) -> tuple[OwnedTrain, ...]:
    """Read trains: ``"A-0 2E*, A-1 2E"`` is id, name."""
    return tuple(OwnedTrain(*item.split()) for item in text.split(",") if item.strip())


def site(train: str, text: str, nodes: str = "") -> SiteRoute:
    """Read a route: ``"G8 H7, H7 H5"`` is its chains of hexes."""
    return SiteRoute(train, tuple(tuple(chain.split()) for chain in text.split(",")), tuple(nodes.split()))


def run(position: Position, *routes: SiteRoute) -> PositionVerdict:
    """Judge routes on the whole board, by way of the public forms."""
    return check_position(Position.from_json(position.to_json()), routes)


def money(verdict: PositionVerdict) -> list[int]:
    """Return what each route of a legal run brings."""
    assert verdict.legal, verdict.violations
    return [route.revenue for route in verdict.routes]


def bonuses(verdict: PositionVerdict) -> Iterable[tuple[str, int]]:
    """Return the name and the amount of each bonus of a run."""
    return [(bonus.kind, bonus.amount) for route in verdict.routes for bonus in route.bonuses]


def codes(verdict: PositionVerdict) -> set[str]:
    """Return the codes of what is wrong."""
    return {str(violation.code) for violation in verdict.violations}
