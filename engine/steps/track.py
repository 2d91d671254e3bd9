"""Laying track (``00-common`` sections 5.3 and 5.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.choices import Choice, OneOf
from engine.core.companies import Company
from engine.facts import TileLay
from engine.laying import LayFault
from engine.reach import reach
from engine.steps.base import Step, choice
from engine.tiles import Tile, turned

if TYPE_CHECKING:
    from engine.game import Entity

_TILE_ID = re.compile(r"(.+)-(\d+)")
_TRUSTED = frozenset({"R5.20", "R5.21", "R5.22", "R5.23", "R5.24"})
"""Rules that the reference does not check when it replays (R1.15)."""


class Track(Step):
    """The company lays and upgrades tiles, as many as the quota of the turn allows.

    Attributes
    ----------
    laid
        The hexes on which it laid a tile in this turn, in order.
    upgraded
        One of them was an upgrade.
    """

    def reset(self) -> None:
        """Forget what was laid in the last turn."""
        self.laid: tuple[str, ...] = ()
        self.upgraded = False

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Return ``lay_tile`` and ``pass`` while the quota is not used up (R5.28)."""
        if entity is not self.entity or not isinstance(entity, Company):
            return ()
        entry = self.entry(entity)
        if entry is None or not entity.tokens or self.funds(entity) < entry.cost:
            return ()
        return ("lay_tile", "pass")

    def entry(self, company: Company) -> TileLay | None:
        """Return the entry of the quota for the next lay, ``None`` if it allows nothing."""
        entries = self.game.rules.tile_lays(self.game, company)
        if len(self.laid) >= len(entries):
            return None
        entry = entries[len(self.laid)]
        return entry if self._allowed(entry.lay) or self._allowed(entry.upgrade) else None

    def _allowed(self, word: bool | str) -> bool:
        return not self.upgraded if word == "not_if_upgraded" else bool(word)

    def do_lay_tile(self, action: Action, entity: Entity) -> None:
        """Lay a tile (R5.20 to R5.27)."""
        company, board = self.company, self.game.map
        hex_id, rotation = action.text("hex"), action.number("rotation")
        tile, number = self._tile(action, company)
        if hex_id not in board.facts.map.hexes:
            raise self.refuse("00-common R2.1", entity, f"{hex_id!r} is no hex of the map")
        if not 0 <= rotation <= 5:
            raise self.refuse("00-common R4.4", entity, f"rotation {rotation} is not 0 to 5")
        if not board.supply.has(tile.name, number):
            raise self.refuse("00-common R5.4", entity, f"tile {tile.name}-{number} is not in the supply")
        cost = self._check_quota(company, hex_id)
        fault = self.fault(company, hex_id, tile, rotation)
        if fault is not None:
            rule = fault.rule if " " in fault.rule else f"00-common {fault.rule}"
            if rule.removeprefix("00-common ") in _TRUSTED:
                self.game.lenient(rule, entity, fault.why)
            else:
                raise self.refuse(rule, entity, fault.why)
        laying = self.game.rules.laying
        better = laying.preferred(board, company, self.game.phase.tiles, hex_id, tile)
        if better:
            self.game.lenient(
                laying.preference_rule, entity, f"{better} fits on {hex_id}, so {tile.name} may not"
            )
        upgrade = board.tile(hex_id).color != "white"
        cost += self.terrain_cost(company, hex_id)
        borders = self._borders(hex_id, turned(tile, rotation))
        cost += sum(price for _, price in borders)
        self.provide(company, cost)
        if cost > company.cash:
            raise self.refuse(
                "00-common R5.25", entity, f"the tile costs {cost}, the company has {company.cash}"
            )
        board.paid_borders |= {side for sides, _ in borders for side in sides}
        lifted = board.lay(hex_id, tile.name, number, rotation)
        company.pay(cost, self.game.bank)
        self.laid = (*self.laid, hex_id)
        self.upgraded = self.upgraded or upgrade
        self.after_lay(company, hex_id, lifted)

    def _tile(self, action: Action, company: Company) -> tuple[Tile, int]:
        match = _TILE_ID.fullmatch(action.text("tile"))
        tile = self.game.facts.tiles.get(match.group(1)) if match else None
        if match is None or tile is None:
            raise self.refuse("00-common R2.2", company, f"{action.text('tile')!r} is no tile")
        return tile, int(match.group(2))

    def _check_quota(self, company: Company, hex_id: str) -> int:
        """Return the extra cost of the next lay (R5.27)."""
        entry = self.entry(company)
        if entry is None:
            raise self.refuse("00-common R5.27", company, "no tile is left to lay in this turn")
        white = self.game.map.tile(hex_id).color == "white"
        if not self._allowed(entry.lay if white else entry.upgrade):
            what = "a new tile" if white else "an upgrade"
            raise self.refuse(
                "00-common R5.27", company, f"{what} is not allowed as tile {len(self.laid) + 1}"
            )
        if entry.cannot_reuse_same_hex and hex_id in self.laid:
            raise self.refuse("00-common R5.27", company, f"{hex_id} got a tile in this turn already")
        return entry.cost

    def _borders(self, hex_id: str, new: Tile) -> list[tuple[list[tuple[str, int]], int]]:
        """Return the borders that this lay crosses first, with their cost (R5.25)."""
        board = self.game.map
        found = []
        for border in board.facts.map.hexes[hex_id].printed.borders:
            neighbor = board.links(hex_id).get(border.edge)
            if not border.cost or border.edge not in new.exits or neighbor is None:
                continue
            back = (border.edge + 3) % 6
            if (hex_id, border.edge) not in board.paid_borders and back in board.tile(neighbor).exits:
                found.append(([(hex_id, border.edge), (neighbor, back)], border.cost))
        return found

    def choices(self, entity: Entity) -> Iterator[Choice]:
        """Yield every lay that the company can pay, and the pass."""
        company, board = self.company, self.game.map
        entry = self.entry(company)
        yield choice("pass", company)
        if entry is None:
            return
        for hex_id in sorted(reach(board, company).edges):
            white = board.tile(hex_id).color == "white"
            if not self._allowed(entry.lay if white else entry.upgrade):
                continue
            if (entry.cannot_reuse_same_hex and hex_id in self.laid) or self.closed_hex(company, hex_id):
                continue
            cost = entry.cost + self.terrain_cost(company, hex_id)
            for tile, rotation in self.game.rules.laying.lays(board, company, self.game.phase.tiles, hex_id):
                borders = sum(price for _, price in self._borders(hex_id, turned(tile, rotation)))
                if cost + borders <= self.funds(company):
                    copies = tuple(f"{tile.name}-{copy}" for copy in board.supply.copies[tile.name])
                    yield choice("lay_tile", company, hex=hex_id, tile=OneOf(copies), rotation=rotation)

    # Hooks

    def fault(self, company: Company, hex_id: str, tile: Tile, rotation: int) -> LayFault | None:
        """Say why a tile cannot be laid so."""
        closed = self.closed_hex(company, hex_id)
        if closed:
            return LayFault("R5.23", closed)
        game = self.game
        return game.rules.laying.fault(game.map, company, game.phase.tiles, hex_id, tile, rotation=rotation)

    def closed_hex(self, company: Company, hex_id: str) -> str:
        """Say why nobody may lay on a hex now (R5.23), "" if it is open."""
        for private in self.game.privates.values():
            if private.closed:
                continue
            for ability in private.facts.abilities:
                if ability.kind == "blocks_hexes" and hex_id in ability.hexes:
                    return f"{hex_id} is blocked by {private.sym}"
        return ""

    def terrain_cost(self, company: Company, hex_id: str) -> int:
        """Return what the ground under a tile costs (R5.25)."""
        return sum(terrain.cost for terrain in self.game.map.tile(hex_id).terrain)

    def funds(self, company: Company) -> int:
        """Return what a company can spend on track."""
        return company.cash

    def provide(self, company: Company, cost: int) -> None:
        """Raise the money for a lay, if the game knows a way (loans)."""

    def after_lay(self, company: Company, hex_id: str, lifted: tuple[object, ...]) -> None:
        """Do what a game does besides after a lay."""
