"""The search does the work that is on record: same input, same answers, same counters."""

from __future__ import annotations

import importlib.util

from support import PROJECT


def test_the_work_signature() -> None:
    spec = importlib.util.spec_from_file_location("signature", PROJECT / "benchmarks" / "signature.py")
    assert spec is not None
    assert spec.loader is not None
    signature = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(signature)
    assert signature.differences() == []
