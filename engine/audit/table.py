"""Audits as tables: the schemas, and Arrow tables made of findings.

``runs`` holds what follows from record and code alone, so that the same record gives the same bytes; how long
searches took lies apart, in ``times``.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from engine.audit.findings import Audited, AuditedRun, Header

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEADER = b"trunkline.audit"
"""Where the header of a record lies in the metadata of its tables."""

_TEXT, _MONEY, _COUNT = pa.string(), pa.int64(), pa.int32()


def _schema(*columns: tuple[str, pa.DataType] | tuple[str, pa.DataType, bool]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, bool(*may)) for name, kind, *may in columns])


RUNS = _schema(
    ("record", _TEXT),
    ("game", _TEXT),
    ("game_id", _TEXT),
    ("run", _COUNT),
    ("action", pa.int64(), True),
    ("round", _TEXT),
    ("phase", _TEXT),
    ("company", _TEXT),
    ("company_name", _TEXT),
    ("president", _TEXT, True),
    ("president_name", _TEXT, True),
    ("trains", pa.list_(pa.field("train", _TEXT, False))),
    ("stored_revenue", _MONEY, True),
    ("stored_subsidy", _MONEY, True),
    ("legal", pa.bool_()),
    (
        "violations",
        pa.list_(
            pa.field(
                "violation",
                pa.struct(
                    [pa.field("code", _TEXT, False), pa.field("route", _COUNT), pa.field("why", _TEXT)]
                ),
                False,
            )
        ),
    ),
    ("revenue", _MONEY, True),
    ("subsidy", _MONEY, True),
    ("confirmed", pa.bool_(), True),
    ("status", _TEXT),
    ("best_revenue", _MONEY),
    ("best_subsidy", _MONEY),
    ("bound", _MONEY),
    ("lost", _MONEY, True),
    ("lost_at_most", _MONEY, True),
    ("shares", _COUNT, True),
    ("lost_per_share", _MONEY, True),
    ("position", _TEXT),
    ("routes", _TEXT),
    ("best_routes", _TEXT),
)
"""One row for each run. ``position``, ``routes`` and ``best_routes`` are JSON."""

TIMES = _schema(("record", _TEXT), ("run", _COUNT), ("seconds", pa.float64()))
"""How long it took to judge each run and to find the best one."""

GAMES = _schema(
    ("record", _TEXT),
    ("path", _TEXT),
    ("state", _TEXT),
    ("why", _TEXT),
    ("action", pa.int64(), True),
    ("game", _TEXT),
    ("game_id", _TEXT),
    ("players", pa.list_(pa.field("player", pa.struct([("id", _TEXT), ("name", _TEXT)]), False))),
    ("options", pa.list_(pa.field("option", _TEXT, False))),
    ("actions", _COUNT),
    ("finished", pa.bool_()),
    ("runs", _COUNT),
)
"""One row for each record that was given."""


def encoded(audited: Audited) -> tuple[bytes, bytes]:
    """Return the runs and the times of a record as Parquet files."""
    header = audited.header
    runs = pa.Table.from_pylist([row(header, item) for item in audited.runs], RUNS)
    times = [
        {"record": header.digest, "run": item.run.number, "seconds": item.seconds} for item in audited.runs
    ]
    told = {HEADER: json.dumps(header.to_json(), separators=(",", ":")).encode()}
    return (
        parquet(runs.replace_schema_metadata(told)),
        parquet(pa.Table.from_pylist(times, TIMES)),
    )


def row(header: Header, item: AuditedRun) -> dict[str, Any]:
    """Return the row of a run."""
    run, verdict, best = item.run, item.verdict, item.best
    ran: list[Any] = [route.to_json() for route in verdict.routes] if verdict.legal else list(run.routes)
    return {
        "record": header.digest,
        "game": header.game,
        "game_id": header.id,
        "run": run.number,
        "action": run.action,
        "round": run.round,
        "phase": run.phase,
        "company": run.company,
        "company_name": run.company_name,
        "president": run.president,
        "president_name": run.president_name,
        "trains": list(run.trains),
        "stored_revenue": run.stored_revenue,
        "stored_subsidy": run.stored_subsidy,
        "legal": verdict.legal,
        "violations": [violation.to_json() for violation in verdict.violations],
        "revenue": item.revenue,
        "subsidy": verdict.subsidy if verdict.legal else None,
        "confirmed": item.confirmed,
        "status": str(best.status),
        "best_revenue": item.best_revenue,
        "best_subsidy": best.subsidy,
        "bound": max(best.bound, item.best_revenue),
        "lost": item.lost,
        "lost_at_most": item.lost_at_most,
        "shares": run.shares,
        "lost_per_share": item.lost_per_share,
        "position": _json(run.position.to_json()),
        "routes": _json(ran),
        "best_routes": _json([route.to_json() for route in best.routes]),
    }


def games(rows: Iterable[tuple[str, Header]]) -> bytes:
    """Return the records that were given, by path, as a Parquet file."""
    found = [
        {
            "record": header.digest,
            "path": path,
            "state": header.state,
            "why": header.why,
            "action": header.action,
            "game": header.game,
            "game_id": header.id,
            "players": [{"id": id, "name": name} for id, name in (header.players or {}).items()],
            "options": list(header.options),
            "actions": header.actions,
            "finished": header.finished,
            "runs": header.runs,
        }
        for path, header in rows
    ]
    return parquet(pa.Table.from_pylist(found, GAMES))


def parquet(table: pa.Table) -> bytes:
    """Return a table as a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def header_of(path: Any) -> Header:
    """Return the header that lies in the runs of a record.

    Raises
    ------
    ValueError
        If the file is none of these.
    """
    try:
        told: Mapping[bytes, bytes] = pq.read_schema(path).metadata or {}
        return Header.from_json(json.loads(told[HEADER]))
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: holds no audit of a record: {error}") from error


def rows_of(source: Any, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Return the runs of a record, with some columns or all."""
    names = None if columns is None else list(columns)
    found: list[dict[str, Any]] = pq.read_table(source, columns=names, partitioning=None).to_pylist()
    return found


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
