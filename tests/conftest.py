"""Fixtures and settings of the whole test suite."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

import support

IN_CI = os.environ.get("CI") == "true"

# Compiling a kernel inside an example would break any deadline.
# The same examples everywhere; with TRUNKLINE_EXAMPLES=random others, some of which take minutes.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("random", deadline=None)
hypothesis.settings.load_profile(os.environ.get("TRUNKLINE_EXAMPLES", "steady"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of the reference data; without it skip the test, or fail in CI."""
    root = support.shared_root()
    if root is not None:
        return root
    reason = f"no reference data at {support.shared_location()} (set TRUNKLINE_SHARED)"
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)
