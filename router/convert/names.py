"""The names of enumerations: in the protocol with a prefix, in the dataclasses and in JSON without."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.descriptor import EnumDescriptor

from router.errors import Fault
from router.v1 import problem_pb2, router_service_pb2, solution_pb2

_STEP = re.compile(r"[.\[]")

LOWER = frozenset({"NodeKind", "HexVisits", "Scope", "Objective", "Method"})
"""Enumerations whose bare names are in lower case."""


def prefix(enum: EnumDescriptor) -> str:
    """Return the prefix of the values of ``enum``, such as ``NODE_KIND_``."""
    return enum.values_by_number[0].name.removesuffix("UNSPECIFIED")


def bare(enum: EnumDescriptor, name: str) -> str:
    """Return the name of a value without its prefix; unspecified is the empty string."""
    short = name.removeprefix(prefix(enum))
    if short == "UNSPECIFIED":
        return ""
    return short.lower() if enum.name in LOWER else short


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


def _names(enum: Any, kind: str) -> Names:
    descriptor: EnumDescriptor = enum.DESCRIPTOR
    return Names(kind, {value.number: bare(descriptor, value.name) for value in descriptor.values[1:]})


NODE_KINDS = _names(problem_pb2.NodeKind, "node kind")
HEX_VISITS = _names(problem_pb2.HexVisits, "rule for visits of a hex")
SCOPES = _names(problem_pb2.Scope, "scope")
OBJECTIVES = _names(solution_pb2.Objective, "objective")
METHODS = _names(router_service_pb2.Method, "method")
STATUSES = _names(solution_pb2.Status, "status")
CODES = _names(solution_pb2.ViolationCode, "violation code")


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
