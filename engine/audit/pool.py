"""Many calls in worker processes of this machine or of a cluster, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Unreachable(Exception):
    """A cluster that cannot be used; the message says why."""


class Died(Exception):
    """The worker that carried out a call died, each time it was tried."""


class Pool:
    """Workers.

    Parameters
    ----------
    workers
        Processes of this machine; with 1 this process does the work itself.
    cluster
        Address of a scheduler of ``dask.distributed`` whose workers to use instead.
    """

    def __init__(self, workers: int = 1, cluster: str = "") -> None:
        self.workers = workers
        self.cluster = cluster

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Connect to the cluster, if there is one.

        Raises
        ------
        Unreachable
            If it cannot be reached, or has no workers.
        """
        if not self.cluster:
            yield
            return
        import joblib

        with _client(self.cluster) as client:
            self.workers = len(client.scheduler_info(n_workers=-1)["workers"])
            if not self.workers:
                raise Unreachable(f"the cluster at {self.cluster} has no workers")
            with joblib.parallel_config(backend="dask", client=client, n_jobs=-1):
                yield

    def map(
        self, function: Callable[[Any], R], items: Sequence[T], load: Callable[[T], Any] | None = None
    ) -> Iterator[tuple[T, R | Died]]:
        """Yield each item with what the function returns for it, in the order in which calls end.

        A worker that dies takes its call with it, and that of others; they are tried again, in ever smaller
        groups, until whatever kills workers is alone. Nothing that came back is done twice.

        Parameters
        ----------
        load
            Makes of an item what the function is called with, shortly before it is.
        """
        make = load or _same
        if self.workers == 1 and not self.cluster:
            for item in items:
                yield item, function(make(item))
            return
        groups = [(list(range(len(items))), 0)]
        while groups:
            group, tries = groups.pop()
            left = set(group)
            calls = ((number, make(items[number])) for number in group)
            try:
                for number, found in self._calls(function, calls):
                    left.discard(number)
                    yield items[number], found
            except _death() as error:
                again = sorted(left)
                if len(again) == 1 and tries:
                    yield items[again[0]], Died(" ".join(str(error).split())[:200])
                elif len(again) <= 2:
                    groups += [([number], tries + (len(again) == 1)) for number in reversed(again)]
                else:
                    middle = len(again) // 2
                    groups += [(again[middle:], 0), (again[:middle], 0)]

    def _calls(
        self, function: Callable[[Any], R], calls: Iterable[tuple[int, Any]]
    ) -> Iterator[tuple[int, R]]:
        import joblib

        # As many calls as workers wait, no more: what waits is held in memory.
        parallel = joblib.Parallel(
            n_jobs=-1 if self.cluster else self.workers,
            batch_size=1,
            pre_dispatch=2 * self.workers,
            return_as="generator_unordered",
        )
        task = joblib.delayed(_Numbered(function, None if self.cluster else os.getpid()))
        found: Iterator[tuple[int, R]] = parallel(task(number, value) for number, value in calls)
        return found


class _Numbered(Generic[R]):
    """A call in a worker that returns its number too; ``parent`` is the process without which it ends."""

    def __init__(self, function: Callable[[Any], R], parent: int | None) -> None:
        self._function = function
        self._parent = parent

    def __call__(self, number: int, value: Any) -> tuple[int, R]:
        if self._parent is not None:
            _end_with(self._parent)
        found = self._function(value)
        # What is left after a call lasts: the collector need not look at it again after the next one.
        gc.collect()
        gc.freeze()
        return number, found


@cache
def _end_with(parent: int) -> None:
    """Let this process end soon after its parent: a worker whose command was killed waits for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _same(item: Any) -> Any:
    return item


def _death() -> tuple[type[BaseException], ...]:
    """Return the errors that say that a worker died."""
    from concurrent.futures import BrokenExecutor

    from joblib.externals.loky.process_executor import TerminatedWorkerError

    kinds: list[type[BaseException]] = [BrokenExecutor, TerminatedWorkerError]
    with contextlib.suppress(ImportError):
        from distributed.scheduler import KilledWorker

        kinds.append(KilledWorker)
    return tuple(kinds)


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise Unreachable("clusters need the extra: pip install 'trunkline[cluster]'") from None
    try:
        connect: Callable[..., Any] = Client
        return connect(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise Unreachable(f"there is no scheduler at {address}: {error}") from None
