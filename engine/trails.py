"""Trails over track: which pieces a walk can reach that uses nothing twice (``00-common R6.4``).

The track is a graph of *moves*: a piece of track entered at one of its ends. What a walk may not use twice
(a piece, an edge over which it left a hex, a stop) is a bit; a walk carries the bits it has used. To find all
pieces that some walk reaches can take for ever on dense maps, so the search is helped twice: moves that can
only be reached by using something twice are struck out beforehand (what all walks to a move have in common
are its dominators), and a walk goes on only if something new may lie ahead.
"""

from __future__ import annotations

from collections.abc import Sequence

FIRST_STEPS = 400
"""Steps of plain search before moves are struck out."""
PATIENCE = 40
"""Steps without news after which every further step is looked at ahead."""
MAX_STEPS = 20_000
"""Steps after which the search gives up; what it has not reached then counts as not reached."""


class Trails:
    """The graph of moves.

    Attributes
    ----------
    pieces
        By move the number of its piece.
    needs
        By move the bits that must be unused to enter it.
    passes
        By move the bits that must be unused to go on from its end.
    uses
        By move the bits that are used by going on.
    after
        By move the moves that may follow.
    """

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.needs: list[int] = []
        self.passes: list[int] = []
        self.uses: list[int] = []
        self.after: list[list[int]] = []

    def add(self, piece: int, needs: int, passes: int, uses: int) -> int:
        """Add a move and return its number."""
        self.pieces.append(piece)
        self.needs.append(needs)
        self.passes.append(passes)
        self.uses.append(uses)
        self.after.append([])
        return len(self.pieces) - 1

    def reached(self, starts: Sequence[tuple[int, Sequence[int]]]) -> tuple[set[int], bool]:
        """Return the pieces that walks reach, and whether any walk comes to another stop than its start.

        Parameters
        ----------
        starts
            For each source the bits used at its start and the first moves.
        """
        search = _Walks(self)
        goal = set(self.pieces)
        for bits, moves in starts:
            search.walk(bits, moves, goal, FIRST_STEPS)
        if search.found >= goal:
            return search.found, search.arrived
        alive = self._not_doomed([move for _, moves in starts for move in moves])
        goal = {self.pieces[move] for move in alive} | search.found
        search.restrict(alive)
        for bits, moves in starts:
            if search.found >= goal:
                break
            search.walk(bits, moves, goal, MAX_STEPS, ahead=True)
        return search.found, search.arrived

    def _not_doomed(self, first: Sequence[int]) -> set[int]:
        """Return the moves to which some walk may lead without using anything twice."""
        stuck: set[int] = set()
        alive = set(range(len(self.pieces)))
        while True:
            doomed, ends = self._doomed(first, alive, stuck)
            if not doomed and ends <= stuck:
                return alive
            alive -= doomed
            stuck |= ends

    def _doomed(self, first: Sequence[int], alive: set[int], stuck: set[int]) -> tuple[set[int], set[int]]:
        """Return the moves that no walk can enter, and those from which none can go on."""
        order, before = self._order(first, alive, stuck)
        rank = {move: number for number, move in enumerate(order)}
        leader = _dominators(order, before, rank)
        common: dict[int, int] = {-1: 0}
        doomed = alive - set(order)
        ends: set[int] = set()
        for move in order[1:]:
            above = leader[move]
            bits = common[above]
            if bits & self.needs[move]:
                doomed.add(move)
            elif bits & self.passes[move]:
                ends.add(move)
            common[move] = bits | self.uses[move]
        return doomed, ends

    def _order(
        self, first: Sequence[int], alive: set[int], stuck: set[int]
    ) -> tuple[list[int], dict[int, list[int]]]:
        """Return the moves that can be reached, each after some that leads to it, and what leads to each.

        The root, from which the first moves follow, is -1.
        """
        after = {-1: [move for move in first if move in alive]}
        before: dict[int, list[int]] = {}
        done: list[int] = []
        seen = {-1}
        stack: list[tuple[int, int]] = [(-1, 0)]
        while stack:
            move, place = stack.pop()
            following = after.get(move)
            if following is None:
                following = [] if move in stuck else [item for item in self.after[move] if item in alive]
                after[move] = following
            if place < len(following):
                stack.append((move, place + 1))
                item = following[place]
                before.setdefault(item, []).append(move)
                if item not in seen:
                    seen.add(item)
                    stack.append((item, 0))
            else:
                done.append(move)
        return done[::-1], before


def _dominators(order: list[int], before: dict[int, list[int]], rank: dict[int, int]) -> dict[int, int]:
    """Return for each move the last one that all ways to it have in common."""
    leader: dict[int, int] = {-1: -1}
    changed = True
    while changed:
        changed = False
        for move in order[1:]:
            common: int | None = None
            for other in before[move]:
                if other not in leader:
                    continue
                if common is None:
                    common = other
                    continue
                one, two = common, other
                while one != two:
                    while rank[one] > rank[two]:
                        one = leader[one]
                    while rank[two] > rank[one]:
                        two = leader[two]
                common = one
            if common is not None and leader.get(move) != common:
                leader[move] = common
                changed = True
    return leader


class _Walks:
    """Walks and what they have found."""

    def __init__(self, trails: Trails) -> None:
        self._trails = trails
        self._after = trails.after
        self.found: set[int] = set()
        self.arrived = False

    def restrict(self, alive: set[int]) -> None:
        """Walk only over some moves from now on."""
        self._after = [[item for item in following if item in alive] for following in self._trails.after]

    def walk(self, bits: int, first: Sequence[int], goal: set[int], most: int, ahead: bool = False) -> None:
        """Walk all trails, until the goal is reached or the steps are used up.

        Parameters
        ----------
        ahead
            Look ahead when nothing new was found for a while.
        """
        trails, after, found = self._trails, self._after, self.found
        pieces, needs, passes, uses = trails.pieces, trails.needs, trails.passes, trails.uses
        stack = [(move, bits) for move in reversed(first)]
        steps = news = 0
        while stack:
            move, used = stack.pop()
            if used & needs[move]:
                continue
            steps += 1
            if passes[move] and not used & passes[move]:
                self.arrived = True
            if pieces[move] not in found:
                found.add(pieces[move])
                news = steps
                if len(found) >= len(goal) and found >= goal:
                    return
            elif steps > most:
                return
            elif ahead and steps > news + PATIENCE and not self._promising(move, used, goal):
                continue
            if used & passes[move]:
                continue
            used |= uses[move]
            stack.extend([(item, used) for item in after[move]])

    def _promising(self, start: int, used: int, goal: set[int]) -> bool:
        """Tell whether something that is still sought may lie ahead."""
        trails, after, found = self._trails, self._after, self.found
        seen = {start}
        stack = [start]
        while stack:
            move = stack.pop()
            piece = trails.pieces[move]
            if piece not in found and piece in goal:
                return True
            if used & trails.passes[move]:
                continue
            for item in after[move]:
                if item not in seen and not used & trails.needs[item]:
                    seen.add(item)
                    stack.append(item)
        return False
