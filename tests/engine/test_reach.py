"""Reach by trails, compared with every trail there is (``00-common R6.4``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.companies import Company
from engine.core.gamemap import GameMap
from engine.core.tokens import Spot
from engine.game import Game
from engine.hexes import opposite
from engine.reach import (
    has_route,
    node_of,
    reach,
    reaches_city,
    reaches_edge,
    reaches_piece,
    sources,
)
from engine.record import Record
from engine.tiles import AtNode, Edge, PathEnd
from engine.tiles import Path as Track

MOST_STEPS = 4_000


class TooMuch(Exception):
    """The board has too many trails for this."""


class Naive:
    """All trails, one by one, as the rule is written."""

    def __init__(self, board: GameMap, company: Company) -> None:
        self.board, self.company = board, company
        self.starts = {node_of(board.tile(spot.hex), spot) for spot in sources(company)}
        self.pieces: set[tuple[str, int]] = set()
        self.joined = False
        self.steps = 0
        for hex_id, node in self.starts:
            self.leave(hex_id, node, frozenset(), frozenset(), frozenset({(hex_id, node)}))

    def leave(self, hex_id: str, node: int, used: frozenset, left: frozenset, seen: frozenset) -> None:  # type: ignore[type-arg]
        for number, path in enumerate(self.board.tile(hex_id).paths):
            if node in path.nodes:
                self.along(hex_id, number, path, AtNode(node), used, left, seen)

    def along(
        self,
        hex_id: str,
        number: int,
        path: Track,
        entry: PathEnd,
        used: frozenset,  # type: ignore[type-arg]
        left: frozenset,  # type: ignore[type-arg]
        seen: frozenset,  # type: ignore[type-arg]
    ) -> None:
        if (hex_id, number) in used or any((hex_id, edge) in left for edge in path.edges):
            return
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch
        self.pieces.add((hex_id, number))
        used |= {(hex_id, number)}
        end = path.b if path.a == entry else path.a
        if isinstance(end, AtNode):
            here = (hex_id, end.node)
            self.joined |= here not in seen
            stop = self.board.tile(hex_id).nodes[end.node]
            if here in seen or here in self.starts or path.terminal or stop.kind == "offboard":
                return
            if stop.city is None or not self.board.cities[hex_id][stop.city].blocks(self.company):
                self.leave(hex_id, end.node, used, left, seen | {here})
        elif isinstance(end, Edge) and (hex_id, end.edge) not in left:
            beyond = self.board.links(hex_id).get(end.edge)
            if beyond is not None:
                across = Edge(opposite(end.edge))
                for other, track in enumerate(self.board.tile(beyond).paths):
                    if across.edge in track.edges:
                        self.along(beyond, other, track, across, used, left | {(hex_id, end.edge)}, seen)


@pytest.mark.parametrize("name", ["73885", "random-3p_2043", "random-5p_2025"])
def test_every_trail(shared: Path, name: str) -> None:
    record = Record.load(shared / "games" / "18NewEngland" / f"{name}.json")
    game = Game.from_record(record, trusting=True)
    compared = skipped = 0
    for number, action in enumerate(record.actions()):
        game.apply(action)
        if number % 40:
            continue
        for company in game.open_companies:
            if not company.placed_tokens:
                continue
            try:
                naive = Naive(game.map, company)
            except TooMuch:
                skipped += 1
                continue
            compared += 1
            assert reach(game.map, company).pieces == naive.pieces, (action.id, company)
            assert has_route(game.map, company) is naive.joined, (action.id, company)
    print(f"\n{name}: {compared} compared, {skipped} with too many trails")
    assert compared > 60


@pytest.mark.parametrize("name", ["73885", "random-4p_2034"])
def test_single_questions(shared: Path, name: str) -> None:
    """What is asked for one hex or city is what everything that is reached says."""
    record = Record.load(shared / "games" / "18NewEngland" / f"{name}.json")
    game = Game.from_record(record, trusting=True)
    for number, action in enumerate(record.actions()):
        game.apply(action)
        if number % 60:
            continue
        board = game.map
        for company in game.open_companies:
            board.cache.clear()
            cities = [Spot(hex_id, n) for hex_id, found in board.cities.items() for n in range(len(found))]
            reached = [reaches_city(board, company, [spot]) for spot in cities]
            edges = {
                hex_id: reaches_edge(board, company, hex_id, frozenset({1, 4})) for hex_id in board.cities
            }
            tracks = {
                hex_id: reaches_piece(board, company, hex_id, board.tile(hex_id), frozenset({0}))
                for hex_id in board.laid
            }
            everything = reach(board, company)
            assert reached == [everything.reaches_city(board, spot) for spot in cities]
            for hex_id, found in edges.items():
                assert found is bool(everything.edges.get(hex_id, frozenset()) & {1, 4})
            for hex_id, found in tracks.items():
                assert found is ((hex_id, 0) in everything.pieces)
            for hex_id, around in everything.around.items():
                assert around <= everything.facing[hex_id] <= everything.edges[hex_id]
