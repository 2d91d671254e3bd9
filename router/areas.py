"""Pairs of areas that sets of meeting routes earn, as the search credits them to single routes.

A set earns a pair only if one of its routes touches the first area and one the second. So no more sets earn
it than there are routes at either area, and with a share of the amount credited to each route at the first
area and the rest to each at the second, the routes are credited at least what the sets earn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from router.graph import Graph, Ints, Words, to_words
from router.problem import AreaBonus, ChainBonus, RouteProblem


@dataclass(frozen=True, slots=True)
class Areas:
    """Pairs of areas.

    Attributes
    ----------
    sides
        Stops, and the score credited to each route that visits one of them.
    first, second
        Links of the stops of the areas of each pair.
    pairs
        Per pair: score, share credited at the first area, number of the term.
    meeting
        Per term the links of the stops at which routes meet.
    """

    sides: tuple[tuple[frozenset[str], int], ...]
    first: Words
    second: Words
    pairs: Ints
    meeting: Words

    def touched(self, link: Words) -> Ints:
        """Return which areas candidates of these links touch, as bits: two per pair."""
        bits = np.zeros(link.shape[0], dtype=np.int64)
        for i in range(self.pairs.shape[0]):
            for side, words in enumerate((self.first[i], self.second[i])):
                bits |= (link & words).any(axis=1).astype(np.int64) << (2 * i + side)
        return bits

    def credit(self, link: Words) -> Ints:
        """Return the score that candidates of these links are credited with."""
        bits = self.touched(link)
        total = np.zeros(link.shape[0], dtype=np.int64)
        for i, (amount, share, _) in enumerate(self.pairs.tolist()):
            total += (bits >> 2 * i & 1) * share + (bits >> 2 * i + 1 & 1) * (amount - share)
        return total


NO_AREAS = Areas(
    (),
    np.zeros((0, 0), dtype=np.uint64),
    np.zeros((0, 0), dtype=np.uint64),
    np.zeros((0, 3), dtype=np.int64),
    np.zeros((0, 0), dtype=np.uint64),
)


def build_areas(problem: RouteProblem, graph: Graph, factor: int, words: int) -> Areas:
    """Lay out the pairs of areas that can be touched; ``words``: words of links of a candidate.

    Where routes form chains the links of a candidate are those that it may have, so that no pairs are laid
    out, only credits.
    """
    terms = [term for term in problem.terms if isinstance(term, AreaBonus)]
    chains = any(isinstance(term, ChainBonus) for term in problem.terms)
    sides: list[tuple[frozenset[str], int]] = []
    areas: list[tuple[frozenset[str], frozenset[str]]] = []
    pairs: list[tuple[int, int, int]] = []
    meeting: list[frozenset[str]] = []
    for number, term in enumerate(terms):
        meeting.append(frozenset(n for n in graph.node_ids if problem.node_by_id[n].kind in term.meeting))
        for one, other, amount in term.pairs:
            first, second = (
                frozenset(name for name in term.areas.get(side, frozenset()) if name in graph.node_index)
                for side in (one, other)
            )
            if not first or not second or amount <= 0:
                continue
            share = amount * factor // 2
            sides += [(first, share), (second, amount * factor - share)]
            areas.append((first, second))
            pairs.append((amount * factor, share, number))
    if chains or len(pairs) > 31:
        return Areas(tuple(sides), *_words(graph, words, [], [], []))
    return Areas(tuple(sides), *_words(graph, words, areas, pairs, meeting))


def _words(
    graph: Graph,
    words: int,
    areas: Sequence[tuple[frozenset[str], frozenset[str]]],
    pairs: Sequence[tuple[int, int, int]],
    meeting: Sequence[frozenset[str]],
) -> tuple[Words, Words, Ints, Words]:
    def links(sets: Sequence[frozenset[str]]) -> Words:
        bits = [sum(1 << graph.node_index[name] for name in names) for names in sets]
        found: Words = to_words(bits, 64 * words) if bits else np.zeros((0, words), dtype=np.uint64)
        return found

    return (
        links([first for first, _ in areas]),
        links([second for _, second in areas]),
        np.array(pairs, dtype=np.int64).reshape(len(pairs), 3),
        links(meeting),
    )
