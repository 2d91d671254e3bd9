"""Files of whole games: records and traces, plain or compressed with gzip; nothing in them is believed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from engine.cli.commands import CannotRead, opened
from engine.cli.lines import Line, parse
from engine.cli.output import CannotWrite, write
from engine.record import Record
from engine.refusal import UnreadableRecord
from router.errors import InvalidInput

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


def read_record(file: str) -> Record:
    """Read a recorded game, from standard input if the file is ``-``.

    Raises
    ------
    CannotRead
        If it is none; the message names the file and what is wrong.
    """
    data = _read(file)
    if not data.strip():
        _refuse(file, "is empty; expected a recorded game")
    try:
        return Record.from_json(parse(Line(1, data)))
    except InvalidInput as error:
        _refuse(file, f"{_told(error)}; expected a recorded game")
    except UnreadableRecord as error:
        _refuse(file, str(error))


def read_trace(file: str) -> list[dict[str, Any]]:
    """Read a trace.

    Raises
    ------
    CannotRead
        If it is none; the message names the file, the line and what is wrong.
    """
    found = []
    for number, data in enumerate(_read(file).split(b"\n"), 1):
        if not data.strip():
            continue
        try:
            line = parse(Line(number, data))
        except InvalidInput as error:
            _refuse(file, f"line {number}: {_told(error)}; expected a line of a trace")
        action = line.get("action", "")
        known = action is None or (isinstance(action, int) and not isinstance(action, bool))
        if not known or not isinstance(line.get("diff"), dict):
            _refuse(file, f'line {number}: is no line of a trace; expected {{"action", "type", "diff"}}')
        found.append(line)
    if not found:
        _refuse(file, "holds no lines of a trace")
    return found


def check_place(file: str) -> None:
    """Refuse a place for a file where nothing can be written, before any work is done for it.

    Raises
    ------
    CannotWrite
        If there is no such folder, or it is one.
    """
    try:
        if file != "-" and Path(file).is_dir():
            raise CannotWrite(f"{file}: is a directory")
        if file != "-" and not Path(file).parent.is_dir():
            raise CannotWrite(f"{file}: there is no folder {Path(file).parent}")
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{file}: {getattr(error, 'strerror', None) or error}") from None


def write_lines(file: str, lines: Iterable[str]) -> None:
    """Write lines to a file (compressed if its name ends in ``.gz``), or to standard output (``-``).

    Raises
    ------
    CannotWrite
        If that fails.
    """
    data = "".join(f"{line}\n" for line in lines)
    if file == "-":
        write(data)
        return
    # Lone halves of surrogate pairs can stand in JSON; a number of a time would make each file another.
    encoded = data.encode("utf-8", "backslashreplace")
    try:
        Path(file).write_bytes(gzip.compress(encoded, mtime=0) if file.endswith(".gz") else encoded)
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{file}: {getattr(error, 'strerror', None) or error}") from None


def _read(file: str) -> bytes:
    with opened(file) as stream:
        data = stream.read()
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            _refuse(file, f"cannot be unpacked: {error}")
    return data.removeprefix(_BOM)


def _told(error: InvalidInput) -> str:
    return "; ".join(": ".join(text for text in (it.where, it.why) if text) for it in error.faults)


def _refuse(file: str, why: str) -> NoReturn:
    name = "standard input" if file == "-" else file
    raise CannotRead(f"{name}: {why}") from None
