"""Where the money of an answer comes from, in lines for people.

The lines rest on what the referee says of the routes; the search is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.answer import PositionRoute, PositionSolution
from engine.compile import Compiled, compile_board, worth
from engine.encoding import Codec, SiteRoute
from engine.position import Position
from engine.words import Words
from router.check import check
from router.problem import (
    ChainBonus,
    HexSubsidy,
    LargestTrainBonus,
    Limit,
    Node,
    RouteProblem,
    StopBonus,
    Train,
)
from router.solution import PricedRoute, Route, Solution, Status, Verdict

_LISTED = re.compile(r"routes\[(\d+)\]")
_ALONE = re.compile(r"^(route \d+) touch\b")
_PLURAL = {"city": "cities", "town": "towns", "offboard": "off-board areas", "halt": "halts"}
_ONE = {"city": "city", "town": "town", "offboard": "off-board area", "halt": "halt"}


def explain_position(position: Position, solution: PositionSolution, objective: str = "revenue") -> list[str]:
    """Return the lines for the answer to a position."""
    compiled = compile_board(position, names={route.train for route in solution.routes})
    listed = _Listed(
        solution.status,
        solution.revenue,
        solution.subsidy,
        solution.bound,
        solution.why,
        objective,
        tuple(
            (
                it.revenue,
                it.subsidy,
                list(zip(_decoded(compiled, it.routes), [r.revenue for r in it.routes], strict=True)),
            )
            for it in solution.alternatives
        ),
    )
    return _Explanation(_book(compiled), _decoded(compiled, solution.routes)).lines(listed)


def explain_routes(position: Position, routes: Sequence[PositionRoute]) -> list[str]:
    """Return the lines for routes that run together, without a word on what else might be run."""
    compiled = compile_board(position, names={route.train for route in routes})
    return _Explanation(_book(compiled), _decoded(compiled, routes)).money()


def _book(compiled: Compiled) -> _Book:
    words = Words(compiled)
    facts = compiled.board.facts

    def label(node: Node) -> str:
        name = facts.map.hexes[node.hex].name
        return f"{words.say(node.id)} {name}".rstrip()

    return _Book(compiled.problem, label, words.say, _table_values(compiled), compiled.idle)


def explain_problem(problem: RouteProblem, solution: Solution, objective: str = "revenue") -> list[str]:
    """Return the lines for the answer to a route problem."""
    book = _Book(problem, lambda node: node.id)
    listed = _Listed(
        solution.status,
        solution.revenue,
        solution.subsidy,
        solution.bound,
        solution.why,
        objective,
        tuple(
            (it.revenue, it.subsidy, [(route.route, route.revenue) for route in it.routes])
            for it in solution.alternatives
        ),
    )
    return _Explanation(book, [route.route for route in solution.routes]).lines(listed)


def _decoded(compiled: Compiled, routes: Sequence[PositionRoute]) -> list[Route]:
    codec = Codec(compiled)
    read = codec.decode([SiteRoute(it.train, it.connections, it.nodes, it.hexes) for it in routes])
    return [route for route in read if isinstance(route, Route)]


def _table_values(compiled: Compiled) -> dict[str, str]:
    """Return, by stop whose value is looked up in a table, which entry of the table counts."""
    phase = compiled.position.phase
    colors = compiled.board.facts.phases[phase].tiles
    found = {}
    for stop in compiled.network.stops:
        table, node = stop.node.revenue, compiled.problem.node_by_id.get(stop.id)
        if isinstance(table, int) or node is None:
            continue
        entry = next((color for color in reversed(colors) if color in table), "")
        if not entry or worth(table, colors) != node.value:
            entry = next((name for name, value in table.items() if value == node.value), "")
        if entry:
            found[stop.id] = f"{entry} value in phase {phase}"
    return found


@dataclass(frozen=True, slots=True)
class _Listed:
    """What an answer claims."""

    status: Status
    revenue: int
    subsidy: int
    bound: int
    why: str
    objective: str
    alternatives: tuple[tuple[int, int, Sequence[tuple[Route, int]]], ...]


@dataclass(frozen=True, slots=True)
class _Book:
    """A problem and the words for it; ``tables`` and ``idle`` tell of some stops and trains more."""

    problem: RouteProblem
    label: Callable[[Node], str]
    say: Callable[[str], str] = str
    tables: Mapping[str, str] = field(default_factory=dict)
    idle: Mapping[str, str] = field(default_factory=dict)

    def name(self, node: str) -> str:
        """Return the words for a stop."""
        return self.label(self.problem.node_by_id[node])


class _Explanation:
    """The routes of one answer, as the referee pays them."""

    def __init__(self, book: _Book, routes: Sequence[Route]) -> None:
        self.book = book
        self.problem = book.problem
        self.verdict: Verdict = check(book.problem, routes)
        self.trains = {name: train for train in self.problem.trains for name in (train.id, *train.route_ids)}
        self.chained = {
            kind: term for term in self.problem.terms if isinstance(term, ChainBonus) for kind in term.trains
        }

    def lines(self, listed: _Listed) -> list[str]:
        """Return everything that is to say."""
        found = self._routes()
        if listed.status in (Status.OPTIMAL, Status.FEASIBLE):
            found += [f"{fault.code}: {self._said(fault.why)}" for fault in self.verdict.violations]
            found += self._standing()
            found += self._sum(listed.revenue, listed.subsidy)
        found.append(_proof(listed, self.book.say))
        for number, (revenue, subsidy, routes) in enumerate(listed.alternatives, 1):
            more = f", subsidy {subsidy}" if subsidy else ""
            found.append(f"next best {number}: revenue {revenue}{more}")
            for other, money in routes:
                stops = " - ".join(map(self.book.name, other.nodes))
                found.append(f"  train {other.train}: {money}, {stops}")
        return found

    def money(self) -> list[str]:
        """Return what is to say of the routes alone."""
        return [
            *self._routes(),
            *self._standing(),
            *self._sum(self.verdict.revenue, self.verdict.subsidy),
        ]

    def _routes(self) -> list[str]:
        return [line for index, route in enumerate(self.verdict.routes) for line in self._route(index, route)]

    def _sum(self, revenue: int, subsidy: int) -> Iterator[str]:
        sums = " + ".join(str(route.revenue) for route in self.verdict.routes)
        several = f" = {sums}" if len(self.verdict.routes) > 1 else ""
        yield f"revenue {revenue}{several}"
        if subsidy:
            yield f"subsidy {subsidy}"

    def _route(self, index: int, route: PricedRoute) -> Iterator[str]:
        train = self.trains[route.train]
        kind = f" ({train.kind})" if train.kind != route.train else ""
        subsidy = f" and subsidy {route.subsidy}" if route.subsidy else ""
        yield f"route {index + 1}, train {route.train}{kind}: {route.revenue}{subsidy}"
        yield "  runs " + " - ".join(self.book.name(node) for node in route.nodes)
        for place, stop in enumerate(route.stops):
            yield f"  {stop.revenue:5}  {self.book.name(stop.node)}: {self._paid(index, route, place)}"
        for bonus in route.bonuses:
            yield f"  {bonus.amount:5}  {bonus.kind}: {self._said(bonus.why)}"
        if route.subsidy:
            yield f"  {route.subsidy:5}  subsidy: {self._hexes(index, route, train)}"
        paid = {stop.node for stop in route.stops}
        for node in route.nodes:
            if node not in paid:
                yield f"      -  {self.book.name(node)}: {self._unpaid(index, route, train, node)}"
        for told in self._missed(index, route, train, paid):
            yield f"      -  {told}"

    def _said(self, why: str) -> str:
        told = _LISTED.sub(lambda match: f"route {int(match[1]) + 1}", why)
        return self.book.say(_ALONE.sub(r"\1 touches", told))

    def _paid(self, index: int, route: PricedRoute, place: int) -> str:
        """Say why a paying stop brings what it brings."""
        train, stop = self.trains[route.train], route.stops[place]
        node = self.problem.node_by_id[stop.node]
        value = node.worth(train.kind)
        if value and not stop.revenue:
            earlier = [self.problem.node_by_id[other.node] for other in route.stops[:place]]
            if train.hex_pays_once and node.hex in {other.hex for other in earlier}:
                return f"nothing, since the route is paid for another stop in {node.hex}"
            return f"nothing, since {self._counted_by(index, route, node.id) or 'another route'} counts it"
        what = _ONE[node.kind]
        if node.token:
            what += " with an own token"
        if node.blocked:
            what += ", blocked"
        if stop.node in self.book.tables and value == node.value:
            what += f", {self.book.tables[stop.node]}"
        elif train.kind in node.values and value != node.value:
            what += f", value for trains of kind {train.kind}"
        if train.kind in self.chained:
            what += ", end of the chain"
        if not value:
            what += ", worth nothing"
        return f"{what}, {value} x {train.multiplier}" if value and train.multiplier > 1 else what

    def _counted_by(self, index: int, route: PricedRoute, stop: str) -> str:
        """Return the other route that is paid for a stop that pays only once, "" if there is none."""
        if self.problem.count == "route":
            return ""
        node, own = self.problem.node_by_id[stop], self.trains[route.train]
        name = node.counts_as or node.id
        for other_index, other in enumerate(self.verdict.routes):
            train = self.trains[other.train]
            if other_index == index or (
                self.problem.count == "class" and train.track_class != own.track_class
            ):
                continue
            for paid in other.stops:
                there = self.problem.node_by_id[paid.node]
                if (there.counts_as or there.id) == name and (paid.revenue or other_index < index):
                    return f"route {other_index + 1}"
        return ""

    def _unpaid(self, index: int, route: PricedRoute, train: Train, stop: str) -> str:
        """Say why a visited stop is not among the paying ones."""
        node = self.problem.node_by_id[stop]
        if node.kind not in train.paying:
            return f"{_PLURAL[node.kind]} do not pay for train {route.train}"
        if train.kind in self.chained:
            return "not counted: only the ends of a chain pay"
        other = self._counted_by(index, route, stop)
        if other:
            return f"not counted: {other} counts it"
        for limit in train.pay:
            if node.kind in limit.kinds and self._full(route, limit):
                return f"not counted: train {route.train} is paid for {_stops(limit)} only"
        blocked = " (blocked)" if node.blocked else ""
        return f"not counted: it would bring no more{blocked}"

    def _full(self, route: PricedRoute, limit: Limit) -> bool:
        kinds = [self.problem.node_by_id[stop.node].kind for stop in route.stops]
        return sum(kind in limit.kinds for kind in kinds) >= limit.most

    def _missed(self, index: int, route: PricedRoute, train: Train, paid: set[str]) -> Iterator[str]:
        """Name bonuses that the route comes near but does not get."""
        visited = set(route.nodes)
        earned = {bonus.kind for bonus in route.bonuses}
        for term in self.problem.terms:
            if isinstance(term, StopBonus) and term.name not in earned and term.worth(train.kind):
                near = all(not nodes.isdisjoint(visited) for nodes in term.all_of)
                lost = [nodes for nodes in term.all_of if nodes.isdisjoint(paid)]
                if near and lost:
                    names = " or ".join(self.book.name(node) for node in sorted(lost[0] & visited))
                    yield f"{term.name}: not earned, since the route is not paid for {names}"
            elif isinstance(term, LargestTrainBonus) and term.name not in earned:
                if train.kind not in term.amounts or term.nodes.isdisjoint(visited):
                    continue
                winner = next(
                    (
                        i
                        for i, other in enumerate(self.verdict.routes)
                        if any(bonus.kind == term.name for bonus in other.bonuses)
                    ),
                    None,
                )
                if winner is not None and winner != index:
                    yield f"{term.name}: not earned, since it goes to route {winner + 1}"
                elif winner is None and not visited.isdisjoint(term.nodes & term.lost_at):
                    yield f"{term.name}: lost, since the stop is blocked"

    def _hexes(self, index: int, route: PricedRoute, train: Train) -> str:
        """Say what the subsidy of a route is for."""
        told = []
        for term in self.problem.terms:
            if isinstance(term, HexSubsidy) and train.kind in term.trains:
                before: set[str] = set()
                for other in self.verdict.routes[:index]:
                    if self.trains[other.train].kind in term.trains:
                        before |= self._through(other)
                here = self._through(route)
                new = len(here - before)
                again = f", {len(here & before)} more counted by earlier routes" if here & before else ""
                told.append(f"{new} hexes at {term.per_hex}{again}")
        return "; ".join(told)

    def _through(self, route: PricedRoute) -> set[str]:
        return {hex_ for name in route.segments for hex_ in self.problem.segment_by_id[name].hexes}

    def _standing(self) -> Iterator[str]:
        """Name the trains that do not run."""
        running = {self.trains[route.train].id for route in self.verdict.routes}
        for train in self.problem.trains:
            if train.id not in running:
                yield f"train {train.id} runs no route"
        for name, why in self.book.idle.items():
            yield f"train {name} runs no route: {why}"


def _stops(limit: Limit) -> str:
    kinds = [kind for kind in _PLURAL if kind in limit.kinds]
    words = _ONE if limit.most == 1 else _PLURAL
    return (
        f"{limit.most} {' and '.join(words[kind] for kind in kinds)}"
        if len(kinds) < 3
        else (f"{limit.most} stop{'' if limit.most == 1 else 's'}")
    )


def _proof(listed: _Listed, say: Callable[[str], str]) -> str:
    money = "revenue and subsidy together" if listed.objective == "total" else "revenue"
    match listed.status:
        case Status.OPTIMAL:
            return f"proved: no legal run brings more {money} than {listed.bound}"
        case Status.FEASIBLE:
            reached = listed.revenue + (listed.subsidy if listed.objective == "total" else 0)
            return (
                f"not proved ({say(listed.why) or 'stopped'}): some run may bring {listed.bound - reached} "
                f"more; none brings more {money} than {listed.bound}"
            )
        case Status.INFEASIBLE:
            return f"proved: there is no legal run ({_LISTED.sub('a route', say(listed.why))})"
        case _:
            return f"no legal run found yet ({say(listed.why)}); none brings more {money} than {listed.bound}"
