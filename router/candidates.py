"""Candidate routes as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from router import kernels as k
from router.graph import Ints, Words


def bit_counts(words: Words) -> Ints:
    """Return how many bits each row of words has."""
    return np.bitwise_count(words) @ np.ones(words.shape[1], dtype=np.int64)


@dataclass(slots=True, eq=False)
class Candidates:
    """Routes of one profile.

    Attributes
    ----------
    value
        Score of each route (unscaled, prices not taken off).
    mask
        Rows of each route: words of track, then words of rows that pay once.
    link
        What can help a set: words of stops and areas.
    excess, ends
        Of routes that pay at the ends of a chain: by how much ``value`` is too high if the route is linked
        to no other, and words of its ends.
    start, path
        ``path[start[i, 0]:start[i, 1]]`` is route ``i``: a node, then segments in travel order.
    floor
        Every route whose scaled score less prices is at least this is here.
    """

    value: Ints
    mask: Words
    link: Words
    excess: Ints
    ends: Words
    start: Ints
    path: Ints
    floor: int

    def __len__(self) -> int:
        return int(self.value.shape[0])

    def route(self, i: int) -> list[int]:
        """Return route ``i`` as a node followed by segments in travel order."""
        found: list[int] = self.path[self.start[i, 0] : self.start[i, 1]].tolist()
        return found

    def best(self, n_track: int, needs: Words) -> int:
        """Return the place of a route of the greatest value with a link of each of ``needs``; -1: none.

        Of equals it is the one with the least track (``n_track`` words), then fewest rows, then the first.
        """
        return int(k.best_route(self.value, self.mask, n_track, self.link, needs))

    def take(self, index: Ints) -> Candidates:
        """Return the routes at ``index``, in that order."""
        return Candidates(
            self.value.take(index),
            self.mask.take(index, 0),
            self.link.take(index, 0),
            self.excess.take(index),
            self.ends.take(index, 0),
            self.start.take(index, 0),
            self.path,
            self.floor,
        )

    def join(self, other: Candidates) -> Candidates:
        """Return the routes of both; the floor is this one's."""
        return Candidates(
            np.concatenate((self.value, other.value)),
            np.concatenate((self.mask, other.mask)),
            np.concatenate((self.link, other.link)),
            np.concatenate((self.excess, other.excess)),
            np.concatenate((self.ends, other.ends)),
            np.concatenate((self.start, other.start + self.path.shape[0])),
            np.concatenate((self.path, other.path)),
            self.floor,
        )

    def without(self, other: Candidates) -> Candidates:
        """Return the routes that are not in ``other``, by value, rows, links and ends."""
        known = set(other.keys())
        fresh = [i for i, key in enumerate(self.keys()) if key not in known]
        return self.take(np.array(fresh, dtype=np.int64))

    def keys(self) -> Sequence[object]:
        """Return what tells each route from others of another use."""
        parts = self.value.view(np.uint64)[:, None], self.mask, self.link, self.ends
        lines = np.concatenate(parts, axis=1)
        found: Sequence[object] = lines.view(np.dtype((np.void, 8 * lines.shape[1]))).ravel().tolist()
        return found
