"""Keeps the workers at their number: ends those that do harm, replaces those that are lost."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from typing import TYPE_CHECKING, Any

import structlog

from router.service import memory
from router.service.config import Config
from router.service.process import Worker
from router.service.worker import READY, Terms

if TYPE_CHECKING:
    from router.service.workers import Pool

CANCEL_PATIENCE = 0.15
"""Seconds in which a worker must have heeded that nobody waits for its answer any more."""
HEED = 0.05
"""Seconds of work that it takes at most to heed it; whoever got less of a core could not."""
STARVED = 3.0
"""Seconds that are granted to those, at most."""
CHECK_EVERY = 0.1
"""Seconds between looks at the memory and the clock of those that work."""
MAX_BACKOFF = 5.0
MAX_START = 300.0
"""Seconds until a worker must be ready; compiling all kernels takes the most of it."""
MAX_FAILURES = 3
"""After so many failures in a row the server gives up, unless it has worked before."""
GROWN = 8
"""An idle worker that has kept more than this part of the memory that a search may take is replaced."""

log = structlog.get_logger("trunkline")


class Keeper:
    """A thread that waits for whatever may happen to the workers of a pool."""

    def __init__(
        self, pool: Pool, context: ForkServerContext, preload: tuple[str, ...], config: Config
    ) -> None:
        self._pool = pool
        self._context = context
        self._preload = preload
        self._config = config
        self._terms = Terms(config.sizes, config.max_time_limit, config.max_memory_bytes, config.log_level)
        self._thread = threading.Thread(target=self._run, name="trunkline-keeper", daemon=True)
        self._lock = threading.Lock()
        self._kicked, self._kick = os.pipe()
        os.set_blocking(self._kick, False)
        self._starting: list[Worker] = []
        self._nursed: list[Worker] = []
        self._buried: list[Worker] = []
        self._failures = 0
        self._not_before = 0.0

    @property
    def hopeless(self) -> bool:
        """Whether worker after worker failed to start."""
        return self._failures >= MAX_FAILURES

    def start(self) -> None:
        """Start to keep the workers."""
        self._thread.start()

    def stop(self) -> None:
        """End; the pool says that it is stopping."""
        self._wake()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(self._config.patience)

    def nurse(self, worker: Worker, until: float) -> None:
        """Wait for the last word of a worker whose call has ended; end it if that does not come in time."""
        with self._lock:
            worker.expect(until)
            self._nursed.append(worker)
        self._wake()

    def bury(self, worker: Worker) -> None:
        """End a worker that nobody needs."""
        with self._lock:
            self._buried.append(worker)
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._kick, b"!")

    # --- its thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._pool.stopping:
            try:
                self._wait()
                self._look()
            except Exception as error:  # the workers must be kept whatever happens
                log.error("keeper", error=type(error).__name__)
                time.sleep(CHECK_EVERY)
        with self._lock:
            left = [*self._starting, *self._nursed, *self._buried]
        for worker in left:
            worker.end()
        with contextlib.suppress(OSError):
            os.close(self._kick)
            os.close(self._kicked)

    def _wait(self) -> None:
        with self._lock:
            nursed = list(self._nursed)
        awaited: list[Any] = [self._kicked, *(it.pipe for it in (*self._starting, *nursed))]
        awaited += [it.process.sentinel for it in (*self._pool.idle(), *self._starting)]
        now = time.monotonic()
        until = min((it.leave_at for it in nursed if it.leave_at is not None), default=float("inf"))
        # one that is overdue and still there is starved
        pause = CHECK_EVERY if until <= now else min(CHECK_EVERY, until - now)
        if self._kicked in wait(awaited, pause):
            os.read(self._kicked, 4096)

    def _look(self) -> None:
        now = time.monotonic()
        self._look_at_nursed(now)
        self._look_at_starting(now)
        for worker in self._pool.idle():
            if not worker.process.is_alive():
                self._lose(worker, "crash", "worker ended")
            elif self._grown(worker) and self._pool.claim(worker):
                self._lose(worker, "grown", "worker grown")
        for worker, ticket in self._pool.at_work():
            if self._config.max_memory_bytes and worker.growth > self._config.max_memory_bytes:
                worker.kill("memory")
            elif now > ticket.end:
                until = ticket.end + self._config.patience
                if worker.leave_at != until:
                    worker.expect(until)
                elif self._overdue(worker, now):
                    worker.kill("overdue")
        with self._lock:
            buried, self._buried = self._buried, []
        for worker in buried:
            worker.end()
        if now >= self._not_before:
            for _ in range(self._pool.missing() - len(self._starting)):
                self._begin()

    def _overdue(self, worker: Worker, now: float) -> bool:
        """Tell whether a worker has had its time, and enough of a core in it."""
        if worker.leave_at is None or now < worker.leave_at:
            return False
        return now >= worker.leave_at + STARVED or not worker.starved(HEED)

    def _grown(self, worker: Worker) -> bool:
        most = self._config.max_memory_bytes
        return bool(most) and worker.growth > most // GROWN

    def _lose(self, worker: Worker, why: str, event: str) -> None:
        log.warning(event, pid=worker.process.pid, why=why)
        self._pool.remove(worker, why)
        worker.end()

    def _look_at_nursed(self, now: float) -> None:
        with self._lock:
            nursed, self._nursed = self._nursed, []
        kept = []
        for worker in nursed:
            try:
                worker.hear_out()
            except (EOFError, OSError):
                self._lose(worker, worker.ended_for or "crash", "worker lost")
                continue
            if worker.clean:
                worker.leave_at = None
                self._pool.recovered(worker)
            elif self._overdue(worker, now):
                worker.kill("cancelled")
                self._lose(worker, worker.ended_for, "worker ended")
            else:
                kept.append(worker)
        with self._lock:
            self._nursed += kept

    def _look_at_starting(self, now: float) -> None:
        starting, self._starting = self._starting, []
        for worker in starting:
            try:
                ready = worker.pipe.poll() and worker.receive().kind == READY
                failed = not ready and now - worker.born > MAX_START
            except (EOFError, OSError):
                ready, failed = False, True
            if ready:
                self._failures = 0
                worker.first_size = memory.resident(worker.process.pid or 0) or 0
                if not self._pool.add(worker):
                    worker.end()
            elif failed:
                worker.process.join(1)
                log.error("worker failed to start", exit_code=worker.process.exitcode)
                worker.end()
                self._failed(now)
            else:
                self._starting.append(worker)

    def _begin(self) -> None:
        try:
            self._starting.append(Worker(self._context, self._preload, self._terms))
        except (OSError, EOFError) as error:
            log.error("worker failed to start", error=type(error).__name__)
            self._failed(time.monotonic())

    def _failed(self, now: float) -> None:
        self._failures += 1
        self._not_before = now + min(MAX_BACKOFF, 0.1 * 2 ** min(self._failures, 10))
        self._pool.notify()
