"""Every fault of a problem is found, named by its field, and nothing makes the search for faults fail."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

from router.errors import Fault, InvalidProblem
from router.problem import (
    MAX_MONEY,
    MAX_SIZE,
    NODE_KINDS,
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    Hex,
    HexSubsidy,
    LargestTrainBonus,
    Limit,
    MustRun,
    Node,
    RequiredRoute,
    RouteProblem,
    RoutesTouch,
    Segment,
    StopBonus,
    TrackBonus,
    Train,
    VisitHome,
    kinds,
)
from router.validate import faults

AB = frozenset({"A", "B"})

SOUND = RouteProblem(
    nodes=(
        Node("A", "city", "h1", 20, token=True),
        Node("B", "town", "h2", 10, groups=("g",)),
        Node("C", "offboard", "h3", 30, values={"5": 40}, groups=("g", "i"), counts_as="west"),
    ),
    segments=(
        Segment("s1", "A", "B", ("t1", "t2"), ("h1", "h9", "h2"), ("ferry",)),
        Segment("s2", "B", "C", ("t3",), ("h2", "h3")),
    ),
    trains=(
        Train("2", "2", visit=(Limit(NODE_KINDS, 2),)),
        Train("5", "5", pay=(Limit(NODE_KINDS, 5),), must_pay=kinds("city"), ends=AB, through=AB, stops=AB),
        Train("3T", "3T", routes=3, route_ids=("3T-1", "3T-2", "3T-3"), multiplier=2, max_edges=9),
        Train("D", "D", routes=None, track_class="diesel", routes_touch=True),
    ),
    hexes=(Hex("h1"), Hex("h2", 1), Hex("h3", 1, 1), Hex("h9", -1, 5)),
    terms=(
        StopBonus("mail", 10, (AB,), {"5": 20}),
        TrackBonus("ferry", 40, "ferry"),
        DistanceBonus("long", 10, frozenset({"5"})),
        AreaBonus("compass", {"N": frozenset({"A"}), "S": frozenset({"C"})}, (("N", "S", 40),)),
        LargestTrainBonus("mine", AB, {"2": 20}, frozenset({"B"})),
        HexSubsidy("subsidy", 10, frozenset({"2"})),
        ChainBonus("freight", frozenset({"2", "5"}), frozenset({"2"}), 20, 30, frozenset({"C"})),
    ),
    conditions=(VisitHome(AB), RoutesTouch(), RequiredRoute("line", frozenset({"h1"})), MustRun("diesel")),
    end_sets=(AB,),
    id="sound",
)


def unchecked(problem: RouteProblem, **changes: Any) -> RouteProblem:
    """Return a copy with other fields that has not been validated."""
    changed = object.__new__(RouteProblem)
    changed.__dict__.update({f.name: getattr(problem, f.name) for f in fields(problem)}, **changes)
    return changed


def part(field: str, place: int, **changes: Any) -> RouteProblem:
    """Return the sound problem with one item of one field changed."""
    items = list(getattr(SOUND, field))
    items[place] = replace(items[place], **changes)
    return unchecked(SOUND, **{field: tuple(items)})


def places(problem: RouteProblem) -> list[str]:
    return [fault.where for fault in faults(problem)]


def test_a_sound_problem_has_no_faults() -> None:
    assert faults(SOUND) == []


TOO_MUCH = MAX_MONEY + 1

WRONG: list[tuple[RouteProblem, list[str]]] = [
    # hexes
    (part("hexes", 1, id="h1"), ["hexes[1].id", "terms[6]", "terms[6]"]),
    (part("hexes", 3, id=""), ["hexes[3].id"]),
    (part("hexes", 3, id=None), ["hexes[3].id"]),
    (part("hexes", 0, q=1.0), ["hexes[0].q"]),
    (part("hexes", 0, r=True), ["hexes[0].r"]),
    (part("hexes", 0, r=MAX_SIZE + 1), ["hexes[0].r"]),
    (unchecked(SOUND, hexes=()), ["terms[2]"] * 2 + ["terms[6]"] * 3),
    (unchecked(SOUND, hexes=[]), ["hexes", *["terms[2]"] * 2, *["terms[6]"] * 3]),
    # nodes
    (part("nodes", 1, kind="village"), ["nodes[1].kind"]),
    (part("nodes", 1, kind=["town"]), ["nodes[1].kind"]),
    (part("nodes", 0, value="20"), ["nodes[0].value"]),
    (part("nodes", 0, value=True), ["nodes[0].value"]),
    (part("nodes", 0, value=float("nan")), ["nodes[0].value"]),
    (part("nodes", 0, value=20.0), ["nodes[0].value"]),
    (part("nodes", 0, value=None), ["nodes[0].value"]),
    (part("nodes", 0, value=-10), ["nodes[0].value"]),
    (part("nodes", 0, value=TOO_MUCH), ["nodes[0].value"]),
    (part("nodes", 0, value=10**9999), ["nodes[0].value"]),
    (part("nodes", 0, values={"5": -1}), ["nodes[0].values['5']"]),
    (part("nodes", 0, values={5: 1}), ["nodes[0].values (a key)"]),
    (part("nodes", 0, values=None), ["nodes[0].values"]),
    (part("nodes", 0, token=1), ["nodes[0].token"]),
    (part("nodes", 1, token=True), ["nodes[1].token"]),
    (part("nodes", 2, token=True), ["nodes[2].token"]),
    (part("nodes", 0, blocked=None), ["nodes[0].blocked"]),
    (part("nodes", 0, terminal="no"), ["nodes[0].terminal"]),
    (part("nodes", 0, groups=["g"]), ["nodes[0].groups"]),
    (part("nodes", 0, groups="g"), ["nodes[0].groups"]),
    (part("nodes", 0, groups=("",)), ["nodes[0].groups[0]"]),
    (part("nodes", 0, groups=("g", "g")), ["nodes[0].groups"]),
    (part("nodes", 0, counts_as=None), ["nodes[0].counts_as"]),
    (part("nodes", 0, hex=""), ["nodes[0].hex", "segments[0].hexes[0]", "terms[2]", "terms[6]"]),
    (part("nodes", 0, hex=7), None),
    (part("nodes", 1, id="A"), None),
    (unchecked(SOUND, nodes=(*SOUND.nodes, SOUND.nodes[0])), ["nodes[3].id"]),
    (unchecked(SOUND, nodes=(*SOUND.nodes, None)), ["nodes[3]"]),
    (unchecked(SOUND, nodes=(*SOUND.nodes, Segment)), ["nodes[3]"]),
    # segments
    (part("segments", 0, a="Z"), ["segments[0].a"]),
    (part("segments", 0, a=None), ["segments[0].a"]),
    (part("segments", 0, b=["B"]), ["segments[0].b"]),
    (part("segments", 0, id=""), ["segments[0].id"]),
    (part("segments", 0, id=3), ["segments[0].id"]),
    (part("segments", 0, id="s2"), ["segments[1].id"]),
    (part("segments", 0, hexes=()), ["segments[0].hexes"]),
    (part("segments", 0, hexes=("h9", "h2")), ["segments[0].hexes[0]"]),
    (part("segments", 0, hexes=("h1", "h9")), ["segments[0].hexes[1]"]),
    (part("segments", 0, hexes=("h1", "h1", "h2")), ["segments[0].hexes[1]"]),
    (part("segments", 0, hexes=("h1", "", "h2")), ["segments[0].hexes[1]"]),
    (part("segments", 0, hexes=("h1", None, "h2")), ["segments[0].hexes[1]"]),
    (part("segments", 0, hexes=None), ["segments[0].hexes"]),
    (part("segments", 0, a="B", hexes=("h2", "h3", "h2")), ["segments[0]"]),
    (part("segments", 0, track=("t1", "t1")), ["segments[0].track"]),
    (part("segments", 0, track=("t1", "")), ["segments[0].track[1]"]),
    (part("segments", 0, track=("t1", 2)), ["segments[0].track[1]"]),
    (part("segments", 0, track="t1"), ["segments[0].track"]),
    (part("segments", 0, marks=("",)), ["segments[0].marks[0]"]),
    (part("segments", 0, marks=None), ["segments[0].marks"]),
    (part("segments", 0, track=()), ["trains[3].routes"]),
    (unchecked(SOUND, segments={}), ["segments"]),
    (unchecked(SOUND, segments=(None,)), ["segments[0]"]),
    # trains
    (part("trains", 0, id="5"), ["trains[1].id"]),
    (part("trains", 0, id=None), ["trains[0].id"]),
    (part("trains", 0, kind=""), ["trains[0].kind"]),
    (part("trains", 0, visit=None), ["trains[0].visit"]),
    (part("trains", 0, visit=(2,)), ["trains[0].visit[0]"]),
    (part("trains", 0, visit=(Limit(frozenset(), 2),)), ["trains[0].visit[0].kinds"]),
    (part("trains", 0, visit=(Limit(frozenset({"port"}), 2),)), ["trains[0].visit[0].kinds"]),
    (part("trains", 0, visit=(Limit({"city"}, 2),)), ["trains[0].visit[0].kinds"]),  # type: ignore[arg-type]
    (part("trains", 0, visit=(Limit(NODE_KINDS, -2),)), ["trains[0].visit[0].most"]),
    (part("trains", 0, pay=(Limit(NODE_KINDS, 2.5),)), ["trains[0].pay[0].most"]),  # type: ignore[arg-type]
    (part("trains", 0, max_edges=-1), ["trains[0].max_edges"]),
    (part("trains", 0, max_edges=False), ["trains[0].max_edges"]),
    (part("trains", 0, paying=frozenset({"port"})), ["trains[0].paying"]),
    (part("trains", 0, paying=None), ["trains[0].paying"]),
    (part("trains", 0, paying=frozenset({1, "city"})), ["trains[0].paying"]),
    (part("trains", 0, paying=kinds("town"), must_pay=kinds("city")), ["trains[0].must_pay"]),
    (part("trains", 0, must_pay=("city",)), ["trains[0].must_pay"]),
    (part("trains", 0, token_pays=None), ["trains[0].token_pays"]),
    (part("trains", 0, needs_token=1), ["trains[0].needs_token"]),
    (part("trains", 0, hex_pays_once=0), ["trains[0].hex_pays_once"]),
    (part("trains", 0, routes_touch="yes"), ["trains[0].routes_touch"]),
    (part("trains", 0, multiplier=0), ["trains[0].multiplier"]),
    (part("trains", 0, multiplier=1.0), ["trains[0].multiplier"]),
    (part("trains", 0, multiplier=True), ["trains[0].multiplier"]),
    (part("trains", 0, multiplier=MAX_MONEY // 30 + 1), ["trains[0].multiplier"]),
    (part("trains", 1, multiplier=MAX_MONEY // 40 + 1), ["trains[1].multiplier"]),
    (part("trains", 0, hex_visits="never"), ["trains[0].hex_visits"]),
    (part("trains", 0, hex_visits=None), ["trains[0].hex_visits"]),
    (part("trains", 0, ends=frozenset({"A", "Z"})), ["trains[0].ends"]),
    (part("trains", 0, through={"A"}), ["trains[0].through"]),
    (part("trains", 0, stops=frozenset({1})), ["trains[0].stops"]),
    (part("trains", 0, track_class=None), ["trains[0].track_class"]),
    (part("trains", 0, routes=0), ["trains[0].routes"]),
    (part("trains", 0, routes=2.0), ["trains[0].routes"]),
    (part("trains", 2, route_ids=("x", "y", "x")), ["trains[2].route_ids[2]"]),
    (part("trains", 2, route_ids=("x", "y", "2")), ["trains[2].route_ids[2]"]),
    (part("trains", 3, route_ids=("3T-1",)), ["trains[3].route_ids[0]"]),
    (part("trains", 2, route_ids=("x", "y")), ["trains[2].route_ids"]),
    (part("trains", 2, route_ids="abc"), ["trains[2].route_ids"]),
    (part("trains", 2, route_ids=("x", "y", None)), ["trains[2].route_ids[2]"]),
    (unchecked(SOUND, trains=None), ["trains"]),
    (unchecked(SOUND, trains=("2",)), ["trains[0]"]),
    (unchecked(SOUND, track_scope="route"), ["trains[3].routes"]),
    # terms
    (part("terms", 0, name=""), ["terms[0].name"]),
    (part("terms", 0, amount=-1), ["terms[0].amount"]),
    (part("terms", 0, amounts={"5": 1.5}), ["terms[0].amounts['5']"]),
    (part("terms", 0, all_of=()), ["terms[0].all_of"]),
    (part("terms", 0, all_of=(AB, {"A"})), ["terms[0].all_of[1]"]),
    (part("terms", 0, all_of=(AB, frozenset({"Q"}))), ["terms[0].all_of[1]"]),
    (part("terms", 1, amount=TOO_MUCH), ["terms[1].amount"]),
    (part("terms", 1, mark=None), ["terms[1].mark"]),
    (part("terms", 2, per_hex="10"), ["terms[2].per_hex"]),
    (part("terms", 2, trains=["5"]), ["terms[2].trains"]),
    (part("terms", 2, between=frozenset({"port"})), ["terms[2].between"]),
    (part("terms", 3, areas={"N": frozenset({"Q"}), "S": AB}), ["terms[3].areas['N']"]),
    (part("terms", 3, areas=None), ["terms[3].areas", "terms[3].pairs[0]", "terms[3].pairs[0]"]),
    (part("terms", 3, pairs=(("N", "Q", 1),)), ["terms[3].pairs[0]"]),
    (part("terms", 3, pairs=(("N", "N", 1),)), ["terms[3].pairs[0]"]),
    (part("terms", 3, pairs=(("N", "S", -1),)), ["terms[3].pairs[0]"]),
    (part("terms", 3, pairs=(("N", "S"),)), ["terms[3].pairs[0]"]),
    (part("terms", 3, meeting=frozenset({"port"})), ["terms[3].meeting"]),
    (part("terms", 4, nodes=frozenset({"Q"})), ["terms[4].nodes"]),
    (part("terms", 4, lost_at=frozenset({"Q"})), ["terms[4].lost_at"]),
    (part("terms", 4, amounts=[("2", 20)]), ["terms[4].amounts"]),
    (part("terms", 5, per_hex=None), ["terms[5].per_hex"]),
    (part("terms", 5, trains=frozenset({""})), ["terms[5].trains"]),
    (part("terms", 6, dependent=frozenset({"9"})), ["terms[6].dependent"]),
    (part("terms", 6, far=frozenset({"Q"})), ["terms[6].far"]),
    (part("terms", 6, per_hex=-1, far_per_hex=-1), ["terms[6].per_hex", "terms[6].far_per_hex"]),
    (part("terms", 6, from_last_hex=frozenset({"port"})), ["terms[6].from_last_hex"]),
    (unchecked(SOUND, terms=(*SOUND.terms, SOUND.terms[6])), ["terms[7].trains", "terms[7].trains"]),
    (unchecked(SOUND, terms=("bonus",)), ["terms[0]"]),
    (unchecked(SOUND, terms=None), ["terms"]),
    # conditions and the rest
    (part("conditions", 0, nodes=frozenset({"Q"})), ["conditions[0].nodes"]),
    (part("conditions", 2, hexes=frozenset()), ["conditions[2].hexes"]),
    (part("conditions", 2, name=None), ["conditions[2].name"]),
    (part("conditions", 2, track_classes=(1,)), ["conditions[2].track_classes[0]"]),
    (part("conditions", 3, track_class=None), ["conditions[3].track_class"]),
    (unchecked(SOUND, conditions=("home",)), ["conditions[0]"]),
    (unchecked(SOUND, track_scope="both"), ["track_scope"]),
    (unchecked(SOUND, count=["all"]), ["count"]),
    (unchecked(SOUND, end_sets=(frozenset({"Q"}),)), ["end_sets[0]"]),
    (unchecked(SOUND, end_sets=(("A", "B"),)), ["end_sets[0]"]),
    (unchecked(SOUND, end_sets=None), ["end_sets"]),
    (unchecked(SOUND, id=None), ["id"]),
]


@pytest.mark.parametrize(("problem", "where"), WRONG)
def test_each_fault_is_named(problem: RouteProblem, where: list[str] | None) -> None:
    found = faults(problem)
    assert found
    assert all(fault.why for fault in found)
    if where is not None:
        assert [fault.where for fault in found] == where, found


def test_all_faults_at_once() -> None:
    problem = unchecked(
        SOUND,
        nodes=(*SOUND.nodes, Node("A", "city", "h1", -1)),
        segments=(SOUND.segments[0], replace(SOUND.segments[1], a="Z")),
        trains=(Train("2", "2", max_edges=-3), *SOUND.trains[1:]),
        id=5,
    )
    assert places(problem) == ["nodes[3].id", "nodes[3].value", "segments[1].a", "trains[0].max_edges", "id"]


def test_construction_raises_with_all_faults() -> None:
    with pytest.raises(InvalidProblem) as raised:
        RouteProblem((Node("A", "city", "h", -1),), (Segment("s", "A", "A", ("t",), ("h",)),), ())
    assert [fault.where for fault in raised.value.faults] == ["nodes[0].value", "segments[0]"]
    assert "nodes[0].value" in str(raised.value)
    assert pickle.loads(pickle.dumps(raised.value)).faults == raised.value.faults


def test_too_many() -> None:
    many = tuple(Train(f"t{i}", "2") for i in range(MAX_SIZE + 1))
    assert faults(unchecked(SOUND, trains=many))[0].where == "trains"


def test_a_distance_needs_only_the_hexes_it_measures() -> None:
    without = tuple(hex_ for hex_ in SOUND.hexes if hex_.id != "h9")
    assert faults(unchecked(SOUND, hexes=without)) == []
    no_distance = tuple(t for t in SOUND.terms if not isinstance(t, DistanceBonus | ChainBonus))
    assert faults(unchecked(SOUND, hexes=(), terms=no_distance)) == []
    # From an off-board area a chain is measured from the hex before it.
    last = unchecked(SOUND, hexes=tuple(hex_ for hex_ in SOUND.hexes if hex_.id != "h3"))
    assert places(last) == ["terms[2]"]


class Spiteful(Mapping[str, int]):
    """A mapping that cannot be read."""

    def __getitem__(self, key: str) -> int:
        raise RuntimeError(key)

    def __iter__(self) -> Any:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


def test_what_cannot_be_read_is_a_fault() -> None:
    assert faults(part("nodes", 0, values=Spiteful()))
    assert faults(part("terms", 0, amounts=Spiteful()))
    assert faults(object.__new__(RouteProblem))


GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=2),
    st.just(object()),
    st.just(Spiteful()),
    st.lists(st.sampled_from(["A", "h1", 1, None]), max_size=3),
    st.lists(st.sampled_from(["A", "h1", "city", 1, None]), max_size=3).map(tuple),
    st.frozensets(st.sampled_from(["A", "h1", "city", 1, None]), max_size=3),
    st.dictionaries(st.sampled_from(["A", "N", 1]), st.sampled_from([1, -1, None, "x", 1.5]), max_size=2),
    st.sampled_from([*SOUND.nodes, *SOUND.segments, *SOUND.trains, *SOUND.terms, *SOUND.conditions]),
)


@settings(max_examples=500)
@given(st.data(), GARBAGE)
def test_garbage_never_raises(data: st.DataObject, garbage: object) -> None:
    field = data.draw(st.sampled_from([f.name for f in fields(RouteProblem)]))
    value = getattr(SOUND, field)
    if type(value) is not tuple or data.draw(st.booleans()):
        problem = unchecked(SOUND, **{field: garbage})
    else:
        place = data.draw(st.integers(0, len(value) - 1))
        item = value[place]
        if isinstance(item, frozenset):
            changed: Any = garbage
        else:
            # Read past the constructor: a frozen class with slots takes any value.
            changed = copy.copy(item)
            names = [f.name for f in fields(item)]
            if names:
                object.__setattr__(changed, data.draw(st.sampled_from(names)), garbage)
        problem = unchecked(SOUND, **{field: (*value[:place], changed, *value[place + 1 :])})
    found = faults(problem)
    assert all(type(fault) is Fault and fault.where and fault.why for fault in found)
    if not found:
        RouteProblem(**{f.name: getattr(problem, f.name) for f in fields(problem)})


@settings(max_examples=150)
@given(problems())
def test_the_quick_way_and_the_long_way_agree(problem: RouteProblem) -> None:
    """What is found sound at a glance is also sound field by field."""
    from router.validation import board
    from router.validation.collector import Faults, Ids

    found, ids = Faults(), Ids()
    board.hexes(problem, ids, found)
    board.nodes(problem, ids, found)
    for node in problem.nodes:
        board._one_node("node", node, found)
    for segment in problem.segments:
        board._one_segment("segment", segment, ids, found)
    assert found.list == []
