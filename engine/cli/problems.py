"""Route problems as JSON, the form of ``router.v1.RouteProblem``: reading them with all their faults named.

What :mod:`router.convert` does with protocol buffers stops at the first fault of the JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from engine.cli.problem_reader import KINDS, SCOPES, VISITS, ProblemReader
from engine.reading import Fields, listed, shown
from router import problem as words
from router.errors import Fault, InvalidInput, InvalidProblem
from router.problem import MAX_SIZE, Condition, Hex, Limit, Node, RouteProblem, Segment, Term, Train
from router.solution import Route

_INT32 = 2**31

_T = TypeVar("_T")


_PROBLEM = (
    "id",
    "hexes",
    "nodes",
    "segments",
    "trains",
    "terms",
    "conditions",
    "trackScope",
    "count",
    "endSets",
)
_HEX = ("id", "q", "r")
_NODE = (
    "id",
    "kind",
    "hex",
    "value",
    "values",
    "token",
    "blocked",
    "terminal",
    "groups",
    "countsAs",
)
_SEGMENT = ("id", "a", "b", "track", "hexes", "marks")
_LIMIT = ("kinds", "most")
_TRAIN = (
    "id",
    "kind",
    "visit",
    "maxEdges",
    "pay",
    "paying",
    "mustPay",
    "tokenPays",
    "needsToken",
    "multiplier",
    "hexVisits",
    "hexPaysOnce",
    "ends",
    "through",
    "stops",
    "trackClass",
    "routes",
    "anyRoutes",
    "routeIds",
    "routesTouch",
)
_TERMS = {
    "stopBonus": ("name", "amount", "allOf", "amounts"),
    "trackBonus": ("name", "amount", "mark"),
    "distanceBonus": ("name", "perHex", "trains", "between"),
    "areaBonus": ("name", "areas", "pairs", "meeting"),
    "largestTrainBonus": ("name", "nodes", "amounts", "lostAt"),
    "hexSubsidy": ("name", "perHex", "trains"),
    "chainBonus": ("name", "trains", "dependent", "perHex", "farPerHex", "far", "fromLastHex"),
}
_CONDITIONS: dict[str, tuple[str, ...]] = {
    "visitHome": ("nodes",),
    "routesTouch": (),
    "requiredRoute": ("name", "hexes", "trackClasses"),
    "mustRun": ("trackClass",),
}
_ROUTE = ("train", "nodes", "segments", "revenue", "subsidy", "stops", "bonuses")


def problem_from_json(value: object) -> RouteProblem:
    """Read a route problem.

    Raises
    ------
    InvalidProblem
        With everything that is wrong, in form and in sense; fields are called by their JSON names.
    """
    reader = ProblemReader()
    if not isinstance(value, dict):
        raise InvalidProblem([Fault("", f"is {shown(value)}; expected an object")])
    top = reader.fields(value, "position", _PROBLEM) or {}
    parts: dict[str, Any] = {
        "id": reader.text(top, "id", "", required=False),
        "hexes": reader.each(top, "hexes", "", _HEX, lambda it, at: _hex(reader, it, at)),
        "nodes": reader.each(top, "nodes", "", _NODE, lambda it, at: _node(reader, it, at)),
        "segments": reader.each(top, "segments", "", _SEGMENT, lambda it, at: _segment(reader, it, at)),
        "trains": reader.each(top, "trains", "", _TRAIN, lambda it, at: _train(reader, it, at)),
        "terms": _each_of(reader, top, "terms", _TERMS, _term),
        "conditions": _each_of(reader, top, "conditions", _CONDITIONS, _condition),
        "track_scope": reader.choice(top.get("trackScope"), SCOPES, "trackScope", "all"),
        "count": reader.choice(top.get("count"), SCOPES, "count", "route"),
        "end_sets": reader.each(
            top, "endSets", "", ("names",), lambda it, at: frozenset(reader.names(it, "names", at))
        ),
    }
    try:
        problem = RouteProblem(**parts)
    except InvalidProblem as error:
        raise InvalidProblem(_merged(reader.faults, error.faults)) from None
    if reader.faults:
        raise InvalidProblem(reader.faults)
    return problem


def routes_from_json(value: object, where: str) -> tuple[Route, ...]:
    """Read routes of a problem.

    Raises
    ------
    InvalidInput
        With everything that is wrong in form.
    """
    reader = ProblemReader()
    routes = reader.each(
        {where: value},
        where,
        "",
        _ROUTE,
        lambda it, at: Route(
            reader.text(it, "train", at), reader.names(it, "nodes", at), reader.names(it, "segments", at)
        ),
    )
    if reader.faults:
        raise InvalidInput(reader.faults)
    return routes


def _merged(read: list[Fault], judged: Iterable[Fault]) -> list[Fault]:
    """Return faults of form and of sense together, without those in fields that could not be read."""
    found = list(read)
    for fault in judged:
        place = _camel(fault.where)
        if not any(place == it.where or place.startswith((f"{it.where}.", f"{it.where}[")) for it in read):
            found.append(Fault(place, fault.why))
    return found


def _camel(path: str) -> str:
    """Return a path of fields with their JSON names; what stands in quotes is left alone."""
    parts = re.split(r"('[^']*'|\"[^\"]*\")", path)
    parts[::2] = [re.sub(r"_([a-z])", lambda match: match[1].upper(), part) for part in parts[::2]]
    return "".join(parts)


def _hex(reader: ProblemReader, it: Fields, at: str) -> Hex:
    q, r = (reader.number(it, name, at, least=-_INT32) for name in ("q", "r"))
    return Hex(reader.text(it, "id", at), q, r)


def _node(reader: ProblemReader, it: Fields, at: str) -> Node:
    return Node(
        reader.text(it, "id", at),
        reader.choice(it.get("kind"), KINDS, f"{at}kind"),
        reader.text(it, "hex", at),
        reader.number(it, "value", at),
        reader.money(it, "values", at),
        reader.flag(it, "token", at),
        reader.flag(it, "blocked", at),
        reader.flag(it, "terminal", at),
        reader.names(it, "groups", at),
        reader.text(it, "countsAs", at, required=False),
    )


def _segment(reader: ProblemReader, it: Fields, at: str) -> Segment:
    name, a, b = (reader.text(it, field, at) for field in ("id", "a", "b"))
    track, hexes, marks = (reader.names(it, field, at) for field in ("track", "hexes", "marks"))
    return Segment(name, a, b, track, hexes, marks)


def _limits(reader: ProblemReader, it: Fields, name: str, at: str) -> tuple[Limit, ...]:
    return reader.each(
        it,
        name,
        at,
        _LIMIT,
        lambda inner, place: Limit(
            reader.kinds(inner, "kinds", place), reader.number(inner, "most", place, least=-_INT32)
        ),
    )


def _train(reader: ProblemReader, it: Fields, at: str) -> Train:
    routes: int | None = reader.number(it, "routes", at, default=1)
    if reader.flag(it, "anyRoutes", at):
        if "routes" in it:
            reader.fault(f"{at}anyRoutes", "stands beside routes; expected one of the two")
        routes = None
    return Train(
        id=reader.text(it, "id", at),
        kind=reader.text(it, "kind", at),
        visit=_limits(reader, it, "visit", at),
        max_edges=reader.number(it, "maxEdges", at) if "maxEdges" in it else None,
        pay=_limits(reader, it, "pay", at),
        paying=reader.kind_set(it, "paying", at, words.NODE_KINDS),
        must_pay=reader.kind_set(it, "mustPay", at, None),
        token_pays=reader.flag(it, "tokenPays", at),
        needs_token=reader.flag(it, "needsToken", at) if "needsToken" in it else True,
        multiplier=reader.number(it, "multiplier", at, default=1),
        hex_visits=reader.choice(it.get("hexVisits"), VISITS, f"{at}hexVisits", "free"),
        hex_pays_once=reader.flag(it, "hexPaysOnce", at),
        ends=reader.name_set(it, "ends", at),
        through=reader.name_set(it, "through", at),
        stops=reader.name_set(it, "stops", at),
        track_class=reader.text(it, "trackClass", at, required=False),
        routes=routes,
        route_ids=reader.names(it, "routeIds", at),
        routes_touch=reader.flag(it, "routesTouch", at),
    )


def _each_of(
    reader: ProblemReader,
    top: Fields,
    name: str,
    known: dict[str, tuple[str, ...]],
    read: Callable[[ProblemReader, str, Fields, str], _T],
) -> tuple[_T, ...]:
    """Return a list of objects of which each holds one of several fields."""
    found = []
    for index, item in enumerate(reader.items(top, name, "", MAX_SIZE)):
        place = f"{name}[{index}]"
        outer = reader.fields(item, place, tuple(known))
        if outer is None:
            continue
        if len(outer) != 1:
            reader.fault(place, f"holds {listed(outer)}; expected one of {listed(known)}")
            continue
        (kind,) = outer
        inner = reader.fields(outer[kind], f"{place}.{kind}", known[kind])
        if inner is not None:
            found.append(read(reader, kind, inner, f"{place}.{kind}."))
    return tuple(found)


def _term(reader: ProblemReader, kind: str, it: Fields, at: str) -> Term:
    name = reader.text(it, "name", at)
    if kind == "stopBonus":
        sets = reader.each(
            it, "allOf", at, ("names",), lambda inner, place: frozenset(reader.names(inner, "names", place))
        )
        return words.StopBonus(name, reader.number(it, "amount", at), sets, reader.money(it, "amounts", at))
    if kind == "trackBonus":
        return words.TrackBonus(name, reader.number(it, "amount", at), reader.text(it, "mark", at))
    if kind == "largestTrainBonus":
        nodes, lost_at = (frozenset(reader.names(it, field, at)) for field in ("nodes", "lostAt"))
        return words.LargestTrainBonus(name, nodes, reader.money(it, "amounts", at), lost_at)
    if kind == "areaBonus":
        pairs = reader.each(
            it,
            "pairs",
            at,
            ("a", "b", "amount"),
            lambda inner, place: (
                reader.text(inner, "a", place),
                reader.text(inner, "b", place),
                reader.number(inner, "amount", place),
            ),
        )
        meeting = reader.kind_set(it, "meeting", at, words.kinds("city", "town"))
        return words.AreaBonus(name, _areas(reader, it, at), pairs, meeting)
    trains = frozenset(reader.names(it, "trains", at))
    per_hex = reader.number(it, "perHex", at)
    if kind == "distanceBonus":
        between = reader.kind_set(it, "between", at, words.kinds("city", "offboard"))
        return words.DistanceBonus(name, per_hex, trains, between)
    if kind == "hexSubsidy":
        return words.HexSubsidy(name, per_hex, trains)
    dependent, far = (frozenset(reader.names(it, field, at)) for field in ("dependent", "far"))
    from_last_hex = reader.kind_set(it, "fromLastHex", at, words.kinds("offboard"))
    return words.ChainBonus(
        name, trains, dependent, per_hex, reader.number(it, "farPerHex", at), far, from_last_hex
    )


def _areas(reader: ProblemReader, it: Fields, at: str) -> dict[str, frozenset[str]]:
    value = it.get("areas", {})
    if not isinstance(value, dict):
        reader.fault(f"{at}areas", f"is {shown(value)}; expected an object")
        return {}
    found = {}
    for key in sorted(value):
        place = f"{at}areas.{shown(key)}"
        inner = reader.fields(value[key], place, ("names",))
        if inner is not None:
            found[key] = frozenset(reader.names(inner, "names", f"{place}."))
    return found


def _condition(reader: ProblemReader, kind: str, it: Fields, at: str) -> Condition:
    if kind == "visitHome":
        return words.VisitHome(frozenset(reader.names(it, "nodes", at)))
    if kind == "routesTouch":
        return words.RoutesTouch()
    if kind == "mustRun":
        return words.MustRun(reader.text(it, "trackClass", at, required=False))
    hexes = frozenset(reader.names(it, "hexes", at))
    inner = reader.inner(it, "trackClasses", at, ("names",))
    classes = ("",) if inner is None else reader.names(inner, "names", f"{at}trackClasses.")
    return words.RequiredRoute(reader.text(it, "name", at), hexes, classes)
