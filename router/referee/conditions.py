"""What several routes must obey together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from router.problem import MustRun, RequiredRoute, RouteProblem, RoutesTouch, Train, VisitHome
from router.referee.book import Book, Run
from router.solution import Code, Violation


def trains_twice(book: Book, runs: Sequence[Run], out: list[Violation]) -> None:
    """Add a violation for every route beyond what its train may run."""
    if len({id(run.train) for run in runs}) == len(runs):
        return
    number: dict[str, int] = {}
    names: dict[str, int] = {}
    for run in runs:
        train = run.train
        if train is None:
            continue
        number[train.id] = number.get(train.id, 0) + 1
        name = run.route.train
        if train.routes is not None and number[train.id] > train.routes:
            why = f"train {train.id} runs {train.routes} route(s) at most, this is number {number[train.id]}"
            out.append(Violation(Code.TRAIN_TWICE, run.index, why))
        elif name in names and name in train.route_ids:
            why = f"the name {name} is already used by routes[{names[name]}]"
            out.append(Violation(Code.TRAIN_TWICE, run.index, why))
        names.setdefault(name, run.index)


def track_shared(book: Book, runs: Sequence[Run], out: list[Violation]) -> None:
    """Add a violation for every two routes that use the same track although they must not."""
    scope = book.problem.track_scope
    if scope == "route" or len(runs) < 2:
        return
    users: dict[tuple[str, str], int] = {}
    for run in runs:
        if scope == "all":
            name = ""
        elif run.train is not None:
            name = run.train.track_class
        else:
            continue
        shared: dict[int, list[str]] = {}
        for segment in run.segments:
            for piece in segment.track:
                first = users.setdefault((name, piece), run.index)
                if first != run.index:
                    shared.setdefault(first, []).append(piece)
        for first, pieces in shared.items():
            why = f"uses the track {', '.join(dict.fromkeys(pieces))} that routes[{first}] uses"
            out.append(Violation(Code.TRACK_TWICE, run.index, why))


def condition_violations(book: Book, runs: Sequence[Run]) -> list[Violation]:
    """Return the broken conditions of the problem, and trains whose routes do not hang together."""
    found: list[Violation] = []
    problem = book.problem
    for condition in problem.conditions:
        if type(condition) is RequiredRoute:
            found += _required(condition, runs)
        elif type(condition) is MustRun:
            found += _must_run(condition, problem, runs)
        elif not runs:
            continue
        elif type(condition) is VisitHome:
            if all(condition.nodes.isdisjoint(run.ids) for run in runs):
                homes = ", ".join(sorted(condition.nodes))
                why = f"no route visits {homes}" if homes else "there is no home that a route could visit"
                found.append(Violation(Code.NO_HOME, None, why))
        elif type(condition) is RoutesTouch:
            found += _touch(runs, "all routes", lambda run: run.ids)
    for train in problem.trains:
        if train.routes_touch:
            found += _train_touches(train, runs)
    return found


def _required(condition: RequiredRoute, runs: Sequence[Run]) -> list[Violation]:
    found = []
    for name in condition.track_classes:
        mates = [run for run in runs if run.train is not None and run.train.track_class == name]
        if not any(run.hexes == condition.hexes for run in mates):
            of = f" of class {name}" if name else ""
            hexes = ", ".join(sorted(condition.hexes))
            why = f"no route{of} runs {condition.name}: through {hexes} and no other hex"
            found.append(Violation(Code.REQUIRED, None, why))
    return found


def _must_run(condition: MustRun, problem: RouteProblem, runs: Sequence[Run]) -> list[Violation]:
    name = condition.track_class
    if any(run.train is not None and run.train.track_class == name for run in runs):
        return []
    of = f" of class {name}" if name else ""
    return [Violation(Code.REQUIRED, None, f"no route{of} runs, yet one must")]


def _train_touches(train: Train, runs: Sequence[Run]) -> list[Violation]:
    own = [run for run in runs if run.train is train]
    if len(own) < 2:
        return []
    return _touch(
        own,
        f"the routes of train {train.id}",
        lambda run: tuple([node.id for node in run.nodes if not node.blocked]),
    )


def _touch(runs: Sequence[Run], who: str, stops: Callable[[Run], tuple[str, ...]]) -> list[Violation]:
    """Return a violation if ``runs`` do not hang together by shared ``stops``."""
    if len(runs) < 2:
        return []
    left = list(runs[1:])
    reached = set(stops(runs[0]))
    grown = True
    while grown and left:
        grown = False
        for run in list(left):
            if not reached.isdisjoint(stops(run)):
                reached.update(stops(run))
                left.remove(run)
                grown = True
    if not left:
        return []
    apart = ", ".join(f"routes[{run.index}]" for run in left)
    why = f"{who} must hang together by shared stops, but {apart} do not meet routes[{runs[0].index}]"
    return [Violation(Code.NOT_TOUCHING, None, why)]
