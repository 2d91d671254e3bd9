"""What ``serve`` does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from engine.cli.answering import BAD, OK
from engine.cli.output import complain, write


def run_server(file: str | None, options: Mapping[str, Any], show_only: bool) -> int:
    """Run the server, or only print its settings, and return the exit code."""
    from engine.service import register
    from router.errors import InvalidInput, TrunklineError
    from router.service import serve
    from router.service.settings import load

    given = {name for name, value in options.items() if value is not None}
    try:
        settings = load(file, os.environ, options)
        if show_only:
            write(settings.effective())
            return OK
        serve(settings.config, [register], settings.changed())
    except InvalidInput as error:
        for fault in error.faults:
            name = f"--{fault.where.replace('_', '-')}" if fault.where in given else fault.where
            complain(f"{name}: {fault.why}")
        return BAD
    except (TrunklineError, RuntimeError) as error:
        complain(str(error))
        return BAD
    return OK
