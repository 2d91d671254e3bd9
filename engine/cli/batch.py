"""Many lines at a time: worker processes, answers in the order of the input."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from engine.cli.answering import Answerer, Outcome, refused
from engine.cli.lines import Line, parse
from engine.cli.requests import Settings, id_of
from router.errors import Fault, InvalidInput

AHEAD = 8
"""Lines per worker that are read before the first of them is answered."""

_answerer: Answerer | None = None


def answers(lines: Iterable[Line], settings: Settings, jobs: int) -> Iterator[Outcome]:
    """Yield what becomes of each line, in order."""
    if jobs == 1:
        yield from map(Answerer(settings), lines)
        return
    batch = _Batch(settings, jobs)
    try:
        yield from batch.run(iter(lines))
    finally:
        batch.close()


def _begin(settings: Settings) -> None:
    """Prepare a worker; an interrupt is the business of the main process."""
    global _answerer  # noqa: PLW0603  # what a worker process keeps
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _answerer = Answerer(settings)


def _answer(line: Line) -> Outcome:
    assert _answerer is not None
    return _answerer(line)


def _id(line: Line) -> str:
    try:
        return id_of(parse(line), line.number)
    except InvalidInput:
        return str(line.number)


class _Batch:
    """Worker processes, and the lines that were handed to them."""

    def __init__(self, settings: Settings, jobs: int) -> None:
        self._settings = settings
        self._jobs = jobs
        self._others = set(multiprocessing.active_children())
        self._pool = self._new_pool(jobs)
        self._waiting: deque[tuple[Line, Future[Outcome]]] = deque()

    def _new_pool(self, jobs: int) -> ProcessPoolExecutor:
        # Never by fork: that is not safe once gRPC or a thread is there.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(jobs, context, _begin, (self._settings,))

    def run(self, lines: Iterator[Line]) -> Iterator[Outcome]:
        more = True
        while more or self._waiting:
            while more and len(self._waiting) < AHEAD * self._jobs:
                line = next(lines, None)
                if line is None:
                    more = False
                else:
                    self._waiting.append((line, self._submit(line)))
            if self._waiting:
                line, future = self._waiting.popleft()
                try:
                    outcome = future.result()
                except BrokenProcessPool:
                    outcome = self._alone(line)
                yield outcome

    def _submit(self, line: Line) -> Future[Outcome]:
        try:
            return self._pool.submit(_answer, line)
        except BrokenProcessPool as error:
            future: Future[Outcome] = Future()
            future.set_exception(error)
            return future

    def _alone(self, line: Line) -> Outcome:
        """Answer a line by itself after a worker has died, then hand out the lines that wait anew."""
        self.close()
        self._pool = self._new_pool(1)
        try:
            outcome = self._pool.submit(_answer, line).result()
        except BrokenProcessPool:
            why = "the process that worked on this line was killed, perhaps for want of memory"
            outcome = refused(line.number, _id(line), "INTERNAL", [Fault("", why)], len(line.data))
        self.close()
        self._pool = self._new_pool(self._jobs)
        lines = [waiting for waiting, _ in self._waiting]
        self._waiting = deque((waiting, self._submit(waiting)) for waiting in lines)
        return outcome

    def close(self) -> None:
        """End the workers, whatever they do."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in self._others:
                child.terminate()
