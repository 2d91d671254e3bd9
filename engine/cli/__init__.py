"""The command line ``trunkline``. Importing it loads neither the solver nor gRPC nor a game."""

from engine.cli.app import main

__all__ = ["main"]
