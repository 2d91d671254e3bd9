from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hexes import EDGES, Coordinate, Layout, opposite, parse_coordinate, rotate

LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")
layouts = st.sampled_from(LAYOUTS)
edges = st.sampled_from(EDGES)
places = st.tuples(st.integers(-30, 30), st.integers(-30, 30)).map(
    lambda xy: Coordinate(xy[0], 2 * xy[1] + xy[0] % 2)
)


def walk(start: Coordinate, layout: Layout, reach: int) -> dict[Coordinate, int]:
    """Return how many steps every place within reach is away, by plain search."""
    steps = {start: 0}
    border = [start]
    for step in range(1, reach + 1):
        border = [c for place in border for edge in EDGES if (c := place.neighbor(edge, layout)) not in steps]
        steps |= dict.fromkeys(border, step)
    return steps


@pytest.mark.parametrize(
    ("name", "layout", "place"),
    [
        ("A1", "flat", Coordinate(0, 0)),
        ("H8", "flat", Coordinate(7, 7)),
        ("AA12", "flat", Coordinate(26, 11)),
        ("a25", "flat", Coordinate(-1, 24)),
        ("G0", "flat", Coordinate(6, -1)),
        ("B19", "pointy", Coordinate(18, 1)),
    ],
)
def test_names_are_places(name: str, layout: Layout, place: Coordinate) -> None:
    assert parse_coordinate(name, layout) == place


@pytest.mark.parametrize("name", ["", "8", "H", "H08", "H-8", "Hh8", "8H"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no hex name"):
        parse_coordinate(name, "flat")


@pytest.mark.parametrize(
    ("layout", "neighbors"),
    [("flat", ["H10", "G9", "G7", "H6", "I7", "I9"]), ("pointy", ["I7", "H6", "G7", "G9", "H10", "I9"])],
)
def test_edges_run_clockwise_from_the_bottom(layout: Layout, neighbors: list[str]) -> None:
    center = parse_coordinate("H8", layout)
    assert [center.neighbor(edge, layout) for edge in EDGES] == [
        parse_coordinate(n, layout) for n in neighbors
    ]


@given(places, edges, layouts)
def test_the_opposite_edge_leads_back(place: Coordinate, edge: int, layout: Layout) -> None:
    assert place.neighbor(edge, layout).neighbor(opposite(edge), layout) == place


@given(edges, st.integers(-12, 12))
def test_six_turns_are_none(edge: int, rotation: int) -> None:
    assert rotate(rotate(edge, rotation), 6 - rotation) == edge


@pytest.mark.parametrize("layout", LAYOUTS)
def test_distance_is_the_length_of_the_shortest_walk(layout: Layout) -> None:
    start = Coordinate(4, 8)
    for place, steps in walk(start, layout, 5).items():
        assert start.distance(place, layout) == steps
        assert place.distance(start, layout) == steps


@pytest.mark.parametrize(
    ("one", "other", "steps"), [("G26", "K0", 15), ("a19", "G26", 7), ("C14", "G26", 8), ("H19", "G26", 4)]
)
def test_distances_of_britain(one: str, other: str, steps: int) -> None:
    assert parse_coordinate(one, "flat").distance(parse_coordinate(other, "flat"), "flat") == steps
