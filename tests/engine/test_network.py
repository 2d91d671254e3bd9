"""Which track joins which stops, on small maps drawn for the purpose and against a plain enumeration."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import engine.network
from engine.board import Board
from engine.facts import GameFacts
from engine.hexes import opposite
from engine.links import build_map
from engine.network import Chain, Network, reachable_network, whole_network
from engine.notation import parse_hexes, parse_tiles
from engine.position import LaidTile, Position, Token
from engine.record import Record
from engine.registry import find_game
from engine.replay import states
from engine.tiles import AtNode, Edge, PathEnd
from engine.tiles import Path as Track
from router.errors import Unsupported
from support import PROJECT, read_jsonl


def facts(text: str, tiles: str = "") -> GameFacts:
    """Return a game with a map of its own; B4 lies south of B2, C3 south-east of B2, north-east of B4."""
    drawn = build_map("flat", parse_hexes(text, layout="flat"))
    return replace(find_game("1861").facts(players=4), map=drawn, tiles=parse_tiles(tiles))


def whole(text: str) -> Network:
    return whole_network(Board.of(facts(text), (), ()))


def ids(network: Network) -> list[str]:
    return [chain.id for chain in network.chains]


def test_stops_are_joined_over_plain_track() -> None:
    network = whole("yellow | city 20 | 0-a\n  B2\nyellow | 0-3\n  B4\nyellow | city 20 | 3-a\n  B6\n")
    assert [stop.id for stop in network.stops] == ["B2-0", "B6-0"]
    chain = network.chains[0]
    assert (chain.id, chain.hexes, chain.track) == (
        "B2-0/B6-0:B4",
        ("B2", "B4", "B6"),
        ("B2|B4", "B4|B6"),
    )


def test_track_that_parts_and_meets_again_makes_several_chains() -> None:
    network = whole(
        """
yellow | city 20 | 0-a 5-a
  B2
yellow | town 10 | 3-a 4-a
  B4
yellow | 2-1
  C3
"""
    )
    assert ids(network) == ["B2-0/B4-0", "B2-0/B4-0:C3"]
    assert set(network.chains[0].track).isdisjoint(network.chains[1].track)


def test_a_switch_gives_chains_that_share_track() -> None:
    network = whole(
        """
yellow | city 20 | 0-a
  B2
green | 3-0 3-5
  B4
yellow | city 20 | 3-a
  B6
yellow | city 20 | 2-a
  C5
"""
    )
    assert ids(network) == ["B2-0/B6-0:B4", "B2-0/C5-0:B4"]
    one, other = network.chains
    assert set(one.track) & set(other.track) == {"B2|B4"}


def test_track_inside_a_hex_has_a_name_of_its_own() -> None:
    network = whole("white | city 20 #1, town 20 #0 | a-b\n  L7\n")
    chain = network.chains[0]
    assert (chain.id, chain.hexes, chain.track) == ("L7-0/L7-1", ("L7",), ("L7-0/L7-1",))


def test_a_chain_may_lead_to_another_stop_of_the_hex_it_came_from() -> None:
    network = whole(
        """
yellow | city 20, city 20 | 0-a 5-b
  B2
yellow | 3-4
  B4
yellow | 1-2
  C3
"""
    )
    assert [chain.hexes for chain in network.chains] == [("B2", "B4", "C3", "B2")]


def test_a_loop_is_no_chain() -> None:
    assert not whole("yellow | city 20 | 0-a 5-a\n  B2\nyellow | 3-4\n  B4\nyellow | 1-2\n  C3\n").chains


def test_a_chain_may_cross_a_hex_twice() -> None:
    """The way from B2 runs straight through B4, turns round in B6 and C5, and crosses B4 on other track."""
    network = whole(
        """
yellow | city 20 | 0-a
  B2
green | 3-0 5-2
  B4
yellow | 3-4
  B6
yellow | 1-2
  C5
yellow | city 30 | 5-a
  A3
"""
    )
    assert [chain.hexes for chain in network.chains] == [("A3", "B4", "C5", "B6", "B4", "B2")]


def test_track_must_meet() -> None:
    """Track beside the edge, a wall on both sides, other gauge: no chain."""
    towards = "yellow | city 20 | 0-a\n  B2\n"
    assert not whole(towards + "yellow | city 20 | 0-a\n  B4\n").chains
    walled = "yellow | city 20 | 0-a | border 0 impassable\n  B2\n"
    assert not whole(walled + "yellow | city 20 | 3-a | border 3 impassable\n  B4\n").chains
    assert not whole(towards + "yellow | city 20 | 3~a\n  B4\n").chains
    assert whole(towards + "yellow | city 20 | 3=a\n  B4\n").chains


def test_gauges_of_a_chain_are_told() -> None:
    network = whole("yellow | city 20 | 0-a\n  B2\nyellow | 3=0\n  B4\nyellow | city 20 | 3~a\n  B6\n")
    assert network.chains[0].gauges == {"broad", "dual", "narrow"}


def test_terminal_track() -> None:
    """With a stop it makes the stop an end; without one it is no way through (R7.16)."""
    network = whole("red | city 20 | 0-a!\n  B2\nyellow | city 20 | 3-a\n  B4\n")
    assert [(stop.id, stop.terminal) for stop in network.stops] == [("B2-0", True), ("B4-0", False)]
    assert not whole("yellow | city 20 | 0-a\n  B2\nred | 3-0!\n  B4\nyellow | city 20 | 3-a\n  B6\n").chains


def test_a_junction_without_stop_is_refused() -> None:
    with pytest.raises(Unsupported, match="junction"):
        whole("yellow | 0-* 2-* 4-*\n  B2\n")
    assert not whole("gray | 0-*!\n  B2\nyellow | city 20 | 3-a\n  B4\n").chains


def test_too_much_track_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.network, "MAX_CHAINS", 0)
    with pytest.raises(Unsupported, match="more than 0 ways"):
        whole("yellow | city 20 | 0-a\n  B2\nyellow | city 20 | 3-a\n  B4\n")


LINE = """
yellow | city 20 | 0-a
  B2
green | city 30 x2 | 3-a 0-a
  B4
yellow | town 10 | 3-a 0-a
  B6
red | offboard 50 | 3-a 0-a
  B8
yellow | city 20 | 3-a
  B10
yellow | city 20 | 0-a
  D2
yellow | city 20 | 3-a
  D4
"""


@pytest.mark.parametrize(
    ("tokens", "reached"),
    [
        ([], []),
        ([("B2", "N")], ["B2-0", "B4-0", "B6-0", "B8-0"]),
        ([("B2", "N"), ("B4", "E")], ["B2-0", "B4-0", "B6-0", "B8-0"]),
        ([("B2", "N"), ("B4", "E"), ("B4", "Y")], ["B2-0", "B4-0"]),
        ([("B4", "N"), ("B4", "E")], ["B2-0", "B4-0", "B6-0", "B8-0"]),
        ([("B10", "N")], ["B8-0", "B10-0"]),
        ([("B10", "N"), ("D2", "N")], ["B8-0", "B10-0", "D2-0", "D4-0"]),
    ],
)
def test_what_a_company_reaches(tokens: list[tuple[str, str]], reached: list[str]) -> None:
    """Off-board areas and cities full of others are reached, not passed (R6.3)."""
    board = Board.of(
        facts(LINE), (), [Token(hex_id, 0, slot, who) for slot, (hex_id, who) in enumerate(tokens)]
    )
    network = reachable_network(board, "N")
    assert [stop.id for stop in network.stops] == reached
    everything = {chain.id: chain for chain in whole_network(board).chains}
    assert all(everything[chain.id] == chain for chain in network.chains)


def test_parallel_tracks_to_new_york() -> None:
    """Rules of 18 New England, 7.5 example 3: B19 and B17 are joined directly and over A18."""
    board = Board.of(
        find_game("18NewEngland").facts(players=4),
        [LaidTile("B17", "88", 0), LaidTile("A18", "7", 4)],
        [Token("B19", 0, 0, "NYW")],
    )
    assert ids(reachable_network(board, "NYW")) == ["B17-0/B19-0", "B17-0/B19-0:A18"]


class Naive:
    """All chains of a board by plain recursion over the paths of its tiles (R7.8)."""

    def __init__(self, board: Board) -> None:
        self.layout = board.facts.map.layout
        self.tiles = {name: board.tile(name) for name in board.facts.map.hexes}
        self.place = {name: item.coordinate for name, item in board.facts.map.hexes.items()}
        self.at = {coordinate: name for name, coordinate in self.place.items()}
        self.found: set[tuple[tuple[str, ...], frozenset[str]]] = set()
        for name, tile in self.tiles.items():
            for path in tile.paths:
                for number in set(path.nodes):
                    self.start = self.stop(name, number)
                    self.follow(name, path, AtNode(number), (name,), frozenset())

    def stop(self, name: str, number: int) -> str:
        return f"{name}-{self.tiles[name].nodes[number].part}"

    def follow(
        self, name: str, path: Track, near: PathEnd, hexes: tuple[str, ...], left: frozenset[tuple[str, int]]
    ) -> None:
        """Go on from the end ``near`` of a path; ``left`` are the edges crossed so far."""
        far = path.b if near == path.a else path.a
        if isinstance(far, AtNode):
            if self.stop(name, far.node) != self.start:
                self.found.add((hexes, frozenset({self.start, self.stop(name, far.node)})))
        elif isinstance(far, Edge) and (name, far.edge) not in left:
            beyond = self.at.get(self.place[name].neighbor(far.edge, self.layout))
            entry = Edge(opposite(far.edge))
            for onward in self.tiles[beyond].paths if beyond else ():
                if entry in (onward.a, onward.b) and {path.gauge, onward.gauge} != {"broad", "narrow"}:
                    crossed = left | {(name, far.edge), (str(beyond), entry.edge)}
                    self.follow(str(beyond), onward, entry, (*hexes, str(beyond)), crossed)


def seen(chains: tuple[Chain, ...]) -> set[tuple[tuple[str, ...], frozenset[str]]]:
    return {
        (hexes, frozenset({chain.a.id, chain.b.id}))
        for chain in chains
        for hexes in (chain.hexes, chain.hexes[::-1])
    }


@pytest.mark.parametrize("game", ["1861", "18NewEngland", "1862"])
def test_chains_equal_a_plain_enumeration(shared: Path, game: str) -> None:
    """On the boards with most track."""
    for line in read_jsonl(shared / "stress" / f"{game}.jsonl"):
        if line["id"].startswith("saturated/") or line["id"].endswith("0"):
            position = Position.from_json(line["position"])
            board = Board.of_position(
                find_game(game).facts(players=position.players, options=position.optional_rules), position
            )
            found = whole_network(board).chains
            assert seen(found) == Naive(board).found, line["id"]
            assert len({chain.id for chain in found}) == len(found)


def test_chains_of_the_board_before_are_those_of_a_fresh_walk() -> None:
    """Boards of a game follow each other, and jump back: what is kept from the last one never goes stale."""
    record = Record.load(PROJECT / "examples" / "bot-game.json")
    boards = []
    for action, game in states(record):
        if action is not None and action.type == "run_routes":
            boards.append(Board.of_position(game.facts, game.position()))
    assert len(boards) > 20
    boards += random.Random(1).sample(boards, 20)
    kept = [whole_network(board) for board in boards]
    for board, known in zip(boards, kept, strict=True):
        engine.network.track_map.cache_clear()
        fresh = whole_network(board)
        assert ids(known) == ids(fresh)
        assert [chain.track for chain in known.chains] == [chain.track for chain in fresh.chains]
