"""Gathering faults: the list, the tests that many fields share, and what earlier parts have named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from router.errors import Fault
from router.problem import MAX_MONEY, MAX_SIZE, NODE_KINDS


def shown(value: object) -> str:
    """Return a short text for ``value`` that never fails."""
    if value is None or isinstance(value, bool):
        return str(value)
    if type(value) is int:
        return str(value) if -(10**15) < value < 10**15 else "a number of many digits"
    if type(value) is str:
        return repr(value if len(value) <= 40 else value[:37] + "...")
    if type(value) is float:
        return f"the float {value}"
    return f"a value of type {type(value).__name__}"


def repeated(values: Iterable[Any]) -> list[str]:
    """Return the texts that occur more than once."""
    seen: set[str] = set()
    again: list[str] = []
    for value in values:
        if type(value) is str:
            if value in seen and value not in again:
                again.append(value)
            seen.add(value)
    return again


class Ids:
    """What the earlier parts of the problem have named so far."""

    def __init__(self) -> None:
        self.hexes: set[str] = set()
        self.node_hex: dict[str, str] = {}
        self.node_kind: dict[str, str] = {}
        self.highest = 0
        """Largest value of any node, whatever the train."""


class Faults:
    """The faults found so far, and the tests that several fields share."""

    def __init__(self) -> None:
        self.list: list[Fault] = []

    def add(self, where: str, why: str) -> None:
        """Note a fault."""
        self.list.append(Fault(where, why))

    def items(self, where: str, value: object) -> tuple[Any, ...]:
        """Return ``value`` if it is a tuple of bearable size, else note the fault and return nothing."""
        if type(value) is not tuple:
            self.add(where, f"must be a tuple, not {shown(value)}")
            return ()
        if len(value) > MAX_SIZE:
            self.add(where, f"holds {len(value)} items; at most {MAX_SIZE} are allowed")
        return value

    def text(self, where: str, value: object) -> bool:
        """Whether ``value`` is a text that is not empty."""
        if type(value) is not str:
            self.add(where, f"must be a text, not {shown(value)}")
            return False
        if not value:
            self.add(where, "must not be empty")
            return False
        return True

    def truth(self, where: str, value: object) -> None:
        """``value`` must be true or false."""
        if type(value) is not bool:
            self.add(where, f"must be true or false, not {shown(value)}")

    def number(self, where: str, value: object, least: int, most: int) -> bool:
        """Whether ``value`` is a whole number between ``least`` and ``most``."""
        if type(value) is not int:
            self.add(where, f"must be a whole number, not {shown(value)}")
            return False
        if not least <= value <= most:
            self.add(where, f"must lie between {least} and {most}, not {shown(value)}")
            return False
        return True

    def money(self, where: str, value: object) -> bool:
        """Whether ``value`` is an amount of money."""
        return self.number(where, value, 0, MAX_MONEY)

    def amounts(self, where: str, value: object) -> None:
        """``value`` must map names to money."""
        if not isinstance(value, Mapping):
            self.add(where, f"must be a mapping from train kinds to money, not {shown(value)}")
            return
        for key, amount in value.items():
            if self.text(f"{where} (a key)", key):
                self.money(f"{where}[{key!r}]", amount)

    def choice(self, where: str, value: object, allowed: Iterable[str]) -> None:
        """``value`` must be one of ``allowed``."""
        names = sorted(allowed)
        if type(value) is not str or value not in names:
            self.add(where, f"must be one of {', '.join(names)}, not {shown(value)}")

    def names(self, where: str, value: object, known: Iterable[str] | None = None, what: str = "") -> None:
        """``value`` must be a frozen set of texts, of ``known`` names if these are given."""
        if type(value) is not frozenset:
            self.add(where, f"must be a frozenset, not {shown(value)}")
            return
        for name in sorted(value, key=str) if all(type(v) is str for v in value) else value:
            if type(name) is not str or not name:
                self.add(where, f"must hold names, not {shown(name)}")
            elif known is not None and name not in known:
                self.add(where, f"names the unknown {what} {shown(name)}")

    def kinds(self, where: str, value: object) -> None:
        """``value`` must be a frozen set of node kinds."""
        self.names(where, value, NODE_KINDS, "node kind")
