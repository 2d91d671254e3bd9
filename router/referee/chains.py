"""Routes linked end to end: which belong together, where a chain ends, what its length brings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from router.problem import ChainBonus, RouteProblem
from router.referee.book import Run
from router.solution import Code, Violation


class Chain:
    """Routes linked end to end.

    Attributes
    ----------
    runs
        The routes, the one that the chain was begun with first.
    ends
        The nodes at which the chain ends: two, or one twice for a closed loop.
    """

    __slots__ = ("ends", "runs")

    def __init__(self, runs: list[Run], ends: tuple[str, ...]) -> None:
        self.runs = runs
        self.ends = ends


def find_chains(term: ChainBonus, runs: Sequence[Run]) -> list[Chain]:
    """Return the chains that ``runs`` form, in the order in which they are begun.

    A chain is begun with the first route of a dependent kind, later with the first one left. It grows from
    the first, then from the last end of that route, by routes that end there. Of several, each is tried: the
    first that leads to a route of a dependent kind is taken, else the one that leads to most routes.
    """
    left = [run for run in runs if run.train is not None and run.train.kind in term.trains]
    chains: list[Chain] = []
    while left:
        seed = left[0]
        if not chains:
            seed = next((run for run in left if _dependent(term, run)), seed)
        left.remove(seed)
        linked = [seed]
        for end in seed.ends:
            grown = _grow(term, end, left)
            linked += grown
            left = [run for run in left if run not in grown]
        chains.append(Chain(linked, _outer_ends(linked)))
    return chains


def _dependent(term: ChainBonus, run: Run) -> bool:
    return run.runner.kind in term.dependent


def _grow(
    term: ChainBonus,
    node: str,
    left: Sequence[Run],
    known: dict[tuple[str, tuple[int, ...]], list[Run]] | None = None,
) -> list[Run]:
    """Return the routes that continue a chain from ``node``, in order."""
    known = {} if known is None else known
    key = (node, tuple([run.index for run in left]))
    if key in known:
        return known[key]
    best: list[Run] = []
    nearest = [run for run in left if node in run.ends]
    for run in nearest:
        others = [other for other in left if other is not run]
        branch = [run, *_grow(term, _far_end(run, node), others, known)]
        if len(nearest) > 1 and any(_dependent(term, other) for other in branch):
            best = branch
            break
        if len(branch) > len(best):
            best = branch
    known[key] = best
    return best


def _far_end(run: Run, node: str) -> str:
    first, last = run.ends
    return last if node == first else first


def _outer_ends(linked: Sequence[Run]) -> tuple[str, ...]:
    """Return the nodes that are an end of exactly one route; the first node twice if there is none."""
    times: dict[str, int] = {}
    for run in linked:
        for end in run.ends:
            times[end] = times.get(end, 0) + 1
    ends = tuple(end for end, number in times.items() if number == 1)
    return ends or (linked[0].ids[0],) * 2


def chain_violations(term: ChainBonus, chains: Sequence[Chain]) -> list[Violation]:
    """Return what is wrong with the way in which routes are linked."""
    found = []
    for chain in chains:
        if len(chain.ends) != 2:
            why = f"{_listed(chain.runs)} form a loop with a tail at {chain.ends[0]}, which is no chain"
            found.append(Violation(Code.CHAIN, None, why))
    tied = [chain for chain in chains if any(_dependent(term, run) for run in chain.runs)]
    if len(tied) > 1:
        apart = " apart from ".join(_listed(run for run in c.runs if _dependent(term, run)) for c in tied)
        kinds = "/".join(sorted(term.dependent))
        found.append(Violation(Code.CHAIN, None, f"trains of kinds {kinds} belong to one chain, not {apart}"))
    for chain in tied:
        if len(chains) > 1 and all(_dependent(term, run) for run in chain.runs):
            why = f"the chain of {_listed(chain.runs)} holds no independent train although one runs"
            found.append(Violation(Code.CHAIN, None, why))
    return found


def _listed(runs: Iterable[Run]) -> str:
    return ", ".join(f"routes[{run.index}]" for run in runs)


def chain_length(problem: RouteProblem, term: ChainBonus, chain: Chain) -> tuple[int, str]:
    """Return the hexes strictly between the ends of ``chain``, and how they were measured, in words."""
    hexes, replaced = [], 0
    for node in chain.ends:
        hex_, moved = _measured_from(problem, term, chain, node)
        hexes.append(problem.hex_by_id[hex_])
        replaced += moved
    first, last = hexes
    between = first.distance(last) - 1
    length = max(0, between + replaced)
    return length, f"{length} hexes between {chain.ends[0]} ({first.id}) and {chain.ends[1]} ({last.id})"


def _measured_from(problem: RouteProblem, term: ChainBonus, chain: Chain, node: str) -> tuple[str, bool]:
    """Return the hex from which an end is measured, and whether it stands for the end's own hex."""
    own = problem.node_by_id[node]
    if own.kind in term.from_last_hex:
        run = next(run for run in chain.runs if node in run.ends)
        segment = run.segments[0] if node == run.ids[0] else run.segments[-1]
        if len(segment.hexes) > 1:
            return segment.hexes[1] if segment.a == node else segment.hexes[-2], True
    return own.hex, False
