"""Reading positions: what is right is kept, everything that is wrong is named, nothing else is raised."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.position import Charter1862, HexBonus, LaidTile, Mines1873, OwnedTrain, Position, Token
from router.errors import InvalidInput

GOOD: dict[str, Any] = {
    "game": "1861",
    "players": 4,
    "optionalRules": ["column_market"],
    "company": "N",
    "phase": "3",
    "tiles": [
        {"hex": "B8", "tile": "4", "rotation": 1},
        {"hex": "H10", "tile": "58", "rotation": 3},
        {"hex": "I13", "tile": "6", "rotation": 1},
    ],
    "tokens": [
        {"hex": "H8", "city": 1, "slot": 0, "company": "N"},
        {"hex": "E1", "city": 0, "slot": 0, "company": "SPW"},
    ],
    "trains": [{"id": "2-0", "name": "2"}, {"id": "3-4", "name": "3"}],
    "hexBonuses": [{"source": "WVR", "hexes": ["A9", "A11"], "amount": 10}],
}


def good(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **changes}


def faults(value: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as caught:
        Position.from_json(value)
    assert caught.value.faults
    return {fault.where: fault.why for fault in caught.value.faults}


def test_a_position_is_read() -> None:
    assert Position.from_json(GOOD) == Position(
        game="1861",
        players=4,
        company="N",
        phase="3",
        optional_rules=("column_market",),
        tiles=(LaidTile("B8", "4", 1), LaidTile("H10", "58", 3), LaidTile("I13", "6", 1)),
        tokens=(Token("H8", 1, 0, "N"), Token("E1", 0, 0, "SPW")),
        trains=(OwnedTrain("2-0", "2"), OwnedTrain("3-4", "3")),
        hex_bonuses=(HexBonus("WVR", ("A9", "A11"), 10),),
    )


def test_json_goes_round() -> None:
    assert Position.from_json(GOOD).to_json() == GOOD


def test_a_position_can_be_sent_to_another_process() -> None:
    position = Position.from_json(GOOD)
    assert pickle.loads(pickle.dumps(position)) == position


def test_defaults_may_be_left_out() -> None:
    """Proto3 JSON leaves out zeros and empty lists."""
    lean = {
        "game": "18NewEngland",
        "players": 3,
        "company": "GR",
        "phase": "2",
        "tiles": [{"hex": "F11", "tile": "58"}],
        "tokens": [{"hex": "L7", "company": "GR"}],
        "trains": [{"id": "2-0", "name": "2"}],
    }
    position = Position.from_json(lean)
    assert position.tiles == (LaidTile("F11", "58", 0),)
    assert position.tokens == (Token("L7", 0, 0, "GR"),)
    assert position.optional_rules == ()


def test_null_is_a_default() -> None:
    position = Position.from_json(good(optionalRules=None, hexBonuses=None, g1862=None))
    assert position.optional_rules == ()
    assert position.g1862 is None


def test_fields_may_have_their_own_names() -> None:
    value = good()
    value["optional_rules"] = value.pop("optionalRules")
    value["hex_bonuses"] = value.pop("hexBonuses")
    assert Position.from_json(value) == Position.from_json(GOOD)


@pytest.mark.parametrize("four", [4, 4.0, "4"])
def test_whole_numbers_come_in_three_forms(four: object) -> None:
    assert Position.from_json(good(players=four)).players == 4


def test_parts_of_single_games_are_read() -> None:
    value = good(game="1862", company="E&H", phase="A", optionalRules=[], tiles=[], tokens=[], trains=[])
    value.update(hexBonuses=[], g1862={"permits": ["express"], "sharePrice": 54})
    assert Position.from_json(value).g1862 == Charter1862(("express",), 54)
    assert Position.from_json(value).to_json()["g1862"] == {"permits": ["express"], "sharePrice": 54}
    value.pop("g1862")
    value.update(game="1873", company="HBE", phase="1", g1873={"openMines": ["1", "15"]})
    assert Position.from_json(value).g1873 == Mines1873(("1", "15"))


def test_subtrains_extra_tokens_and_leases_go_round() -> None:
    value = good(
        tokens=[{"hex": "E1", "city": 0, "slot": 7, "company": "SPW", "extra": True}],
        trains=[{"id": "2-0", "name": "2", "subtrains": ["a", "b"], "leased": True}],
    )
    assert Position.from_json(value).to_json() == value


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"game": "1830"}, "game", "unknown game '1830'; expected 1861, 1862, 18GB, 18NewEngland, 1873"),
    ({"game": None}, "game", "missing"),
    ({"game": 1861}, "game", "is 1861; expected a text"),
    ({"players": 7}, "players", "7 players; expected 2, 3, 4, 5, 6"),
    ({"players": 0}, "players", "is 0; expected 1 to 99"),
    ({"players": None}, "players", "is missing; expected 1 to 99"),
    ({"players": "many"}, "players", "expected a whole number"),
    ({"players": 4.5}, "players", "is 4.5; expected a whole number"),
    ({"players": float("nan")}, "players", "is nan; expected a whole number"),
    ({"players": float("inf")}, "players", "expected a whole number"),
    ({"players": True}, "players", "is true; expected a whole number"),
    ({"players": 10**5000}, "players", "is a huge number"),
    ({"company": "MALMÖ"}, "company", "is no company of 1861"),
    ({"company": ""}, "company", "missing"),
    ({"phase": "9"}, "phase", "is no phase of 1861; expected 2, 3, 4, 5, 6, 7, 8"),
    ({"optionalRules": ["fast"]}, "optionalRules[0]", "is no option of 1861; expected column_market"),
    ({"optionalRules": "column_market"}, "optionalRules", "expected a list"),
    ({"optionalRules": ["column_market", "column_market"]}, "optionalRules[1]", "again"),
    ({"color": "red"}, "color", "unknown field"),
    ({"tiles": {}}, "tiles", "is an object; expected a list"),
    ({"tiles": [7]}, "tiles[0]", "is 7; expected an object"),
    ({"tiles": [{"hex": "B8", "tile": "4", "rotation": 6}]}, "tiles[0].rotation", "is 6; expected 0 to 5"),
    ({"tiles": [{"hex": "B8", "tile": "4", "rotation": -1}]}, "tiles[0].rotation", "expected 0 to 5"),
    ({"tiles": [{"hex": "B8", "tile": "4", "turn": 1}]}, "tiles[0].turn", "expected hex, tile, rotation"),
    ({"tiles": [{"hex": "B8"}]}, "tiles[0].tile", "missing"),
    ({"tiles": [{"hex": "B8", "tile": "X7"}]}, "tiles[0].tile", "'X7' is no tile of 1861"),
    ({"tiles": [{"hex": "Z99", "tile": "4"}]}, "tiles[0].hex", "'Z99' is no hex of the map"),
    ({"tiles": [{"hex": "C5", "tile": "4"}]}, "tiles[0].hex", "C5 is printed gray"),
    ({"tiles": [{"hex": "A9", "tile": "9"}]}, "tiles[0].hex", "A9 is printed red"),
    ({"tiles": [{"hex": "E1", "tile": "6", "rotation": 2}]}, "tiles[0].rotation", "expected a rotation"),
    ({"tiles": [{"hex": "B8", "tile": "9"}, {"hex": "B8", "tile": "9"}]}, "tiles[1].hex", "one tile per hex"),
    ({"tokens": [{"hex": "Z9", "company": "N"}]}, "tokens[0].hex", "is no hex"),
    ({"tokens": [{"hex": "B10", "company": "N"}]}, "tokens[0].city", "expected a hex with a city"),
    ({"tokens": [{"hex": "H8", "city": 3, "company": "N"}]}, "tokens[0].city", "expected 0 to 2"),
    ({"tokens": [{"hex": "H8", "slot": 1, "company": "N"}]}, "tokens[0].slot", "expected 0 to 0"),
    ({"tokens": [{"hex": "H8", "company": "PKP"}]}, "tokens[0].company", "is no company of 1861"),
    ({"tokens": [{"hex": "H8", "company": "N", "extra": 1}]}, "tokens[0].extra", "expected true or false"),
    (
        {"tokens": [{"hex": "H8", "company": "N"}, {"hex": "H8", "company": "E"}]},
        "tokens[1].slot",
        "holds tokens[0] already",
    ),
    ({"trains": [{"id": "9-0", "name": "9"}]}, "trains[0].name", "'9' is no train of 1861; expected 2, 3"),
    ({"trains": [{"name": "2"}]}, "trains[0].id", "missing"),
    ({"trains": [{"id": "2-0", "name": "2"}] * 2}, "trains[1].id", "is trains[0].id already"),
    (
        {"trains": [{"id": "a", "name": "2", "subtrains": ["b", "a"]}]},
        "trains[0].subtrains[1]",
        "is trains[0].id already",
    ),
    ({"hexBonuses": [{"source": "XX", "hexes": []}]}, "hexBonuses[0].source", "is no private of 1861"),
    ({"hexBonuses": [{"source": "BSS", "hexes": ["Z9"]}]}, "hexBonuses[0].hexes[0]", "is no hex"),
    ({"hexBonuses": [{"source": "BSS", "amount": -5}]}, "hexBonuses[0].amount", "expected 0 to 100000"),
    ({"g1862": {"permits": []}}, "g1862", "is for 1862 only"),
    ({"g1873": {"openMines": []}}, "g1873", "is for 1873 only"),
    ({"tiles": [{}] * 1_000_000}, "tiles", "holds 1000000 items; expected at most 1000"),
    ({"company": "N" * 10_000}, "company", "expected at most 100 printable characters"),
    ({"company": "N\n"}, "company", "expected at most 100 printable characters"),
]


@pytest.mark.parametrize(
    ("changes", "where", "why"), WRONG, ids=[f"{where}: {why}" for _, where, why in WRONG]
)
def test_a_fault_is_named(changes: dict[str, Any], where: str, why: str) -> None:
    found = faults(good(**changes))
    assert where in found
    assert why in found[where]


def test_all_faults_are_named_at_once() -> None:
    value = good(players=9, company="?", phase="?", optionalRules=["?"])
    value["tiles"][1]["rotation"] = "x"
    value["tokens"][0]["city"] = 9
    value["trains"][1]["name"] = "?"
    assert set(faults(value)) == {
        "players",
        "company",
        "phase",
        "optionalRules[0]",
        "tiles[1].rotation",
        "tokens[0].city",
        "trains[1].name",
    }


def test_more_copies_than_there_are() -> None:
    hexes = ("B8", "C9", "E13", "G13", "H10", "H12", "J6", "K11", "M9")
    tiles = [{"hex": name, "tile": "87", "rotation": 0} for name in hexes]
    found = faults(good(tiles=tiles))
    assert any("expected at most" in why and "copies" in why for why in found.values())


def test_of_an_unlimited_tile_there_are_always_more() -> None:
    tiles = [{"hex": name, "tile": "9", "rotation": 0} for name in ("G7", "G9", "G11", "F8", "F10", "F12")]
    assert len(Position.from_json(good(tiles=tiles)).tiles) == 6


@pytest.mark.parametrize("value", [None, 7, "x", [], [[]], True, 1.5, {}, {"": ""}, {"game": {}}])
def test_what_is_no_position_is_refused(value: object) -> None:
    faults(value)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["1861", "H8", "57", "N", "2", "2-0", "column_market", "-1", "0"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=4), st.sampled_from(sorted(GOOD))), inner, max_size=6),
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_or_refused(value: object) -> None:
    try:
        Position.from_json(value)
    except InvalidInput as refused:
        assert refused.faults


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict):
        for key in value:
            found += places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*path, index))
    return found


@given(st.sampled_from(places(GOOD)[1:]), JSON)
def test_a_good_position_with_anything_in_one_place_is_read_or_refused(
    path: tuple[Any, ...], junk: object
) -> None:
    value = good()
    target: Any = value
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = junk
    try:
        position = Position.from_json(value)
    except InvalidInput as refused:
        assert refused.faults
        assert all(fault.where and fault.why for fault in refused.faults)
    else:
        assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position


def test_protocol_buffers_write_what_is_read() -> None:
    json_format = pytest.importorskip("google.protobuf.json_format")
    position_pb2 = pytest.importorskip("engine.v1.position_pb2")
    message = json_format.ParseDict(GOOD, position_pb2.Position())
    for kept in (False, True):
        written = json_format.MessageToDict(message, preserving_proto_field_name=kept)
        assert Position.from_json(written) == Position.from_json(GOOD)
