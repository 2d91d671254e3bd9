"""Finding and reading the files of recorded games."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SUFFIXES = (".json", ".json.gz")
"""Of the files that are looked at in folders; a file that is named may have any name."""
MAX_BYTES = 256 * 1024 * 1024
"""Largest file, unpacked; recorded games have less than one MiB."""
_GZIP = b"\x1f\x8b"


class Unreadable(Exception):
    """A file that cannot be read; the message says why."""


@dataclass
class Sources:
    """The files below some paths, in order, each once.

    Attributes
    ----------
    files
        The files.
    problems
        Paths with nothing to read, each with the reason.
    """

    files: list[str] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)


def find(paths: Sequence[str], *, but: Path | None = None) -> Sources:
    """Return the files of recorded games at some paths: files, and all below folders; links are followed.

    Parameters
    ----------
    but
        A folder that is left out.
    """
    return _Finder(but).find(paths)


class _Finder:
    def __init__(self, but: Path | None) -> None:
        self._found = Sources()
        self._seen: set[tuple[int, int]] = set()
        self._folders: set[tuple[int, int]] = set()
        if but is not None and but.is_dir():
            self._folders.add(_identity(but.stat()))

    def find(self, paths: Sequence[str]) -> Sources:
        """Look at all paths."""
        for path in paths:
            try:
                told = Path(path).stat()
                before = len(self._found.files) + len(self._found.problems)
                if stat.S_ISDIR(told.st_mode):
                    if _identity(told) not in self._folders:
                        self._folder(path, told)
                        if len(self._found.files) + len(self._found.problems) == before:
                            self._problem(path, f"holds no recorded games ({', '.join(SUFFIXES)})")
                else:
                    self._file(path, told)
            except (OSError, ValueError) as error:
                self._problem(path, getattr(error, "strerror", None) or str(error))
        return self._found

    def _problem(self, path: str, why: str) -> None:
        self._found.problems.append((path, why))

    def _folder(self, path: str, told: os.stat_result) -> None:
        self._folders.add(_identity(told))
        try:
            names = sorted(os.listdir(path))  # noqa: PTH208 - names, not paths, are sorted
        except OSError as error:
            self._problem(path, error.strerror or str(error))
            return
        for name in names:
            self._entry(os.path.join(path, name))  # noqa: PTH118 - paths stay as they were given

    def _entry(self, path: str) -> None:
        try:
            told = Path(path).stat()
        except OSError as error:
            if path.lower().endswith(SUFFIXES) or Path(path).is_symlink():
                self._problem(path, error.strerror or str(error))
            return
        if not stat.S_ISDIR(told.st_mode):
            if path.lower().endswith(SUFFIXES):
                self._file(path, told)
        elif _identity(told) not in self._folders:
            self._folder(path, told)
        elif Path(path).is_symlink():
            self._problem(path, "is a link to a folder that is searched already")

    def _file(self, path: str, told: os.stat_result) -> None:
        if not stat.S_ISREG(told.st_mode):
            self._problem(path, "is no regular file; expected a recorded game")
        elif _identity(told) not in self._seen:
            self._seen.add(_identity(told))
            self._found.files.append(path)


def _identity(told: os.stat_result) -> tuple[int, int]:
    return told.st_dev, told.st_ino


def read(path: str) -> bytes:
    """Return the content of a file, unpacked.

    Raises
    ------
    Unreadable
        If that fails, or it is too large.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if data.startswith(_GZIP):
            data = b"".join(_unpacked(data))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Unreadable(f"cannot be unpacked: {error}") from error
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or str(error)) from error
    if len(data) > MAX_BYTES:
        raise Unreadable(f"holds more than {MAX_BYTES} bytes; expected a recorded game")
    return data


def _unpacked(data: bytes) -> Iterator[bytes]:
    import io

    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        yield file.read(MAX_BYTES + 1)
