"""Routes in the encoding of 18xx.games: read however they are written, written in one way."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board
from engine.compile import Compiled, compile_board
from engine.encoding import Codec, SiteRoute, Unreadable
from engine.links import build_map
from engine.network import whole_network
from engine.notation import parse_hexes
from engine.position import LaidTile, OwnedTrain, Position, Token
from engine.registry import find_game
from router.errors import InvalidInput
from router.problem import Node, RouteProblem, Segment
from router.solution import Code, Route

POSITION = Position(
    game="18NewEngland",
    players=4,
    company="NYW",
    phase="3",
    tiles=(LaidTile("B17", "88", 0), LaidTile("A18", "7", 4), LaidTile("E4", "6", 3)),
    tokens=(Token("B19", 0, 0, "NYW"), Token("L7", 0, 0, "NYW")),
    trains=(OwnedTrain("2-0", "2"), OwnedTrain("2-1", "2"), OwnedTrain("4-0", "4")),
)


@pytest.fixture(scope="module")
def board() -> Compiled:
    return compile_board(POSITION, whole_board=True)


def read(board: Compiled, *routes: SiteRoute) -> list[Route | Unreadable]:
    return Codec(board).decode(routes)


def site(*chains: str, train: str = "2-0", nodes: tuple[str, ...] = ()) -> SiteRoute:
    return SiteRoute(train, tuple(tuple(chain.split("-")) for chain in chains), nodes)


def test_a_chain_is_read_from_either_end(board: Compiled) -> None:
    assert read(board, site("B19-B17")) == [Route("2-0", ("B19-0", "B17-0"), ("B17-0/B19-0",))]
    assert read(board, site("B17-B19")) == [Route("2-0", ("B17-0", "B19-0"), ("B17-0/B19-0",))]


def test_the_hexes_tell_parallel_track_apart(board: Compiled) -> None:
    assert read(board, site("B19-A18-B17")) == [Route("2-0", ("B19-0", "B17-0"), ("B17-0/B19-0:A18",))]


@pytest.mark.parametrize(
    ("nodes", "first"), [(("L7-1", "L7-0"), "L7-1"), (("L7-0", "L7-1"), "L7-0"), ((), "L7-0")]
)
@pytest.mark.parametrize("name", ["L7", "L7 0.1"])
def test_track_inside_a_hex(board: Compiled, name: str, nodes: tuple[str, ...], first: str) -> None:
    """R7.4; which way round only ``nodes`` can tell."""
    (route,) = read(board, site(name, nodes=nodes))
    assert isinstance(route, Route)
    assert route.segments == ("L7-0/L7-1",)
    assert route.nodes[0] == first


def test_each_chain_has_a_direction_of_its_own() -> None:
    """00-common R7.2: the example of 1861/29683 action 522, with the print and few tiles."""
    position = Position(
        game="1861",
        players=4,
        company="N",
        phase="3",
        tiles=(LaidTile("G7", "9", 1), LaidTile("F4", "9", 1), LaidTile("B8", "4", 1)),
        tokens=(Token("H8", 1, 0, "N"),),
        trains=(OwnedTrain("2-0", "2"),),
    )
    board = compile_board(position, whole_board=True)
    chains = [chain.hexes for chain in board.network.chains]
    pairs = [
        (one, other)
        for one, other in itertools.permutations(board.network.chains, 2)
        if {one.a, one.b} & {other.a, other.b} and {one.a, one.b} != {other.a, other.b}
    ]
    assert chains
    for one, other in pairs:
        (joint,) = {one.a, one.b} & {other.a, other.b}
        for first, second in itertools.product(
            (one.hexes, one.hexes[::-1]), (other.hexes, other.hexes[::-1])
        ):
            (route,) = read(board, SiteRoute("2-0", (first, second)))
            assert isinstance(route, Route)
            assert route.segments == (one.id, other.id)
            assert route.nodes[1] == joint.id


def junction_town() -> Compiled:
    """Return a board on which one edge of B4 leads to two towns, joined south of it over C5 and B6."""
    text = """
yellow | city 20 | 0-a
  B2
green | town 10, town 10 | 3-a 3-b 0-a 5-b
  B4
yellow | city 30 | 3-a 4-a
  B6
yellow | 2-1
  C5
"""
    drawn = build_map("flat", parse_hexes(text, layout="flat"))
    facts = replace(find_game("18NewEngland").facts(players=4), map=drawn)
    board = Board.of(facts, (), ())
    network = whole_network(board)
    problem = RouteProblem(
        nodes=tuple(
            Node(stop.id, stop.node.kind, stop.hex, token=stop.id == "B6-0") for stop in network.stops
        ),
        segments=tuple(
            Segment(chain.id, chain.a.id, chain.b.id, chain.track, chain.hexes) for chain in network.chains
        ),
        trains=(),
    )
    return Compiled(POSITION, board, network, problem)


@pytest.mark.parametrize(
    ("chains", "nodes", "stops"),
    [
        (("B2-B4",), ("B2-0", "B4-1"), ("B2-0", "B4-1")),
        (("B2-B4",), ("B2-0", "B4-0"), ("B2-0", "B4-0")),
        (("B2-B4",), (), ("B2-0", "B4-0")),
        (("B2-B4", "B4-B6"), (), ("B2-0", "B4-0", "B6-0")),
        (("B2-B4", "B4-C5-B6"), (), ("B2-0", "B4-1", "B6-0")),
        (("B4-B2", "B4-C5-B6", "B6-B4"), ("B4-1", "B2-0", "B6-0", "B4-0"), ("B2-0", "B4-1", "B6-0", "B4-0")),
    ],
)
def test_of_several_readings_the_nodes_choose(
    chains: tuple[str, ...], nodes: tuple[str, ...], stops: tuple[str, ...]
) -> None:
    """R7.10: what joins, then what is told."""
    (route,) = read(junction_town(), site(*chains, nodes=nodes))
    assert isinstance(route, Route)
    assert route.nodes == stops


@pytest.mark.parametrize(
    ("route", "code", "why"),
    [
        (site(), Code.TOO_SHORT, "has no track"),
        (site("B19-Z99"), Code.UNKNOWN_TRACK, "Z99 is no hex of the map"),
        (site("B19-E4"), Code.UNKNOWN_TRACK, "B19 and E4 are no neighbours"),
        (site("B19-B17-B15"), Code.UNKNOWN_TRACK, "there is no stop with track in B15"),
        (site("E4-E2-F3"), Code.UNKNOWN_TRACK, "there is no stop with track in F3"),
        (site("E4-F3-E2"), Code.UNKNOWN_TRACK, "no track leads from a stop in E4 over F3 to a stop in E2"),
        (site("B17"), Code.UNKNOWN_TRACK, "no track joins two stops inside B17"),
        (site("local-B19"), Code.UNKNOWN_TRACK, "is a local run"),
        (site("B19-B17", "E4-E2"), Code.NOT_JOINED, "B19-B17 and the track E4-E2 have no stop in common"),
    ],
)
def test_what_cannot_be_read_is_said(board: Compiled, route: SiteRoute, code: Code, why: str) -> None:
    (found,) = read(board, route)
    assert isinstance(found, Unreadable)
    assert found.code is code
    assert why in found.why


def test_what_is_illegal_but_joined_is_read(board: Compiled) -> None:
    """There and back again: the referee is to say what is wrong with it."""
    (route,) = read(board, site("B19-B17", "B17-A18-B19"))
    assert route == Route("2-0", ("B19-0", "B17-0", "B19-0"), ("B17-0/B19-0", "B17-0/B19-0:A18"))


CHAIN_NAMES = st.sampled_from(["B19", "B17", "A18", "L7", "L7 0.1", "E4", "E2", "Z9", "local", "", "x y z"])


@given(
    st.lists(st.lists(CHAIN_NAMES, min_size=1, max_size=4).map(tuple), max_size=5).map(tuple),
    st.lists(st.sampled_from(["B19-0", "B17-0", "L7-0", "nonsense"]), max_size=4).map(tuple),
)
def test_any_chains_are_read_or_refused(
    board: Compiled, chains: tuple[tuple[str, ...], ...], nodes: tuple[str, ...]
) -> None:
    (found,) = read(board, SiteRoute("2-0", chains, nodes))
    if isinstance(found, Unreadable):
        assert found.why
    else:
        assert len(found.nodes) == len(found.segments) + 1


@given(st.data())
def test_what_is_written_is_read_again(board: Compiled, data: st.DataObject) -> None:
    """Walk at random over the board: ``decode(encode(route)) == route``."""
    chains = board.network.chains
    start = data.draw(st.sampled_from(board.network.stops))
    nodes, segments = [start.id], list[str]()
    while True:
        onward = [
            (chain.id, there.id)
            for chain in chains
            for here, there in ((chain.a, chain.b), (chain.b, chain.a))
            if here.id == nodes[-1] and there.id not in nodes
        ]
        if not onward or data.draw(st.integers(0, 9)) == 0:
            break
        segment, node = data.draw(st.sampled_from(onward))
        segments.append(segment)
        nodes.append(node)
    if segments:
        route = Route("4-0", tuple(nodes), tuple(segments))
        assert read(board, Codec(board).encode(route)) == [route]


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, None),
        ({}, "routes"),
        ([1], "routes[0]"),
        ([{"train": "2-0", "speed": 1}], "routes[0].speed"),
        ([{"connections": [["B19", "B17"]]}], "routes[0].train"),
        ([{"train": "2-0", "connections": "B19"}], "routes[0].connections"),
        ([{"train": "2-0", "connections": ["B19"]}], "routes[0].connections[0]"),
        ([{"train": "2-0", "connections": [[]]}], "routes[0].connections[0]"),
        ([{"train": "2-0", "connections": [["B19", 7]]}], "routes[0].connections[0][1]"),
        ([{"train": "2-0", "nodes": [None]}], "routes[0].nodes[0]"),
    ],
)
def test_faults_in_form_are_named(value: object, where: str | None) -> None:
    if where is None:
        assert SiteRoute.list_from_json(value) == ()
        return
    with pytest.raises(InvalidInput) as caught:
        SiteRoute.list_from_json(value)
    assert where in {fault.where for fault in caught.value.faults}


def test_recorded_fields_are_accepted() -> None:
    recorded: dict[str, Any] = {
        "train": "2-0",
        "connections": [["B19", "B17"]],
        "hexes": ["B19", "B17"],
        "nodes": ["B19-0", "B17-0"],
        "revenue": 60,
        "revenue_str": "B19-B17",
        "subsidy": 0,
    }
    assert SiteRoute.list_from_json([recorded]) == (
        SiteRoute("2-0", (("B19", "B17"),), ("B19-0", "B17-0"), ("B19", "B17")),
    )


def test_the_town_and_the_city_are_named_where_a_hex_has_more_track(board: Compiled) -> None:
    """R7.4: with two tracks inside a hex the chain is called by the parts it joins."""
    codec = Codec(board)
    codec._inside["L7"] = 2
    written = codec.encode(Route("2-0", ("L7-1", "L7-0"), ("L7-0/L7-1",)))
    assert written.connections == (("L7 0.1",),)
    assert codec.decode([written]) == [Route("2-0", ("L7-1", "L7-0"), ("L7-0/L7-1",))]


def test_hexes_name_every_stop(board: Compiled) -> None:
    written = Codec(board).encode(Route("2-0", ("L7-1", "L7-0"), ("L7-0/L7-1",)))
    assert written.hexes == ("L7", "L7")
    assert replace(written, hexes=()) == SiteRoute("2-0", (("L7",),), ("L7-1", "L7-0"))
