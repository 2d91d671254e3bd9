"""Random small route problems, and routes to put before the referee."""

from __future__ import annotations

from typing import Literal, TypeAlias

from hypothesis import strategies as st

from naive.routes import compatible, flip, naive_routes
from router.problem import (
    NODE_KINDS,
    AreaBonus,
    ChainBonus,
    Condition,
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
    Term,
    TrackBonus,
    Train,
    VisitHome,
    kinds,
)
from router.solution import Route

Terms: TypeAlias = Literal["single", "all"]

BIG = kinds("city", "offboard")
KINDS = (
    "plain",
    "fill",
    "double",
    "any-five",
    "n+m",
    "x",
    "local",
    "m/n",
    "express",
    "freight",
    "early",
    "all",
)
VALUES = (0, 10, 20, 30, 40, 50, 70, 100)


def subsets(names: list[str], least: int = 0, most: int | None = None) -> st.SearchStrategy[frozenset[str]]:
    """Return sets of some of ``names``."""
    top = len(names) if most is None else min(most, len(names))
    return st.lists(st.sampled_from(names), unique=True, min_size=min(least, top), max_size=top).map(
        frozenset
    )


def rarely(draw: st.DrawFn, one_in: int = 4) -> bool:
    """Draw true once in a while."""
    return draw(st.integers(0, one_in - 1)) == one_in - 1


@st.composite
def nodes(draw: st.DrawFn, most: int) -> tuple[Node, ...]:
    """Draw 3 to ``most`` nodes of which some share a hex."""
    number = draw(st.integers(3, most))
    drawn = []
    for i in range(number):
        kind = draw(st.sampled_from(["city", "city", "city", "city", "town", "town", "offboard", "halt"]))
        shares = bool(i) and rarely(draw, 5)
        drawn.append(
            Node(
                id=f"n{i}",
                kind=kind,
                hex=drawn[-1].hex if shares else f"H{i}",
                value=draw(st.sampled_from(VALUES)),
                values={k: draw(st.sampled_from(VALUES)) for k in ("x", "express") if rarely(draw, 8)},
                token=kind == "city" and not rarely(draw, 3),
                blocked=kind == "city" and rarely(draw, 8),
                terminal=rarely(draw, 16),
                groups=tuple(g for g in ("g", "h") if rarely(draw, 10)),
                counts_as="shared" if rarely(draw, 5) else "",
            )
        )
    return tuple(drawn)


@st.composite
def segments(draw: st.DrawFn, board: tuple[Node, ...], most: int) -> tuple[Segment, ...]:
    """Draw segments, some parallel, some sharing track."""
    drawn = []
    for i in range(draw(st.integers(2, most))):
        # A ring of track first, so that longer routes occur.
        a = board[i % len(board)] if i < len(board) else draw(st.sampled_from(board))
        b = board[(i + 1) % len(board)] if i < len(board) else draw(st.sampled_from(board))
        if a == b:
            continue
        passed = [f"P{draw(st.integers(0, 5))}" for _ in range(draw(st.integers(0, 2)))]
        if len(passed) == 2 and passed[0] == passed[1]:
            passed.pop()
        inside = a.hex == b.hex and not passed
        track = (f"t{i}", *draw(subsets(["x", "y", "z"], most=1))) if rarely(draw, 3) else (f"t{i}",)
        drawn.append(
            Segment(
                id=f"s{i}",
                a=a.id,
                b=b.id,
                track=track,
                hexes=(a.hex,) if inside else (a.hex, *passed, b.hex),
                marks=tuple(sorted(draw(subsets(["M", "N"], most=1)))) if rarely(draw, 4) else (),
            )
        )
    return tuple(drawn)


def train_of_kind(name: str, kind: str, n: int, m: int) -> Train:
    """Return a train as real games have them."""
    every = NODE_KINDS
    match kind:
        case "plain":
            return Train(name, kind, visit=(Limit(every, n),))
        case "fill":
            return Train(name, kind, visit=(Limit(BIG, n),), pay=(Limit(every, n),), must_pay=BIG)
        case "double":
            return Train(
                name, kind, visit=(Limit(BIG, n),), pay=(Limit(every, n),), must_pay=BIG, multiplier=2
            )
        case "any-five":
            return Train(
                name,
                kind,
                visit=(Limit(kinds("offboard"), n),),
                pay=(Limit(every, n),),
                must_pay=kinds("offboard"),
                token_pays=True,
                multiplier=2,
            )
        case "n+m":
            return Train(name, kind, visit=(Limit(BIG, n), Limit(every, n + m)), hex_pays_once=True)
        case "x":
            return Train(name, kind, visit=(Limit(BIG, n),), paying=BIG, hex_pays_once=True)
        case "local" | "m/n":
            no_offboard = (Limit(kinds("offboard"), 0), Limit(kinds("city"), n))
            pay = (Limit(kinds("city"), max(1, n - m)),) if kind == "m/n" else ()
            must = kinds("town", "halt") if pay else None
            return Train(
                name, kind, visit=no_offboard, pay=pay, must_pay=must, paying=NODE_KINDS - {"offboard"}
            )
        case "express":
            return Train(name, kind, visit=(Limit(BIG, n),), pay=(Limit(BIG, max(1, n - m)),), paying=BIG)
        case "freight" | "early":
            return Train(name, kind, max_edges=2 * n)
    return Train(name, kind)


@st.composite
def trains(
    draw: st.DrawFn, board: tuple[Node, ...], most: int, terms: Terms, endless: int | None
) -> tuple[Train, ...]:
    """Draw 1 to ``most`` trains, with restrictions that real games do not combine.

    ``endless`` is what stands for any number of routes, if the problem can have that.
    """
    ids = [node.id for node in board]
    drawn = []
    for i in range(draw(st.integers(1, most))):
        kind = drawn[-1].kind if drawn and rarely(draw, 3) else draw(st.sampled_from(KINDS))
        train = train_of_kind(f"T{i}", kind, draw(st.integers(2, 6)), draw(st.integers(0, 2)))
        several = draw(st.sampled_from([2, 3, endless])) if terms == "all" and rarely(draw, 4) else 1
        plain = kind not in ("n+m", "x")
        drawn.append(
            Train(
                id=train.id,
                kind=train.kind,
                visit=train.visit,
                max_edges=draw(st.integers(1, 8)) if rarely(draw, 12) else train.max_edges,
                pay=train.pay,
                paying=train.paying,
                must_pay=train.must_pay,
                token_pays=train.token_pays or rarely(draw, 10),
                needs_token=not rarely(draw, 3),
                multiplier=draw(st.sampled_from([train.multiplier, train.multiplier, 3])),
                hex_visits=draw(st.sampled_from(["free", "free", "once", "consecutive"])),
                hex_pays_once=train.hex_pays_once and not rarely(draw, 3) if not plain else rarely(draw, 10),
                ends=draw(subsets(ids, least=3)) if rarely(draw, 10) else None,
                through=draw(subsets(ids, least=3)) if rarely(draw, 10) else None,
                stops=draw(subsets(ids, least=4)) if rarely(draw, 12) else None,
                track_class=draw(st.sampled_from(["", "", "d"])),
                routes=several,
                route_ids=tuple(f"T{i}.{j}" for j in range(several or 3)) if rarely(draw, 2) else (),
                routes_touch=several != 1 and draw(st.booleans()),
            )
        )
    return tuple(drawn)


@st.composite
def single_terms(draw: st.DrawFn, board: tuple[Node, ...]) -> list[Term]:
    """Draw terms that look at one route only."""
    ids = [node.id for node in board]
    drawn: list[Term] = []
    for i in range(draw(st.integers(0, 3))):
        match draw(st.sampled_from(["stop", "stop", "pair", "pair", "track", "distance"])):
            case "stop":
                where = draw(subsets(ids, least=1, most=2))
                drawn.append(StopBonus(f"stop {i}", draw(st.sampled_from([10, 20, 60])), (where,)))
            case "pair":
                where = draw(subsets(ids, least=1, most=2))
                other = draw(subsets(ids, least=1, most=2))
                drawn.append(StopBonus(f"pair {i}", 40, (where, other), {"double": 80}))
            case "track":
                drawn.append(TrackBonus(f"track {i}", 30, draw(st.sampled_from(["M", "N"]))))
            case "distance":
                drawn.append(DistanceBonus(f"distance {i}", 10, frozenset({"x", "plain", "n+m"})))
    return drawn


@st.composite
def set_terms(draw: st.DrawFn, board: tuple[Node, ...]) -> list[Term]:
    """Draw terms that look at all routes together."""
    ids = [node.id for node in board]
    drawn: list[Term] = []
    if rarely(draw, 3):
        areas = {name: draw(subsets(ids, least=1, most=2)) for name in ("N", "S", "E", "W")}
        drawn.append(AreaBonus("areas", areas, (("N", "S", 40), ("E", "W", 30))))
    if rarely(draw, 3):
        amounts = {kind: draw(st.sampled_from([20, 40, 60])) for kind in KINDS if draw(st.booleans())}
        where = draw(subsets(ids, least=1, most=2))
        drawn.append(LargestTrainBonus("largest", where, amounts, draw(subsets(sorted(where)))))
    if rarely(draw, 3):
        drawn.append(HexSubsidy("subsidy", 10, frozenset({"local", "m/n", "plain"})))
    if rarely(draw, 2):
        drawn.append(
            ChainBonus(
                "chain",
                frozenset({"freight", "early"}),
                frozenset({"early"}),
                20,
                30,
                draw(subsets(ids, most=2)),
            )
        )
    return drawn


@st.composite
def conditions(draw: st.DrawFn, board: tuple[Node, ...], track: tuple[Segment, ...]) -> tuple[Condition, ...]:
    """Draw conditions; most sets of routes fulfil them."""
    ids = [node.id for node in board]
    drawn: list[Condition] = []
    if rarely(draw, 4):
        drawn.append(VisitHome(draw(subsets(ids, least=1, most=2))))
    if rarely(draw, 4):
        drawn.append(RoutesTouch())
    if rarely(draw, 6):
        drawn.append(MustRun(draw(st.sampled_from(["", "d"]))))
    if track and rarely(draw, 6):
        way = draw(st.lists(st.sampled_from(track), min_size=1, max_size=2))
        hexes = frozenset(hex_ for segment in way for hex_ in segment.hexes)
        drawn.append(
            RequiredRoute("concession", hexes, draw(st.sampled_from([("",), ("d",), ("", "d"), ()])))
        )
    return tuple(drawn)


@st.composite
def problems(
    draw: st.DrawFn,
    terms: Terms = "all",
    max_nodes: int = 7,
    max_segments: int = 10,
    max_trains: int = 3,
) -> RouteProblem:
    """Draw a valid problem.

    Parameters
    ----------
    terms
        ``"single"``: every train runs one route, stops pay on each route, all terms look at one route, and
        there are no conditions; track may be shared in any scope. ``"all"``: the whole vocabulary.
    """
    board = draw(nodes(max_nodes))
    track = draw(segments(board, max_segments))
    names = dict.fromkeys([node.hex for node in board] + [h for s in track for h in s.hexes])
    places = st.integers(-3, 3)
    hexes = tuple(Hex(name, draw(places), draw(places)) for name in names)
    chosen: list[Term] = draw(single_terms(board))
    if terms == "all":
        chosen = draw(st.permutations(chosen + draw(set_terms(board))))
    ids = [node.id for node in board]
    scope = draw(st.sampled_from(["all", "class", "route"]))
    return RouteProblem(
        nodes=board,
        segments=track,
        trains=draw(trains(board, max_trains, terms, 4 if scope == "route" else None)),
        hexes=hexes,
        terms=tuple(chosen),
        conditions=draw(conditions(board, track)) if terms == "all" else (),
        track_scope=scope,
        count=draw(st.sampled_from(["route", "class", "all"])) if terms == "all" else "route",
        end_sets=(draw(subsets(ids, least=2, most=3)),) if rarely(draw, 5) else (),
    )


@st.composite
def walks(draw: st.DrawFn, problem: RouteProblem) -> Route:
    """Draw a route that hangs together but may break any other rule."""
    train = draw(st.sampled_from(problem.trains))
    first = draw(st.sampled_from(problem.segments))
    stops, used = [first.a, first.b], [first.id]
    for _ in range(draw(st.integers(0, 4))):
        onward = [s for s in problem.segments if stops[-1] in (s.a, s.b)]
        segment = draw(st.sampled_from(onward))
        stops.append(segment.other(stops[-1]))
        used.append(segment.id)
    return Route(draw(st.sampled_from([train.id, *train.route_ids])), tuple(stops), tuple(used))


@st.composite
def route_sets(draw: st.DrawFn, problem: RouteProblem) -> tuple[Route, ...]:
    """Draw routes of which many, though not all, are legal, taken alone and together."""
    drawn: list[Route] = []
    for train in problem.trains:
        own = naive_routes(problem, train)
        for i in range(train.routes or 3):
            fitting = [route for route in own if compatible(problem, [*drawn, route])]
            if not fitting or rarely(draw, 6):
                continue
            route = draw(st.sampled_from(fitting))
            name = train.route_ids[i] if train.route_ids else train.id
            route = Route(name, route.nodes, route.segments)
            drawn.append(flip(route) if draw(st.booleans()) else route)
    if problem.segments and rarely(draw, 4):
        drawn.append(draw(walks(problem)))
    return tuple(draw(st.permutations(drawn)))


@st.composite
def problems_with_routes(draw: st.DrawFn, terms: Terms = "all") -> tuple[RouteProblem, tuple[Route, ...]]:
    """Draw a problem and routes for it."""
    problem = draw(problems(terms=terms))
    return problem, draw(route_sets(problem))
