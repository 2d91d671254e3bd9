"""Route problems: dataclasses <-> protocol buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from router import problem as words
from router.convert.names import HEX_VISITS, NODE_KINDS, SCOPES, Faults
from router.errors import Fault, InvalidProblem
from router.problem import Condition, Hex, Limit, Node, RouteProblem, Segment, Term, Train
from router.v1 import problem_pb2 as pb

_T = TypeVar("_T")
_M = TypeVar("_M")


def problem_to_proto(problem: RouteProblem) -> pb.RouteProblem:
    """Write a problem as a message.

    Raises
    ------
    InvalidProblem
        If a number or a name does not fit into the protocol.
    """
    faults: list[Fault] = []

    def each(name: str, items: Iterable[_T], convert: Callable[[_T], _M]) -> list[_M]:
        result = []
        for i, item in enumerate(items):
            try:
                result.append(convert(item))
            except (TypeError, ValueError) as error:
                faults.append(Fault(f"{name}[{i}]", f"does not fit into the protocol: {error}"))
        return result

    hexes = each("hexes", problem.hexes, lambda place: pb.Hex(id=place.id, q=place.q, r=place.r))
    nodes = each("nodes", problem.nodes, _node_to_proto)
    segments = each("segments", problem.segments, _segment_to_proto)
    trains = each("trains", problem.trains, _train_to_proto)
    terms = each("terms", problem.terms, _term_to_proto)
    conditions = each("conditions", problem.conditions, _condition_to_proto)
    end_sets = each("end_sets", problem.end_sets, _names)
    ids = each("id", [problem.id], lambda name: pb.RouteProblem(id=name).id)
    if faults:
        raise InvalidProblem(faults)
    return pb.RouteProblem(
        id=ids[0],
        hexes=hexes,
        nodes=nodes,
        segments=segments,
        trains=trains,
        terms=terms,
        conditions=conditions,
        track_scope=SCOPES.numbers[problem.track_scope],
        count=SCOPES.numbers[problem.count],
        end_sets=end_sets,
    )


def problem_from_proto(message: pb.RouteProblem) -> RouteProblem:
    """Read a problem from a message.

    Raises
    ------
    InvalidProblem
        With everything that is wrong, whatever the message holds.
    """
    faults = Faults()
    parts: dict[str, Any] = {
        "id": message.id,
        "hexes": tuple(Hex(place.id, place.q, place.r) for place in message.hexes),
        "nodes": tuple(_node(node, f"nodes[{i}]", faults) for i, node in enumerate(message.nodes)),
        "segments": tuple(
            Segment(it.id, it.a, it.b, tuple(it.track), tuple(it.hexes), tuple(it.marks))
            for it in message.segments
        ),
        "trains": tuple(_train(train, f"trains[{i}]", faults) for i, train in enumerate(message.trains)),
        "terms": tuple(_term(term, f"terms[{i}]", faults) for i, term in enumerate(message.terms)),
        "conditions": tuple(
            _condition(condition, f"conditions[{i}]", faults)
            for i, condition in enumerate(message.conditions)
        ),
        "track_scope": faults.name(SCOPES, message.track_scope, "track_scope", "all"),
        "count": faults.name(SCOPES, message.count, "count", "route"),
        "end_sets": tuple(frozenset(names.names) for names in message.end_sets),
    }
    try:
        problem = RouteProblem(**parts)
    except InvalidProblem as error:
        faults.merge(error.faults)
    if faults.found:
        raise InvalidProblem(faults.found)
    return problem


# dataclass -> message


def _names(names: Iterable[str]) -> pb.NameSet:
    return pb.NameSet(names=sorted(names))


def _optional_names(names: frozenset[str] | None) -> pb.NameSet | None:
    return None if names is None else _names(names)


def _kind_numbers(kinds: Iterable[str]) -> list[Any]:
    return sorted(NODE_KINDS.numbers[kind] for kind in kinds)


def _kind_set(kinds: Iterable[str]) -> pb.KindSet:
    return pb.KindSet(kinds=_kind_numbers(kinds))


def _node_to_proto(node: Node) -> pb.Node:
    return pb.Node(
        id=node.id,
        kind=NODE_KINDS.numbers[node.kind],
        hex=node.hex,
        value=node.value,
        values=node.values,
        token=node.token,
        blocked=node.blocked,
        terminal=node.terminal,
        groups=node.groups,
        counts_as=node.counts_as,
    )


def _segment_to_proto(it: Segment) -> pb.Segment:
    return pb.Segment(id=it.id, a=it.a, b=it.b, track=it.track, hexes=it.hexes, marks=it.marks)


def _limits_to_proto(limits: Iterable[Limit]) -> list[pb.Limit]:
    return [pb.Limit(kinds=_kind_numbers(limit.kinds), most=limit.most) for limit in limits]


def _train_to_proto(train: Train) -> pb.Train:
    message = pb.Train(
        id=train.id,
        kind=train.kind,
        visit=_limits_to_proto(train.visit),
        max_edges=train.max_edges,
        pay=_limits_to_proto(train.pay),
        paying=None if train.paying == words.NODE_KINDS else _kind_set(train.paying),
        must_pay=None if train.must_pay is None else _kind_set(train.must_pay),
        token_pays=train.token_pays,
        needs_token=train.needs_token,
        multiplier=train.multiplier,
        hex_visits=HEX_VISITS.numbers[train.hex_visits],
        hex_pays_once=train.hex_pays_once,
        ends=_optional_names(train.ends),
        through=_optional_names(train.through),
        stops=_optional_names(train.stops),
        track_class=train.track_class,
        route_ids=train.route_ids,
        routes_touch=train.routes_touch,
    )
    if train.routes is None:
        message.any_routes = True
    else:
        message.routes = train.routes
    return message


def _term_to_proto(term: Term) -> pb.Term:
    match term:
        case words.StopBonus():
            sets = [_names(names) for names in term.all_of]
            stop = pb.StopBonus(name=term.name, amount=term.amount, all_of=sets, amounts=term.amounts)
            return pb.Term(stop_bonus=stop)
        case words.TrackBonus():
            return pb.Term(track_bonus=pb.TrackBonus(name=term.name, amount=term.amount, mark=term.mark))
        case words.DistanceBonus():
            distance = pb.DistanceBonus(
                name=term.name,
                per_hex=term.per_hex,
                trains=sorted(term.trains),
                between=_kind_set(term.between),
            )
            return pb.Term(distance_bonus=distance)
        case words.AreaBonus():
            area = pb.AreaBonus(
                name=term.name,
                areas={name: _names(nodes) for name, nodes in term.areas.items()},
                pairs=[pb.AreaPair(a=a, b=b, amount=amount) for a, b, amount in term.pairs],
                meeting=_kind_set(term.meeting),
            )
            return pb.Term(area_bonus=area)
        case words.LargestTrainBonus():
            largest = pb.LargestTrainBonus(
                name=term.name,
                nodes=sorted(term.nodes),
                amounts=term.amounts,
                lost_at=sorted(term.lost_at),
            )
            return pb.Term(largest_train_bonus=largest)
        case words.HexSubsidy():
            subsidy = pb.HexSubsidy(name=term.name, per_hex=term.per_hex, trains=sorted(term.trains))
            return pb.Term(hex_subsidy=subsidy)
        case words.ChainBonus():
            chain = pb.ChainBonus(
                name=term.name,
                trains=sorted(term.trains),
                dependent=sorted(term.dependent),
                per_hex=term.per_hex,
                far_per_hex=term.far_per_hex,
                far=sorted(term.far),
                from_last_hex=_kind_set(term.from_last_hex),
            )
            return pb.Term(chain_bonus=chain)


def _condition_to_proto(condition: Condition) -> pb.Condition:
    match condition:
        case words.VisitHome():
            return pb.Condition(visit_home=pb.VisitHome(nodes=sorted(condition.nodes)))
        case words.RoutesTouch():
            return pb.Condition(routes_touch=pb.RoutesTouch())
        case words.RequiredRoute():
            required = pb.RequiredRoute(
                name=condition.name,
                hexes=sorted(condition.hexes),
                track_classes=pb.NameSet(names=condition.track_classes),
            )
            return pb.Condition(required_route=required)
        case words.MustRun():
            return pb.Condition(must_run=pb.MustRun(track_class=condition.track_class))


# message -> dataclass


def _money(amounts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(amounts.items()))


def _node(node: pb.Node, where: str, faults: Faults) -> Node:
    return Node(
        id=node.id,
        kind=faults.name(NODE_KINDS, node.kind, f"{where}.kind"),
        hex=node.hex,
        value=node.value,
        values=_money(node.values),
        token=node.token,
        blocked=node.blocked,
        terminal=node.terminal,
        groups=tuple(node.groups),
        counts_as=node.counts_as,
    )


def _limits(limits: Iterable[pb.Limit], where: str, faults: Faults) -> tuple[Limit, ...]:
    return tuple(
        Limit(faults.name_set(NODE_KINDS, limit.kinds, f"{where}[{i}].kinds"), limit.most)
        for i, limit in enumerate(limits)
    )


def _kinds(
    message: pb.Train | pb.DistanceBonus | pb.AreaBonus | pb.ChainBonus,
    name: str,
    where: str,
    faults: Faults,
    default: frozenset[str] | None,
) -> Any:
    """Read the optional set of node kinds in the field ``name``."""
    if not message.HasField(name):  # type: ignore[arg-type]  # the stubs know only literals
        return default
    return faults.name_set(NODE_KINDS, getattr(message, name).kinds, f"{where}.{name}")


def _node_set(train: pb.Train, name: str) -> frozenset[str] | None:
    present = train.HasField(name)  # type: ignore[arg-type]  # the stubs know only literals
    return frozenset(getattr(train, name).names) if present else None


def _train(train: pb.Train, where: str, faults: Faults) -> Train:
    routes: int | None = 1
    limit = train.WhichOneof("route_limit")
    if limit == "routes":
        routes = train.routes
    elif limit == "any_routes" and train.any_routes:
        routes = None
    return Train(
        id=train.id,
        kind=train.kind,
        visit=_limits(train.visit, f"{where}.visit", faults),
        max_edges=train.max_edges if train.HasField("max_edges") else None,
        pay=_limits(train.pay, f"{where}.pay", faults),
        paying=_kinds(train, "paying", where, faults, words.NODE_KINDS),
        must_pay=_kinds(train, "must_pay", where, faults, None),
        token_pays=train.token_pays,
        needs_token=train.needs_token if train.HasField("needs_token") else True,
        multiplier=train.multiplier if train.HasField("multiplier") else 1,
        hex_visits=faults.name(HEX_VISITS, train.hex_visits, f"{where}.hex_visits", "free"),
        hex_pays_once=train.hex_pays_once,
        ends=_node_set(train, "ends"),
        through=_node_set(train, "through"),
        stops=_node_set(train, "stops"),
        track_class=train.track_class,
        routes=routes,
        route_ids=tuple(train.route_ids),
        routes_touch=train.routes_touch,
    )


_PLACEHOLDER_TERM = words.StopBonus("", 0, ())
_BETWEEN = words.kinds("city", "offboard")
_MEETING = words.kinds("city", "town")
_FROM_LAST_HEX = words.kinds("offboard")


def _term(message: pb.Term, where: str, faults: Faults) -> Term:
    match message.WhichOneof("term"):
        case "stop_bonus":
            stop = message.stop_bonus
            sets = tuple(frozenset(names.names) for names in stop.all_of)
            return words.StopBonus(stop.name, stop.amount, sets, _money(stop.amounts))
        case "track_bonus":
            track = message.track_bonus
            return words.TrackBonus(track.name, track.amount, track.mark)
        case "distance_bonus":
            distance = message.distance_bonus
            between = _kinds(distance, "between", where, faults, _BETWEEN)
            return words.DistanceBonus(distance.name, distance.per_hex, frozenset(distance.trains), between)
        case "area_bonus":
            area = message.area_bonus
            areas = {name: frozenset(area.areas[name].names) for name in sorted(area.areas)}
            pairs = tuple((pair.a, pair.b, pair.amount) for pair in area.pairs)
            meeting = _kinds(area, "meeting", where, faults, _MEETING)
            return words.AreaBonus(area.name, areas, pairs, meeting)
        case "largest_train_bonus":
            largest = message.largest_train_bonus
            nodes, lost_at = frozenset(largest.nodes), frozenset(largest.lost_at)
            return words.LargestTrainBonus(largest.name, nodes, _money(largest.amounts), lost_at)
        case "hex_subsidy":
            subsidy = message.hex_subsidy
            return words.HexSubsidy(subsidy.name, subsidy.per_hex, frozenset(subsidy.trains))
        case "chain_bonus":
            chain = message.chain_bonus
            return words.ChainBonus(
                name=chain.name,
                trains=frozenset(chain.trains),
                dependent=frozenset(chain.dependent),
                per_hex=chain.per_hex,
                far_per_hex=chain.far_per_hex,
                far=frozenset(chain.far),
                from_last_hex=_kinds(chain, "from_last_hex", where, faults, _FROM_LAST_HEX),
            )
        case _:
            choices = ", ".join(field.name for field in pb.Term.DESCRIPTOR.fields)
            faults.add(where, f"missing; one of {choices}")
            return _PLACEHOLDER_TERM


def _condition(message: pb.Condition, where: str, faults: Faults) -> Condition:
    match message.WhichOneof("condition"):
        case "visit_home":
            return words.VisitHome(frozenset(message.visit_home.nodes))
        case "routes_touch":
            return words.RoutesTouch()
        case "required_route":
            required = message.required_route
            classes = tuple(required.track_classes.names) if required.HasField("track_classes") else ("",)
            return words.RequiredRoute(required.name, frozenset(required.hexes), classes)
        case "must_run":
            return words.MustRun(message.must_run.track_class)
        case _:
            choices = ", ".join(field.name for field in pb.Condition.DESCRIPTOR.fields)
            faults.add(where, f"missing; one of {choices}")
            return words.RoutesTouch()
