"""Kinds of options that several commands have."""

from __future__ import annotations

import math
from typing import Any

import click

MAX_SECONDS = 1_000_000


class Seconds(click.FloatRange):
    """A number of seconds; what is no number at all lies in no range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        found = super().convert(value, param, ctx)
        return self.fail(f"{value!r} is not a valid number.", param, ctx) if math.isnan(found) else found
