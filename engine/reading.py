"""Reads untrusted JSON in the manner of protocol buffers and notes every fault, not only the first.

Fields may be called by their JSON name (``hexBonuses``) or their own name (``hex_bonuses``); ``null`` and
absence mean the default; whole numbers may come as ``4``, ``4.0`` or ``"4"``. Everything else is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

from router.errors import Fault

Fields: TypeAlias = dict[str, object]

MAX_INT = 2**31 - 1
MAX_TEXT = 100
MAX_FAULTS = 1000
_DIGITS = re.compile(r"-?[0-9]{1,10}")
_UPPER = re.compile(r"(?<!^)([A-Z])")


def shown(value: object) -> str:
    """Return a short description of a JSON value for a message."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "...")
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = str(value) if not isinstance(value, int) or abs(value) < 10**20 else "a huge number"
    return text if len(text) <= 40 else f"a {type(value).__name__}"


def listed(items: Iterable[object], most: int = 12) -> str:
    """Return items as text, shortened if there are many."""
    texts = [str(item) for item in items]
    if len(texts) > most:
        return ", ".join(texts[:most]) + f", ... ({len(texts)} in all)"
    return ", ".join(texts) if texts else "none"


@cache
def _names(known: tuple[str, ...]) -> Mapping[str, str]:
    """Return the JSON name of a field by each name under which it may come."""
    names = {_UPPER.sub(lambda match: "_" + match[1].lower(), name): name for name in known}
    return {**names, **{name: name for name in known}}


class Reader:
    """Takes values out of JSON objects; what is wrong goes to :attr:`faults`."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, where: str, why: str) -> None:
        """Note that something is wrong (up to a bearable number of faults)."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(Fault(where, why))

    def fields(self, value: object, where: str, known: tuple[str, ...]) -> Fields | None:
        """Return the fields of an object by JSON name, without nulls; None if it is no object."""
        if not isinstance(value, dict):
            self.fault(where, f"is {shown(value)}; expected an object")
            return None
        names = _names(known)
        found: Fields = {}
        for key, item in value.items():
            name = names.get(key) if isinstance(key, str) else None
            if name is None:
                place = (
                    f"{where}.{shown(key).strip(chr(39))}" if where != "position" else shown(key).strip("'")
                )
                self.fault(place, f"unknown field; expected {listed(known)}")
            elif name in found:
                self.fault(f"{where}.{name}" if where != "position" else name, "is given twice")
            elif item is not None:
                found[name] = item
        return found

    def text(self, fields: Fields, name: str, where: str, *, required: bool = True) -> str:
        """Return a text; ``where`` is the object's place, with a final dot unless it is the outermost."""
        value = fields.get(name, "")
        if not isinstance(value, str):
            self.fault(where + name, f"is {shown(value)}; expected a text")
            return ""
        if not value:
            if required:
                self.fault(where + name, "is missing; expected a text that is not empty")
        elif len(value) > MAX_TEXT or not value.isprintable():
            self.fault(where + name, f"is {shown(value)}; expected at most {MAX_TEXT} printable characters")
            return ""
        return value

    def number(
        self, fields: Fields, name: str, where: str, *, least: int = 0, most: int = MAX_INT, default: int = 0
    ) -> int:
        """Return a whole number between ``least`` and ``most``."""
        value = fields.get(name, default)
        if type(value) is int:
            number = value
        elif (isinstance(value, float) and value.is_integer()) or (
            isinstance(value, str) and _DIGITS.fullmatch(value)
        ):
            number = int(value)
        else:
            self.fault(where + name, f"is {shown(value)}; expected a whole number")
            return default
        if not least <= number <= most:
            limits = f"{least} to {most}" if most < MAX_INT else f"{least} or more"
            given = f"is {shown(value)}" if name in fields else "is missing"
            self.fault(where + name, f"{given}; expected {limits}")
            return default
        return number

    def flag(self, fields: Fields, name: str, where: str) -> bool:
        """Return true or false."""
        value = fields.get(name, False)
        if not isinstance(value, bool):
            self.fault(where + name, f"is {shown(value)}; expected true or false")
            return False
        return value

    def items(self, fields: Fields, name: str, where: str, most: int) -> list[object]:
        """Return the items of a list that holds at most ``most``."""
        value = fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(where + name, f"is {shown(value)}; expected a list")
            return []
        if len(value) > most:
            self.fault(where + name, f"holds {len(value)} items; expected at most {most}")
            return []
        return value

    def texts(
        self, fields: Fields, name: str, where: str, most: int, *, repeats: bool = False
    ) -> tuple[str, ...]:
        """Return a list of texts; unless ``repeats``, each once."""
        found: list[str] = []
        seen: set[str] = set()
        for index, item in enumerate(self.items(fields, name, where, most)):
            place = f"{where}{name}[{index}]"
            if not isinstance(item, str) or not item or len(item) > MAX_TEXT or not item.isprintable():
                self.fault(place, f"is {shown(item)}; expected a text that is not empty")
            elif item in seen and not repeats:
                self.fault(place, f"is {shown(item)} again; expected each once")
            else:
                found.append(item)
                seen.add(item)
        return tuple(found)
