"""Trails over track: what a walk can reach that uses nothing twice (``00-common R6.4``).

To find everything that some walk reaches can take for ever on dense maps. So it is done in three steps, of
which mostly the first is enough:

1. one walk to every move, breadth first; what it finds is reached for certain;
2. a flood from where such walks had to stop; if it meets nothing else, that was all;
3. moves that can only be reached by using something twice are struck out (what all walks to a move have in
   common are its *dominators*), then all walks over the rest are tried while something new may lie ahead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from engine.moves import Move, PieceKey

MAX_STEPS = 3_000
"""Steps of the third kind; what they have not reached then counts as not reached."""
PATIENCE = 40
"""Steps without news after which every further step is looked at ahead."""

Start = tuple[int, Sequence[Move]]
"""The bits used at a source, and the first moves from there."""


class Trails:
    """Walks from some sources.

    Parameters
    ----------
    after
        Returns the moves that may follow a move.
    wanted
        Stop at the first piece for which this is true; without it everything is found.

    Attributes
    ----------
    found
        The pieces that are reached.
    stops
        The bits of the stops to which walks come.
    hit
        Something wanted was reached.
    walked
        For most moves that are reached the bits used by one walk there.
    """

    def __init__(
        self, after: Callable[[Move], Sequence[Move]], wanted: Callable[[Move], bool] | None = None
    ) -> None:
        self._after = after
        self._wanted = wanted
        self.found: set[PieceKey] = set()
        self.stops = 0
        self.hit = False
        self.walked: dict[Move, int] = {}

    def search(self, starts: Sequence[Start]) -> None:
        """Find what is wanted, or everything."""
        turned_back = self._one_walk_each(starts)
        if self.hit or not turned_back:
            return
        if not any(self._is_sought(move) for move in self._flood(turned_back)):
            return
        alive = _Doom(self._after).survivors([move for _, moves in starts for move in moves])
        sought = {move for move in alive if self._is_sought(move)}
        for bits, moves in starts:
            if sought:
                sought = self._all_walks(bits, moves, alive, sought)

    def _is_sought(self, move: Move) -> bool:
        return self._wanted(move) if self._wanted is not None else move.piece not in self.found

    def _note(self, move: Move, used: int) -> bool:
        """Note that a move is reached; return whether the search is at its end."""
        self.found.add(move.piece)
        if move.passes and not used & move.passes:
            self.stops |= move.passes
        if self._wanted is not None and self._wanted(move):
            self.hit = True
        return self.hit

    def _one_walk_each(self, starts: Iterable[Start]) -> set[Move]:
        """Walk to every move once; return the moves at which some walk had to stop."""
        seen: set[Move] = set()
        turned_back: set[Move] = set()
        queue: deque[tuple[Move, int]] = deque()
        for bits, moves in starts:
            for move in moves:
                if move not in seen:
                    seen.add(move)
                    queue.append((move, bits))
        after = self._after
        while queue:
            move, used = queue.popleft()
            self.walked[move] = used
            if self._note(move, used):
                return turned_back
            following = after(move)
            if not following:
                continue
            if used & move.passes:
                turned_back.update(item for item in following if item not in seen)
                continue
            used |= move.uses
            for item in following:
                if item not in seen:
                    if used & item.needs:
                        turned_back.add(item)
                    else:
                        seen.add(item)
                        queue.append((item, used))
        return turned_back - seen

    def _flood(self, first: Iterable[Move]) -> set[Move]:
        """Return all that hangs together with some moves."""
        seen = set(first)
        stack = list(seen)
        while stack:
            for item in self._after(stack.pop()):
                if item not in seen:
                    seen.add(item)
                    stack.append(item)
        return seen

    def _all_walks(self, bits: int, first: Sequence[Move], alive: set[Move], sought: set[Move]) -> set[Move]:
        """Walk all trails over some moves until the steps are used up; return what is still sought."""
        stack = [(move, bits) for move in first if move in alive]
        steps = news = 0
        while stack and sought and steps < MAX_STEPS:
            move, used = stack.pop()
            if used & move.needs:
                continue
            steps += 1
            if move in sought:
                news = steps
                if self._note(move, used):
                    return set()
                sought = {item for item in sought if self._is_sought(item)}
            elif steps > news + PATIENCE and not self._promising(move, used, alive, sought):
                continue
            if move.passes and not used & move.passes:
                self.stops |= move.passes
            if not used & move.passes:
                used |= move.uses
                stack.extend([(item, used) for item in self._after(move) if item in alive])
        return sought

    def _promising(self, start: Move, used: int, alive: set[Move], sought: set[Move]) -> bool:
        """Tell whether something that is still sought may lie ahead."""
        seen = {start}
        stack = [start]
        while stack:
            move = stack.pop()
            if move in sought:
                return True
            if used & move.passes:
                continue
            for item in self._after(move):
                if item not in seen and item in alive and not used & item.needs:
                    seen.add(item)
                    stack.append(item)
        return False


class _Doom:
    """Strikes out the moves to which no walk can lead without using something twice."""

    def __init__(self, after: Callable[[Move], Sequence[Move]]) -> None:
        self._after = after
        self._stuck: set[Move] = set()
        self._doomed: set[Move] = set()

    def survivors(self, first: Sequence[Move]) -> set[Move]:
        """Return the moves that are left."""
        while True:
            order, before = self._order(first)
            if not self._strike(order, before):
                return set(order)

    def _strike(self, order: list[Move], before: dict[Move, list[int]]) -> bool:
        """Strike out what can be seen to be unreachable now; tell whether there was anything."""
        leader = _dominators([before[move] for move in order])
        common = [0]
        news = False
        for number, move in enumerate(order, 1):
            bits = common[leader[number]]
            if bits & move.needs:
                self._doomed.add(move)
                news = True
            elif bits & move.passes and move not in self._stuck:
                self._stuck.add(move)
                news = news or bool(self._after(move))
            common.append(bits | move.uses)
        return news

    def _order(self, first: Sequence[Move]) -> tuple[list[Move], dict[Move, list[int]]]:
        """Return the moves that can be reached, numbered from 1; each comes after one that leads to it.

        With them the numbers of the moves that lead to each; number 0 is the root.
        """
        done: list[Move] = []
        seen: set[Move] = set()
        edges: list[tuple[Move | None, Move]] = []
        for start in first:
            if start in self._doomed:
                continue
            edges.append((None, start))
            if start in seen:
                continue
            seen.add(start)
            stack = [(start, iter(self._following(start)))]
            while stack:
                move, following = stack[-1]
                item = next(following, None)
                if item is None:
                    done.append(move)
                    stack.pop()
                    continue
                edges.append((move, item))
                if item not in seen:
                    seen.add(item)
                    stack.append((item, iter(self._following(item))))
        order = done[::-1]
        number: dict[Move | None, int] = {move: place for place, move in enumerate(order, 1)}
        number[None] = 0
        before: dict[Move, list[int]] = {move: [] for move in order}
        for move_from, item in edges:
            before[item].append(number[move_from])
        return order, before

    def _following(self, move: Move) -> list[Move]:
        if move in self._stuck:
            return []
        return [item for item in self._after(move) if item not in self._doomed]


def _dominators(before: Sequence[Sequence[int]]) -> list[int]:
    """Return for each number from 1 the last one that all ways to it have in common; 0 is the root.

    Parameters
    ----------
    before
        For each number from 1 those that lead to it, in an order in which most lead to higher numbers.
    """
    leader = [-1] * (len(before) + 1)
    leader[0] = 0
    changed = True
    while changed:
        changed = False
        for number, others in enumerate(before, 1):
            common = -1
            for other in others:
                if leader[other] < 0:
                    continue
                if common < 0:
                    common = other
                    continue
                while common != other:
                    if common > other:
                        common = leader[common]
                    else:
                        other = leader[other]
            if leader[number] != common:
                leader[number] = common
                changed = True
    return leader
