"""The names of enumerations: in the protocol with a prefix, in the dataclasses without."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from router.errors import Fault
from router.v1 import problem_pb2, router_service_pb2, solution_pb2

_STEP = re.compile(r"[.\[]")


@dataclass(frozen=True)
class Names:
    """Both directions of one enumeration."""

    kind: str
    by_number: Mapping[int, str]
    numbers: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {name: number for number, name in self.by_number.items()})

    @property
    def choices(self) -> str:
        """All names, for messages."""
        return ", ".join(self.by_number.values())


def _names(enum: Any, kind: str, case: Callable[[str], str] = str.lower) -> Names:
    values = enum.DESCRIPTOR.values
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    return Names(kind, {value.number: case(value.name.removeprefix(prefix)) for value in values[1:]})


NODE_KINDS = _names(problem_pb2.NodeKind, "node kind")
HEX_VISITS = _names(problem_pb2.HexVisits, "rule for visits of a hex")
SCOPES = _names(problem_pb2.Scope, "scope")
OBJECTIVES = _names(solution_pb2.Objective, "objective")
METHODS = _names(router_service_pb2.Method, "method")
STATUSES = _names(solution_pb2.Status, "status", str.upper)
CODES = _names(solution_pb2.ViolationCode, "violation code", str.upper)


@dataclass
class Faults:
    """Collects what is wrong with a message."""

    found: list[Fault] = field(default_factory=list)

    def add(self, where: str, why: str) -> None:
        """Note that the field at ``where`` is wrong."""
        self.found.append(Fault(where, why))

    def name(self, names: Names, number: int, where: str, default: str = "") -> Any:
        """Return the name of an enumeration's value; unspecified is ``default``, a fault if that is empty."""
        if number == 0 and default:
            return default
        found = names.by_number.get(number)
        if found is not None:
            return found
        why = "missing" if number == 0 else f"unknown {names.kind} {number}"
        self.add(where, f"{why}; one of {names.choices}")
        return default or next(iter(names.by_number.values()))

    def name_set(self, names: Names, numbers: Iterable[int], where: str) -> frozenset[str]:
        """Return a set of names."""
        return frozenset(self.name(names, number, f"{where}[{i}]") for i, number in enumerate(numbers))

    def merge(self, faults: Iterable[Fault]) -> None:
        """Add ``faults`` of a later stage, but for those in fields that were already refused."""
        refused = {fault.where for fault in self.found}
        self.found += [fault for fault in faults if refused.isdisjoint(_above(fault.where))]


def _above(where: str) -> list[str]:
    """Return the path ``where`` and all paths that it lies below."""
    return [where, *(where[: step.start()] for step in _STEP.finditer(where))]
