"""What ``doctor`` and ``warm`` do."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.cli.answering import FINDINGS, OK, Answerer
from engine.cli.lines import Line
from engine.cli.output import dumps, print_rich, write
from engine.cli.requests import Settings
from engine.cli.service_checks import service_checks

PACKAGES = ("trunkline", "numba", "numpy", "ortools", "networkx", "grpcio", "protobuf", "click", "rich")

_CITIES = '{"kinds":["city","offboard"],"most":2}'
_PROBLEM = (
    '{"id":"self test","problem":{'
    '"nodes":[{"id":"a","kind":"city","hex":"A","value":20,"token":true},'
    '{"id":"b","kind":"city","hex":"B","value":30},{"id":"c","kind":"offboard","hex":"C","value":50}],'
    '"segments":[{"id":"ab","a":"a","b":"b","track":["ab"],"hexes":["A","B"]},'
    '{"id":"ac","a":"a","b":"c","track":["ac"],"hexes":["A","C"]}],'
    f'"trains":[{{"id":"1","kind":"2","visit":[{_CITIES}]}},{{"id":"2","kind":"2","visit":[{_CITIES}]}}]'
)
_ROUTES = (
    '"routes":[{"train":"1","nodes":["a","c"],"segments":["ac"]},'
    '{"train":"2","nodes":["a","b"],"segments":["ab"]}]'
)
_POSITION = (
    '{"id":"self test","position":{"game":"1861","players":4,"company":"N","phase":"2",'
    '"tokens":[{"hex":"H8","city":1,"slot":0,"company":"N"}],"trains":[{"id":"2-0","name":"2"}]}}'
)
_REVENUE = 120
_POSITION_REVENUE = 80


def warm_up(as_json: bool | None) -> int:
    """Compile the kernels, print how long it took and return the exit code."""
    from router.warm import warm

    report = warm()
    seconds = {name: round(value, 3) for name, value in report.seconds.items()}
    _print({"ready": report.ready, "seconds": seconds, "kernelCache": kernel_cache()}, as_json)
    return OK if report.ready else FINDINGS


def examine(as_json: bool | None, file: str | None = None, server: str | None = None) -> int:
    """Print what is installed and how the self test went, and return the exit code."""
    tests: dict[str, Callable[[], str]] = {
        "route problem": lambda: _solve(_PROBLEM + "}}", _REVENUE),
        "position": lambda: _solve(_POSITION, _POSITION_REVENUE),
        "referee": lambda: _check(_PROBLEM + "}," + _ROUTES + "}", _REVENUE),
        "gRPC client": _client,
        **service_checks(file, server),
    }
    results = {name: _tried(test) for name, test in tests.items()}
    ok = all(result["ok"] for result in results.values())
    found: dict[str, Any] = {
        "ok": ok,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "packages": {name: _version(name) for name in PACKAGES},
        "kernelCache": kernel_cache(),
        "selfTest": results,
    }
    _print(found, as_json)
    return OK if ok else FINDINGS


def kernel_cache() -> dict[str, Any]:
    """Return where compiled kernels are kept and how many there are."""
    from router.warm import kernel_folder

    where = kernel_folder()
    files = list(Path(where).rglob("*.nbc"))
    size = sum(path.stat().st_size for path in files)
    return {"state": "filled" if files else "empty", "kernels": len(files), "bytes": size, "folder": where}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "missing"


def _tried(test: Callable[[], str]) -> dict[str, Any]:
    begun = time.perf_counter()
    try:
        why = test()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    seconds = round(time.perf_counter() - begun, 3)
    return {"ok": not why, "seconds": seconds} | ({"why": why} if why else {})


def _solve(text: str, revenue: int) -> str:
    document = Answerer(Settings("solve"))(Line(1, text.encode())).document
    if document.get("status") == "OPTIMAL" and document["revenue"] == revenue:
        return ""
    return f"expected a proved revenue of {revenue}, got {dumps(document)}"


def _check(text: str, revenue: int) -> str:
    document = Answerer(Settings("check"))(Line(1, text.encode())).document
    if document.get("legal") and document["revenue"] == revenue:
        return ""
    return f"expected a legal run of {revenue}, got {dumps(document)}"


def _client() -> str:
    from router.client import connect

    connect("localhost:1").close()
    return ""


def _print(found: Mapping[str, Any], as_json: bool | None) -> None:
    if as_json is None:
        as_json = not sys.stdout.isatty()
    if as_json:
        write(dumps(found) + "\n")
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    for name, value in _rows(found):
        table.add_row(name, value)
    print_rich(table)


def _rows(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for name, value in found.items():
        if isinstance(value, Mapping):
            rows += [(f"{name} {inner}", text) for inner, text in _rows(value)]
        elif isinstance(value, bool):
            rows.append((name, "yes" if value else "no"))
        else:
            rows.append((name, str(value)))
    return rows
