"""The search of one group of trains, and the answers of all groups put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from router.callbacks import Callbacks
from router.canonical import write_routes
from router.chains import chain_ends
from router.check import check
from router.errors import InternalError
from router.exact import ExactSearch
from router.fixed import fixed_score, taken
from router.found import Best, Found, Path, Slot
from router.graph import Graph
from router.judging import idle
from router.listings import best_listing, chains_fit, priced_as_listed
from router.model import build_model
from router.planned import PlannedSearch, Search, best_first
from router.plans import Plan, plans
from router.problem import (
    AreaBonus,
    ChainBonus,
    Condition,
    MustRun,
    RequiredRoute,
    RouteProblem,
)
from router.profile import build_profile
from router.roof import roof
from router.select import SelectSearch
from router.solution import Route, RouteSet
from router.teams import Group, Team
from router.work import Interrupted, Work


class Answers:
    """Writes down, prices and combines what the groups find."""

    def __init__(self, problem: RouteProblem, graph: Graph, fixed: Sequence[Route], objective: str) -> None:
        self.problem = problem
        self.graph = graph
        self.fixed = list(fixed)
        self.objective = objective
        self.done: list[GroupSearch] = []
        self.groups = 1

    def add(self, search: GroupSearch) -> None:
        """Take over what a group has found."""
        self.done.append(search)

    def routes(self, sets: Sequence[tuple[Group, Found]]) -> list[Route] | None:
        """Return the routes of one set per group, ``None`` if they cannot be shared out."""
        chosen: list[tuple[Team, list[Sequence[int]]]] = []
        for group, found in sets:
            for i, team in enumerate(group.teams):
                paths: list[Sequence[int]] = [path for at, path in found.routes if at == i]
                chosen.append((team, paths * group.copies))
        written = write_routes(self.problem, self.graph, chosen, self.fixed)
        return None if written is None else [*self.fixed, *written]

    def price(
        self, sets: Sequence[tuple[Group, Found]], weight: int = 0, enough: int | None = None
    ) -> RouteSet | None:
        """Return the priced set, in the order of listing that pays most; ``None`` if it is not legal.

        With a score that is ``enough`` for this ``weight`` of revenue no better listing is looked for.
        """
        routes = self.routes(sets)
        if routes is None:
            return None
        weight = weight or (1 if self.objective == "total" else 1 << 40)
        return best_listing(self.problem, routes, fixed=len(self.fixed), weight=weight, enough=enough)[0]

    def best(self) -> RouteSet | None:
        """Return the best set of all groups."""
        if self.unmet() or not all(search.best.sets for search in self.done):
            return None
        found = self.done[0].priced() if len(self.done) == 1 else None
        if found is None:
            sets = [(search.group, search.best.sets[0]) for search in self.done]
            promised = None if self.fixed else self._promised()
            found = self.price(sets, enough=promised)
            if promised is not None and len(sets) > 1 and self._score(found) < promised:
                # of many routes not all listings are tried; those of the groups do not matter to each other
                listed = [route for search in self.done for route in search.listed()]
                found = max(found, priced_as_listed(self.problem, listed), key=self._score)
        if found is None and self.done:
            raise InternalError("the referee refused an answer")
        if found is None:
            verdict = check(self.problem, self.fixed)
            return RouteSet(verdict.revenue, verdict.subsidy, verdict.routes) if verdict.legal else None
        return found

    def _promised(self) -> int:
        """Return the score that the best sets of all groups have together, with the weight of ``price``."""
        total = 0
        for search in self.done:
            value, factor = search.best.value, search.model.factor
            if self.objective != "total":
                value = (value // factor << 40) + value % factor
            total += value * search.group.copies
        return total

    def _score(self, found: RouteSet | None) -> int:
        if found is None:
            return -1
        return found.revenue * (1 if self.objective == "total" else 1 << 40) + found.subsidy

    def bound(self) -> int:
        """Return the bound of the revenue (or of revenue and subsidy) of all groups."""
        weight = 1 if self.objective == "total" else 1 << 40
        base = fixed_score(self.problem, self.fixed, weight) // weight
        return base + sum([search.gain(search.best.bound) for search in self.done])

    def next_best(self, wanted: int) -> list[RouteSet]:
        """Combine the sets of the groups to the next best sets of all."""
        if not wanted:
            return []
        combos: list[tuple[int, list[tuple[Group, Found]]]] = [(0, [])]
        for search in self.done:
            combos = [
                (total + found.value * search.group.copies, [*sets, (search.group, found)])
                for total, sets in combos
                for found in search.best.sets
            ]
            combos = sorted(combos, key=lambda item: -item[0])[: wanted + 1]
        best = self.best()
        seen = {frozenset(route.route for route in best.routes)} if best else set()
        others: list[RouteSet] = []
        for _, sets in combos:
            found_set = self.price(sets) if any(f.routes for _, f in sets) else None
            if found_set is None:
                continue
            key = frozenset(route.route for route in found_set.routes)
            if key not in seen:
                seen.add(key)
                others.append(found_set)
        return others[:wanted]

    def unmet(self) -> bool:
        """Tell whether a condition concerns trains that do not exist or are all fixed, and is not met."""
        if not self.problem.conditions:
            return False
        classes = {train.track_class for search in self.done for train in search.model.problem.trains}
        absent: list[Condition] = []
        for condition in self.problem.conditions:
            if isinstance(condition, RequiredRoute):
                names = tuple(name for name in condition.track_classes if name not in classes)
                if names:
                    absent.append(replace(condition, track_classes=names))
            elif isinstance(condition, MustRun) and condition.track_class not in classes:
                absent.append(condition)
        return bool(absent) and not check(replace(self.problem, conditions=tuple(absent)), self.fixed).legal

    def why_nothing(self) -> str:
        """Return why no legal run exists."""
        faults = check(self.problem, self.fixed).violations
        return "; ".join(f"{fault.code}: {fault.why}" for fault in faults) or "no legal run"


class GroupSearch:
    """Searches one group of trains."""

    def __init__(
        self,
        answers: Answers,
        group: Group,
        work: Work,
        callbacks: Callbacks | None,
        *,
        method: str,
        keep: int,
    ) -> None:
        self.group = group
        self._answers = answers
        self._callbacks = callbacks
        whole = answers.problem if answers.fixed else None
        self.model = model = build_model(group.problem, answers.graph, answers.objective, whole)
        # fixed routes are of trains that the group does not hold
        self._judged = (
            replace(group.problem, trains=answers.problem.trains) if answers.fixed else group.problem
        )
        self._chains = [] if answers.fixed else [t for t in model.problem.terms if isinstance(t, ChainBonus)]
        self._base = fixed_score(self._judged, answers.fixed, model.factor)
        self._doubt = -1
        # candidates take the place of others until the referee pays less than they promise
        self._blind = model.blind and keep == 1 and method != "select"
        self._missed = -1
        model.blind = False
        self._priced: tuple[int, tuple[Path, ...], RouteSet] | None = None
        self._nothing = self._settle([]) if answers.fixed and model.settled else idle(model.problem)
        if answers.fixed:
            # what the fixed routes meet is the referee's to say
            none = np.zeros((0, model.needs.shape[1]), dtype=np.uint64)
            self.model = model = replace(model, needs=none, touch=0, trusted=False)
        free = np.zeros(model.graph.words, dtype=np.uint64)
        self._slots = [
            Slot(
                build_profile(model, team.trains[0]),
                team.count,
                taken(answers.problem, answers.graph, answers.fixed, team.trains[0])
                if answers.fixed
                else free,
                at,
                islands=len(team.trains) if team.trains[0].routes_touch and not answers.fixed else 0,
            )
            for at, team in enumerate(group.teams)
        ]
        self._work = work
        self._method = method
        self._keep = keep
        self._trust = False
        self._search: Search | None = None

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
        self._search = search
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

    @property
    def best(self) -> Best:
        """What is known."""
        if self._search is None:
            self._search = self._new_search(Plan(self.model, self._slots), self._bounded)
        return self._search.best

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
        written = self._answers.routes([(self.group, found)])
        if written is None:
            return None
        best, doubt = best_listing(
            self._judged,
            written,
            fixed=len(self._answers.fixed),
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
        whole = self.group.problem is self._answers.problem and not self._answers.fixed
        return self._settled() if whole else None

    def listed(self) -> list[Route]:
        """Return the routes of the best set in a listing in which they earn what the set is worth."""
        settled = self._settled()
        if settled is not None:
            return [priced.route for priced in settled.routes]
        return self._answers.routes([(self.group, self.best.sets[0])]) or []

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
        fixed = self._answers.fixed
        if not fixed:
            return 0
        factor = self.model.factor
        total = 0
        for term in self.model.problem.terms:
            if isinstance(term, AreaBonus):
                total += sum(amount * factor * len(fixed) for _, _, amount in term.pairs)
            elif isinstance(term, ChainBonus):
                owner = self._answers.problem.trains
                names = {name: train for train in owner for name in (train.id, *train.route_ids)}
                for route in fixed:
                    train = names[route.train]
                    if train.kind in term.trains:
                        ends = (
                            self._answers.problem.node_by_id[n] for n in (route.nodes[0], route.nodes[-1])
                        )
                        total += sum(node.worth(train.kind) * train.multiplier * factor for node in ends)
                        total += int(chain_ends(self.model, train).most.max(initial=0))
        return total

    def _improved(self, found: Found) -> None:
        if self._callbacks and self._callbacks.on_incumbent:
            others = [(s.group, s.best.sets[0]) for s in self._answers.done if s.best.sets]
            alone = self._answers.groups == 1 and self.group.copies == 1
            enough = found.value + self._base if alone else None
            weight = self.model.factor if alone else 0
            priced = self._answers.price([*others, (self.group, found)], weight, enough)
            if priced is not None:
                self._callbacks.on_incumbent(priced)

    def _bounded(self, bound: int) -> None:
        if self._blind and not self.model.blind:
            bound = max(bound, self._missed)
        if self._callbacks and self._callbacks.on_bound and self._answers.groups == 1:
            self._callbacks.on_bound(self._base // self.model.factor + self.gain(bound))
