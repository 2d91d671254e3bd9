"""What the import contracts of pyproject.toml cannot say about the structure of the code."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import PROJECT

MAX_LINES = 400
GENERATED = {Path("router/v1"), Path("engine/v1")}
DATA_NAMES = {"meta.py", "map.py", "tiles.py", "companies.py", "trains.py"}
SEARCH = {"canonical", "dominate", "enumerate", "exact", "graph", "kernels", "select", "solve"}
PUBLIC = {"check", "client", "errors", "problem", "service", "solution", "stop", "warm"}
OPEN = {"callbacks", "check", "errors", "problem", "solution", "stop", "terms", "validate", "warm"}
"""Modules of the router that do not belong to its search."""
TRANSPORT = {"client", "convert", "service", "v1"}
GAME_NAMES = re.compile(
    r"\b_?g?(?:1861|1862|1867|1873|18[ _]?GB|18[ _]?New[ _]?England|New[ _]?England|Harzbahn)\b",
    re.IGNORECASE,
)


def sources(*folders: str) -> list[Path]:
    """List the hand-written Python files of the folders, relative to the project."""
    found = (path.relative_to(PROJECT) for folder in folders for path in (PROJECT / folder).rglob("*.py"))
    return sorted(path for path in found if GENERATED.isdisjoint(path.parents))


def parse(path: Path) -> ast.Module:
    return ast.parse((PROJECT / path).read_text(encoding="utf-8"), str(path))


def imported(path: Path, tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file imports, wherever in it; ``from a import b`` yields ``a`` and ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(path.parts[: -node.level]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imports(path: Path) -> set[str]:
    return set(imported(path, parse(path)))


def within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def is_data(path: Path) -> bool:
    """Tell whether a module is a table of a game: known by its name, or free of functions and classes."""
    if not path.is_relative_to("engine/games"):
        return False
    code = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return path.name in DATA_NAMES or not any(isinstance(node, code) for node in ast.walk(parse(path)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import router.kernels", {"router.kernels"}),
        ("def f():\n    from router import graph as g", {"router", "router.graph"}),
        ("from . import exact", {"router", "router.exact"}),
        ("from .v1 import problem_pb2", {"router.v1", "router.v1.problem_pb2"}),
    ],
)
def test_imports_are_recognized(text: str, names: set[str]) -> None:
    assert set(imported(Path("router/solve.py"), ast.parse(text))) == names


@pytest.mark.parametrize("text", ["the 1861 rules", "class G18GB:", "New England", "g1873", "18NewEngland"])
def test_game_names_are_recognized(text: str) -> None:
    assert GAME_NAMES.search(text)


@pytest.mark.parametrize("text", ["18xx", "118611", "serialized_start=11862", "England", "18630"])
def test_other_words_are_no_game_names(text: str) -> None:
    assert not GAME_NAMES.search(text)


def test_naive_oracle_imports_no_search_module() -> None:
    forbidden = {f"router.{name}" for name in SEARCH}
    broken = {
        f"{path}: {name}"
        for path in sources("tests/naive")
        for name in imports(path)
        if name == "router" or within(name, forbidden)
    }
    assert broken == set()


def test_router_modules_keep_off_the_transport() -> None:
    """Hold every module of the router to the contract of the solver core, listed there or not."""
    forbidden = {
        "grpc",
        "grpc_health",
        "grpc_reflection",
        "google",
        *(f"router.{name}" for name in TRANSPORT),
    }
    exempt = {"__init__", "__main__", *TRANSPORT}
    broken = {
        f"{path}: {name}"
        for path in sources("router")
        if path.with_suffix("").parts[1] not in exempt
        for name in imports(path)
        if within(name, forbidden)
    }
    assert broken == set()


def test_engine_imports_the_router_by_module() -> None:
    """The contracts see ``import router.solve`` but not what is reached through ``import router``."""
    broken = set()
    for path in sources("engine"):
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names} & {"router"}
            elif isinstance(node, ast.ImportFrom) and node.module == "router" and not node.level:
                names = {alias.name for alias in node.names} - PUBLIC
            else:
                continue
            broken |= {f"{path}: {name}" for name in names}
    assert broken == set()


def test_kernels_import_only_numpy_and_numba() -> None:
    path = Path("router/kernels.py")
    if not (PROJECT / path).exists():
        pytest.skip("there is no router/kernels.py")
    packages = {name.partition(".")[0] for name in imports(path)}
    assert packages - sys.stdlib_module_names <= {"numpy", "numba"}


def test_numba_functions_are_in_kernels_only() -> None:
    decorators = re.compile(
        r"^\s*@(?:numba\.|nb\.)?(?:n?jit|vectorize|guvectorize|stencil|cfunc)\b", re.MULTILINE
    )
    broken = [
        str(path)
        for path in sources("router", "engine")
        if path != Path("router/kernels.py")
        and decorators.search((PROJECT / path).read_text(encoding="utf-8"))
    ]
    assert broken == []


def test_modules_are_short() -> None:
    long = {}
    for path in sources("router", "engine"):
        lines = len((PROJECT / path).read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES and path != Path("router/kernels.py") and not is_data(path):
            long[str(path)] = lines
    assert long == {}


def test_router_names_no_game() -> None:
    paths = [
        *sources("router"),
        *(path.relative_to(PROJECT) for path in (PROJECT / "proto/router").rglob("*.proto")),
    ]
    named = [
        f"{path}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate((PROJECT / path).read_text(encoding="utf-8").splitlines(), 1)
        if GAME_NAMES.search(line)
    ]
    assert named == []


def test_no_test_folder_hides_a_package() -> None:
    """A package ``tests/router`` would be found before the real one, since ``tests`` is on the path."""
    assert [
        name for name in ("router", "engine") if (PROJECT / "tests" / name / "__init__.py").exists()
    ] == []


def test_contracts_know_every_module_of_the_router() -> None:
    """A new module must not escape the import contracts because nobody listed it."""
    found = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    contracts = {it["id"]: it for it in found["tool"]["importlinter"]["contracts"]}
    modules = {f"router.{path.stem}" for path in (PROJECT / "router").glob("*.py")} - {"router.__init__"}
    core = set(contracts["core-no-grpc"]["source_modules"])
    private = modules - {f"router.{name}" for name in OPEN}
    assert modules <= core
    assert private <= set(contracts["engine-public-router"]["forbidden_modules"])
    assert private - {"router.judging"} <= set(contracts["referee-independent"]["forbidden_modules"])
