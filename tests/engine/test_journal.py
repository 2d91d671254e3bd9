"""Taking changes back."""

from __future__ import annotations

from engine.core.journal import Journal, State


class Counter(State):
    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.number = 0
        self.others: tuple[Counter, ...] = ()


def test_restoring_puts_old_values_back() -> None:
    counter = Counter(Journal())
    counter.number = 1
    mark = counter.journal.mark()
    counter.number = 2
    counter.number += 5
    counter.others = (Counter(counter.journal),)
    counter.journal.restore(mark)
    assert (counter.number, counter.others) == (1, ())


def test_restoring_removes_new_attributes() -> None:
    counter = Counter(Journal())
    mark = counter.journal.mark()
    counter.later = 1  # type: ignore[attr-defined]
    counter.journal.restore(mark)
    assert not hasattr(counter, "later")


def test_marks_nest() -> None:
    counter = Counter(Journal())
    outer = counter.journal.mark()
    counter.number = 1
    inner = counter.journal.mark()
    counter.number = 2
    counter.journal.restore(inner)
    assert counter.number == 1
    counter.journal.restore(outer)
    assert counter.number == 0
