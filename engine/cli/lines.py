"""Input as lines of JSON: bytes from anywhere, of which nothing is believed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from router.errors import Fault, InvalidInput

MAX_LINE = 32 * 1024 * 1024
"""Largest number of bytes in one line."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input; ``fault`` says why it was not even read."""

    number: int
    data: bytes
    fault: str = ""


class NotText(Exception):
    """The input as a whole is no text; the message says what it is instead."""


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines that are not blank.

    A file that begins with a brace and goes on with a name in the next line holds one object over many lines,
    which counts as one line.

    Raises
    ------
    NotText
        If the input is compressed or binary.
    """
    number, first, waiting = 0, True, b""
    while True:
        data, waiting = waiting or stream.readline(MAX_LINE + 1), b""
        if not data:
            return
        number += 1
        if len(data) > MAX_LINE:
            yield Line(number, b"", f"is longer than {MAX_LINE} bytes")
            _skip_line(stream)
            first = False
            continue
        if first:
            data = data.removeprefix(_BOM)
            _refuse_binary(data)
        data = data.strip()
        if not data:
            continue
        if first and data == b"{":
            after = stream.readline(MAX_LINE + 1)
            if after.lstrip()[:1] in (b'"', b"}", b""):
                yield _whole(number, data + b"\n" + after, stream)
                return
            waiting = after
        first = False
        yield Line(number, data)


def _whole(number: int, data: bytes, stream: BinaryIO) -> Line:
    """Return all that is left as one line."""
    data += stream.read(MAX_LINE)
    if len(data) > MAX_LINE or stream.read(1):
        return Line(number, b"", f"begins an object of more than {MAX_LINE} bytes")
    return Line(number, data)


def _skip_line(stream: BinaryIO) -> None:
    while True:
        data = stream.readline(MAX_LINE)
        if not data or data.endswith(b"\n"):
            return


def _refuse_binary(data: bytes) -> None:
    if data.startswith(b"\x1f\x8b"):
        raise NotText("is compressed with gzip; unpack it first, as in: gzip -dc FILE | trunkline solve -")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotText("is UTF-16 text; expected UTF-8")
    if b"\x00" in data:
        raise NotText("is a binary file; expected lines of JSON")


def parse(line: Line) -> dict[str, Any]:
    """Return the object that a line holds.

    Raises
    ------
    InvalidInput
        If it holds none; says where reading failed.
    """
    if line.fault:
        _refuse(line.fault)
    try:
        text = line.data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse(f"is no UTF-8 text: byte {line.data[error.start]:#04x} at byte {error.start + 1}")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        _refuse(f"is no JSON at {where}: {error.msg}")
    except RecursionError:
        _refuse("is nested too deeply")
    except ValueError:
        _refuse("holds a number of too many digits")
    if not isinstance(value, dict):
        _refuse("holds no object; expected one object per line")
    return value


def _refuse(why: str) -> NoReturn:
    raise InvalidInput([Fault("", why)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise InvalidInput([Fault(name if name.isidentifier() else "", f"{name!r} is given twice")])
            seen.add(name)
    return found


def _constant(name: str) -> NoReturn:
    _refuse(f"holds {name}, which is no JSON")
