"""The sets of stops that a walked route can be paid for, where stops pay once over several routes."""

from __future__ import annotations

import numpy as np

from router import kernels as k
from router.candidates import Candidates
from router.errors import Unsupported
from router.graph import Ints, Words, to_words
from router.model import Model
from router.profile import Profile

_NO_ROWS = np.zeros((0, 0), dtype=np.uint64)


def choices(model: Model, profile: Profile, walked: Candidates) -> tuple[Words, Ints | None, Ints]:
    """Return one line per route and largest paying set.

    Returns
    -------
    rows, index, extra
        The rows that the chosen optional stops cover, the route of each line (``None``: one line per route,
        nothing optional), and the score of bonuses.
    """
    bonus = bool(profile.bonuses) or bool(model.graph.marks) or profile.outlook.distance.shape[0] > 0
    if not bonus and not profile.choosing:
        return _NO_ROWS, None, np.zeros(len(walked), dtype=np.int64)
    return payments(model, profile, walked, at_ends=False)


def payments(
    model: Model, profile: Profile, walked: Candidates, *, at_ends: bool
) -> tuple[Words, Ints, Ints]:
    """Return rows, route and bonuses of each way to be paid; ``at_ends``: for the ends of a route only."""
    graph = model.graph
    paid = to_words(profile.coverage.paid, 64 * model.words)[:, : model.words]
    room = max(16, len(walked) if at_ends else 2 * len(walked))
    while True:
        rows = np.empty((room, model.words), dtype=np.uint64)
        index, extra = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        count = k.choose_payments(
            walked.start,
            walked.path,
            graph.seg_a,
            graph.seg_b,
            profile.flags,
            profile.pay_inc,
            profile.pay_cap,
            profile.train.token_pays,
            at_ends,
            paid,
            profile.bonus_amount,
            profile.bonus_visit,
            profile.set_ptr,
            profile.set_of,
            graph.seg_mark,
            profile.mark_amount,
            profile.outlook.distance,
            rows,
            index,
            extra,
        )
        if count < 0:
            raise Unsupported(f"a route with more than {k.MAX_KEYS} stops that may pay once only")
        if count <= room:
            return rows[:count], index[:count], extra[:count]
        room = count
