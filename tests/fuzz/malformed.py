"""Lines with something wrong, made from lines that are right."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A line; ``field`` is what a complaint must name, "" if the line cannot even be read."""

    name: str
    data: bytes
    field: str


POSITION: dict[str, Any] = {
    "id": "p",
    "position": {
        "game": "1861",
        "players": 4,
        "optionalRules": ["column_market"],
        "company": "MKN",
        "phase": "4",
        "tiles": [
            {"hex": "H10", "tile": "58", "rotation": 3},
            {"hex": "I13", "tile": "6", "rotation": 1},
        ],
        "tokens": [
            {"hex": "H8", "city": 1, "slot": 0, "company": "MKN", "extra": False, "offCity": False},
            {"hex": "H8", "city": 0, "slot": 0, "company": "N"},
        ],
        "trains": [
            {"id": "3-0", "name": "3", "subtrains": ["x", "y"], "leased": False},
            {"id": "4-0", "name": "4"},
        ],
        "hexBonuses": [{"source": "MRR", "hexes": ["H8"], "amount": 10}],
    },
    "fixedRoutes": [
        {"train": "3-0", "connections": [["H8", "G7", "G5"], ["G5", "F4", "F2", "E1"]], "nodes": ["H8-1"]}
    ],
    "objective": "revenue",
    "timeLimit": 5,
    "alternatives": 1,
}
PROBLEM: dict[str, Any] = {
    "id": "q",
    "problem": {
        "id": "two cities",
        "hexes": [{"id": "A", "q": 0, "r": 0}, {"id": "B", "q": 1, "r": 0}],
        "nodes": [
            {
                "id": "a",
                "kind": "city",
                "hex": "A",
                "value": 20,
                "values": {"2": 30},
                "token": True,
                "blocked": False,
                "terminal": False,
                "groups": ["west"],
                "countsAs": "a",
            },
            {"id": "b", "kind": "town", "hex": "B", "value": 10},
        ],
        "segments": [
            {"id": "ab", "a": "a", "b": "b", "track": ["t"], "hexes": ["A", "B"], "marks": ["ferry"]}
        ],
        "trains": [
            {
                "id": "1",
                "kind": "2",
                "visit": [{"kinds": ["city", "town"], "most": 2}],
                "maxEdges": 9,
                "pay": [{"kinds": ["city", "town"], "most": 2}],
                "paying": {"kinds": ["city", "town"]},
                "mustPay": {"kinds": ["city"]},
                "tokenPays": False,
                "needsToken": True,
                "multiplier": 1,
                "hexVisits": "free",
                "hexPaysOnce": False,
                "ends": {"names": ["a", "b"]},
                "through": {"names": ["a"]},
                "stops": {"names": ["a", "b"]},
                "trackClass": "steam",
                "routes": 1,
                "routeIds": ["r1"],
                "routesTouch": False,
            }
        ],
        "terms": [
            {
                "stopBonus": {
                    "name": "port",
                    "amount": 5,
                    "allOf": [{"names": ["a"]}, {"names": ["b"]}],
                    "amounts": {"2": 6},
                }
            },
            {"trackBonus": {"name": "ferry", "amount": 7, "mark": "ferry"}},
            {
                "distanceBonus": {
                    "name": "far",
                    "perHex": 1,
                    "trains": ["2"],
                    "between": {"kinds": ["city", "town"]},
                }
            },
            {
                "areaBonus": {
                    "name": "compass",
                    "areas": {"N": {"names": ["a"]}, "S": {"names": ["b"]}},
                    "pairs": [{"a": "N", "b": "S", "amount": 3}],
                    "meeting": {"kinds": ["city"]},
                }
            },
            {"largestTrainBonus": {"name": "mine", "nodes": ["b"], "amounts": {"2": 2}, "lostAt": ["a"]}},
            {"hexSubsidy": {"name": "subsidy", "perHex": 1, "trains": ["2"]}},
            {
                "chainBonus": {
                    "name": "chain",
                    "trains": ["2"],
                    "dependent": ["2"],
                    "perHex": 1,
                    "farPerHex": 2,
                    "far": ["a"],
                    "fromLastHex": {"kinds": ["offboard"]},
                }
            },
        ],
        "conditions": [
            {"visitHome": {"nodes": ["a"]}},
            {"routesTouch": {}},
            {"requiredRoute": {"name": "line", "hexes": ["A", "B"], "trackClasses": {"names": ["steam"]}}},
            {"mustRun": {"trackClass": "steam"}},
        ],
        "trackScope": "all",
        "count": "route",
        "endSets": [{"names": ["a", "b"]}],
    },
    "fixedRoutes": [{"train": "r1", "nodes": ["a", "b"], "segments": ["ab"]}],
}
CHECK_POSITION: dict[str, Any] = {
    "id": "cp",
    "position": {**POSITION["position"], "hexBonuses": []},
    "routes": POSITION["fixedRoutes"],
}
CHECK_PROBLEM: dict[str, Any] = {
    "id": "cq",
    "problem": PROBLEM["problem"],
    "routes": PROBLEM["fixedRoutes"],
}

_WRONG: dict[type, tuple[Any, ...]] = {
    str: (17, True, [], {}, ["x"]),
    int: ("x", 1.5, True, [], {}, -(10**9), 10**30, "1e3"),
    bool: ("x", 3, [], {}, "true"),
    list: ("x", 3, True, {}, {"0": 1}),
    dict: ("x", 3, True, [], [1]),
}
_ODD = (
    ("a lone surrogate", '"\\ud800"'),
    ("NaN", "NaN"),
    ("Infinity", "Infinity"),
    ("-Infinity", "-Infinity"),
    ("a number of many digits", "9" * 5000),
    ("deep nesting", "[" * 100_000 + "]" * 100_000),
    ("a long text", '"' + "x" * 100_000 + '"'),
)
_MARK = "@@@"


def _encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every place in a value, the outermost left out."""
    if path:
        yield path, value
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, item in items:
        yield from _places(item, (*path, key))


def _told(path: tuple[Any, ...]) -> str:
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}"
    return text.lstrip(".")


def _with(base: dict[str, Any], path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    found = copy.deepcopy(base)
    inner: Any = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return found


def cut(base: dict[str, Any], step: int) -> Iterator[Case]:
    """Yield a line that ends too early, at every place."""
    data = _encoded(base)
    for length in range(1, len(data), step):
        yield Case(f"cut after {length} bytes", data[:length], "")


def wrong_types(base: dict[str, Any]) -> Iterator[Case]:
    """Yield a line with a value of the wrong type, in every place."""
    for path, value in _places(base):
        for number, new in enumerate(_WRONG[type(value)]):
            if path == ("timeLimit",) and isinstance(new, float):
                continue
            yield Case(
                f"{_told(path)} is {str(new)[:20]!r} ({number})",
                _encoded(_with(base, path, new)),
                _told(path),
            )


def odd_values(base: dict[str, Any]) -> Iterator[Case]:
    """Yield a line with a value that is hardly JSON, in every place without inner ones."""
    for path, value in _places(base):
        if isinstance(value, dict | list):
            continue
        text = json.dumps(_with(base, path, _MARK))
        for name, odd in _ODD:
            kind = "" if odd[0] in "NI-9[" else _told(path)
            yield Case(f"{_told(path)} is {name}", text.replace(f'"{_MARK}"', odd).encode(), kind)


def unknown_fields(base: dict[str, Any]) -> Iterator[Case]:
    """Yield a line with a field that nobody knows, in every object with fixed fields."""
    free = ("values", "amounts", "areas")
    for path, value in [((), base), *_places(base)]:
        if isinstance(value, dict) and not (path and path[-1] in free):
            place = (*path, "zzz")
            yield Case(f"unknown {_told(place)}", _encoded(_with(base, place, 1)), _told(place))


def given_twice(base: dict[str, Any]) -> Iterator[Case]:
    """Yield a line with a field that is given twice, in every object."""
    for path, value in _places(base):
        if isinstance(value, dict) and value:
            name = next(iter(value))
            text = json.dumps(_with(base, (*path, _MARK), 0)).replace(_MARK, name)
            yield Case(f"{_told(path)} has {name} twice", text.encode(), name if name.isidentifier() else "")


def repeated(base: dict[str, Any], lists: tuple[tuple[Any, ...], ...]) -> Iterator[Case]:
    """Yield a line with an item of a list given twice that may be there but once."""
    for path in lists:
        inner: Any = base
        for key in path:
            inner = inner[key]
        yield Case(
            f"{_told(path)} repeats an item", _encoded(_with(base, path, [*inner, inner[0]])), _told(path)
        )


def unknown_names() -> Iterator[Case]:
    """Yield a line with a name of the right form that means nothing."""
    top = ("position",)
    for path in (
        (*top, "game"),
        (*top, "company"),
        (*top, "phase"),
        (*top, "optionalRules", 0),
        (*top, "tiles", 0, "hex"),
        (*top, "tiles", 0, "tile"),
        (*top, "tokens", 0, "hex"),
        (*top, "tokens", 0, "company"),
        (*top, "trains", 0, "name"),
        (*top, "hexBonuses", 0, "source"),
        (*top, "hexBonuses", 0, "hexes", 0),
    ):
        yield Case(f"{_told(path)} is unknown", _encoded(_with(POSITION, path, "Zz9")), _told(path))
    top = ("problem",)
    for path in (
        (*top, "nodes", 0, "kind"),
        (*top, "segments", 0, "a"),
        (*top, "segments", 0, "b"),
        (*top, "trains", 0, "visit", 0, "kinds", 0),
        (*top, "trains", 0, "hexVisits"),
        (*top, "trackScope"),
        (*top, "count"),
    ):
        yield Case(f"{_told(path)} is unknown", _encoded(_with(PROBLEM, path, "Zz9")), _told(path))


def huge() -> Iterator[Case]:
    """Yield lines of many items, of which each may be right."""
    many = 100_000
    tile = {"hex": "H10", "tile": "58", "rotation": 3}
    for path, item in (
        (("position", "tiles"), tile),
        (("position", "tokens"), POSITION["position"]["tokens"][0]),
        (("position", "trains"), POSITION["position"]["trains"][1]),
        (("position", "optionalRules"), "column_market"),
        (("position", "hexBonuses"), POSITION["position"]["hexBonuses"][0]),
        (("fixedRoutes",), POSITION["fixedRoutes"][0]),
        (("fixedRoutes", 0, "connections"), ["H8", "H10"]),
    ):
        yield Case(f"{many} {_told(path)}", _encoded(_with(POSITION, path, [item] * many)), _told(path))
    for name in ("nodes", "segments", "trains", "hexes"):
        item = PROBLEM["problem"][name][0]
        items = [{**item, "id": str(number)} for number in range(many + 1)]
        path = ("problem", name)
        yield Case(f"{many + 1} {_told(path)}", _encoded(_with(PROBLEM, path, items)), _told(path))


def nulls(base: dict[str, Any]) -> Iterator[Case]:
    """Yield a line with nothing, in every place; in some that is the default."""
    for path, _ in _places(base):
        yield Case(f"{_told(path)} is null", _encoded(_with(base, path, None)), _told(path))


def solve_cases() -> list[Case]:
    """Return all lines for ``solve`` that must be refused."""
    return [
        *cut(POSITION, 1),
        *cut(PROBLEM, 7),
        *(case for base in (POSITION, PROBLEM) for case in wrong_types(base)),
        *(case for base in (POSITION, PROBLEM) for case in unknown_fields(base)),
        *(case for base in (POSITION, PROBLEM) for case in given_twice(base)),
        *unknown_names(),
        *repeated(POSITION, (("position", "tiles"), ("position", "tokens"), ("position", "trains"))),
        *repeated(
            PROBLEM,
            (("problem", "nodes"), ("problem", "segments"), ("problem", "trains"), ("problem", "hexes")),
        ),
    ]


def check_cases() -> list[Case]:
    """Return all lines for ``check`` that must be refused."""
    return [
        *cut(CHECK_POSITION, 11),
        *(case for base in (CHECK_POSITION, CHECK_PROBLEM) for case in wrong_types(base)),
        *(case for base in (CHECK_POSITION, CHECK_PROBLEM) for case in unknown_fields(base)),
    ]
