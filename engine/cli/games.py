"""What ``replay`` and ``play`` do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from engine.actions import Action
from engine.bots import BotName, play
from engine.cli.answering import BAD, FINDINGS, OK
from engine.cli.commands import CannotRead
from engine.cli.gamefiles import check_place, read_record, read_trace, write_lines
from engine.cli.output import complain, dumps, write
from engine.cli.standings import findings, print_standings
from engine.game import Game
from engine.outcome import outcome
from engine.record import Record
from engine.refusal import IllegalAction, UnreadableRecord
from engine.registry import UnknownGame
from engine.replay import begin, trace_lines, verify
from router.errors import TrunklineError


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay.

    Attributes
    ----------
    done
        The actions that were carried out.
    refused
        The action that was not, and why.
    """

    game: Game
    done: tuple[Action, ...]
    refused: tuple[Action, IllegalAction] | None


def replay_game(file: str, trace: str | None, to: int | None, against: str | None, as_json: bool) -> int:
    """Replay a recorded game and return the exit code.

    Parameters
    ----------
    trace
        Where to write the trace.
    to
        Id of the last action to carry out.
    against
        The trace to compare with.
    """
    try:
        if file == against == "-":
            raise CannotRead("standard input cannot be both the game and the trace")
        record = read_record(file)
        expected = None if against is None else read_trace(against)
        if trace is not None:
            check_place(trace)
        wanted = _wanted(record, to, file)
        replayed = _replay(record, wanted)
        document = _document(record, replayed, whole=to is None)
        played = replace(record, log=replayed.done)
        if trace is not None:
            write_lines(trace, (_compact(line) for line in trace_lines(played)))
        if expected is not None:
            whole = to is None and replayed.refused is None
            lines = expected if whole else islice(expected, len(replayed.done) + 1)
            document["verification"] = _verification(played, lines)
    except CannotRead as error:
        complain(str(error))
        return BAD
    except UnknownGame as error:
        complain(f"{_source(file)}: {error.args[0]}")
        return BAD
    except (UnreadableRecord, TrunklineError) as error:
        complain(f"{_source(file)}: {error}")
        return BAD
    return _report(document, as_json, silent=trace == "-")


def play_game(
    game: str,
    *,
    players: int,
    options: Sequence[str],
    seed: int,
    bot: BotName,
    out: str | None,
    as_json: bool,
) -> int:
    """Let a bot play a whole game and return the exit code.

    Parameters
    ----------
    options
        Optional rules of the game.
    out
        Where to write the record.
    """
    if out is not None:
        check_place(out)
    try:
        Game.new(game, players, options, seed)
    except UnknownGame as error:
        complain(str(error.args[0]))
        return BAD
    except ValueError as error:
        complain(str(error))
        return BAD
    table = play(game, players, options, seed, bot=bot)
    if out is not None:
        write_lines(out, [dumps(table.record().to_json())])
    document = outcome(table).to_json()
    code = _report(document, as_json, silent=out == "-")
    return code if table.finished else FINDINGS


def _wanted(record: Record, to: int | None, file: str) -> tuple[Action, ...]:
    """Return the actions to carry out."""
    actions = record.actions()
    if to is None:
        return actions
    if to == 0:
        return ()
    for number, action in enumerate(actions, 1):
        if action.id == to:
            return actions[:number]
    undone = any(action.id == to for action in record.log)
    known = [action.id for action in actions if action.id is not None]
    why = "was undone" if undone else "is not in the record"
    last = f"; the last one that was not undone is {max(known)}" if known else ""
    raise CannotRead(f"{_source(file)}: action {to} {why}{last}")


def _replay(record: Record, actions: Sequence[Action]) -> Replayed:
    """Carry out actions until one is refused; every run is judged and priced."""
    game = begin(record, judging=True)
    for number, action in enumerate(actions):
        try:
            game.apply(action)
        except IllegalAction as error:
            return Replayed(game, tuple(actions[:number]), (action, error))
    return Replayed(game, tuple(actions), None)


def _document(record: Record, replayed: Replayed, *, whole: bool) -> dict[str, Any]:
    game = replayed.game
    found = outcome(game, record.result).to_json()
    found["recordedReason"] = record.end_reason
    told = bool(record.result) or record.end_reason is not None
    differences: list[dict[str, Any]] = []
    if game.finished:
        differences += _differences(record, game)
    elif whole and told and record.other.get("status") == "finished" and replayed.refused is None:
        differences.append({"key": "finished", "expected": True, "got": False})
    found["differences"] = differences
    found["asRecorded"] = not differences if game.finished and told else None
    found["runs"] = sum(action.type == "run_routes" for action in replayed.done)
    if replayed.refused is not None:
        action, error = replayed.refused
        found["refused"] = {
            "action": action.id,
            "type": action.type,
            "rule": error.rule,
            "entity": error.entity,
            "why": str(error),
        }
    return found


def _differences(record: Record, game: Game) -> list[dict[str, Any]]:
    """Return where the end of a game is not the one of its record."""
    found = []
    scores: dict[str, Any] = dict(game.scores())
    if record.result:
        for key in sorted(scores.keys() | record.result.keys()):
            expected, got = record.result.get(key), scores.get(key)
            if expected != got:
                found.append({"key": f"score of player {key}", "expected": expected, "got": got})
    if record.end_reason is not None and record.end_reason != game.ending.reason:
        found.append({"key": "reason", "expected": record.end_reason, "got": game.ending.reason})
    return found


def _verification(record: Record, lines: Any) -> dict[str, Any]:
    found = verify(record, lines)
    told = found.divergence
    return {
        "actions": found.actions,
        "values": found.values,
        "divergence": told
        and {"action": told.action, "key": told.key, "expected": told.expected, "got": told.got},
    }


def _report(document: dict[str, Any], as_json: bool, *, silent: bool) -> int:
    """Print what came of a game, and return the exit code; silently if something else is printed."""
    found = findings(document)
    if silent:
        for text in found:
            complain(text)
    elif as_json:
        write(dumps(document) + "\n")
    else:
        print_standings(document)
    return FINDINGS if found else OK


def _compact(value: object) -> str:
    import json

    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _source(file: str) -> str:
    return "standard input" if file == "-" else file
