"""Which stops pay, and what each brings, over all routes of a run together.

Where stops pay once over several routes, the first listed route that counts a stop is paid for it. The paying
sets of all routes are chosen together so that the total is greatest; among equals the first route counts more
stops, then stops nearer to its begin; then the second route, and so on. The choice is made stop by stop:
several stops that count as one are seen as one only when they are paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from router.referee.book import Book, Run
from router.referee.paying import Choice, choices, positions_that_pay

Paid: TypeAlias = list[tuple[int, int]]
"""The paying stops of a route: place on the route, money."""


def stops_paid(book: Book, runs: Sequence[Run], fixed: Mapping[int, list[int]]) -> list[Paid]:
    """Return what pays on each of ``runs``.

    Parameters
    ----------
    fixed
        By place in ``runs``, the paying stops of routes that have no choice.
    """
    count = book.problem.count
    if count == "route":
        return [
            _paid(run, fixed[i] if i in fixed else positions_that_pay(book, run), set())
            for i, run in enumerate(runs)
        ]
    groups: dict[str, list[int]] = {}
    for i, run in enumerate(runs):
        groups.setdefault("" if count == "all" else run.runner.track_class, []).append(i)
    paid: list[Paid] = [[] for _ in runs]
    for members in groups.values():
        counted: set[str] = set()
        group = [runs[i] for i in members]
        chosen = _together(book, group, {j: fixed[i] for j, i in enumerate(members) if i in fixed})
        for i, run, places in zip(members, group, chosen, strict=True):
            paid[i] = _paid(run, places, counted)
            if len(group) > 1:
                counted.update(_names(run, places))
    return paid


def _names(run: Run, places: Sequence[int]) -> list[str]:
    """Return the names under which the stops at ``places`` are counted."""
    return [run.nodes[i].counts_as or run.ids[i] for i in places]


def _paid(run: Run, places: Sequence[int], counted: set[str]) -> Paid:
    train, nodes = run.runner, run.nodes
    kind, factor, once = train.kind, train.multiplier, train.hex_pays_once
    hexes: set[str] = set()
    paid = []
    for i in places:
        node = nodes[i]
        money = node.values.get(kind, node.value) * factor
        if once:
            if node.hex in hexes:
                money = 0
            hexes.add(node.hex)
        if counted and (node.counts_as or node.id) in counted:
            money = 0
        paid.append((i, money))
    return paid


def _together(book: Book, runs: Sequence[Run], fixed: Mapping[int, list[int]]) -> list[Sequence[int]]:
    """Return the paying stops of routes that count each stop once."""
    places = [
        fixed[i] if i in fixed else [j for j, n in enumerate(run.nodes) if n.kind in run.runner.paying]
        for i, run in enumerate(runs)
    ]
    if all(i in fixed or _all_pay(run, places[i]) for i, run in enumerate(runs)):
        return list(places)
    users: dict[str, set[int]] = {}
    for i, run in enumerate(runs):
        for j in places[i]:
            users.setdefault(run.ids[j], set()).add(i)
    shared = {name: 1 << k for k, name in enumerate(n for n, who in users.items() if len(who) > 1)}
    alike = _alike(runs, places, shared)
    states: dict[int, tuple[int, tuple[tuple[int, int], ...], tuple[Choice, ...]]] = {0: (0, (), ())}
    for i, run in enumerate(runs):
        if i in fixed or _all_pay(run, places[i]) or (alike and not _too_many(run, places[i])):
            options = [_settled(book, run, places[i], shared)]
        else:
            options = choices(book, run, shared.keys() & set(run.ids))
            if alike:
                options = _undominated(options)
        after: dict[int, tuple[int, tuple[tuple[int, int], ...], tuple[Choice, ...]]] = {}
        for counted, (total, ranks, chosen) in states.items():
            for option in options:
                value, seen = total + option.value, counted
                for name, money in option.contested.items():
                    if not counted & shared[name]:
                        value += money
                        seen |= shared[name]
                entry = (value, (*ranks, option.rank), (*chosen, option))
                if seen not in after or after[seen][:2] < entry[:2]:
                    after[seen] = entry
        states = after
    return [choice.positions for choice in max(states.values(), key=lambda entry: entry[:2])[2]]


def _all_pay(run: Run, places: Sequence[int]) -> bool:
    """Whether every stop that can pay must."""
    train = run.runner
    if train.must_pay is None and not train.pay:
        return True
    return all(run.nodes[i].kind in train.always_pays for i in places)


def _too_many(run: Run, places: Sequence[int]) -> bool:
    """Whether some stops that can pay must be left out."""
    nodes = run.nodes
    return any(sum(nodes[i].kind in lim.kinds for i in places) > lim.most for lim in run.runner.pay)


def _alike(runs: Sequence[Run], places: Sequence[Sequence[int]], shared: Mapping[str, int]) -> bool:
    """Whether each shared stop brings the same on every route, so that counting more never costs anything."""
    value: dict[str, int] = {}
    for run, here in zip(runs, places, strict=True):
        train = run.runner
        if train.hex_pays_once:
            return False
        for i in here:
            name = run.ids[i]
            if name in shared:
                money = run.nodes[i].worth(train.kind) * train.multiplier
                if value.setdefault(name, money) != money:
                    return False
    return True


def _settled(book: Book, run: Run, places: Sequence[int], shared: Mapping[str, int]) -> Choice:
    """Return the one choice of a route that has no other."""
    train = run.runner
    contested: dict[str, int] = {}
    value = 0
    for i, money in _paid(run, places, set()):
        if run.ids[i] in shared:
            contested[run.ids[i]] = money
        else:
            value += money
    ids = {run.ids[i] for i in places}
    for bonus in book.stop_bonuses:
        if all(not ids.isdisjoint(nodes) for nodes in bonus.all_of):
            value += bonus.worth(train.kind)
    return Choice(tuple(places), value, (len(places), 0), contested)


def _undominated(options: list[Choice]) -> list[Choice]:
    """Drop choices that another one beats whatever the other routes count."""
    kept: list[Choice] = []
    for option in sorted(options, key=lambda c: (len(c.contested), c.value, c.rank), reverse=True):
        names = option.contested.keys()
        if not any(
            names <= other.contested.keys() and option.value <= other.value and option.rank <= other.rank
            for other in kept
        ):
            kept.append(option)
    return kept
