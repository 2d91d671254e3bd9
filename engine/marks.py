"""Marks of companies on printed hexes: kept slots, tokens that lie there at the start, icons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from engine.facts import CompanyFacts, HexFacts, PrivateFacts
from engine.tiles import TileNode


class Mark(NamedTuple):
    """A name written into a city of a hex."""

    hex: str
    city: int
    name: str


def homes(companies: Iterable[CompanyFacts]) -> list[Mark]:
    """Return a mark for every home of the companies, in their order."""
    return [Mark(home, item.home_city or 0, item.sym) for item in companies for home in item.homes]


def private_reservations(privates: Iterable[PrivateFacts]) -> list[Mark]:
    """Return a mark for every slot that privates keep."""
    abilities = [(item.name, ability) for item in privates for ability in item.abilities]
    return [Mark(ab.hex, ab.city or 0, name) for name, ab in abilities if ab.kind == "reservation"]


def with_marks(
    hexes: Iterable[HexFacts],
    reservations: Iterable[Mark] = (),
    tokens: Iterable[Mark] = (),
    icons: Iterable[tuple[str, str]] = (),
) -> tuple[HexFacts, ...]:
    """Return the hexes with the marks on their prints; ``icons`` are pairs of hex and icon."""
    reserved, placed, signs = list(reservations), list(tokens), list(icons)
    touched = {mark.hex for mark in (*reserved, *placed)} | {hex_id for hex_id, _ in signs}

    def mark_node(hex_id: str, node: TileNode) -> TileNode:
        here = (hex_id, node.city)
        return replace(
            node,
            reservations=node.reservations + tuple(mark.name for mark in reserved if mark[:2] == here),
            tokens=node.tokens + tuple(mark.name for mark in placed if mark[:2] == here),
        )

    def mark_hex(item: HexFacts) -> HexFacts:
        nodes = tuple(mark_node(item.id, node) for node in item.printed.nodes)
        new = tuple(icon for hex_id, icon in signs if hex_id == item.id)
        return replace(item, printed=replace(item.printed, nodes=nodes, icons=item.printed.icons + new))

    return tuple(mark_hex(item) if item.id in touched else item for item in hexes)
