"""What the results of an audit depend on besides the record: the code."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

_APART = ("engine/cli", "engine/draw", "engine/service", "router/service")
"""Parts of the code on which no result depends."""
_PACKAGES = ("networkx", "numba", "numpy", "ortools", "pyarrow")


@cache
def code_signature() -> str:
    """Return a short text that differs where results may differ: of the code and of what it computes with."""
    digest = hashlib.sha256()
    for package in ("engine", "router"):
        spec = find_spec(package)
        assert spec is not None
        root = Path(next(iter(spec.submodule_search_locations or ())))
        for path in sorted(root.rglob("*.py")):
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            if not name.startswith(_APART):
                digest.update(f"{name}\n".encode() + path.read_bytes())
    digest.update(" ".join(f"{name}-{version(name)}" for name in _PACKAGES).encode())
    return digest.hexdigest()[:16]
