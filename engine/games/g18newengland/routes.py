"""Trains, routes and revenue of 18 New England as data (rules, section 7)."""

from __future__ import annotations

from engine.compile import Case, RouteRules
from engine.position import OwnedTrain
from router.problem import Limit, Train, kinds

_FULL = kinds("city", "offboard")
_ALL = kinds("city", "town", "offboard")


def rules(case: Case) -> RouteRules:
    """Return the trains; there is no money beside the stops (R7.14)."""
    express = [train for train in case.position.trains if _is_express(train)]
    runner = min(express, key=_number, default=None)
    return RouteRules(
        trains=tuple(
            _express(train, len(express)) if train is runner else _plain(train)
            for train in case.position.trains
            if train is runner or not _is_express(train)
        ),
        idle={
            train.id: f"train {runner.id} runs for all express trains"
            for train in express
            if runner is not None and train is not runner
        },
    )


def _is_express(train: OwnedTrain) -> bool:
    return train.name.endswith("E")


def _number(train: OwnedTrain) -> int:
    return int(train.name.rstrip("E"))


def _plain(train: OwnedTrain) -> Train:
    """Return a plain train: towns count like cities, everything visited pays (R7.10, R7.12)."""
    return Train(
        train.id,
        train.name,
        visit=(Limit(_ALL, _number(train)),),
        paying=_ALL,
        hex_visits="consecutive",
    )


def _express(train: OwnedTrain, number: int) -> Train:
    """Return the one route of all express trains: the smallest runs, times their number (R7.2).

    Towns are free; those that bring most fill the places that cities leave (R7.13).
    """
    places = _number(train)
    return Train(
        train.id,
        train.name,
        visit=(Limit(_FULL, places),),
        pay=(Limit(_ALL, places),),
        paying=_ALL,
        must_pay=_FULL,
        multiplier=number,
        hex_visits="consecutive",
    )
