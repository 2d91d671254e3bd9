"""How soon a process gets a core once it has something to do, where the system can be told so (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform

PROMPT = 0.0001
"""Slice, in seconds, of whoever needs a core for a moment, but at once."""
USUAL = 0.0
"""The slice that the system gives whoever asks for none."""

_CALLS = {"x86_64": 314, "aarch64": 274}


class _Attributes(ctypes.Structure):
    """``struct sched_attr`` of the kernel, its first version."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


def claim(slice: float) -> bool:
    """Ask for cores in slices of so many seconds, for this thread and those that it starts; tell if granted.

    Shorter slices come sooner and get no more in all. Linux heeds it since 6.12, and asks for no privilege.
    """
    number = _CALLS.get(platform.machine())
    if number is None or platform.system() != "Linux":
        return False
    with contextlib.suppress(OSError, AttributeError):
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        wanted = _Attributes(
            size=ctypes.sizeof(_Attributes), policy=os.SCHED_OTHER, nice=nice, runtime=int(slice * 1e9)
        )
        return bool(ctypes.CDLL(None, use_errno=True).syscall(number, 0, ctypes.byref(wanted), 0) == 0)
    return False
