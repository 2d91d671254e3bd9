"""From a position to a route problem: the board seen by one company, its trains and the money, as data.

What all games share is done here. The rest says the module ``routes`` of each game: a function
``rules(case: Case) -> RouteRules`` that turns the rules touching revenue into data, and if there are routes
that may pass blocked stops a function ``passes_blocked(position: Position, facts: GameFacts) -> bool``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType

from engine.board import Board
from engine.facts import GameFacts
from engine.network import Chain, Network, Stop, reachable_network, whole_network
from engine.position import Position
from engine.pruning import useful_segments
from engine.registry import find_game
from router.problem import Condition, Hex, Node, RouteProblem, Scope, Segment, Term, Train

_ROUTES = {
    "1861": "engine.games.g1861.routes",
    "18NewEngland": "engine.games.g18newengland.routes",
    "1862": "engine.games.g1862.routes",
    "18GB": "engine.games.g18gb.routes",
    "1873": "engine.games.g1873.routes",
}


@dataclass(frozen=True, eq=False)
class Case:
    """What the rules of a game look at.

    Attributes
    ----------
    nodes
        The stops that matter, as the shared rules see them, by id.
    names
        Names under which somebody proposes to run routes.
    """

    position: Position
    facts: GameFacts
    board: Board
    network: Network
    nodes: Mapping[str, Node]
    names: frozenset[str] = frozenset()

    def nodes_in(self, *hexes: str) -> frozenset[str]:
        """Return the ids of the stops in some hexes."""
        return frozenset(stop.id for stop in self.network.stops if stop.hex in hexes)


@dataclass(frozen=True, kw_only=True)
class RouteRules:
    """What a game adds to stops and track.

    Attributes
    ----------
    nodes
        Stops that differ from what the shared rules say, by id.
    marks
        Names on segments to which bonuses refer, by segment id.
    idle
        Trains of the company that run nothing, by id, each with the reason.
    """

    trains: tuple[Train, ...]
    terms: tuple[Term, ...] = ()
    conditions: tuple[Condition, ...] = ()
    track_scope: Scope = "all"
    count: Scope = "route"
    end_sets: tuple[frozenset[str], ...] = ()
    nodes: Mapping[str, Node] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    idle: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Compiled:
    """A route problem and what it was made of; ``idle`` as in :class:`RouteRules`."""

    position: Position
    board: Board
    network: Network
    problem: RouteProblem
    idle: Mapping[str, str] = field(default_factory=dict)


def compile_position(position: Position, *, whole_board: bool = False) -> RouteProblem:
    """Return the route problem of a position.

    Parameters
    ----------
    whole_board
        Include stops and track that the company cannot reach, as is needed to judge routes that somebody
        proposes. Stops and segments have the same names either way.
    """
    return compile_board(position, whole_board=whole_board).problem


def compile_board(position: Position, *, whole_board: bool = False, names: Collection[str] = ()) -> Compiled:
    """Return the route problem of a position together with the board; see :func:`compile_position`.

    Parameters
    ----------
    names
        Names under which somebody proposes to run routes: a game whose trains run under names that are not
        fixed beforehand accepts them.

    Raises
    ------
    Unsupported
        If the track of the board is too much.
    """
    facts = find_game(position.game).facts(players=position.players, options=position.optional_rules)
    board = Board.of_position(facts, position)
    routes = _routes(position.game)
    past = bool(getattr(routes, "passes_blocked", _never)(position, facts))
    if whole_board:
        network = whole_network(board)
    else:
        network = reachable_network(board, position.company, past_blocked=past)
    phase = facts.phases[position.phase].tiles
    nodes = {stop.id: _node(board, position.company, stop, phase) for stop in network.stops}
    rules: RouteRules = routes.rules(Case(position, facts, board, network, nodes, frozenset(names)))
    nodes.update(rules.nodes)
    segments = tuple(_segment(chain, rules.marks.get(chain.id, ())) for chain in network.chains)
    if not whole_board:
        segments = useful_segments(nodes, segments, rules.trains, past_blocked=past)
    crossed = {hex_id for segment in segments for hex_id in segment.hexes}
    crossed.update(stop.hex for stop in network.stops)
    problem = RouteProblem(
        nodes=tuple(nodes.values()),
        segments=segments,
        trains=tuple(sorted(rules.trains, key=_train_order)),
        hexes=tuple(hex_ for hex_ in _hexes(facts) if hex_.id in crossed),
        terms=rules.terms,
        conditions=rules.conditions,
        track_scope=rules.track_scope,
        count=rules.count,
        end_sets=rules.end_sets,
    )
    return Compiled(position, board, network, problem, rules.idle)


@cache
def _routes(game: str) -> ModuleType:
    return import_module(_ROUTES[game])


def _never(position: Position, facts: GameFacts) -> bool:
    """Say of most games whether routes may pass blocked stops."""
    return False


def worth(revenue: int | Mapping[str, int], colors: tuple[str, ...]) -> int:
    """Return the money of a stop in a phase with these tile colours (``00-common R5.3``).

    Of a table by colour the latest colour that is there counts.
    """
    if isinstance(revenue, int):
        return revenue
    return next((revenue[color] for color in reversed(colors) if color in revenue), 0)


def _node(board: Board, company: str, stop: Stop, colors: tuple[str, ...]) -> Node:
    token = board.has_token(company, stop.hex, stop.node)
    return _plain_node(stop, colors, token, not token and board.blocks(company, stop.hex, stop.node))


@lru_cache(maxsize=50_000)
def _plain_node(stop: Stop, colors: tuple[str, ...], token: bool, blocked: bool) -> Node:
    return Node(
        stop.id,
        stop.node.kind,
        stop.hex,
        worth(stop.node.revenue, colors),
        token=token,
        blocked=blocked,
        terminal=stop.terminal,
        groups=stop.node.groups,
    )


def _segment(chain: Chain, marks: tuple[str, ...]) -> Segment:
    return Segment(chain.id, chain.a.id, chain.b.id, chain.track, chain.hexes, marks)


def _train_order(train: Train) -> tuple[tuple[int, int, str], ...]:
    """Return the place of a train among others, whatever the order in which a position lists them."""
    parts = re.split(r"(\d+)", train.id)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


@lru_cache(maxsize=256)
def _hexes(facts: GameFacts) -> tuple[Hex, ...]:
    """Return all hexes in axial coordinates."""
    found = []
    for hex_id, item in facts.map.hexes.items():
        x, y = item.coordinate.x, item.coordinate.y
        flat = facts.layout == "flat"
        found.append(Hex(hex_id, x, (y - x) // 2) if flat else Hex(hex_id, (x - y) // 2, y))
    return tuple(found)
