from __future__ import annotations

from router.warm import warm


def test_warm_makes_the_solver_ready() -> None:
    report = warm()
    assert report.ready
    assert set(report.seconds) == {"import", "kernels", "solve"}
    assert report.total >= 0
    assert warm().total < 5
