"""Workers that die: whatever kills them is found, everything else is done once."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_support import deadly, double

from engine.audit.pool import Died, Pool, Unreachable


def test_one_process() -> None:
    assert list(Pool(1).map(double, [1, 2, 3])) == [(1, 2), (2, 4), (3, 6)]


def test_what_is_loaded_is_given_to_the_call() -> None:
    assert sorted(Pool(2).map(double, [1, 2, 3], lambda item: item * 10)) == [(1, 20), (2, 40), (3, 60)]


def test_workers_that_die(tmp_path: Path) -> None:
    """13 kills its worker each time, 7 once, as if somebody had done it from outside."""
    items = [(str(tmp_path), number) for number in range(20)]
    found = {item[1]: result for item, result in Pool(2).map(deadly, items)}
    assert found.keys() == set(range(20))
    assert isinstance(found.pop(13), Died)
    assert all(result == number for number, result in found.items())
    assert (tmp_path / "died-7").exists()


def test_nothing_to_do() -> None:
    assert list(Pool(2).map(double, [])) == []


def test_a_cluster_that_is_not_there() -> None:
    pool = Pool(cluster="tcp://127.0.0.1:1")
    with pytest.raises(Unreachable, match="no scheduler at tcp"), pool.opened():
        pass
