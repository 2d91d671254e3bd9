"""Packings of the same candidates in several orders of the slots: the one that gets on best goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from router.candidates import Candidates
from router.found import Slot
from router.graph import Ints
from router.model import Model
from router.packing import Packing

SURVIVORS = 2
"""Runners that are left in the end, since what they have left to do is a guess."""


class Race:
    """Packings of the same candidates in several orders of the slots, which take turns.

    In what order the slots are decided changes the effort by a factor of ten or more, and none is always
    better. So after each lap, which is twice as long as the one before, the half with the most left to do, as
    far as it can be told, is out, until two are left. The first that is complete is the proof for all.

    Parameters
    ----------
    runners
        How many orders are tried at most. One: that in which the slots are given. Two: the one that begins
        with the largest choice, since what is left then mostly decides what links it, and the one that
        begins with the least. The others are drawn, always alike.
    lap
        Candidates tried in the first lap by each.
    rise
        By how much a set found raises the target before it is returned, at the end of a turn; 0: each is
        returned at once.
    """

    def __init__(
        self,
        model: Model,
        slots: Sequence[Slot],
        pools: list[Candidates],
        price: Ints | None,
        scale: int,
        *,
        again: bool,
        runners: int,
        lap: int,
        rise: int,
    ) -> None:
        self._model, self._price, self._scale, self._again = model, price, scale, again
        self._slots, self._pools = slots, pools
        self._orders = _orders([len(pool) for pool in pools], runners)
        self._first_lap = lap
        self._line_up(rise)

    def _line_up(self, rise: int) -> None:
        self._packings: dict[int, Packing] = {}
        self._running = list(range(len(self._orders)))
        self._lap = self._first_lap
        self._rise = rise
        self._at = 0
        self._spent = 0

    def refuse(self) -> bool:
        """Take note that the set found last is not what it seemed; return whether that spoils the proof.

        If sets of less money may have been passed over for its sake, all begin anew and pass over none.
        """
        if self._rise:
            self._line_up(0)
        return False

    def _runner(self, at: int) -> Packing:
        if at not in self._packings:
            order = self._orders[at]
            self._packings[at] = Packing(
                self._model,
                [self._slots[i] for i in order],
                [self._pools[i] for i in order],
                self._price,
                self._scale,
                again=self._again,
            )
        return self._packings[at]

    @property
    def found(self) -> int:
        """Score of the set found last."""
        return self._runner(self._running[self._at]).found

    def picked(self, numbers: Sequence[int]) -> list[tuple[int, Candidates, int]]:
        """Return, with the ``numbers`` of the slots, pool and place of the candidates of the set found."""
        at = self._running[self._at]
        return self._runner(at).picked([numbers[i] for i in self._orders[at]])

    def step(self, target: int, slice_: int) -> tuple[int, int]:
        """Go on for one turn, ``slice_`` candidates at most, in search of a set worth ``target``.

        Returns
        -------
        The kernel's code (DONE, SLICE or FOUND), and how many candidates were tried.
        """
        if len(self._running) > 1 and self._spent >= self._lap:
            self._spent = 0
            self._at += 1
            if self._at == len(self._running):
                self._end_lap()
        if len(self._running) > 1:
            slice_ = min(slice_, self._lap - self._spent)
        code, spent = self._runner(self._running[self._at]).step(target, slice_, self._rise)
        self._spent += spent
        return code, spent

    def _end_lap(self) -> None:
        """Keep the better half."""
        done = {at: self._packings[at].share() for at in self._running}
        self._running = sorted(self._running, key=lambda at: -done[at])[
            : max(SURVIVORS, (len(self._running) + 1) // 2)
        ]
        for at in done.keys() - set(self._running):
            del self._packings[at]
        self._at = 0
        self._lap *= 2


def _orders(sizes: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return ``most`` orders of as many slots, or all there are."""
    given = tuple(range(len(sizes)))
    if most == 1:
        return [given]
    by_size = [tuple(sorted(given, key=lambda i: sign * sizes[i])) for sign in (-1, 1)]
    if most > 2:
        # of all generators this is the one that promises to draw the same for ever
        draw = np.random.RandomState(len(sizes))
        by_size += [tuple(draw.permutation(len(sizes)).tolist()) for _ in range(2 * most)]
    return list(dict.fromkeys(by_size))[:most]


__all__ = ["Race"]
