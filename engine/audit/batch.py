"""Auditing many files: what was done before is taken over, everything else is done and kept at once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from engine.audit.findings import Header
from engine.audit.job import audit_bytes, digest_of
from engine.audit.pool import Died, Pool
from engine.audit.signature import code_signature
from engine.audit.source import Unreadable, read
from engine.audit.store import Result, Store, keep

Kept = Literal["audited", "kept", "nothing", "again"]
"""How a record came by its result: now, before, there is none, or it is that of another file given."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that was given.

    Attributes
    ----------
    same_as
        The file with the same content that was given before it.
    """

    path: str
    header: Header
    how: Kept
    same_as: str = ""


@dataclass
class Batch:
    """What came of a batch, in the order of the files."""

    entries: list[Entry] = field(default_factory=list)

    def counted(self, how: Kept) -> int:
        """Return how many files came by their results in a way."""
        return sum(entry.how == how for entry in self.entries)

    def states(self, state: str) -> int:
        """Return how many files are in a state, each content once."""
        return sum(entry.header.state == state and entry.how != "again" for entry in self.entries)


def run_batch(
    files: Sequence[str],
    store: Store,
    pool: Pool,
    *,
    limit: float,
    tell: Callable[[Entry], object] = lambda entry: None,
) -> Batch:
    """Audit files.

    Parameters
    ----------
    tell
        Is called for each file when it is done.
    """
    entries: dict[str, Entry] = {}
    first: dict[str, str] = {}
    again: dict[str, str] = {}
    ahead: list[str] = []

    def enter(path: str, header: Header, how: Kept, same_as: str = "") -> None:
        entries[path] = Entry(path, header, how, same_as)
        tell(entries[path])

    for path in files:
        try:
            digest = digest_of(read(path))
        except Unreadable as error:
            enter(path, Header("", "unreadable", why=str(error)), "nothing")
            continue
        if digest in first:
            again[path] = first[digest]
            continue
        first[digest] = path
        known = store.header(digest)
        if known is not None:
            enter(path, known, "kept")
        else:
            ahead.append(path)
    # No large message goes between processes: one that is cut off by a death leaves the other side waiting.
    folder = None if pool.cluster else store.folder
    job = partial(_job, limit=limit, signature=code_signature(), folder=folder)
    for path, found in pool.map(job, ahead, _load if pool.cluster else None):
        if isinstance(found, Died):
            enter(path, Header("", "failed", why=f"the process that audits it dies: {found}"), "nothing")
        else:
            enter(path, found.header, "audited" if store.put(found) else "nothing")
    for path, other in again.items():
        enter(path, entries[other].header, "again", other)
    return Batch([entries[path] for path in files])


def _load(path: str) -> bytes | str:
    """Return the content of a file, or its name if it cannot be read any more."""
    try:
        return read(path)
    except Unreadable:
        return path


def _job(source: bytes | str, *, limit: float, signature: str, folder: Path | None) -> Result:
    """Audit a file, given by its content or its name, and keep the result in a folder if one is told."""
    from engine.audit.table import encoded

    try:
        data = read(source) if isinstance(source, str) else source
    except Unreadable as error:
        return Result(Header("", "unreadable", why=str(error)))
    own = code_signature()
    if own != signature:
        why = f"the worker runs other code ({own}, not {signature}); install the same version there"
        return Result(Header(digest_of(data), "failed", why=why))
    # Games are made of circles of objects; the collector finds them at less cost when a game is over.
    enabled = gc.isenabled()
    gc.disable()
    try:
        found = audit_bytes(data, limit=limit, signature=signature)
        if found.header.state not in ("done", "failed"):
            return Result(found.header)
        result = Result(found.header, *encoded(found))
        return result if folder is None else keep(folder, result)
    finally:
        if enabled:
            gc.enable()
