"""From a line of input to a line of output. Whatever a line holds, nothing is raised."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.cli.lines import Line, parse
from engine.cli.requests import Request, Settings, id_of, read_request
from router.errors import Fault, InvalidInput, TrunklineError, Unsupported

OK = 0
FINDINGS = 1
BAD = 2

PATIENCE = 3
"""Lines in a row that a server may leave without an answer before it is given up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a line.

    Attributes
    ----------
    document
        What is written to the output.
    code
        0 proved or legal, 1 not so, 2 no answer.
    size
        Bytes of the line.
    """

    number: int
    document: dict[str, Any]
    code: int
    size: int = 0

    @property
    def complaints(self) -> list[str]:
        """What is said about a line without an answer, one fault each."""
        error = self.document.get("error")
        if error is None:
            return []
        name = self.document["id"]
        told = f" ({name!a})" if name != str(self.number) else ""
        return [
            f"line {self.number}{told}: " + ": ".join(text for text in (it["field"], it["why"]) if text)
            for it in error["faults"]
        ]


def refused(number: int, name: str, code: str, faults: Sequence[Fault], size: int = 0) -> Outcome:
    """Return the outcome of a line without an answer."""
    told = [{"field": fault.where, "why": fault.why} for fault in faults]
    error = {"code": code, "line": number, "faults": told}
    return Outcome(number, {"id": name, "error": error}, BAD, size)


class Answerer:
    """Answers lines, one after the other."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._router: Any = None
        self._silent = 0

    def __call__(self, line: Line) -> Outcome:
        """Return what becomes of a line."""
        number, size = line.number, len(line.data)
        name = str(number)
        try:
            value = parse(line)
            name = id_of(value, number)
            request = read_request(value, number, self._settings)
            return self._solve(request, line) if self._settings.command == "solve" else _check(request, line)
        except InvalidInput as error:
            return refused(number, name, "BAD_INPUT", error.faults, size)
        except Unsupported as error:
            return refused(number, name, "UNSUPPORTED", [Fault("", str(error))], size)
        except TrunklineError as error:
            code = getattr(error, "code", "INTERNAL")
            self._silent += code == "UNAVAILABLE"
            return refused(number, name, code, [Fault("", str(error) or type(error).__name__)], size)
        except Exception as error:
            why = f"unexpected {type(error).__name__}: {error}"
            return refused(number, name, "INTERNAL", [Fault("", why)], size)

    def _solve(self, request: Request, line: Line) -> Outcome:
        from engine.position import Position
        from router.stop import Deadline, Never

        if self._silent >= PATIENCE:
            why = f"no answer from {self._settings.server} for {PATIENCE} lines; not tried any more"
            return refused(line.number, request.id, "UNAVAILABLE", [Fault("", why)], len(line.data))
        solver = self._solver()
        stop = Never() if request.time_limit is None else Deadline(request.time_limit)
        if isinstance(request.subject, Position):
            from engine.solving import solve_position

            found = solve_position(
                request.subject,
                fixed_routes=request.routes,
                objective=request.objective,
                alternatives=request.alternatives,
                stop=stop,
                solver=solver,
                id=request.id,
            )
            document: dict[str, Any] = found.to_json()
            if self._settings.explain:
                from engine.explain import explain_position

                document["explanation"] = explain_position(request.subject, found, request.objective)
        else:
            from engine.cli.documents import solution_document

            try:
                solution = solver(
                    request.subject,
                    fixed=request.routes,
                    objective=request.objective,
                    alternatives=request.alternatives,
                    stop=stop,
                )
            except InvalidInput as error:
                raise type(error)([_renamed(fault) for fault in error.faults]) from None
            document = solution_document(solution, request.id)
            if self._settings.explain:
                from engine.explain import explain_problem

                document["explanation"] = explain_problem(request.subject, solution, request.objective)
        self._silent = 0
        document["stats"] = dict(sorted(document["stats"].items()))
        proved = document["status"] in ("OPTIMAL", "INFEASIBLE")
        return Outcome(line.number, document, OK if proved else FINDINGS, len(line.data))

    def _solver(self) -> Any:
        if self._router is None:
            from router.client import connect, local

            if self._settings.server:
                ca, token = os.environ.get("TRUNKLINE_CA"), os.environ.get("TRUNKLINE_TOKEN")
                try:
                    self._router = connect(self._settings.server, ca=ca, token=token)
                except (OSError, ValueError) as error:
                    raise InvalidInput([Fault("--server", str(error))]) from None
            else:
                self._router = local()
        return self._router.solve


def _renamed(fault: Fault) -> Fault:
    """Return a fault of the routes to keep with the name that the field has in a line."""
    known = fault.where == "fixed" or fault.where.startswith("fixed[")
    return Fault(fault.where.replace("fixed", "fixedRoutes", 1), fault.why) if known else fault


def _check(request: Request, line: Line) -> Outcome:
    from engine.position import Position

    if isinstance(request.subject, Position):
        from engine.solving import check_position

        document = check_position(request.subject, request.routes, id=request.id).to_json()
    else:
        from engine.cli.documents import verdict_document
        from router.check import check

        document = verdict_document(check(request.subject, request.routes), request.id)
    return Outcome(line.number, document, OK if document["legal"] else FINDINGS, len(line.data))
