"""18 New England: the worked example of the rules (section 14), set-up, and single rules."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Action
from engine.choices import Choice
from engine.game import Game
from engine.games.g18newengland.state import minors
from engine.record import Seat
from engine.refusal import IllegalAction
from engine.rules import find_rules


def start(seed: int = 73885, players: int = 4) -> Game:
    return Game.new("18NewEngland", players, seed=seed)


def do(game: Game, kind: str, entity: int | str, **fields: Any) -> None:
    game.apply(Action(kind, entity, "player" if isinstance(entity, int) else "corporation", fields))


def passes(game: Game, *players: int) -> None:
    for player in players:
        do(game, "pass", player)


def cash(game: Game) -> list[int]:
    return [player.cash for player in game.all_players]


@pytest.mark.parametrize(
    ("seed", "drawn"),
    [
        (73885, "CV ER BL CR HRR PE NYNH NYW HNH WNR"),
        (23907952, "GR FRR CV NYNH HNH WNR ER AWS BP NLN"),
        (12345, "CR NYNH HNH NYW BL GR HRR ER CV FRR"),
    ],
)
def test_the_starting_minors(seed: int, drawn: str) -> None:
    """R2.4."""
    assert {minor.sym for minor in minors(start(seed)).starting} == set(drawn.split())


def test_the_seed_of_a_record_wins_over_its_id() -> None:
    rules, seats = find_rules("18NewEngland"), [Seat(n, str(n)) for n in range(4)]
    game = Game(rules, seats, start_number=23907952)
    assert "GR" in {minor.sym for minor in minors(game).starting}


def draft() -> Game:
    """Play the first stock round of the example."""
    game = start()
    do(game, "par", 1, corporation="CR", share_price="50,1,3")
    assert (cash(game)[0], game.companies["CR"].started) == (280, False)
    passes(game, 2, 3, 4, 4, 3, 2)
    do(game, "par", 1, corporation="CR", share_price="60,0,5")
    assert (cash(game)[0], game.companies["CR"].cash) == (160, 120)
    assert game.acting is game.player(1)
    do(game, "par", 1, corporation="PE", share_price="50,1,3")
    passes(game, 2, 3, 4, 4, 3, 2)
    do(game, "par", 1, corporation="PE", share_price="50,0,3")
    assert (cash(game)[0], game.companies["PE"].cash) == (60, 100)
    passes(game, 2, 3, 4)
    return game


def test_the_draft_of_the_example() -> None:
    game = draft()
    assert [player.id for player in game.players] == [2, 3, 4, 1]
    assert game.round.name == "OR 1 1"
    minor, second = game.companies["CR"], game.companies["PE"]
    assert [train.id for train in (*minor.trains, *second.trains)] == ["2-0", "2-1"]
    assert (minor.cash, second.cash, game.bank.cash) == (20, 0, 11_080)
    assert [company.tokens[0].spot for company in (minor, second)] == [("G8", 1), ("B11", 0)]


def test_the_operating_rounds_of_the_example() -> None:
    game = draft()
    route = [{"train": "2-0", "connections": [["G8", "G6"]]}]
    do(game, "lay_tile", "CR", hex="G6", tile="4-0", rotation=0)
    assert game.companies["CR"].cash == 20
    do(game, "run_routes", "CR", routes=route)
    assert (cash(game)[0], game.companies["CR"].cash) == (75, 35)
    do(game, "pass", "CR")
    do(game, "pass", "PE")
    assert game.round.name == "OR 1 2"
    do(game, "pass", "CR")
    do(game, "run_routes", "CR", routes=route)
    do(game, "pass", "CR")
    do(game, "pass", "PE")
    assert (cash(game)[0], game.companies["CR"].cash) == (90, 50)
    assert (game.round.name, game.acting) == ("SR 2 1", game.player(2))
    passes(game, 2, 3, 4)
    assert game.round.name == "OR 2 1"


def test_the_conversion_of_the_example() -> None:
    """Step 13a, in phase 3."""
    game = draft()
    game.phases.advance("3")
    do(game, "pass", "CR")
    do(game, "pass", "CR")
    do(game, "pass", "PE")
    assert game.round.name == "MR 1 1"
    game.player(1).cash = 90  # type: ignore[union-attr]
    game.companies["CR"].cash = 50
    do(game, "convert", "CR")
    with pytest.raises(IllegalAction):
        do(game, "pass", "CR")
    do(game, "merge", "CR", corporation="NYC")
    major = game.companies["NYC"]
    assert cash(game)[0] == 10
    assert (major.cash, major.price, major.par, major.percent_of(player_one(game))) == (130, 100, 100, 20)
    assert [train.id for train in major.trains] == ["2-0"]
    assert [(token.price, token.spot) for token in major.tokens] == [(40, ("G8", 1)), (40, None), (80, None)]
    assert game.companies["CR"].closed
    assert game.scores()["1"] == 10 + 200 + 100


def player_one(game: Game) -> Any:
    return game.player(1)


def refused(game: Game, rule: str, kind: str, entity: int | str, **fields: Any) -> None:
    with pytest.raises(IllegalAction) as caught:
        do(game, kind, entity, **fields)
    assert caught.value.rule == rule, caught.value


def test_what_the_draft_forbids() -> None:
    game = start()
    refused(game, "00-common R9.2", "par", 2, corporation="CR", share_price="50,1,3")
    refused(game, "18NewEngland R2.5", "par", 1, corporation="GR", share_price="50,1,3")
    refused(game, "18NewEngland R4.2.5", "par", 1, corporation="NYC", share_price="100,2,10")
    refused(game, "00-common R9.2", "buy_shares", 1, shares=["NYC_1"], percent=10)
    do(game, "par", 1, corporation="CR", share_price="50,1,3")
    refused(game, "18NewEngland R4.1.2", "par", 2, corporation="CR", share_price="50,1,3")
    passes(game, 2, 3, 4, 4, 3, 2)
    refused(game, "00-common R2.8", "par", 1, corporation="CR", share_price="61,0,5")
    refused(game, "18NewEngland R1.8", "par", 1, corporation="CR", share_price="80,0,8")
    refused(game, "18NewEngland R1.8", "par", 1, corporation="CR", share_price="100,2,10")


def test_who_passes_with_a_reservation_loses_it() -> None:
    """R4.1.6."""
    game = start()
    do(game, "par", 1, corporation="CR", share_price="50,1,3")
    passes(game, 2, 3, 4, 4, 3, 2)
    passes(game, 1)
    assert game.round.name == "OR 1 1" or game.player(1) in minors(game).relinquished


def test_what_the_first_operating_round_forbids() -> None:
    game = draft()
    refused(game, "00-common R9.2", "pass", "PE")
    refused(game, "00-common R5.20", "lay_tile", "CR", hex="A6", tile="9-0", rotation=0)
    refused(game, "00-common R5.5", "lay_tile", "CR", hex="G6", tile="87-0", rotation=0)
    refused(game, "00-common R5.8", "lay_tile", "CR", hex="G6", tile="9-0", rotation=0)
    refused(game, "00-common R5.4", "lay_tile", "CR", hex="G6", tile="4-9", rotation=0)
    refused(game, "00-common R4.4", "lay_tile", "CR", hex="G6", tile="4-0", rotation=6)
    refused(game, "18NewEngland R11.5", "bankrupt", "CR")
    do(game, "lay_tile", "CR", hex="G6", tile="4-0", rotation=0)
    refused(game, "00-common R9.2", "lay_tile", "CR", hex="G4", tile="6-0", rotation=0)
    refused(
        game,
        "18NewEngland R7.2",
        "run_routes",
        "CR",
        routes=[{"train": "2-1", "connections": [["G8", "G6"]]}],
    )
    refused(game, "00-common R7.1", "run_routes", "CR", routes=["G8-G6"])
    do(game, "run_routes", "CR", routes=[])
    refused(game, "00-common R9.44", "buy_train", "CR", train="2-1", price=36)
    refused(game, "00-common R9.43", "buy_train", "CR", train="3-0", price=20)
    do(game, "buy_train", "CR", train="2-1", price=20)
    assert (game.companies["CR"].cash, game.companies["PE"].cash) == (0, 20)


def test_a_minor_that_passes_without_train_closes() -> None:
    """R9.7, R10.4.1."""
    game = draft()
    do(game, "pass", "CR")
    do(game, "buy_train", "CR", train="2-1", price=20)
    do(game, "pass", "PE")
    assert game.action_types() == ("bankrupt", "buy_train", "pass")
    do(game, "pass", "PE")
    minor = game.companies["PE"]
    assert minor.closed
    assert minor.tokens[0].spot is None
    assert game.map.free_slot(game.companies["NYC"], (game.map.city_named("B11-0-0", ""))) == 0
    assert game.acting is game.companies["CR"]


def test_choices_can_be_shown() -> None:
    game = draft()
    shown = [choice.to_json() for choice in game.legal_actions()]
    assert {entry["type"] for entry in shown} == {"pass", "lay_tile"}
    assert all(isinstance(choice, Choice) for choice in game.legal_actions())


def test_undo_takes_one_action_back() -> None:
    game = draft()
    before = (cash(game), game.round.name, len(game.log))
    do(game, "pass", "CR")
    game.undo()
    assert (cash(game), game.round.name, len(game.log)) == before
    assert game.acting is game.companies["CR"]


def test_end_game_ends_at_once() -> None:
    game = draft()
    do(game, "end_game", 2)
    assert game.finished
    assert game.ending.reason == "manually_ended"
    refused(game, "00-common R9.7", "pass", "CR")
    game.apply(Action("message", 1, "player", {"message": "good game"}))


def test_nobody_of_that_name() -> None:
    game = start()
    refused(game, "00-common R1.4", "pass", 9)
    refused(game, "00-common R1.4", "pass", "XYZ")
