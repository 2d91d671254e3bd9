"""The search of one group of trains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from router.callbacks import Callbacks
from router.chains import chain_ends
from router.exact import ExactSearch
from router.fixed import fixed_score, taken
from router.found import Found, Path, Slot, known_before
from router.judging import idle
from router.listings import best_listing, chains_fit
from router.model import build_model
from router.planned import PlannedSearch, Search, best_first
from router.plans import Plan, plans
from router.problem import AreaBonus, ChainBonus
from router.profile import build_profile
from router.roof import roof
from router.select import SelectSearch
from router.solution import Route, RouteSet
from router.teams import Group
from router.work import Interrupted, Work
from router.writer import Writer


class GroupSearch:
    """Searches one group of trains.

    Parameters
    ----------
    others
        The best sets of groups that are done, for what the callbacks are told.
    alone
        Whether there is no other group.
    """

    def __init__(
        self,
        writer: Writer,
        group: Group,
        work: Work,
        callbacks: Callbacks | None,
        *,
        method: str,
        keep: int,
        others: Sequence[tuple[Group, Found]] = (),
        alone: bool = True,
    ) -> None:
        self.group = group
        self._writer = writer
        self._others = others
        self._alone = alone
        self._callbacks = callbacks
        whole = writer.problem if writer.fixed else None
        self.model = model = build_model(group.problem, writer.graph, writer.objective, whole)
        # fixed routes are of trains that the group does not hold
        self._judged = replace(group.problem, trains=writer.problem.trains) if writer.fixed else group.problem
        self._chains = [] if writer.fixed else [t for t in model.problem.terms if isinstance(t, ChainBonus)]
        self._base = fixed_score(self._judged, writer.fixed, model.factor)
        self._doubt = -1
        # candidates take the place of others until the referee pays less than they promise
        self._blind = model.blind and keep == 1 and method != "select"
        self._missed = -1
        model.blind = False
        self._priced: tuple[int, tuple[Path, ...], RouteSet] | None = None
        self._nothing = idle(model.problem)
        self.best = known_before(self._nothing)
        if writer.fixed:
            if model.settled:
                self._nothing = self._settle([])
                self.best = known_before(self._nothing)
            # what the fixed routes meet is the referee's to say
            none = np.zeros((0, model.needs.shape[1]), dtype=np.uint64)
            self.model = model = replace(model, needs=none, touch=0, trusted=False)
        free = np.zeros(model.graph.words, dtype=np.uint64)
        self._slots = [
            Slot(
                build_profile(model, team.trains[0]),
                team.count,
                taken(writer.problem, writer.graph, writer.fixed, team.trains[0]) if writer.fixed else free,
                at,
                islands=len(team.trains) if team.trains[0].routes_touch and not writer.fixed else 0,
            )
            for at, team in enumerate(group.teams)
        ]
        self._work = work
        self._method = method
        self._keep = keep
        self._trust = False

    def _plan(self) -> None:
        """Divide the trains that form chains, where that can be done."""
        model = self.model
        found = plans(model, self._slots, self._work) if self._chains else None
        if self._blind and self._chains and not found:
            self.model = model = replace(model, blind=True)
        dependent = any(term.dependent for term in self._chains)
        self._plans = best_first(found) if found else [Plan(model, self._slots)]
        self._trust = model.settled and model.trusted and self._keep == 1 and (bool(found) or not dependent)

    def _begin(self) -> Search:
        several = len(self._plans) > 1
        search: Search = (
            PlannedSearch(self._plans, self._new_search, self._bounded)
            if several
            else self._new_search(self._plans[0], self._bounded)
        )
        self.best = search.best
        return search

    def _new_search(self, plan: Plan, bounded: Callable[[int], None]) -> Search:
        kind = SelectSearch if self._method == "select" else ExactSearch
        return kind(
            plan.model,
            plan.slots,
            self._work,
            settle=self._settle if self.model.settled else None,
            trust=self._trust and kind is ExactSearch,  # a second opinion asks about every set
            nothing=self._nothing,
            linker=plan.linker,
            slack=self._slack(),
            keep=1 if kind is SelectSearch else self._keep,
            improved=self._improved,
            bounded=bounded,
        )

    def gain(self, bound: int) -> int:
        """Return the revenue that a bound of the score lets the group add to the fixed routes."""
        factor = self.model.factor
        return self.group.copies * ((self._base + bound) // factor - self._base // factor)

    def run(self) -> None:
        """Search until the proof is complete."""
        known: list[Found] = []
        try:
            self._work.look()
            self._plan()
            self._begin().run()
            if self._trust and self.best.sets:
                first = self.best.sets[0]
                if self._settle(first.routes, first.value) != first.value:
                    self._trust = False
                    self._begin().run()
            if self._blind and self._missed > self.best.value and not self.model.blind:
                known = self.best.sets
                self.model = replace(self.model, blind=True)
                self._plan()
                self._trust = False
                self._begin().run()
        except Interrupted:
            if known and known[0].value > self.best.value:
                self.best.sets = known
            if self._trust:
                self._trust = False
                self.best.sets = [found for found in self.best.sets if self._honest(found)]
            if self.best.bound >= 1 << 60:
                self.best.bound = roof(self.model, self.group)
            raise
        if self._doubt > self.best.value:
            self.best.bound = max(self.best.bound, self._doubt)
            raise Interrupted("routes that could be listed in more orders than are tried")
        if not self.best.sets:
            self.best.bound = 0

    def _honest(self, found: Found) -> bool:
        return self._settle(found.routes) == found.value

    def _settle(self, routes: Sequence[Path], enough: int | None = None) -> int | None:
        if self._chains and not all(chains_fit(term, self._links(routes)) for term in self._chains):
            return None
        found = Found(0, tuple(routes))
        written = self._writer.routes([(self.group, found)])
        if written is None:
            return None
        best, doubt = best_listing(
            self._judged,
            written,
            fixed=len(self._writer.fixed),
            weight=self.model.factor,
            enough=None if enough is None else enough + self._base,
        )
        if doubt:
            self._doubt = max(self._doubt, self.best.bound if enough is None else enough)
        if best is None:
            return None
        score = self.model.factor * best.revenue + best.subsidy - self._base
        if enough is not None and score < enough:
            self._missed = max(self._missed, enough)
        if self._priced is None or score > self._priced[0]:
            self._priced = score, tuple(routes), best
        return score

    def priced(self) -> RouteSet | None:
        """Return the best set as the referee priced it, if this group is the whole problem and he did."""
        whole = self.group.problem is self._writer.problem and not self._writer.fixed
        return self._settled() if whole else None

    def listed(self) -> list[Route]:
        """Return the routes of the best set in a listing in which they earn what the set is worth."""
        settled = self._settled()
        if settled is not None:
            return [priced.route for priced in settled.routes]
        return self._writer.routes([(self.group, self.best.sets[0])]) or []

    def _settled(self) -> RouteSet | None:
        found = self.best.sets[0]
        known = self._priced
        return known[2] if known is not None and known[:2] == (found.value, found.routes) else None

    def _links(self, routes: Sequence[Path]) -> list[tuple[str, int]]:
        """Return kind of train and bits of the two ends of each route."""
        links = []
        for at, path in routes:
            stop = path[0]
            for seg in path[1:]:
                a, b = self.model.graph.seg_ends[seg]
                stop = b if stop == a else a
            links.append((self.group.teams[at].trains[0].kind, 1 << path[0] | 1 << stop))
        return links

    def _slack(self) -> int:
        """Return what routes that are fixed can earn by the help of others."""
        fixed = self._writer.fixed
        if not fixed:
            return 0
        factor = self.model.factor
        total = 0
        for term in self.model.problem.terms:
            if isinstance(term, AreaBonus):
                total += sum(amount * factor * len(fixed) for _, _, amount in term.pairs)
            elif isinstance(term, ChainBonus):
                owner = self._writer.problem.trains
                names = {name: train for train in owner for name in (train.id, *train.route_ids)}
                for route in fixed:
                    train = names[route.train]
                    if train.kind in term.trains:
                        ends = (self._writer.problem.node_by_id[n] for n in (route.nodes[0], route.nodes[-1]))
                        total += sum(node.worth(train.kind) * train.multiplier * factor for node in ends)
                        total += int(chain_ends(self.model, train).most.max(initial=0))
        return total

    def _improved(self, found: Found) -> None:
        if self._callbacks and self._callbacks.on_incumbent:
            alone = self._alone and self.group.copies == 1
            enough = found.value + self._base if alone else None
            weight = self.model.factor if alone else 0
            priced = self._writer.price([*self._others, (self.group, found)], weight, enough)
            if priced is not None:
                self._callbacks.on_incumbent(priced)

    def _bounded(self, bound: int) -> None:
        if self._blind and not self.model.blind:
            bound = max(bound, self._missed)
        if self._callbacks and self._callbacks.on_bound and self._alone:
            self._callbacks.on_bound(self._base // self.model.factor + self.gain(bound))
