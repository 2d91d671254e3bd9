"""Trains, routes and revenue of 1861 as data (rules, section 7)."""

from __future__ import annotations

from engine.compile import Case, RouteRules
from engine.games.g1861.meta import Constants1861
from router.problem import Limit, StopBonus, Term, Train, kinds

_FULL = kinds("city", "offboard")
_ALL = kinds("city", "town", "offboard")


def rules(case: Case) -> RouteRules:
    """Return the trains and the money beside the stops."""
    trains = tuple(_train(case, owned.id, owned.name) for owned in case.position.trains)
    return RouteRules(trains=trains, terms=(*_capital_bonus(case), *_private_bonuses(case)))


def _train(case: Case, train_id: str, name: str) -> Train:
    """Return a train.

    Trains N and 2+2 visit any number of towns, which fill the places that cities leave (R7.10, R7.11). The
    train 5+5E visits any number of cities and towns; five stops pay, off-board areas first, one with a token
    (R7.12).
    """
    facts = case.facts.trains[name]
    places = int(name.partition("+")[0].rstrip("E"))
    any_cities = name.endswith("E")
    first = kinds("offboard") if any_cities else _FULL
    return Train(
        train_id,
        name,
        visit=(Limit(first, places),),
        pay=(Limit(_ALL, places),),
        paying=_ALL,
        must_pay=first,
        token_pays=any_cities,
        multiplier=facts.multiplier,
        hex_visits="once",
    )


def _capital_bonus(case: Case) -> tuple[Term, ...]:
    """Return the bonus for Moscow and Ekaterinburg on one route (R7.15)."""
    constants = case.facts.typed(Constants1861)
    capitals, far = case.nodes_in(*constants.bonus_capitals), case.nodes_in(constants.bonus_revenue)
    if not capitals or not far:
        return ()
    double = {
        name: constants.double_bonus for name, train in case.facts.trains.items() if train.multiplier > 1
    }
    name = f"{constants.bonus_capitals[0]}-{constants.bonus_revenue}"
    return (StopBonus(name, constants.bonus, (capitals, far), double),)


def _private_bonuses(case: Case) -> tuple[Term, ...]:
    """Return the bonuses of the company's privates, each for each of its hexes (R7.16)."""
    return tuple(
        StopBonus(bonus.source, bonus.amount, (nodes,))
        for bonus in case.position.hex_bonuses
        for hex_id in bonus.hexes
        if (nodes := case.nodes_in(hex_id))
    )
