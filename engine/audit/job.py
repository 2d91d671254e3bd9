"""Auditing one recorded game."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace

from engine.actions import Action
from engine.answer import PositionVerdict, PositionViolation
from engine.audit.findings import Audited, AuditedRun, Header, Run, State
from engine.core.companies import Company
from engine.game import Game
from engine.record import Record
from engine.refusal import IllegalAction, UnreadableRecord
from engine.registry import UnknownGame
from engine.replay import begin
from engine.solving import Solver, compare_position, solve_position
from engine.steps.route import site_routes
from router.errors import InvalidInput, TrunklineError
from router.solution import Code

LIMIT = 60.0
"""Seconds that the search for one best run is given unless told otherwise."""


def audit_bytes(data: bytes, *, limit: float = LIMIT, signature: str = "") -> Audited:
    """Audit the content of a file; whatever is wrong with it is told in the header.

    Parameters
    ----------
    limit
        Seconds after which the search for one best run is stopped.
    signature
        Noted in the header.
    """
    header = Header(digest_of(data), "unreadable", limit=limit, signature=signature)
    try:
        record = Record.from_bytes(data)
    except UnreadableRecord as error:
        return Audited(replace(header, why=_line(error)))
    header = replace(
        header,
        game=record.game,
        id=str(record.id),
        players={str(seat.id): seat.name for seat in record.players},
        options=record.optional_rules,
    )
    return audit_record(record, header, limit=limit)


def digest_of(data: bytes) -> str:
    """Return what the content of a file is known by."""
    return hashlib.sha256(data).hexdigest()[:16]


def audit_record(
    record: Record, header: Header, *, limit: float = LIMIT, solver: Solver | None = None
) -> Audited:
    """Audit a recorded game up to its end, or to the first action that is refused.

    Parameters
    ----------
    header
        Is completed.
    solver
        Finds the best routes; by default the router of this process.
    """
    runs: list[AuditedRun] = []
    state: State = "done"
    why, actions = "", 0
    failed: Action | None = None
    game: Game | None = None
    try:
        game = begin(record)
        for action in record.actions():
            failed = action
            run = _run(game, action, len(runs) + 1)
            game.apply(action)
            actions += 1
            if run is not None:
                runs.append(_audited(run, limit, solver))
        failed = None
    except UnknownGame as error:
        state, why = "unsupported", str(error)
    except UnreadableRecord as error:
        state, why = "unreadable", _line(error)
    except (IllegalAction, TrunklineError) as error:
        state, why = "failed", f"{_action(failed)} is refused: {_line(error)}"
    except Exception as error:  # one record must not stop a batch
        state, why = "failed", f"{_action(failed)}: unexpected {type(error).__name__}: {_line(error)}"
    found = replace(
        header,
        state=state,
        why=why,
        action=None if failed is None else failed.id,
        actions=actions,
        finished=game is not None and game.finished,
        runs=len(runs),
        proved=all(item.best.status in ("OPTIMAL", "INFEASIBLE") for item in runs),
    )
    return Audited(found, tuple(runs))


def _run(game: Game, action: Action, number: int) -> Run | None:
    """Return the run that an action is, seen before it is carried out."""
    company = game.acting if action.type == "run_routes" else None
    if not isinstance(company, Company) or action.entity != company.sym:
        return None
    routes = action.fields.get("routes", ())
    if not isinstance(routes, list | tuple):
        return None
    told = [route.get("revenue") if isinstance(route, dict) else None for route in routes]
    money = [item for item in told if isinstance(item, int) and not isinstance(item, bool)]
    known = len(money) == len(told)
    position = game.position()
    rested = tuple(train for train in position.trains if not game.depot.trains[train.id].ran)
    owner = company.owner
    return Run(
        number=number,
        action=action.id,
        round=game.round.name,
        phase=game.phase.name,
        company=company.sym,
        company_name=company.facts.name,
        president=None if owner is None else owner.key,
        president_name=None if owner is None else owner.name,
        trains=tuple(train.name for train in rested),
        stored_revenue=sum(money) + action.number("extra_revenue", 0) if known else None,
        stored_subsidy=action.number("subsidy", 0) if known else None,
        shares=company.total_shares if company.certificates else None,
        position=replace(position, trains=rested),
        routes=tuple(routes),
    )


def _audited(run: Run, limit: float, solver: Solver | None) -> AuditedRun:
    begun = time.perf_counter()
    try:
        verdict, best = compare_position(
            run.position, site_routes(run.routes), time_limit=limit, solver=solver
        )
    except InvalidInput as error:
        unread = PositionViolation(Code.UNKNOWN_TRACK, None, _line(error))
        verdict = PositionVerdict(False, 0, 0, (), (unread,))
        best = solve_position(run.position, time_limit=limit, solver=solver)
    return AuditedRun(run, verdict, best, time.perf_counter() - begun)


def _action(action: Action | None) -> str:
    return "the set-up" if action is None else f"action {action.id} ({action.type})"


def _line(error: Exception) -> str:
    """Return what an error says in one line of moderate length."""
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else f"{text[:297]}..."
