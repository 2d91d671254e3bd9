"""Reading the values of a route problem out of JSON; what the reader of positions lacks for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.reading import Fields, Reader, listed, shown
from router.problem import MAX_SIZE

MAX_NAME = 10_000
"""Longest name in a problem."""
KINDS = ("node_kind_", "city", "town", "offboard", "halt")
VISITS = ("hex_visits_", "free", "once", "consecutive")
SCOPES = ("scope_", "route", "class", "all")
"""Names of an enumeration, after their common prefix."""

_T = TypeVar("_T")


class ProblemReader(Reader):
    """Reads the parts of a problem; names may be longer than those of a position."""

    def text(self, fields: Fields, name: str, where: str, *, required: bool = True) -> str:
        """Return a text."""
        value = fields.get(name, "")
        if not isinstance(value, str):
            self.fault(where + name, f"is {shown(value)}; expected a text")
            return ""
        if not value and required:
            self.fault(where + name, "is missing; expected a text that is not empty")
        elif len(value) > MAX_NAME or not value.isprintable():
            self.fault(where + name, f"is {shown(value)}; expected at most {MAX_NAME} printable characters")
            return ""
        return value

    def names(self, fields: Fields, name: str, where: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = []
        for index, item in enumerate(self.items(fields, name, where, MAX_SIZE)):
            if isinstance(item, str) and item.isprintable() and len(item) <= MAX_NAME:
                found.append(item)
            else:
                self.fault(f"{where}{name}[{index}]", f"is {shown(item)}; expected a text")
        return tuple(found)

    def each(
        self, fields: Fields, name: str, where: str, known: tuple[str, ...], read: Callable[[Fields, str], _T]
    ) -> tuple[_T, ...]:
        """Return a list of objects, each read by ``read``; what is no object is left out."""
        found = []
        for index, item in enumerate(self.items(fields, name, where, MAX_SIZE)):
            place = f"{where}{name}[{index}]"
            inner = self.fields(item, place, known)
            if inner is not None:
                found.append(read(inner, f"{place}."))
        return tuple(found)

    def inner(self, fields: Fields, name: str, where: str, known: tuple[str, ...]) -> Fields | None:
        """Return the fields of an object that may be absent."""
        return self.fields(fields[name], where + name, known) if name in fields else None

    def choice(self, value: object, names: tuple[str, ...], place: str, default: str = "") -> Any:
        """Return a name of an enumeration, which may carry its prefix or come as a number."""
        prefix, *known = names
        bare: object = value
        if isinstance(value, str):
            bare = value.lower().removeprefix(prefix)
        elif type(value) is int and 0 <= value <= len(known):
            bare = known[value - 1] if value else ""
        if bare in ("", None, "unspecified"):
            bare = default
        if bare not in known:
            self.fault(place, f"is {shown(value)}; expected one of {listed(known)}")
            return known[0]
        return bare

    def kinds(self, fields: Fields, name: str, where: str) -> frozenset[str]:
        """Return a list of node kinds as a set."""
        items = enumerate(self.items(fields, name, where, MAX_SIZE))
        return frozenset(self.choice(item, KINDS, f"{where}{name}[{index}]") for index, item in items)

    def kind_set(self, fields: Fields, name: str, where: str, default: _T) -> frozenset[str] | _T:
        """Return a ``KindSet``."""
        inner = self.inner(fields, name, where, ("kinds",))
        return default if inner is None else self.kinds(inner, "kinds", f"{where}{name}.")

    def name_set(self, fields: Fields, name: str, where: str) -> frozenset[str] | None:
        """Return a ``NameSet``."""
        inner = self.inner(fields, name, where, ("names",))
        return None if inner is None else frozenset(self.names(inner, "names", f"{where}{name}."))

    def money(self, fields: Fields, name: str, where: str) -> dict[str, int]:
        """Return a map from names to money."""
        value = fields.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(where + name, f"is {shown(value)}; expected an object")
            return {}
        place = where + name
        return {key: self.number({shown(key): value[key]}, shown(key), f"{place}.") for key in sorted(value)}
