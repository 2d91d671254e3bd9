"""Actions that differ a little from recorded ones, and a picture of the whole state to compare."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.actions import Action
from engine.core.journal import State
from engine.core.tokens import Spot
from engine.game import Game

UNOBSERVED = {"_journal", "cache", "marks", "leniencies"}


def picture(game: Game) -> dict[int, Any]:
    """Return every value of every piece of state; pieces are numbered as they are met."""
    numbers: dict[int, int] = {}
    found: dict[int, Any] = {}
    kept: list[State] = []

    def value(item: Any) -> Any:
        if isinstance(item, State):
            if id(item) not in numbers:
                numbers[id(item)] = len(numbers)
                kept.append(item)
            return ("state", numbers[id(item)])
        if isinstance(item, dict):
            return [(value(key), value(entry)) for key, entry in item.items()]
        if isinstance(item, tuple | list):
            return [value(entry) for entry in item]
        if isinstance(item, frozenset | set):
            return sorted(repr(value(entry)) for entry in item)
        if hasattr(item, "slots") and hasattr(item, "reserved"):
            return [value(item.slots), value(item.reserved), value(item.extra)]
        return item

    value(game)
    place = 0
    while place < len(kept):
        item = kept[place]
        found[place] = {name: value(entry) for name, entry in item.__dict__.items() if name not in UNOBSERVED}
        place += 1
    return found


def mutants(game: Game, action: Action, dice: random.Random) -> Iterator[tuple[str, Action]]:
    """Yield changed forms of an action with what was changed."""
    plain = {"type": action.type, "entity": action.entity, "entity_type": action.entity_type, **action.fields}

    def form(what: str, **changes: Any) -> tuple[str, Action]:
        fields = {name: item for name, item in {**plain, **changes}.items() if item is not None}
        return what, Action.from_json(fields)

    def other(items: Any, but: Any) -> Any:
        return dice.choice([item for item in items if item != but] or [but])

    players = [player.id for player in game.all_players]
    companies = list(game.companies)
    if action.entity_type == "player":
        yield form("another player's turn", entity=other(players, action.entity))
        yield form("a company for a player", entity=dice.choice(companies), entity_type="corporation")
    else:
        yield form("another company's turn", entity=other(companies, action.entity))
        yield form("a player for a company", entity=dice.choice(players), entity_type="player")
    yield form("nobody", entity="nobody")
    yield form("another type", type=other(TYPES, action.type))
    yield form("an unknown type", type="dance")
    for name in action.fields:
        yield form(f"no {name}", **{name: None})
        yield form(f"{name} of the wrong kind", **{name: {"a": 1}})
    yield from _values(game, action, form, other, dice)


def _values(game: Game, action: Action, form: Any, other: Any, dice: random.Random) -> Iterator[Any]:
    fields = action.fields
    if "price" in fields:
        for step in (-1, 1, 5, 1000):
            yield form("price", price=fields["price"] + step)
        yield form("price", price=-fields["price"])
    if "hex" in fields:
        yield form("hex", hex=other(list(game.facts.map.hexes), fields["hex"]))
        yield form("hex of no map", hex="ZZ99")
        yield form("rotation", rotation=(fields["rotation"] + dice.randint(1, 5)) % 6)
        yield form("rotation 7", rotation=7)
        name, _, number = fields["tile"].rpartition("-")
        yield form("another tile", tile=f"{other(list(game.facts.tiles), name)}-0")
        yield form("exhausted tile", tile=f"{name}-{int(number) + 50}")
    if "shares" in fields:
        sym, _, number = fields["shares"][0].rpartition("_")
        yield form("share twice", shares=[*fields["shares"], fields["shares"][0]])
        yield form("share of another company", shares=[f"{other(list(game.companies), sym)}_{number}"])
        yield form("another share", shares=[f"{sym}_{dice.randint(0, 8)}"])
        yield form("two shares", shares=[f"{sym}_1", f"{sym}_2"], percent=20)
        yield form("no such share", shares=[f"{sym}_99"])
        yield form("percent", percent=fields.get("percent", 10) + 10)
        yield form("special price", share_price=1)
    if "share_price" in fields and action.type == "par":
        yield form("cell", share_price=dice.choice(list(game.market)).id)
        yield form("no cell", share_price="61,0,5")
        yield form("no cell", share_price="a,b")
    if "corporation" in fields:
        yield form("another company", corporation=other(list(game.companies), fields["corporation"]))
    if "train" in fields:
        yield form("another train", train=dice.choice(list(game.depot.trains)))
        yield form("no train", train="9X-9")
    if "city" in fields:
        yield form("another city", city=dice.choice(["G10-0-0", "F13-0-1", "57-9-0", "L5-0-1", "x"]))
        cities = [Spot(hex_id, n) for hex_id, cities in game.map.cities.items() for n in range(len(cities))]
        yield form("a city of the map", city=game.map.city_id(dice.choice(cities)))
    if action.type == "remove_token":
        yield form("slot", slot=fields["slot"] + dice.randint(1, 3))
    if "company" in fields:
        yield form("another private", company=other(list(game.privates), fields["company"]))
        yield form("no private", company="XXX")
    if "choice" in fields:
        yield form("choice", choice="something else")
    if "kind" in fields:
        yield form("kind", kind="everything")
    if fields.get("routes"):
        yield from _runs(fields["routes"], form)


def _runs(routes: list[dict[str, Any]], form: Any) -> Iterator[Any]:
    first = routes[0]
    yield form("train twice", routes=[*routes, first])
    yield form("unknown train", routes=[{**first, "train": "9X-9"}])
    yield form("no track", routes=[{**first, "connections": [["A2", "L5"]]}])
    yield form("empty connections", routes=[{**first, "connections": []}])
    yield form("text for a route", routes=["A2-L5"])
    yield form(
        "there and back", routes=[{**first, "connections": [*first["connections"], *first["connections"]]}]
    )


TYPES = (
    "pass",
    "par",
    "bid",
    "buy_shares",
    "sell_shares",
    "lay_tile",
    "place_token",
    "run_routes",
    "dividend",
    "buy_train",
    "discard_train",
    "merge",
    "convert",
    "remove_token",
    "bankrupt",
    "choose",
    "buy_company",
    "undo",
    "redo",
)
