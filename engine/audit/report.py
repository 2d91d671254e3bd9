"""Writing the pages of an audit into its folder; pages that are there and still right are left alone."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.audit import table
from engine.audit.batch import Batch, Entry
from engine.audit.findings import Header
from engine.audit.pages import page_signature, record_page, summary_page
from engine.audit.pool import Died, Pool
from engine.audit.store import Store, stem, write_whole
from engine.audit.summary import COLUMNS, Summary, summarize


def sums(batch: Batch, store: Store) -> Summary:
    """Return the sums over a batch."""
    return summarize(batch, _rows(batch, store))


def _rows(batch: Batch, store: Store) -> Iterator[tuple[Entry, list[dict[str, Any]]]]:
    for entry in audited(batch):
        yield entry, table.rows_of(store.runs(entry.header.digest), COLUMNS)


def audited(batch: Batch) -> list[Entry]:
    """Return the files whose records were audited, each content once."""
    return [entry for entry in batch.entries if entry.how in ("audited", "kept")]


@dataclass(frozen=True, slots=True)
class _Page:
    """A page to make.

    Attributes
    ----------
    runs
        The Parquet file it is made of, or its place.
    to
        Where to write the page; none if it is to be returned.
    """

    header: Header
    path: str
    mark: str
    runs: bytes | Path
    to: Path | None


def write_report(
    summary: Summary, store: Store, pool: Pool, tell: Callable[[], object] = lambda: None
) -> list[str]:
    """Write all pages and return the files for which that failed.

    Parameters
    ----------
    tell
        Is called for each record whose page is there.
    """
    addresses: dict[str, str] = {}
    ahead: list[Entry] = []
    failed: list[str] = []
    for entry in audited(summary.batch):
        name = f"pages/{stem(entry.header)}.html"
        addresses[entry.header.digest] = name
        if store.ends_with(name, _mark(entry)):
            tell()
        else:
            ahead.append(entry)

    def load(entry: Entry) -> _Page:
        runs = store.runs(entry.header.digest)
        if pool.cluster:
            return _Page(entry.header, entry.path, _mark(entry), runs.read_bytes(), None)
        to = store.folder / addresses[entry.header.digest]
        return _Page(entry.header, entry.path, _mark(entry), runs, to)

    for entry, page in pool.map(_make, ahead, load):
        if isinstance(page, Died):
            failed.append(entry.path)
            addresses.pop(entry.header.digest)
        elif page:
            store.write(addresses[entry.header.digest], page)
        tell()
    store.write("report.html", summary_page(summary, addresses).encode("utf-8", "replace"))
    return failed


def _mark(entry: Entry) -> str:
    """Return the end of a page, which tells what it was made of."""
    parts = (page_signature(entry.header.signature), entry.header.digest, entry.path)
    return f"<!-- {hashlib.sha256(repr(parts).encode()).hexdigest()[:24]} -->\n"


def _make(page: _Page) -> bytes:
    """Make a page; return it unless it was told where to write it."""
    source = io.BytesIO(page.runs) if isinstance(page.runs, bytes) else page.runs
    text = record_page(page.header, table.rows_of(source), page.path)
    data = f"{text}\n{page.mark}".encode("utf-8", "replace")
    if page.to is None:
        return data
    write_whole(page.to, data)
    return b""


def games_table(batch: Batch) -> bytes:
    """Return the table of all files that were given."""
    rows: list[tuple[str, Header]] = [(entry.path, entry.header) for entry in batch.entries]
    return table.games(rows)


def lines(batch: Batch, store: Store) -> Iterator[Mapping[str, Any]]:
    """Yield every run as in the table, with its data as JSON values."""
    import json

    for entry in audited(batch):
        for row in table.rows_of(store.runs(entry.header.digest)):
            for name in ("position", "routes", "best_routes"):
                row[name] = json.loads(row[name])
            yield row
