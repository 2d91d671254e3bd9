"""What processes take, where the system tells it (Linux); elsewhere nothing is known and nothing bounded."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

HEADROOM = 2
"""A worker may reserve so many times its limit; what it really takes is watched from outside."""

try:
    _PAGE = os.sysconf("SC_PAGE_SIZE")
except (ValueError, OSError):
    _PAGE = 4096
try:
    _TICK = 1 / os.sysconf("SC_CLK_TCK")
except (ValueError, OSError):
    _TICK = 0.01


def resident(process: int) -> int | None:
    """Return the bytes of memory that a process holds, None if that cannot be told."""
    try:
        fields = Path(f"/proc/{process}/statm").read_bytes().split()
        return int(fields[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return None


def work(process: int) -> tuple[float, bool] | None:
    """Return the seconds that a process has worked, and whether it works or waits for a core to do so.

    None if that cannot be told.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) * _TICK, fields[0] == b"R"
    except (OSError, IndexError, ValueError):
        return None


def bound(limit: int) -> None:
    """Let this process reserve only so many bytes more than it has now; 0: as many as it likes.

    What goes beyond is refused by the system, and Python raises MemoryError.
    """
    if limit <= 0:
        return
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        text = Path("/proc/self/status").read_text("ascii", "replace")
        now = next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("VmData:"))
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = now + HEADROOM * limit
        if hard == resource.RLIM_INFINITY or wanted < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, wanted))


def settle() -> None:
    """Take all that this process holds now for permanent, so that looking for garbage leaves it alone.

    What processes share after a fork stays shared so.
    """
    gc.collect()
    gc.freeze()


def release() -> None:
    """Give memory that is free back to the system, which the allocator by itself seldom does."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """Return the function of the C library that does it, where there is one (glibc)."""
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
        return found
    except (OSError, AttributeError):
        return None
