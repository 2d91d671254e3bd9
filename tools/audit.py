#!/usr/bin/env python3
"""Look for known vulnerabilities in what is installed, and for requirements that do not fit together.

The second needs no network and always runs. The first asks a database of vulnerabilities about every package
that is installed, which needs the network: it runs with ``--online`` only. Where the database cannot be
reached it is left out, and the output says why.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

PATIENCE = 240
"""Seconds after which a database that does not answer counts as out of reach."""


def consistent() -> bool:
    """Tell whether all requirements are met."""
    found = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False
    )
    print(found.stdout.strip() or found.stderr.strip())
    return found.returncode == 0


def vulnerable() -> bool:
    """Tell whether anything installed is known to be vulnerable."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--skip-editable",
        "--progress-spinner=off",
        "--format=json",
    ]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        print(f"skipped: the database of vulnerabilities did not answer within {PATIENCE} s")
        return False
    try:
        report = json.loads(found.stdout)
    except ValueError:
        last = (found.stderr.strip().splitlines() or ["no output"])[-1]
        print(f"skipped: the database of vulnerabilities cannot be asked: {last[:200]}")
        return False
    bad = [
        (it["name"], it["version"], fault) for it in report["dependencies"] for fault in it.get("vulns", ())
    ]
    for name, version, fault in bad:
        mended = ", ".join(fault.get("fix_versions", ())) or "none yet"
        print(f"{name} {version}: {fault['id']}; mended in: {mended}")
    print(f"{len(report['dependencies'])} packages looked up, {len(bad)} known vulnerabilities")
    return bool(bad)


def main() -> int:
    """Look at everything and return the exit code."""
    parser = argparse.ArgumentParser(description="Audit what is installed.")
    parser.add_argument("--online", action="store_true", help="ask the database of vulnerabilities, too")
    options = parser.parse_args()
    good = consistent()
    if options.online:
        return 0 if good and not vulnerable() else 1
    print("skipped: known vulnerabilities; that needs the network: tools/audit.py --online")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
