"""What ``solve`` and ``check`` do."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engine.cli.answering import BAD, OK, Outcome
from engine.cli.batch import answers
from engine.cli.lines import NotText, read_lines
from engine.cli.output import Progressing, complain, dumps, print_explanation, print_table, write
from engine.cli.requests import Settings


class CannotRead(Exception):
    """An input that cannot be opened or read; the message says why."""


@contextlib.contextmanager
def opened(file: str) -> Iterator[BinaryIO]:
    """Open a file, ``-`` for standard input; any failure to read it is a :class:`CannotRead`."""
    try:
        if file == "-":
            yield sys.stdin.buffer
        else:
            with Path(file).open("rb") as stream:
                yield stream
    except BrokenPipeError:
        raise
    except IsADirectoryError:
        raise CannotRead(f"{file}: is a directory; expected a file of JSON lines") from None
    except (OSError, ValueError) as error:
        raise CannotRead(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    except NotText as error:
        raise CannotRead(f"{'standard input' if file == '-' else file}: {error}") from None


def answer_file(file: str, settings: Settings, jobs: int, as_json: bool | None) -> int:
    """Answer every line of a file and return the exit code."""
    if as_json is None:
        as_json = not sys.stdout.isatty() and not settings.explain
    kept: list[Outcome] = []
    source = "standard input" if file == "-" else file
    code = OK
    lines = 0
    try:
        with opened(file) as stream:
            for outcome in _outcomes(stream, file, settings, jobs or cores()):
                lines += 1
                code = max(code, outcome.code)
                if as_json:
                    write(dumps(outcome.document) + "\n")
                elif settings.explain:
                    print_explanation(outcome)
                else:
                    kept.append(outcome)
                for complaint in outcome.complaints:
                    complain(f"{source}: {complaint}")
        if not lines:
            raise CannotRead(f"{source}: holds no lines")
    except CannotRead as error:
        complain(str(error))
        code = BAD
    if kept:
        print_table(kept)
    return code


def _outcomes(stream: BinaryIO, file: str, settings: Settings, jobs: int) -> Iterator[Outcome]:
    progress = Progressing(None if file == "-" else os.fstat(stream.fileno()).st_size)
    try:
        for outcome in answers(read_lines(stream), settings, jobs):
            progress.tick(outcome)
            yield outcome
    finally:
        progress.close()


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
