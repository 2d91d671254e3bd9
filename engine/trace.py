"""The state of a game in words of the trace format, for comparison.

A trace names every value that can be seen on the table; one that is 0, empty or unknown is left out where
most are. Its first line is the state after set-up, each further line what an action changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.companies import Company
from engine.core.owners import Player
from engine.core.tokens import Spot
from engine.game import Entity, Game


def trace_state(game: Game) -> dict[str, Any]:
    """Return every value of the present state by its key."""
    found: dict[str, Any] = {
        "round": game.round.name,
        "phase": game.phase.name,
        "active": sorted(player.key for player in game.deciders),
        "entity": _key(game.acting),
        "can": list(game.action_types()),
        "finished": game.finished,
        "depot/upcoming": [list(kind) for kind in game.depot.kinds_left(2)],
    }
    if not game.bank.unlimited:
        found["bank"] = game.bank.cash
    priority = game.rules.trace_priority(game)
    if priority is not None:
        found["priority"] = priority.key
    for player in game.all_players:
        found.update(_player(game, player))
    for company in (*game.open_companies, *game.rules.special_companies(game)):
        found.update(_company(game, company))
    for marker in game.facts.markers.values():
        found[f"corp/{marker.sym}/tokens_left"] = len(marker.token_prices)
    for private in game.privates.values():
        if private.owner is not None and not private.closed:
            found[f"company/{private.sym}/owner"] = private.owner.key
        if private.closed:
            found[f"company/{private.sym}/closed"] = True
    if game.depot.discarded:
        found["depot/discarded"] = [train.name for train in game.depot.discarded]
    for hex_id, laid in game.map.laid.items():
        found[f"tile/{hex_id}"] = [laid.tile, laid.rotation]
    found.update(game.rules.trace_more(game))
    return {key: value for key, value in found.items() if value is not None}


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return what changed; a key that has vanished has the value ``None``."""
    found = {key: value for key, value in new.items() if key not in old or old[key] != value}
    found.update({key: None for key in old if key not in new})
    return found


def _key(entity: Entity | None) -> str | None:
    if entity is None:
        return None
    return entity.key if isinstance(entity, Player | Company) else entity.sym


def _part(game: Game, spot: Spot) -> int:
    return game.map.tile(spot.hex).cities[spot.city].part


def _player(game: Game, player: Player) -> dict[str, Any]:
    name = f"player/{player.key}"
    owned = (item.sym for item in game.privates.values() if item.owner is player and not item.closed)
    found: dict[str, Any] = {
        f"{name}/cash": player.cash,
        f"{name}/value": game.rules.value_of(game, player),
        f"{name}/companies": sorted(owned),
    }
    if player.bankrupt:
        found[f"{name}/bankrupt"] = True
    return found


def _company(game: Game, company: Company) -> dict[str, Any]:
    tokens = [token.spot for token in company.placed_tokens]
    found: dict[str, Any] = {
        "ipoed": company.started,
        "floated": company.floated,
        "cash": company.cash,
        "trains": [train.name for train in company.trains],
        "tokens": sorted(f"{spot.hex}:{_part(game, spot)}" for spot in tokens if spot is not None),
        "loans": len(company.loans),
        "companies": sorted(private.sym for private in company.privates if not private.closed),
        "receivership": company.president is game.pool,
    }
    found = {key: value for key, value in found.items() if value}
    if company.started:
        found["shares"] = {
            "ipo" if holder is company else holder.key: company.percent_of(holder)
            for holder in company.holdings
            if holder is not game.bank
        }
        found["president"] = None if company.president is None else company.president.key
    if company.place is not None:
        found["price"] = [company.price, f"{company.place.row},{company.place.column}"]
        found["par"] = game.rules.trace_par(game, company)
    found["tokens_left"] = sum(token.spot is None for token in company.tokens)
    return {f"corp/{company.sym}/{key}": value for key, value in found.items()}
