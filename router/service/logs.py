"""Logs as JSON lines on standard error. Of what a caller sent they hold the id of the request, no more."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Any

import structlog

MAX_ID = 80
"""Characters of a request's id that are logged."""


def configure(level: str) -> Any:
    """Make this process log JSON lines of ``level`` and above; return a logger."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    return structlog.get_logger("trunkline")


def trace(error: BaseException) -> list[str]:
    """Return where an error arose: its type and the lines passed, not its words, which may quote input."""
    frames = traceback.extract_tb(error.__traceback__)
    return [type(error).__name__, *(f"{Path(it.filename).name}:{it.lineno} {it.name}" for it in frames[-12:])]


def shown(id: str) -> str:
    """Return the id of a request as a log may hold it: short, and nothing that a terminal would obey."""
    short = id[:MAX_ID]
    return short if short.isprintable() else "".join(it if it.isprintable() else "?" for it in short)
