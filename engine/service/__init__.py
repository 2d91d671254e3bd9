"""``GameService``, added to the router's server. Importing it loads neither gRPC nor the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import grpc

    from router.service.servicer import Context


def register(server: grpc.Server, context: Context) -> None:
    """Add ``engine.v1.GameService``; one of the registrars of :func:`router.service.serve`."""
    from engine.service.servicer import register as add

    add(server, context)


__all__ = ["register"]
