"""What a legal set of routes earns: stops, then every other term, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from router.problem import (
    AreaBonus,
    ChainBonus,
    DistanceBonus,
    HexSubsidy,
    LargestTrainBonus,
    StopBonus,
    TrackBonus,
)
from router.referee.areas import area_credits
from router.referee.book import Book, Run
from router.referee.chains import Chain, chain_length
from router.referee.joint import Paid, stops_paid
from router.solution import Bonus, PaidStop, PricedRoute


def price(book: Book, runs: Sequence[Run], chains: Sequence[tuple[ChainBonus, Chain]]) -> list[PricedRoute]:
    """Return ``runs`` with their money, in the order given."""
    fixed = _chain_stops(runs, chains) if chains else {}
    paid = stops_paid(book, runs, fixed)
    bonuses: list[list[Bonus]] = [[] for _ in runs]
    subsidies = [0] * len(runs)
    for term in book.problem.terms:
        if type(term) is StopBonus:
            for i, run in enumerate(runs):
                _stop_bonus(term, run, paid[i], bonuses[i])
        elif type(term) is TrackBonus:
            for i, run in enumerate(runs):
                _track_bonus(term, run, bonuses[i])
        elif type(term) is DistanceBonus:
            for i, run in enumerate(runs):
                _distance_bonus(book, term, run, bonuses[i])
        elif type(term) is AreaBonus:
            for credit in area_credits(term, runs, book.nodes):
                bonuses[credit.leader].append(Bonus(term.name, credit.amount, credit.why))
        elif type(term) is LargestTrainBonus:
            _largest_train_bonus(term, runs, bonuses)
        elif type(term) is HexSubsidy:
            _hex_subsidy(term, runs, subsidies)
        elif type(term) is ChainBonus:
            _chain_bonus(book, term, runs, chains, bonuses)
    priced = []
    for i, run in enumerate(runs):
        ids = run.ids
        money = [PaidStop(ids[place], brings) for place, brings in paid[i]]
        revenue = sum([brings for _, brings in paid[i]]) + sum([bonus.amount for bonus in bonuses[i]])
        priced.append(
            PricedRoute(
                run.route.train,
                ids,
                run.route.segments,
                revenue,
                subsidies[i],
                tuple(money),
                tuple(bonuses[i]),
            )
        )
    return priced


def _chain_stops(runs: Sequence[Run], chains: Sequence[tuple[ChainBonus, Chain]]) -> dict[int, list[int]]:
    """Return the paying stops of the routes in chains: those ends of theirs where the chain ends."""
    where = {id(run): i for i, run in enumerate(runs)}
    fixed = {}
    for _, chain in chains:
        for run in chain.runs:
            last = len(run.ids) - 1
            fixed[where[id(run)]] = [
                place
                for place in (0, last)
                if run.ids[place] in chain.ends and run.nodes[place].kind in run.runner.paying
            ]
    return fixed


def _stop_bonus(term: StopBonus, run: Run, paid: Paid, out: list[Bonus]) -> None:
    amount = term.worth(run.runner.kind)
    if not amount:
        return
    ids = run.ids
    met = []
    for nodes in term.all_of:
        here = next((ids[place] for place, _ in paid if ids[place] in nodes), None)
        if here is None:
            return
        met.append(here)
    out.append(Bonus(term.name, amount, f"stops at {' and '.join(met)}"))


def _track_bonus(term: TrackBonus, run: Run, out: list[Bonus]) -> None:
    if not term.amount:
        return
    for place, segment in enumerate(run.segments):
        if term.mark in segment.marks:
            why = f"uses {term.mark} between {run.ids[place]} and {run.ids[place + 1]}"
            out.append(Bonus(term.name, term.amount, why))
            return


def _distance_bonus(book: Book, term: DistanceBonus, run: Run, out: list[Bonus]) -> None:
    if run.runner.kind not in term.trains:
        return
    outer = [node for node in run.nodes if node.kind in term.between]
    if len(outer) < 2:
        return
    hexes = book.problem.hex_by_id
    distance = hexes[outer[0].hex].distance(hexes[outer[-1].hex])
    if distance * term.per_hex:
        why = f"{distance} hexes between {outer[0].id} and {outer[-1].id}"
        out.append(Bonus(term.name, distance * term.per_hex, why))


def _largest_train_bonus(term: LargestTrainBonus, runs: Sequence[Run], bonuses: list[list[Bonus]]) -> None:
    best, amount = -1, 0
    for i, run in enumerate(runs):
        offered = term.amounts.get(run.runner.kind, 0)
        if offered > amount and not term.nodes.isdisjoint(run.ids):
            best, amount = i, offered
    if best < 0:
        return
    stops = [name for name in runs[best].ids if name in term.nodes]
    kept = [name for name in stops if name not in term.lost_at]
    if kept:
        why = f"largest of the trains that visit {kept[0]}"
        bonuses[best].append(Bonus(term.name, amount, why))


def _hex_subsidy(term: HexSubsidy, runs: Sequence[Run], subsidies: list[int]) -> None:
    covered: set[str] = set()
    for i, run in enumerate(runs):
        if run.runner.kind in term.trains:
            subsidies[i] += term.per_hex * len(run.hexes - covered)
            covered |= run.hexes


def _chain_bonus(
    book: Book,
    term: ChainBonus,
    runs: Sequence[Run],
    chains: Sequence[tuple[ChainBonus, Chain]],
    bonuses: list[list[Bonus]],
) -> None:
    where = {id(run): i for i, run in enumerate(runs)}
    for owner, chain in chains:
        if owner is not term:
            continue
        length, why = chain_length(book.problem, term, chain)
        far = any(end in term.far for end in chain.ends)
        amount = length * (term.far_per_hex if far else term.per_hex)
        if amount:
            bonuses[where[id(chain.runs[0])]].append(Bonus(term.name, amount, why))
