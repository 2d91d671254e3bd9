"""Helpers of the test suite, importable from every test as ``support``."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent


def shared_location() -> Path:
    """Return where the reference data is expected, present or not."""
    return (PROJECT / os.environ.get("TRUNKLINE_SHARED", "../shared")).resolve()


def shared_root() -> Path | None:
    """Return the reference data, or None where it is absent; for use while tests are collected."""
    location = shared_location()
    return location if location.is_dir() else None


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file that are not blank; a name ending in ``.gz`` is unpacked."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        for line in file:
            if line.strip():
                yield line


def read_jsonl(path: Path) -> Iterator[Any]:
    """Yield the values of a file of JSON lines, ``.jsonl`` or ``.jsonl.gz``."""
    for line in read_lines(path):
        yield json.loads(line)


def read_json(path: Path) -> Any:
    """Return the value of a JSON file, ``.json`` or ``.json.gz``."""
    return json.loads("".join(read_lines(path)))
