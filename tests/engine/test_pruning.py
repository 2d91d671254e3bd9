"""Track that is left out before a search lies on no route."""

from __future__ import annotations

from itertools import pairwise

import pytest
from boards import laid, tokens, trains

from engine.compile import compile_position
from engine.position import Charter1862, Mines1873, OwnedTrain, Position
from engine.pruning import useful_segments
from naive import naive_routes
from router.problem import Node, Segment, Train

EAST = Position(
    game="1862",
    players=4,
    company="FDR",
    phase="E",
    tiles=laid(
        "G12 14 2, F11 795 3, E10 8852 2, D9 53y 1, D7 8850 1, C8 53y 0, E12 791 0, F13 793 5, C10 57 0, "
        "G10 8852 1, D11 6 5"
    ),
    tokens=tokens("FDR G12 D9; ESR F11; EUR E12"),
    trains=trains("B-0 2/3E, B-1 2/3L, D-0 5F"),
    g1862=Charter1862(("freight", "local", "express"), 100),
)
HARZ = Position(
    game="1873",
    players=4,
    company="HBE",
    phase="D",
    tiles=laid("B17 78 4, E16 962 5, D13 956 1, D11 956 1, C14 76 5, C12 956 1, D17 956 2, D15 990 0"),
    tokens=tokens("HBE B19 D15 E18; WBE C16"),
    trains=(OwnedTrain("2T-0", "2T", ("2T-10", "2T-11")), OwnedTrain("D-0", "D", ("D-10",))),
    g1873=Mines1873(("4", "12", "15")),
)


@pytest.mark.parametrize("position", [EAST, HARZ], ids=["1862", "1873"])
def test_every_route_of_the_whole_board_is_left(position: Position) -> None:
    part, whole = compile_position(position), compile_position(position, whole_board=True)
    assert len(part.segments) < len(whole.segments)
    assert part.trains
    for mine, train in zip(part.trains, whole.trains, strict=True):
        found = {(route.nodes, route.segments) for route in naive_routes(part, mine)}
        assert found == {(route.nodes, route.segments) for route in naive_routes(whole, train)}
        assert found


def line(*names: str) -> tuple[dict[str, Node], tuple[Segment, ...]]:
    """Return stops in a row."""
    nodes = {name: Node(name, "city", name, token=name == names[0]) for name in names}
    segments = tuple(Segment(a + b, a, b, (a + b,), (a, b)) for a, b in pairwise(names))
    return nodes, segments


def left(train: Train, *names: str) -> list[str]:
    nodes, segments = line(*names)
    return [segment.id for segment in useful_segments(nodes, segments, [train])]


def test_behind_the_last_end_nothing_is_left() -> None:
    assert left(Train("t", "t", ends=frozenset("ac")), *"abcde") == ["ab", "bc"]
    assert left(Train("t", "t", ends=frozenset("a")), *"abc") == []
    assert left(Train("t", "t"), *"abc") == ["ab", "bc"]


def test_a_stop_that_is_not_passed_ends_the_track() -> None:
    assert left(Train("t", "t", ends=frozenset("ad"), through=frozenset("b")), *"abcd") == []
    assert left(Train("t", "t", ends=frozenset("ad"), stops=frozenset("abd")), *"abcd") == []
    assert left(Train("t", "t", ends=frozenset("ab"), stops=frozenset("abc")), *"abcd") == ["ab"]


def test_what_one_train_uses_is_left_for_all() -> None:
    nodes, segments = line(*"abcd")
    short, long = (Train(name, name, ends=frozenset(name)) for name in ("ab", "ad"))
    assert useful_segments(nodes, segments, [short, long]) == segments


def test_two_ways_to_one_neighbor_are_no_way_through() -> None:
    nodes, segments = line(*"abc")
    siding = Segment("cb", "b", "c", ("cb",), ("b", "c"))
    train = Train("t", "t", ends=frozenset("ab"))
    assert [s.id for s in useful_segments(nodes, (*segments, siding), [train])] == ["ab"]


@pytest.mark.parametrize(("past", "ids"), [(False, []), (True, ["ab", "bc"])])
def test_blocked_stops(past: bool, ids: list[str]) -> None:
    nodes, segments = line(*"abc")
    nodes["b"] = Node("b", "city", "b", blocked=True)
    train = Train("t", "t", ends=frozenset("ac"))
    assert [s.id for s in useful_segments(nodes, segments, [train], past_blocked=past)] == ids
