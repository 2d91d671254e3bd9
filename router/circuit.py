"""The best routes by a model of the network itself: no route is enumerated.

Each route that may run is a path, written for CP-SAT as a circuit through a depot; the rules of money, of
sets and of linked routes are linear (``circuit_paths``, ``_money``, ``_sets``, ``_chains``). Where the
referee pays less than the model allows, because it pays the first listed route for what several share, the
set is cut off and the search goes on, so the model is always a bound and the answer always what the referee
pays.
``docs/solver.md`` gives the model in mathematics.

The model shares nothing with the searches over candidate routes, and serves as the second opinion on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from router.canonical import route_names
from router.check import check
from router.circuit_chains import add_chains
from router.circuit_money import Score, add_money, shadowed
from router.circuit_paths import Literal, Slot, add_path, read_path
from router.circuit_sets import add_areas, add_together
from router.errors import InternalError
from router.judging import judge_fixed
from router.listings import best_listing
from router.problem import AreaBonus, ChainBonus, HexSubsidy, RouteProblem, Train
from router.solution import Route, RouteSet, Solution, Status
from router.stop import Stop
from router.work import Interrupted, Work

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def solve_network(
    problem: RouteProblem,
    *,
    fixed: Sequence[Route] = (),
    objective: str = "revenue",
    stop: Stop | None = None,
) -> Solution:
    """Find, and prove, the most lucrative set of routes without enumerating routes.

    Parameters
    ----------
    fixed
        Routes that are kept as they are.
    objective
        ``"revenue"``: revenue first, then subsidy; ``"total"``: their sum.
    stop
        When to give up; the answer then is ``FEASIBLE`` with a proved bound.

    Raises
    ------
    InvalidRoutes
        If the fixed routes are no legal run.
    ValueError
        If the objective is none of the two.
    """
    if objective not in ("revenue", "total"):
        raise ValueError(f"objective is {objective!r}; expected 'revenue' or 'total'")
    judge_fixed(problem, fixed)
    search = _NetworkSearch(problem, fixed, objective, Work(stop))
    why = ""
    try:
        search.run()
    except Interrupted as interrupted:
        why = str(interrupted)
    return search.solution(why)


class _NetworkSearch:
    """The model, the answers found so far and the bound."""

    def __init__(self, problem: RouteProblem, fixed: Sequence[Route], objective: str, work: Work) -> None:
        self.problem = problem
        self.fixed = list(fixed)
        self.objective = objective
        self.work = work
        hexes = {hex_ for segment in problem.segments for hex_ in segment.hexes}
        most = sum(term.per_hex * len(hexes) for term in problem.terms if isinstance(term, HexSubsidy))
        self.factor = 1 if objective == "total" else most + 1
        self.best: RouteSet | None = None
        self.value = -1
        self.score = Score(self.factor)
        self.bound: int | None = None
        self._seen: dict[tuple[Route, ...], int | None] = {}

    def run(self) -> None:
        """Solve, and cut off sets that the referee values less, until nothing better is left.

        Raises
        ------
        Interrupted
            If the stop criterion is reached.
        """
        from ortools.sat.python import cp_model

        self._settle(())
        self.work.look()
        program = cp_model.CpModel()
        slots = self._build(program)
        total = sum(self.score.parts) if self.score.parts else 0
        program.maximize(total)
        self.work.count("slots", len(slots))
        self.bound = self.score.roof
        while True:
            solver = self._solve(program, slots)
            if solver is None:
                self.bound = self.value if self.best is not None else 0
                return
            self.bound = min(self.bound, round(solver.objective_value))
            self._settle(self._read(solver.value, slots))
            if self.best is not None and self.value >= self.bound:
                self.bound = self.value
                return
            self.work.count("cuts")
            self._cut_off(program, slots, solver.value)
            if self.best is not None:
                program.add(total >= self.value + 1)

    def _build(self, program: cp_model.CpModel) -> list[Slot]:
        slots = _slots(program, self.problem, self.fixed)
        for slot in slots:
            add_path(program, self.problem, slot)
        add_together(program, self.problem, slots)
        chained: dict[tuple[int, str], Literal] = {}
        for term in self.problem.terms:
            if isinstance(term, AreaBonus) and slots:
                add_areas(program, term, slots, self.score)
            elif isinstance(term, ChainBonus):
                linked = [slot for slot in slots if slot.train.kind in term.trains]
                chained |= add_chains(program, self.problem, term, linked, self.score)
        add_money(program, self.problem, slots, self.score, chained)
        return slots

    def _solve(self, program: cp_model.CpModel, slots: Sequence[Slot]) -> cp_model.CpSolver | None:
        """Return the solver with an optimum of the model, ``None`` if nothing is left that is better."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.relative_gap_limit = 0.0
        solver.parameters.absolute_gap_limit = 0.0
        solver.parameters.linearization_level = 1
        watch = _watch(self, solver, slots)
        solver.best_bound_callback = watch.bound_moved
        left = self.work.seconds_left()
        if left is not None:
            solver.parameters.max_time_in_seconds = max(0.01, left)
        status = solver.solve(program, watch)
        self.work.count("branches", int(solver.num_branches))
        self.work.count("solves")
        if status == cp_model.INFEASIBLE:
            return None
        if status == cp_model.OPTIMAL and not watch.stopped:
            return solver
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
            if watch.last is not None:
                self._settle(watch.last)
            assert self.bound is not None
            self.bound = max(self.value, min(self.bound, watch.bound))
            self.work.look()
            raise Interrupted("CP-SAT stopped early")
        raise InternalError(f"CP-SAT says {solver.status_name(status)}: {program.validate()}")

    def _read(self, value: Callable[[Any], Any], slots: Sequence[Slot]) -> tuple[Route, ...]:
        """Return the routes of a solution, in the order of the slots."""
        found = []
        for slot in slots:
            if slot.fixed is not None or not value(slot.active):
                continue
            nodes, segments = read_path(value, slot)
            if not slot.directed:
                nodes, segments = min((nodes, segments), (nodes[::-1], segments[::-1]))
            found.append(Route(slot.name, nodes, segments))
        return tuple(found)

    def _settle(self, routes: tuple[Route, ...]) -> None:
        """Let the referee pay the routes, and keep them if they are the best so far."""
        listed = [*self.fixed, *routes]
        weight = 1 if self.objective == "total" else self.factor
        priced, _ = best_listing(self.problem, listed, fixed=len(self.fixed), weight=weight)
        self.work.count("settled")
        if priced is None:
            return
        value = self.factor * priced.revenue + priced.subsidy
        if value > self.value:
            self.value, self.best = value, priced

    def _cut_off(self, program: cp_model.CpModel, slots: Sequence[Slot], value: Callable[[Any], Any]) -> None:
        """Forbid the very routes of a solution."""
        differs: list[Any] = []
        for slot in slots:
            if slot.fixed is not None:
                continue
            if not value(slot.active):
                differs.append(slot.active)
                continue
            ways = (*slot.start.values(), *slot.end.values(), *slot.forth.values(), *slot.back.values())
            differs += [~literal for literal in ways if value(literal)]
        program.add_bool_or(differs)

    def solution(self, why: str) -> Solution:
        """Return the answer."""
        stats = {"expansions": self.work.expansions, **self.work.counters}
        bound = self.bound if self.bound is not None else self._roof()
        bound //= self.factor
        if self.best is None:
            if why:
                return Solution(Status.UNKNOWN, 0, 0, bound, (), stats=stats, why=why)
            faults = check(self.problem, self.fixed).violations
            told = "; ".join(f"{fault.code}: {fault.why}" for fault in faults) or "no legal run"
            return Solution(Status.INFEASIBLE, 0, 0, 0, (), stats=stats, why=told)
        reached = self.best.revenue + (self.best.subsidy if self.objective == "total" else 0)
        if reached > bound or (not why and reached != bound):
            raise InternalError(f"the network model promised {bound}, the referee pays {reached}")
        return Solution(
            status=Status.FEASIBLE if why else Status.OPTIMAL,
            revenue=self.best.revenue,
            subsidy=self.best.subsidy,
            bound=bound,
            routes=self.best.routes,
            stats=stats,
            why=why,
        )

    def _roof(self) -> int:
        """Return the bound of a model that was built but not solved."""
        from ortools.sat.python import cp_model

        self._build(cp_model.CpModel())
        return self.score.roof


def _watch(search: _NetworkSearch, solver: Any, slots: Sequence[Slot]) -> Any:
    """Return a callback that keeps the last solution and the bound, and asks whether to stop."""
    from ortools.sat.python import cp_model

    class Watch(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.last: tuple[Route, ...] | None = None
            self.bound = search.score.roof
            self.stopped = False

        def on_solution_callback(self) -> None:
            self.last = search._read(self.value, slots)
            self.bound = min(self.bound, int(self.best_objective_bound + 1e-6))
            self._look()

        def bound_moved(self, bound: float) -> None:
            self.bound = min(self.bound, int(bound + 1e-6))
            self._look()

        def _look(self) -> None:
            if search.work.stop.reached(search.work.expansions):
                self.stopped = True
                solver.stop_search()

    return Watch()


def _slots(program: cp_model.CpModel, problem: RouteProblem, fixed: Sequence[Route]) -> list[Slot]:
    """Return a slot for every route that may run, those that are given first."""
    slots: list[Slot] = []
    left = list(fixed)
    for train in problem.trains:
        given = [route for route in left if route.train in (train.id, *train.route_ids)]
        count = _most_routes(problem, train) if train.routes is None else train.routes
        free = max(0, count - len(given))
        taken = {route.train for route in given}
        spare = replace(train, route_ids=tuple(name for name in train.route_ids if name not in taken))
        names = [route.train for route in given] + route_names(spare, free)
        alike = (
            train.id if train.routes_touch else "",
            replace(train, id="", routes=None, route_ids=()),
        )
        for i, name in enumerate(names):
            route = given[i] if i < len(given) else None
            active = program.new_bool_var("")
            slot = Slot(len(slots), train, name, alike, route, False, active)
            slot.nodes = list(problem.nodes)
            slot.directed = route is not None or shadowed(slot)
            slots.append(slot)
    return slots


def _most_routes(problem: RouteProblem, train: Train) -> int:
    """Return how many routes can run at most where each needs track of its own.

    Every route uses track at a token, if it needs one, and at each of its ends.
    """
    allowed = {node.id for node in problem.nodes if train.stops is None or node.id in train.stops}
    segments = [s for s in problem.segments if s.a in allowed and s.b in allowed]
    places = [allowed if train.ends is None else allowed & train.ends]
    if train.needs_token:
        places.append({node.id for node in problem.nodes if node.token})
    most = []
    for nodes in places:
        near = [s for s in segments if s.a in nodes or s.b in nodes]
        pieces = {piece for s in near for piece in s.track}
        most.append(min(len(near), len(pieces)))
    return max(0, min(most))


__all__ = ["solve_network"]
