"""The gRPC service. Importing it loads neither gRPC nor the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from router.service.config import Config

if TYPE_CHECKING:
    from router.service.servicer import Registrar


def serve(
    config: Config, registrars: Sequence[Registrar] = (), told: Mapping[str, object] | None = None
) -> None:
    """Run a server until it is told to stop; see :func:`router.service.server.serve`."""
    from router.service.server import serve as run

    run(config, registrars, told)


__all__ = ["Config", "serve"]
