from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import strategies
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

import samples
from router import problem as words
from router.convert import (
    problem_from_proto,
    problem_to_proto,
    route_set_from_proto,
    route_set_to_proto,
    routes_from_proto,
    routes_to_proto,
    solution_from_proto,
    solution_to_proto,
    verdict_from_proto,
    verdict_to_proto,
)
from router.convert.names import CODES, HEX_VISITS, METHODS, NODE_KINDS, OBJECTIVES, SCOPES, STATUSES
from router.errors import InvalidProblem
from router.problem import Hex, Limit, Node, RouteProblem, Segment, Train
from router.solution import (
    Bonus,
    Code,
    PaidStop,
    PricedRoute,
    Route,
    RouteSet,
    Solution,
    Status,
    Verdict,
    Violation,
)
from router.v1 import problem_pb2, solution_pb2

PROBLEMS = [
    pytest.param(samples.vocabulary(), id="vocabulary"),
    pytest.param(samples.line(), id="line"),
    pytest.param(RouteProblem((), (), ()), id="empty"),
]
PRICED = PricedRoute(
    "1", ("a", "b"), ("ab",), 60, 10, (PaidStop("a", 10), PaidStop("b", 20)), (Bonus("port", 30, "a and b"),)
)
SET = RouteSet(60, 10, (PRICED, PricedRoute("2", ("b", "c"), ("bc",), 0)))


def through_bytes(message: Any) -> Any:
    return type(message).FromString(message.SerializeToString(deterministic=True))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_problem_round_trip(problem: RouteProblem) -> None:
    assert problem_from_proto(through_bytes(problem_to_proto(problem))) == problem


def test_the_sample_uses_every_word() -> None:
    problem = samples.vocabulary()
    assert {type(term).__name__ for term in problem.terms} == {it.__name__ for it in words.Term.__args__}
    assert {type(it).__name__ for it in problem.conditions} == {
        it.__name__ for it in words.Condition.__args__
    }
    train = problem.trains[0]
    for field in dataclasses.fields(Train):
        assert getattr(train, field.name) != field.default, field.name


def test_enumerations_cover_the_dataclasses() -> None:
    assert set(NODE_KINDS.numbers) == words.NODE_KINDS
    assert set(HEX_VISITS.numbers) == set(words.HexVisits.__args__)
    assert set(SCOPES.numbers) == set(words.Scope.__args__)
    assert set(STATUSES.numbers) == set(Status)
    assert set(CODES.numbers) == set(Code)
    assert set(OBJECTIVES.numbers) == {"revenue", "total"}
    assert set(METHODS.numbers) == {"auto", "exact", "select"}


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (problem_pb2.RouteProblem, RouteProblem),
        (problem_pb2.Node, Node),
        (problem_pb2.Segment, Segment),
        (problem_pb2.Hex, Hex),
        (problem_pb2.Limit, Limit),
        (problem_pb2.Train, Train),
        (solution_pb2.Route, Route),
        (solution_pb2.PricedRoute, PricedRoute),
        (solution_pb2.RouteSet, RouteSet),
        (solution_pb2.Solution, Solution),
        (solution_pb2.Verdict, Verdict),
        (solution_pb2.Violation, Violation),
        *((getattr(problem_pb2, it.__name__), it) for it in words.Term.__args__ + words.Condition.__args__),
    ],
    ids=lambda it: it.__name__,
)
def test_messages_have_the_fields_of_the_dataclasses(message: Any, word: Any) -> None:
    """A field that is added on one side only would be lost silently."""
    extra = {"Solution": {"id"}, "Train": {"any_routes"}}.get(word.__name__, set())
    assert set(message.DESCRIPTOR.fields_by_name) == {it.name for it in dataclasses.fields(word)} | extra


KINDS = st.frozensets(st.sampled_from(sorted(words.NODE_KINDS)))
NODE_IDS = st.frozensets(st.sampled_from("abcd"))
LIMITS = st.lists(st.builds(Limit, KINDS.filter(bool), st.integers(0, 99)), max_size=2).map(tuple)
FLAG = st.booleans()


@st.composite
def trains(draw: st.DrawFn) -> Train:
    paying = draw(KINDS)
    routes = draw(st.none() | st.integers(1, 3))
    return Train(
        id=draw(st.text(min_size=1)),
        kind=draw(st.text(min_size=1)),
        visit=draw(LIMITS),
        max_edges=draw(st.none() | st.integers(0, 99)),
        pay=draw(LIMITS),
        paying=paying,
        must_pay=draw(st.none() | st.just(paying) | st.just(frozenset())),
        token_pays=draw(FLAG),
        needs_token=draw(FLAG),
        multiplier=draw(st.integers(1, 5)),
        hex_visits=draw(st.sampled_from(["free", "once", "consecutive"])),
        hex_pays_once=draw(FLAG),
        ends=draw(st.none() | NODE_IDS),
        through=draw(st.none() | NODE_IDS),
        stops=draw(st.none() | NODE_IDS),
        track_class=draw(st.sampled_from(["", "d"])),
        routes=routes,
        routes_touch=draw(FLAG),
    )


@given(st.lists(trains(), max_size=3, unique_by=lambda it: it.id).map(tuple))
def test_train_round_trip(several: tuple[Train, ...]) -> None:
    problem = samples.line(several)
    assert problem_from_proto(through_bytes(problem_to_proto(problem))) == problem


@given(strategies.problems())
def test_random_problem_round_trip(problem: RouteProblem) -> None:
    assert problem_from_proto(through_bytes(problem_to_proto(problem))) == problem


def test_order_of_sets_does_not_matter() -> None:
    train = Train("1", "3", stops=frozenset("dcba"))
    message = problem_to_proto(samples.line((train,)))
    assert list(message.trains[0].stops.names) == ["a", "b", "c", "d"]
    message.trains[0].stops.names[:] = ["d", "a", "a", "c", "b"]
    assert problem_from_proto(message) == samples.line((train,))


def test_absent_fields_are_the_defaults() -> None:
    message = problem_pb2.RouteProblem(
        nodes=[problem_pb2.Node(id="a", kind=1, hex="A"), problem_pb2.Node(id="b", kind=1, hex="B")],
        segments=[problem_pb2.Segment(id="ab", a="a", b="b", track=["t"], hexes=["A", "B"])],
        trains=[problem_pb2.Train(id="1", kind="2")],
    )
    assert problem_from_proto(message) == RouteProblem(
        nodes=(Node("a", "city", "A"), Node("b", "city", "B")),
        segments=(Segment("ab", "a", "b", ("t",), ("A", "B")),),
        trains=(Train("1", "2"),),
    )


def test_all_faults_are_listed_with_their_paths() -> None:
    message = problem_to_proto(samples.vocabulary())
    message.nodes[1].kind = 77  # type: ignore[assignment]
    message.nodes[2].kind = 0  # type: ignore[assignment]
    message.nodes[3].value = -5
    message.segments[0].b = "nowhere"
    message.trains[0].hex_visits = 9  # type: ignore[assignment]
    message.trains[0].visit[1].kinds.append(55)  # type: ignore[arg-type]
    message.trains[1].multiplier = 0
    message.terms[0].Clear()
    message.terms[1].track_bonus.amount = -1
    message.conditions[1].Clear()
    message.count = 44  # type: ignore[assignment]
    with pytest.raises(InvalidProblem) as caught:
        problem_from_proto(message)
    places = [fault.where for fault in caught.value.faults]
    for place in (
        "nodes[1].kind",
        "nodes[2].kind",
        "nodes[3].value",
        "segments[0].b",
        "trains[0].hex_visits",
        "trains[0].visit[1].kinds[2]",
        "trains[1].multiplier",
        "terms[0]",
        "terms[1].amount",
        "conditions[1]",
        "count",
    ):
        assert places.count(place) == 1, place
    assert "terms[0].name" not in places
    assert "unknown node kind 77; one of city, town, offboard, halt" in str(caught.value)


@pytest.mark.parametrize(
    ("problem", "place"),
    [
        (RouteProblem((Node("\ud800", "city", "A"),), (), ()), "nodes[0]"),
        (RouteProblem((), (), (), id="\udfff"), "id[0]"),
    ],
)
def test_what_the_protocol_cannot_carry_is_a_fault(problem: RouteProblem, place: str) -> None:
    with pytest.raises(InvalidProblem) as caught:
        problem_to_proto(problem)
    assert [fault.where for fault in caught.value.faults] == [place]


# any message at all

TEXT = st.sampled_from(["", "a", "b", "c", "A", "B", "5X", "diesel", "\x00", "é", "x" * 300])
NUMBER = st.sampled_from([0, 1, 2, 3, 4, 5, 99, -1, 1_000_001, 2**31 - 1, -(2**31)])


def messages(descriptor: Any, depth: int = 0) -> st.SearchStrategy[dict[str, Any]]:
    """Return any values of any fields of a message, as arguments of its constructor."""
    fields = {field.name: values(field, depth) for field in descriptor.fields}
    return st.fixed_dictionaries({}, optional=fields)


def values(field: Any, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        inner = field.message_type.fields_by_name["value"]
        return st.dictionaries(TEXT, values(inner, depth + 1), max_size=2)
    if field.message_type is not None:
        item: st.SearchStrategy[Any] = messages(field.message_type, depth + 1)
    elif field.type == FieldDescriptor.TYPE_STRING:
        item = TEXT
    elif field.type == FieldDescriptor.TYPE_BOOL:
        item = FLAG
    else:
        item = NUMBER
    return st.lists(item, max_size=2) if field.is_repeated else item


@given(messages(problem_pb2.RouteProblem.DESCRIPTOR))
def test_no_message_raises_anything_but_invalid_problem(fields: dict[str, Any]) -> None:
    message = problem_pb2.RouteProblem(**fields)
    try:
        problem = problem_from_proto(message)
    except InvalidProblem as error:
        assert error.faults
        assert all(fault.why for fault in error.faults)
    else:
        assert problem_from_proto(through_bytes(problem_to_proto(problem))) == problem


@given(st.integers(0, 2000), st.integers(0, 255), st.binary(max_size=8))
def test_no_bytes_raise_anything_but_invalid_problem(at: int, byte: int, tail: bytes) -> None:
    """Spoil the bytes of a sound message; what still parses is read or refused."""
    good = bytearray(problem_to_proto(samples.vocabulary()).SerializeToString(deterministic=True))
    good[at % len(good)] = byte
    try:
        message = problem_pb2.RouteProblem.FromString(bytes(good) + tail)
    except DecodeError:
        return
    try:
        problem_from_proto(message)
    except InvalidProblem as error:
        assert error.faults


# answers


def test_route_round_trip() -> None:
    routes = (Route("1", ("a", "b"), ("ab",)), Route("2", (), ()))
    assert routes_from_proto(routes_to_proto(routes)) == routes


def test_route_set_round_trip() -> None:
    assert route_set_from_proto(through_bytes(route_set_to_proto(SET))) == SET


@pytest.mark.parametrize("status", list(Status))
def test_solution_round_trip(status: Status) -> None:
    solution = Solution(
        status, 60, 10, 65, SET.routes, (SET, RouteSet(0, 0, ())), {"nodes": 5, "a": 1}, "why"
    )
    assert solution_from_proto(through_bytes(solution_to_proto(solution, "7"))) == solution


@pytest.mark.parametrize("code", list(Code))
def test_verdict_round_trip(code: Code) -> None:
    verdict = Verdict(False, 0, 0, (), (Violation(code, 0, "first"), Violation(code, None, "all")))
    assert verdict_from_proto(through_bytes(verdict_to_proto(verdict))) == verdict
    legal = Verdict(True, 60, 10, SET.routes, ())
    assert verdict_from_proto(through_bytes(verdict_to_proto(legal))) == legal
