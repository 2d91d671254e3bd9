"""The folder of an audit: what is done stays done, whatever happens to the process that does it.

::

    runs/GAME-ID-DIGEST.parquet    the runs of one record, with its header in the metadata
    times/GAME-ID-DIGEST.parquet   how long the searches took
    games.parquet                  every record that was given
    report.html, pages/*.html      pages for people

A file appears complete or not at all. ``runs`` of a record is written last: it tells that the rest is there.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.audit import table
from engine.audit.findings import Header


class CannotStore(Exception):
    """The folder cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """A record that was audited.

    Attributes
    ----------
    runs, times
        Its tables as Parquet files, empty if nothing was audited.
    kept
        The tables lie in the folder already.
    """

    header: Header
    runs: bytes = b""
    times: bytes = b""
    kept: bool = False


class Store:
    """The folder of an audit.

    Parameters
    ----------
    folder
        Is made if it is not there.
    signature
        Of the code in use: results of other code count for nothing.
    limit
        Seconds that a search is given.
    """

    def __init__(self, folder: Path, signature: str, limit: float) -> None:
        self.folder = folder
        self._signature = signature
        self._limit = limit
        self._known: dict[str, Path] = {}

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder ready, for one process at a time, and look what is there.

        Raises
        ------
        CannotStore
            If that is not possible.
        """
        try:
            for name in ("runs", "times", "pages"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            with (self.folder / ".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._look()
                yield
        except BlockingIOError as error:
            raise CannotStore(f"{self.folder}: another audit is at work there") from error
        except OSError as error:
            raise CannotStore(f"{error.filename or self.folder}: {error.strerror or error}") from error

    def _look(self) -> None:
        for left in (*self.folder.glob(".*.part"), *self.folder.glob("*/.*.part")):
            left.unlink()
        for path in sorted((self.folder / "runs").glob("*.parquet")):
            self._known[path.stem.rpartition("-")[2]] = path

    def header(self, digest: str) -> Header | None:
        """Return what is known of a record, if it was audited as it would be now."""
        path = self._known.get(digest)
        if path is None:
            return None
        try:
            found = table.header_of(path)
        except ValueError:
            return None
        current = found.signature == self._signature and found.digest == digest
        return found if current and (found.proved or found.limit >= self._limit) else None

    def put(self, result: Result) -> bool:
        """Keep a result; one that was there before is replaced. Tell whether there is anything to keep."""
        if result.runs:
            result = keep(self.folder, result)
        if result.kept:
            name = f"{stem(result.header)}.parquet"
            self._known[result.header.digest] = self.folder / "runs" / name
        return result.kept

    def runs(self, digest: str) -> Path:
        """Return the file with the runs of a record that was kept."""
        return self._known[digest]

    def ends_with(self, name: str, text: str) -> bool:
        """Tell whether a file of the folder is there and ends so."""
        data = text.encode()
        try:
            with (self.folder / name).open("rb") as file:
                file.seek(-len(data), os.SEEK_END)
                return file.read() == data
        except OSError:
            return False

    def besides(self, digests: Collection[str]) -> int:
        """Return how many records have results here that are not among some."""
        return sum(digest not in digests for digest in self._known)

    def write(self, name: str, data: bytes) -> None:
        """Write a file of the folder at once."""
        write_whole(self.folder / name, data)


def keep(folder: Path, result: Result) -> Result:
    """Write the tables of a result into the folder of an audit, and return what is left to tell."""
    name = f"{stem(result.header)}.parquet"
    write_whole(folder / "times" / name, result.times)
    write_whole(folder / "runs" / name, result.runs)
    return Result(result.header, kept=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it appears complete or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def stem(header: Header) -> str:
    """Return the name of the files of a record: game, id, digest."""
    words = [
        re.sub(r"[^A-Za-z0-9._]+", "_", word)[:40].strip("._") or "x" for word in (header.game, header.id)
    ]
    return "-".join([*words, header.digest])
