"""Ways into the inside of the search for tests, and the search with its sizes turned down.

Whatever the tests need of the modules behind ``router.solve`` is imported here, so that a change inside the
search has to be followed in one place.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias
from unittest import mock

import numba
import numpy as np
from hypothesis import settings
from numpy.typing import NDArray

from naive import naive_price, naive_routes
from naive.routes import flip
from router import limits, select
from router.candidates import Candidates
from router.canonical import travel
from router.enumerate import Walker
from router.graph import Graph, build_graph, to_words
from router.model import Model, build_model
from router.problem import Limit, Node, RouteProblem, Segment, Train, kinds
from router.profile import Profile, build_profile
from router.work import Work

COMPILED = not numba.config.DISABLE_JIT
TIGHT = {
    "FIRST": 2,
    "ALONE": 1,
    "ALONE_SETTLED": 1,
    "FEW": 2,
    "SECOND": 3,
    "FIRST_PACK": 2,
    "FIRST_PACK_FREE": 2,
    "PROMISING": 3,
    "QUICK_PACK": 2,
    "QUICK_PACK_FREE": 2,
    "LONG_PACK": 4,
    "LONG_PACK_FREE": 4,
    "LAST_PACK": 6,
    "RUNNERS": 3,
    "TURN": 1,
    "NARROW": 1,
    "MIDDLING": 2,
    "WIDE": 4,
    "FINE": 2,
    "COARSE": 3,
    "SWEPT": 400,
    "NEW": 2,
    "SOME": 4,
}
"""``router.limits`` at which boards of six stops need prices, triples and CP-SAT."""

Ints: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Path: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Nodes and segments in travel order."""


def examples(compiled: int, interpreted: int) -> settings:
    """Return settings that ask for fewer examples where kernels are interpreted."""
    return settings(max_examples=compiled if COMPILED else interpreted)


def ints(values: object) -> Ints:
    """Return whole numbers as an array."""
    return np.array(values, dtype=np.int64)


def call(kernel: Any, **arguments: object) -> Any:
    """Call a kernel with arguments by name."""
    plain = getattr(kernel, "py_func", kernel)
    return kernel(*(arguments[name] for name in inspect.signature(plain).parameters))


def sliced(size: int) -> Work:
    """Return work in slices of ``size`` expansions."""
    work = Work()
    work.SLICE = size  # type: ignore[misc]
    return work


@contextmanager
def tight(slice_: int = 400_000, **sizes: float) -> Iterator[None]:
    """Turn the sizes of the search down for the length of a ``with`` block."""
    with ExitStack() as stack:
        for name, size in {**TIGHT, **sizes}.items():
            stack.enter_context(mock.patch.object(limits, name, size))
        stack.enter_context(mock.patch.object(select, "FIRST", 2))
        stack.enter_context(mock.patch.object(Work, "SLICE", slice_))
        yield


class Search:
    """A problem, one of its trains, and the arrays that the search makes of them."""

    def __init__(self, problem: RouteProblem, train: Train) -> None:
        self.problem = problem
        self.train = train
        self.graph: Graph = build_graph(problem)
        self.model: Model = build_model(problem, self.graph, "revenue")
        self.profile: Profile = build_profile(self.model, train)

    @property
    def rows(self) -> int:
        """Number of rows that can have a price."""
        return 64 * (self.model.track_words + self.model.words)

    def walker(self, taken: int = 0, price: Ints | None = None, scale: int = 1) -> Walker:
        """Return what walks the routes of the train beside the track ``taken`` (bits of track classes)."""
        in_use = to_words([taken], self.graph.words * 64)[0]
        return Walker(self.model, self.profile, in_use, price, scale)

    def routes(self, threshold: int = 0, most: int = 20_000, **how: Any) -> Candidates:
        """Return the routes of the train worth ``threshold`` or more."""
        return self.walker(**how).routes(threshold, most, Work())

    def bits(self, segments: Sequence[str]) -> int:
        """Return the bits of the track classes that segments use."""
        bits = 0
        for name in segments:
            bits |= self.graph.seg_bits[self.graph.segment_ids.index(name)]
        return bits

    def charges(self, path: Path, price: Ints) -> int:
        """Return the prices of the track of a route; track that no two routes compete for has none."""
        if not self.model.blocks:
            return 0
        first = 64 * self.model.block(self.train)
        own = price[first : first + 64 * self.graph.words]
        bits = self.bits(path[1])
        return sum(int(amount) for key, amount in enumerate(own) if bits >> key & 1)

    def walked(self, found: Candidates) -> dict[Path, int]:
        """Return the routes of a walk; none may be there twice, and masks must be those of the segments."""
        out: dict[Path, int] = {}
        for i in range(len(found)):
            path = found.route(i)
            key = canonical(*travel(self.graph, path))
            assert key not in out
            out[key] = int(found.value[i])
            if self.model.blocks:
                used = np.bitwise_or.reduce(self.graph.seg_mask[path[1:]], axis=0)
                first = self.model.block(self.train)
                assert (found.mask[i, first : first + self.graph.words] == used).all()
                assert np.bitwise_count(found.mask[i]).sum() == np.bitwise_count(used).sum()
        return out


def lay_out(problem: RouteProblem) -> list[Search]:
    """Return the search of each train."""
    return [Search(problem, train) for train in problem.trains]


def canonical(nodes: Sequence[str], segments: Sequence[str]) -> Path:
    """Return the lesser of both directions."""
    return min((tuple(nodes), tuple(segments)), (tuple(nodes[::-1]), tuple(segments[::-1])))


def all_routes(problem: RouteProblem, train: Train) -> dict[Path, int]:
    """Return what each route of the train brings alone, in its better direction, by the naive oracle."""
    alone = {}
    for route in naive_routes(problem, train):
        ways = (route, flip(route)) if train.hex_pays_once else (route,)
        alone[canonical(route.nodes, route.segments)] = max(naive_price(problem, [way])[0] for way in ways)
    return alone


def board(size: int, seed: int, trains: Sequence[Train], *, tokens: int = 2) -> RouteProblem:
    """Return a square board with cities, towns and off-board corners, some blocked, and a few shortcuts."""
    chance = random.Random(seed)
    spots = [(x, y) for x in range(size) for y in range(size)]
    own = set(chance.sample(spots[1:-1], tokens))
    nodes = []
    for x, y in spots:
        corner = x in (0, size - 1) and y in (0, size - 1)
        kind = "offboard" if corner and (x, y) not in own else chance.choice(["city", "city", "city", "town"])
        nodes.append(
            Node(
                f"{x}.{y}",
                "city" if (x, y) in own else kind,  # type: ignore[arg-type]
                f"h{x}.{y}",
                10 * chance.randint(1, 10),
                token=(x, y) in own,
                blocked=(x, y) not in own and kind == "city" and chance.random() < 0.15,
                groups=("gate",) if kind == "offboard" and y == 0 else (),
            )
        )
    segments = []
    for x, y in spots:
        for dx, dy in ((1, 0), (0, 1), (1, 1)):
            if x + dx < size and y + dy < size and (dx * dy == 0 or chance.random() < 0.5):
                a, b = f"{x}.{y}", f"{x + dx}.{y + dy}"
                track = (f"{a}-{b}", f"side {x}.{y}") if chance.random() < 0.3 else (f"{a}-{b}",)
                segments.append(Segment(f"{a}-{b}", a, b, track, (f"h{a}", f"h{b}")))
    return RouteProblem(tuple(nodes), tuple(segments), tuple(trains))


def plain_train(name: str, stops: int) -> Train:
    """Return a train that runs ``stops`` cities and off-board areas and any number of towns."""
    return Train(name, f"{stops}", visit=(Limit(kinds("city", "offboard"), stops),))
