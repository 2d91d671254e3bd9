"""A fuzzer led by coverage over the decoders: ``python tests/fuzz/decoders.py FOLDER -runs=100000``.

Needs the package ``atheris``. Protocol buffers go through everything that a worker does before it searches,
JSON through everything that the command line does. FOLDER takes in inputs that reach something new. Anything
but a refusal that lists its faults stops the run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent.parent)]

PACKAGES = [
    "engine.convert",
    "engine.position",
    "engine.reading",
    "engine.cli",
    "engine.compile",
    "router.convert",
]
with atheris.instrument_imports(
    include=[*PACKAGES, "router.validation", "router.validate", "router.problem"]
):
    from requests_made import METHODS, valid

    from engine import convert as positions
    from engine.cli.lines import Line, parse
    from engine.cli.requests import Settings, read_request
    from engine.solving import PositionSearch
    from router import convert as problems
    from router.errors import InvalidInput, Unsupported
    from router.service.envelopes import Envelope
    from router.service.statuses import expected

KINDS = sorted(METHODS.items())
ENVELOPES = [Envelope(kind, "fuzz") for _, kind in KINDS]


def decode(method: str, kind: object, payload: bytes) -> None:
    """Read a request as a worker does."""
    message = kind.FromString(payload)  # type: ignore[attr-defined]
    if "GameService" in method:
        fixed = getattr(message, "fixed_routes", None) or getattr(message, "routes", ())
        routes = positions.site_routes_from_proto(fixed, "fixedRoutes")
        PositionSearch(positions.position_from_proto(message.position), routes)
    else:
        problems.problem_from_proto(message.problem)


def one(data: bytes) -> None:
    """Try one input: the first byte chooses the decoder."""
    if not data:
        return
    at = data[0] % (len(KINDS) + 1)
    try:
        if at == len(KINDS):
            read_request(parse(Line(1, data[1:])), 1, Settings("solve"))
            return
        letter = ENVELOPES[at].open(data[1:])
        decode(*KINDS[at], letter.payload)
    except InvalidInput as error:
        assert error.faults
        assert expected(error) is not None
    except Unsupported:
        pass


def seeds(folder: Path) -> None:
    """Write inputs to begin with."""
    folder.mkdir(parents=True, exist_ok=True)
    known = valid()
    for at, (method, _) in enumerate(KINDS):
        for number, payload in enumerate(known[method]):
            (folder / f"{at}-{number}").write_bytes(bytes([at]) + payload)
    from malformed import POSITION, PROBLEM

    for name, line in (("position", POSITION), ("problem", PROBLEM)):
        (folder / name).write_bytes(bytes([len(KINDS)]) + json.dumps(line).encode())


if __name__ == "__main__":
    seeds(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
