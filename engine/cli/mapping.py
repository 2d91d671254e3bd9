"""What ``map`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.answer import PositionRoute
from engine.cli.answering import BAD, OK
from engine.cli.commands import CannotRead, opened
from engine.cli.lines import Line, parse, read_lines
from engine.cli.output import CannotWrite, complain, write
from engine.cli.requests import id_of
from engine.encoding import SiteRoute
from engine.position import Position
from router.errors import Fault, InvalidInput, TrunklineError, Unsupported


def draw_line(file: str, routes: str, wanted: str | None, output: str, time_limit: float) -> int:
    """Draw one line of a file and return the exit code."""
    from engine.draw import draw_position

    line: Line | None = None
    try:
        with opened(file) as stream:
            line, value = _chosen(file, read_lines(stream), wanted)
        position = _position(value)
        drawn = _routes(position, value, routes, time_limit)
        svg = draw_position(position, drawn)
    except CannotRead as error:
        complain(str(error))
        return BAD
    except InvalidInput as error:
        where = f"{file}: line {line.number}: " if line is not None else f"{file}: "
        for fault in error.faults:
            complain(where + (f"{fault.where}: {fault.why}" if fault.where else fault.why))
        return BAD
    except TrunklineError as error:
        complain(f"{file}: {error}")
        return BAD
    if output == "-":
        write(svg)
        return OK
    try:
        Path(output).write_text(svg, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{output}: {getattr(error, 'strerror', None) or error}") from None
    return OK


def _chosen(file: str, lines: Any, wanted: str | None) -> tuple[Line, dict[str, Any]]:
    """Return the wanted line; faults of the lines before it do not matter."""
    for line in lines:
        try:
            value = parse(line)
        except InvalidInput as error:
            if wanted is not None:
                continue
            faults = [Fault(it.where, f"line {line.number} {it.why}") for it in error.faults]
            raise InvalidInput(faults) from None
        if wanted is None or id_of(value, line.number) == wanted:
            return line, value
    raise CannotRead(f"{file}: holds no line {f'with the id {wanted!r}' if wanted is not None else 'at all'}")


def _position(value: dict[str, Any]) -> Position:
    if "position" not in value and "game" in value:
        return Position.from_json({name: it for name, it in value.items() if name != "id"})
    if not isinstance(value.get("position"), dict):
        why = "is missing; expected a position (a route problem has no map)"
        raise InvalidInput([Fault("position", why)])
    try:
        return Position.from_json(value["position"])
    except InvalidInput as error:
        raise InvalidInput([Fault(f"position.{it.where}", it.why) for it in error.faults]) from None


def _routes(
    position: Position, value: dict[str, Any], which: str, time_limit: float
) -> Sequence[PositionRoute | SiteRoute]:
    """Return the routes to draw, with their money if they can be priced."""
    if which == "none":
        return ()
    given = value.get("routes") if "position" in value else None
    if which == "given" and given is None:
        raise InvalidInput([Fault("routes", "is missing; expected routes to draw")])
    try:
        if given is not None and which != "best":
            return _priced(position, SiteRoute.list_from_json(given))
        from engine.solving import solve_position

        return solve_position(position, time_limit=time_limit).routes
    except Unsupported as error:
        complain(f"no routes are drawn: {error}")
        return ()


def _priced(position: Position, routes: Sequence[SiteRoute]) -> Sequence[PositionRoute | SiteRoute]:
    from engine.solving import check_position

    try:
        verdict = check_position(position, routes)
    except Unsupported:
        return routes
    for violation in verdict.violations:
        where = "" if violation.route is None else f"route {violation.route}: "
        complain(f"not legal: {where}{violation.code}: {violation.why}")
    return verdict.routes if verdict.legal else routes
