"""What one line of input asks for."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.cli.options import MAX_SECONDS
from engine.encoding import SiteRoute
from engine.position import Position
from engine.reading import Reader, listed, shown
from router.errors import Fault, InvalidInput
from router.problem import RouteProblem
from router.solution import Route

Objective: TypeAlias = Literal["revenue", "total"]
Command: TypeAlias = Literal["solve", "check"]

OBJECTIVES = ("revenue", "total")
MAX_ALTERNATIVES = 100

_SUBJECTS = ("position", "problem")
_OPTIONS = ("fixedRoutes", "objective", "timeLimit", "alternatives")
_NOTES = ("recorded", "repriced", "expected", "note")
"""Fields that carry remarks on a line and are not looked at."""
_DURATION = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,9})?)s")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says about every line; ``explain`` asks for an explanation of each answer."""

    command: Command
    objective: Objective = "revenue"
    alternatives: int = 0
    time_limit: float | None = None
    server: str = ""
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One line, read: a position with routes of a board, or a problem with routes over its segments."""

    id: str
    subject: Position | RouteProblem
    routes: tuple[Any, ...]
    objective: Objective
    alternatives: int
    time_limit: float | None


def id_of(value: dict[str, Any], number: int) -> str:
    """Return the id of a line, or the number of the line if it has none that can be used."""
    found = value.get("id")
    return found if isinstance(found, str) and found and len(found) <= 1000 else str(number)


def read_request(value: dict[str, Any], number: int, settings: Settings) -> Request:
    """Read a line.

    Raises
    ------
    InvalidInput
        With everything that is wrong.
    """
    faults: list[Fault] = []
    given = value.get("id")
    if given is not None and not (isinstance(given, str) and len(given) <= 1000 and given.isprintable()):
        faults.append(Fault("id", f"is {shown(given)}; expected a text of at most 1000 printable characters"))
    bare = not any(name in value for name in _SUBJECTS)
    kind = _kind(value, bare)
    subject = _subject(value, kind, bare, settings.command, faults)
    fields = {} if bare else {name: it for name, it in value.items() if it is not None}
    name = "routes" if settings.command == "check" else "fixedRoutes"
    routes = _routes(fields.get(name), name, kind, faults)
    objective = fields.get("objective", settings.objective)
    if objective not in OBJECTIVES:
        faults.append(Fault("objective", f"is {shown(objective)}; expected {listed(OBJECTIVES)}"))
    reader = Reader()
    alternatives = reader.number(
        {"alternatives": settings.alternatives} | fields, "alternatives", "", most=MAX_ALTERNATIVES
    )
    time_limit = _seconds(fields, settings, reader)
    faults += reader.faults
    if faults or subject is None:
        raise InvalidInput(faults)
    return Request(id_of(value, number), subject, routes, objective, alternatives, time_limit)


def _kind(value: dict[str, Any], bare: bool) -> str:
    """Return what a line is about; "" if that cannot be told."""
    if not bare:
        return "problem" if value.get("problem") is not None else "position"
    if "game" in value:
        return "position"
    return "problem" if "nodes" in value or "segments" in value else ""


def _subject(
    value: dict[str, Any], kind: str, bare: bool, command: Command, faults: list[Fault]
) -> Position | RouteProblem | None:
    if not kind or (bare and command == "check"):
        faults.append(Fault("position", "is missing; expected a position, or a problem in its place"))
        return None
    if bare:
        # A problem has an id of its own.
        inner = {name: it for name, it in value.items() if name != "id"} if kind == "position" else value
        return _read(kind, inner, "", faults)
    if all(value.get(name) is not None for name in _SUBJECTS):
        faults.append(Fault("problem", "stands beside a position; expected one of the two"))
    known = ("id", *_SUBJECTS, *(_OPTIONS if command == "solve" else ("routes",)))
    for name in value:
        if name not in known and name not in _NOTES:
            faults.append(Fault(shown(name).strip("'"), f"unknown field; expected {listed(known)}"))
    return _read(kind, value.get(kind), f"{kind}.", faults)


def _read(kind: str, value: object, where: str, faults: list[Fault]) -> Position | RouteProblem | None:
    if not isinstance(value, dict):
        what = "is missing" if value is None else f"is {shown(value)}"
        faults.append(Fault(where.rstrip("."), f"{what}; expected an object"))
        return None
    try:
        if kind == "position":
            return Position.from_json(value)
        from engine.cli.problems import problem_from_json

        return problem_from_json(value)
    except InvalidInput as error:
        faults += [Fault(where + fault.where, fault.why) for fault in error.faults]
        return None


def _routes(value: object, name: str, kind: str, faults: list[Fault]) -> tuple[Any, ...]:
    if value is None:
        if name == "routes":
            faults.append(Fault(name, "is missing; expected a list of routes"))
        return ()
    try:
        if kind == "problem":
            from engine.cli.problems import routes_from_json

            found: tuple[Route, ...] = routes_from_json(value, name)
            return found
        return SiteRoute.list_from_json(value, name)
    except InvalidInput as error:
        faults += error.faults
        return ()


def _seconds(fields: dict[str, Any], settings: Settings, reader: Reader) -> float | None:
    """Return the time limit, in seconds or as protocol buffers write a duration (``"1.5s"``)."""
    value = fields.get("timeLimit")
    if value is None:
        return settings.time_limit
    if isinstance(value, str):
        match = _DURATION.fullmatch(value)
        value = float(match[1]) if match else value
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 < value <= MAX_SECONDS
        and math.isfinite(value)
    ):
        return float(value)
    reader.fault("timeLimit", f"is {shown(value)}; expected seconds, more than 0 and at most {MAX_SECONDS}")
    return None
