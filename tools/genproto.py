#!/usr/bin/env python3
"""Generate ``router/v1`` and ``engine/v1`` from the protocol buffers below ``proto``.

Without an option the files are written in place, and those left over from removed protocol buffers deleted.
With ``--check`` nothing is written, and the exit code is 1 if the committed files differ.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
PACKAGES = ("router/v1", "engine/v1")
INIT = '"""Generated protocol buffer code, see ``tools/genproto.py``."""\n'
SERVICE = re.compile(r"^\s*service\s+\w+\s*\{", re.MULTILINE)


def generate(out: Path) -> None:
    """Run the compiler and its plugins over every protocol buffer.

    Parameters
    ----------
    out
        Folder that takes the place of the project's root.

    Raises
    ------
    SystemExit
        If there is nothing to compile or the compiler finds a fault.
    """
    import grpc_tools
    from grpc_tools import protoc

    files = sorted(path for package in PACKAGES for path in (PROTO / package).glob("*.proto"))
    if not files:
        sys.exit(f"genproto: no .proto file below {', '.join(f'proto/{package}' for package in PACKAGES)}")
    services = [path for path in files if SERVICE.search(path.read_text(encoding="utf-8"))]
    scripts = Path(sysconfig.get_path("scripts"))
    common = [
        "protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
    ]
    messages = [f"--python_out={out}", f"--mypy_out=quiet:{out}", *map(str, files)]
    stubs = [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet,only_sync:{out}", *map(str, services)]
    for arguments in (messages, stubs) if services else (messages,):
        if protoc.main([*common, *arguments]) != 0:
            sys.exit("genproto: the protocol buffer compiler failed")
    for package in {path.parent.relative_to(PROTO) for path in files}:
        (out / package / "__init__.py").write_text(INIT, encoding="utf-8")


def contents(root: Path) -> dict[str, str]:
    """Read the Python files and stubs of the generated packages, by path relative to `root`."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for package in PACKAGES
        for path in sorted((root / package).glob("*.py*"))
        if path.suffix in {".py", ".pyi"}
    }


def differences(committed: dict[str, str], fresh: dict[str, str]) -> list[str]:
    """Describe each file that is missing, left over or out of date, in one line."""
    found = []
    for name in sorted(committed.keys() | fresh.keys()):
        if name not in committed:
            found.append(f"missing    {name}")
        elif name not in fresh:
            found.append(f"left over  {name}")
        elif committed[name] != fresh[name]:
            lines = list(
                difflib.unified_diff(committed[name].splitlines(), fresh[name].splitlines(), lineterm="", n=0)
            )[2:]
            added = sum(line.startswith("+") for line in lines)
            removed = sum(line.startswith("-") for line in lines)
            found.append(f"differs    {name} (+{added} -{removed} lines)")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Generate the code, or check it.

    Parameters
    ----------
    arguments
        Command line, that of the process by default.

    Returns
    -------
    int
        Exit code.
    """
    parser = argparse.ArgumentParser(description="Generate router/v1 and engine/v1 from proto/.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if the files differ")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        generate(out)
        fresh = contents(out)
    found = differences(contents(ROOT), fresh)
    if options.check:
        if found:
            print("The generated code does not match proto/; run `make proto`:", *found, sep="\n  ")
            return 1
        print(f"{len(fresh)} generated files match proto/")
        return 0
    for name in contents(ROOT).keys() - fresh.keys():
        (ROOT / name).unlink()
    for name, text in fresh.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(*(found or ["nothing changed"]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
