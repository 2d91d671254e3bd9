"""What a single route must obey."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from router.problem import Limit, Node, Train
from router.referee.book import Book, Run
from router.solution import Code, Route, Violation

_groups, _token = attrgetter("groups"), attrgetter("token")


def examine(book: Book, index: int, route: object, out: list[Violation]) -> Run | None:
    """Add all violations of ``route`` taken alone to ``out``.

    Returns
    -------
    Run or None
        The route looked up; ``None`` if it names what does not exist or does not hang together, so that
        nothing can be said about it beside other routes.
    """
    if type(route) is not Route:
        out.append(Violation(Code.UNKNOWN_TRACK, index, f"is no Route but a {type(route).__name__}"))
        return None
    try:
        ids = route.nodes
        nodes = [book.nodes[name] for name in ids]
        segments = [book.segments[name] for name in route.segments]
        train = book.trains.get(route.train)
    except Exception:  # whatever was handed in
        _unknown(book, index, route, out)
        return None
    if type(ids) is not tuple or type(route.segments) is not tuple:
        _unknown(book, index, route, out)
        return None
    if train is None:
        out.append(Violation(Code.UNKNOWN_TRAIN, index, f"there is no train {route.train!r}"))
    if len(nodes) < 2:
        why = f"visits only {ids[0]}; a route has two stops or more" if nodes else "visits no stop at all"
        out.append(Violation(Code.TOO_SHORT, index, why))
        return None
    run = Run(index, route, train, ids, nodes, segments)
    if not _joined(run, out):
        return None
    _uniqueness(run, out)
    for node in nodes[1:-1]:
        if node.end_only:
            _passing(book, run, out)
            break
    for alike in book.problem.end_sets:
        if ids[0] in alike and ids[-1] in alike:
            why = f"both ends, {ids[0]} and {ids[-1]}, belong to a set of which only one may be an end"
            out.append(Violation(Code.ENDS_ALIKE, index, why))
    if train is not None:
        _train_rules(book, run, train, out)
    return run


def _unknown(book: Book, index: int, route: Route, out: list[Violation]) -> None:
    train = getattr(route, "train", None)
    if type(train) is not str or train not in book.trains:
        out.append(Violation(Code.UNKNOWN_TRAIN, index, f"there is no train {_text(train)}"))
    for what, known in (("node", book.nodes.keys()), ("segment", book.segments.keys())):
        names = getattr(route, f"{what}s", None)
        if type(names) is not tuple:
            why = f"the {what}s must be a tuple of names, not a {type(names).__name__}"
            out.append(Violation(Code.UNKNOWN_TRACK, index, why))
            continue
        for name in names:
            if type(name) is not str or name not in known:
                out.append(Violation(Code.UNKNOWN_TRACK, index, f"there is no {what} {_text(name)}"))


def _text(value: object) -> str:
    return repr(value) if type(value) is str else f"(a {type(value).__name__})"


def _joined(run: Run, out: list[Violation]) -> bool:
    ids, segments = run.ids, run.segments
    if len(segments) != len(ids) - 1:
        why = f"{len(ids)} stops need {len(ids) - 1} segments between them, not {len(segments)}"
        out.append(Violation(Code.NOT_JOINED, run.index, why))
        return False
    whole = True
    start = ids[0]
    for segment, end in zip(segments, ids[1:], strict=True):
        a, b = segment.a, segment.b
        if not ((a == start and b == end) or (a == end and b == start)):
            why = f"segment {segment.id} joins {a} and {b}, not {start} and {end}"
            out.append(Violation(Code.NOT_JOINED, run.index, why))
            whole = False
        start = end
    return whole


def _uniqueness(run: Run, out: list[Violation]) -> None:
    ids = run.ids
    if len(set(ids)) != len(ids):
        for name in repeated(ids):
            out.append(Violation(Code.NODE_TWICE, run.index, f"visits {name} more than once"))
    track: list[str] = []
    for segment in run.segments:
        track += segment.track
    if len(set(track)) != len(track):
        for name in repeated(track):
            out.append(Violation(Code.TRACK_TWICE, run.index, f"uses the track {name} more than once"))
    if any(map(_groups, run.nodes)):
        # A node that is visited twice is already reported as such.
        once = dict(zip(ids, run.nodes, strict=True)).values()
        for group in repeated([group for node in once for group in node.groups]):
            names = " and ".join(node.id for node in once if group in node.groups)
            why = f"visits {names}, of which (group {group}) only one is allowed"
            out.append(Violation(Code.GROUP_TWICE, run.index, why))


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, in order of their second occurrence."""
    seen: set[str] = set()
    again: dict[str, None] = {}
    for name in names:
        if name in seen:
            again[name] = None
        seen.add(name)
    return list(again)


def _passing(book: Book, run: Run, out: list[Violation]) -> None:
    exempt: bool | None = None
    for node in run.nodes[1:-1]:
        if node.kind == "offboard" or node.terminal:
            why = f"passes {node.id}, where a route can only begin or end"
            out.append(Violation(Code.TERMINAL, run.index, why))
        if node.blocked:
            if exempt is None:
                exempt = any(run.hexes >= required.hexes for required in book.required)
            if not exempt:
                why = f"passes {node.id}, which is blocked"
                out.append(Violation(Code.BLOCKED, run.index, why))


def _train_rules(book: Book, run: Run, train: Train, out: list[Violation]) -> None:
    index, ids, nodes = run.index, run.ids, run.nodes
    if train.needs_token and not any(map(_token, nodes)):
        out.append(Violation(Code.NO_TOKEN, index, "visits no stop with a token"))
    if train.stops is not None and not train.stops.issuperset(ids):
        for name in ids:
            if name not in train.stops:
                why = f"visits {name}, which train {train.id} may not enter"
                out.append(Violation(Code.NO_ENTRY, index, why))
    if train.through is not None and not train.through.issuperset(ids[1:-1]):
        for name in ids[1:-1]:
            if name not in train.through:
                why = f"passes {name}, where a route of train {train.id} can only begin or end"
                out.append(Violation(Code.TERMINAL, index, why))
    if train.ends is not None:
        for name in run.ends:
            if name not in train.ends:
                why = f"ends at {name}, where no route of train {train.id} may end"
                out.append(Violation(Code.BAD_END, index, why))
    for limit in train.visit:
        visited = sum([node.kind in limit.kinds for node in nodes])
        if visited > limit.most:
            why = f"visits {visited} {_kinds(limit)} stops; train {train.id} visits at most {limit.most}"
            out.append(Violation(Code.TOO_LONG, index, why))
    if train.max_edges is not None:
        edges = sum([len(segment.hexes) - 1 for segment in run.segments])
        if edges > train.max_edges:
            why = f"crosses {edges} hex edges; train {train.id} crosses at most {train.max_edges}"
            out.append(Violation(Code.TOO_LONG, index, why))
    if train.hex_visits != "free":
        _hexes(run, train.hex_visits == "once", out)
    if (train.pay or train.token_pays) and train.kind not in book.chain_of:
        _payable(run, train, out)


def _kinds(limit: Limit) -> str:
    return "/".join(sorted(limit.kinds))


def _hexes(run: Run, once: bool, out: list[Violation]) -> None:
    nodes = run.nodes
    if len({node.hex for node in nodes}) == len(nodes):
        return
    visited: dict[str, Node] = {}
    before = None
    for node in nodes:
        other = visited.setdefault(node.hex, node)
        if other is not node and (once or before != node.hex):
            why = f"visits {other.id} and {node.id}, both in hex {node.hex}"
            why += "" if once else ", with another stop in between"
            if node.id != other.id:
                out.append(Violation(Code.HEX_TWICE, run.index, why))
        before = node.hex


def _payable(run: Run, train: Train, out: list[Violation]) -> None:
    must = train.always_pays
    room = {}
    for limit in train.pay:
        forced = sum([node.kind in must and node.kind in limit.kinds for node in run.nodes])
        room[limit] = limit.most - forced
        if forced > limit.most:
            why = f"must stop at {forced} {_kinds(limit)} stops; train {train.id} at {limit.most} at most"
            out.append(Violation(Code.TOO_LONG, run.index, why))
    if train.token_pays and not any(
        node.token
        and node.kind in train.paying
        and (node.kind in must or all(left > 0 or node.kind not in lim.kinds for lim, left in room.items()))
        for node in run.nodes
    ):
        why = f"no stop with a token can be among those that train {train.id} is paid for"
        out.append(Violation(Code.NO_TOKEN, run.index, why))
