"""The answers of all groups put together."""

from __future__ import annotations

from dataclasses import replace

from router.check import check
from router.errors import InternalError
from router.fixed import fixed_score
from router.found import Found
from router.listings import priced_as_listed
from router.problem import Condition, MustRun, RequiredRoute
from router.solution import RouteSet
from router.solving import GroupSearch
from router.teams import Group
from router.writer import Writer


class Answers:
    """Combines what the groups find."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.done: list[GroupSearch] = []

    def add(self, search: GroupSearch) -> None:
        """Take over what a group has found."""
        self.done.append(search)

    def sets(self) -> list[tuple[Group, Found]]:
        """Return the best set of each group that has one."""
        return [(search.group, search.best.sets[0]) for search in self.done if search.best.sets]

    def best(self) -> RouteSet | None:
        """Return the best set of all groups."""
        if self.unmet() or not all(search.best.sets for search in self.done):
            return None
        writer = self.writer
        found = self.done[0].priced() if len(self.done) == 1 else None
        if found is None:
            sets = self.sets()
            promised = None if writer.fixed else self._promised()
            found = writer.price(sets, enough=promised)
            if promised is not None and len(sets) > 1 and writer.score(found) < promised:
                # of many routes not all listings are tried; those of the groups do not matter to each other
                listed = [route for search in self.done for route in search.listed()]
                found = max(found, priced_as_listed(writer.problem, listed), key=writer.score)
        if found is None and self.done:
            raise InternalError("the referee refused an answer")
        if found is None:
            verdict = check(writer.problem, writer.fixed)
            return RouteSet(verdict.revenue, verdict.subsidy, verdict.routes) if verdict.legal else None
        return found

    def _promised(self) -> int:
        """Return the score that the best sets of all groups have together, with the weight of ``price``."""
        total, weight = 0, self.writer.weight
        for search in self.done:
            revenue, subsidy = divmod(search.best.value, search.model.factor)
            total += (revenue * weight + subsidy) * search.group.copies
        return total

    def bound(self) -> int:
        """Return the bound of the revenue (or of revenue and subsidy) of all groups."""
        writer = self.writer
        base = fixed_score(writer.problem, writer.fixed, writer.weight) // writer.weight
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
            found_set = self.writer.price(sets) if any(f.routes for _, f in sets) else None
            if found_set is None:
                continue
            key = frozenset(route.route for route in found_set.routes)
            if key not in seen:
                seen.add(key)
                others.append(found_set)
        return others[:wanted]

    def unmet(self) -> bool:
        """Tell whether a condition concerns trains that do not exist or are all fixed, and is not met."""
        problem = self.writer.problem
        if not problem.conditions:
            return False
        if not any(isinstance(condition, RequiredRoute | MustRun) for condition in problem.conditions):
            return False
        classes = {train.track_class for search in self.done for train in search.model.problem.trains}
        absent: list[Condition] = []
        for condition in problem.conditions:
            if isinstance(condition, RequiredRoute):
                names = tuple(name for name in condition.track_classes if name not in classes)
                if names:
                    absent.append(replace(condition, track_classes=names))
            elif isinstance(condition, MustRun) and condition.track_class not in classes:
                absent.append(condition)
        return bool(absent) and not check(replace(problem, conditions=tuple(absent)), self.writer.fixed).legal

    def why_nothing(self) -> str:
        """Return why no legal run exists."""
        faults = check(self.writer.problem, self.writer.fixed).violations
        return "; ".join(f"{fault.code}: {fault.why}" for fault in faults) or "no legal run"
