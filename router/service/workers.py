"""The worker processes, as the server sees them.

Workers are forked by multiprocessing's fork server, a fresh process that loads the solver once, never gRPC.
A worker does one task at a time and talks through its own pipe, so that losing one touches only its own call.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import multiprocessing
import pickle
import threading
import time
from collections.abc import Generator
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.sharedctypes import RawValue
from typing import Any

import structlog

from router.service import statuses
from router.service.config import Config
from router.service.worker import ANSWER, ERROR, READY, Frame, Task, main

CHECK_EVERY = 0.25
"""Seconds between looks for workers that died idle or do not heed their limits."""
MAX_BACKOFF = 5.0
MAX_START = 300.0
"""Seconds until a worker must be ready; compiling all kernels takes the most of it."""
MAX_FAILURES = 3
"""After so many failures in a row the server gives up, unless it has worked before."""

log = structlog.get_logger("trunkline")


class Ticket:
    """The right of one call to a worker; ``cancel`` may come from any thread at any time."""

    def __init__(self, limit: float, deadline: float | None = None) -> None:
        self.arrived = time.monotonic()
        self.limit = limit
        self.deadline = deadline
        self.waited = 0.0
        self.cancelled_at: float | None = None
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._waits_for: Pool | None = None

    def cancel(self) -> None:
        """Give up the call: wake it if it waits, stop its search if it runs."""
        with self._lock:
            if self.cancelled_at is None:
                self.cancelled_at = time.monotonic()
            worker, pool = self._worker, self._waits_for
            if worker is not None:
                worker.cancel()
        if worker is None and pool is not None:
            pool.wake()

    def wait_for(self, pool: Pool | None) -> None:
        """Note which pool to wake."""
        with self._lock:
            self._waits_for = pool

    def bind(self, worker: _Worker | None) -> None:
        """Note which worker to stop."""
        with self._lock:
            self._worker = worker
            if worker is not None and self.cancelled_at is not None:
                worker.cancel()

    @property
    def hopeless_at(self) -> float:
        """When the worker should have answered at the latest."""
        ends = [self.arrived + self.limit]
        ends += [end for end in (self.deadline, self.cancelled_at) if end is not None]
        return min(ends)


class _Worker:
    """One process."""

    def __init__(self, context: ForkServerContext, warm: tuple[str, ...], log_level: str) -> None:
        self.pipe, far_end = context.Pipe()
        self.cell: Any = RawValue(ctypes.c_int64, 0)
        self.number = 0
        self.ticket: Ticket | None = None
        self.overdue = False
        self.clean = True
        self.process: ForkServerProcess = context.Process(
            target=main, args=(far_end, self.cell, warm, log_level), name="trunkline-worker", daemon=True
        )
        self.process.start()
        far_end.close()

    def receive(self) -> Frame:
        """Wait for the next message.

        Raises
        ------
        EOFError, OSError
            If the process has ended.
        """
        return Frame(*pickle.loads(self.pipe.recv_bytes()))

    def submit(self, job: str, payload: bytes, ticket: Ticket) -> None:
        """Hand over a job.

        Raises
        ------
        OSError
            If the process has ended; nothing of the job was done.
        """
        self.number += 1
        self.clean = False
        self.ticket = ticket
        task = Task(job, self.number, payload, ticket.arrived, ticket.limit, ticket.deadline)
        self.pipe.send_bytes(pickle.dumps(tuple(task), pickle.HIGHEST_PROTOCOL))

    def frames(self, ticket: Ticket) -> Generator[Frame]:
        """Yield the messages of the job at hand, the last of which is an answer or an error."""
        ticket.bind(self)
        try:
            while not self.clean:
                frame = self.receive()
                self.clean = frame.kind in {ANSWER, ERROR}
                yield frame
        except GeneratorExit:
            # Nobody listens any more: the worker is free once it has said its last word.
            ticket.cancel()
            with contextlib.suppress(EOFError, OSError):
                while not self.clean:
                    self.clean = self.receive().kind in {ANSWER, ERROR}
            raise
        finally:
            ticket.bind(None)
            self.ticket = None

    def cancel(self) -> None:
        """Tell the job at hand to stop; only its ticket may call this."""
        self.cell.value = self.number

    def end(self) -> None:
        """End the process without ado; whoever listens to it must have stopped."""
        self.process.kill()
        self.process.join(1)
        self.pipe.close()


class Pool:
    """So many workers, and a keeper thread that replaces those that die.

    Parameters
    ----------
    config
        Settings of the server.
    preload
        Modules that the fork server imports before the first worker; those of the services.
    """

    def __init__(self, config: Config, preload: tuple[str, ...] = ()) -> None:
        self.size = config.workers
        self.started = 0
        self._config = config
        self._preload = preload
        self._context = multiprocessing.get_context("forkserver")
        self._condition = threading.Condition()
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._stopping = False
        self._failures = 0
        self._keeper = threading.Thread(target=self._keep, name="trunkline-keeper", daemon=True)
        self._kick = threading.Event()

    def start(self) -> None:
        """Start the workers; returns when all are ready to work.

        Raises
        ------
        RuntimeError
            If none can be started.
        """
        self._context.set_forkserver_preload(["__main__", *self._preload])
        atexit.register(self.stop)
        self._keeper.start()
        with self._condition:
            self._condition.wait_for(self._settled)
            hopeless = not self._workers and not self._stopping
        if hopeless:
            self.stop()
            raise RuntimeError("the worker processes do not start; the log says why")

    def _settled(self) -> bool:
        hopeless = not self._workers and self._failures >= MAX_FAILURES
        return self._stopping or hopeless or len(self._workers) == self.size

    def stop(self) -> None:
        """End all workers; calls that still run are lost."""
        atexit.unregister(self.stop)
        with self._condition:
            self._stopping = True
            busy, idle = self._workers.difference(self._idle), list(self._idle)
            self._workers.clear()
            self._idle.clear()
            self._condition.notify_all()
        self._kick.set()
        for worker in busy:
            worker.process.kill()  # its call notices, and ends it
        for worker in idle:
            worker.end()
        if self._keeper.is_alive() and threading.current_thread() is not self._keeper:
            self._keeper.join(self._config.patience)

    @property
    def busy(self) -> int:
        """How many workers work."""
        return len(self._workers) - len(self._idle)

    @property
    def alive(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def processes(self) -> list[int]:
        """Return the ids of the worker processes."""
        with self._condition:
            return sorted(worker.process.pid or 0 for worker in self._workers)

    def run(self, job: str, payload: bytes, ticket: Ticket) -> Generator[Frame]:
        """Yield the events of a job and at last its answer.

        Raises
        ------
        Refused
            If the job refuses the request, its worker is lost, none is free in time or the caller has gone.
        """
        worker = self._submit(job, payload, ticket)
        try:
            with contextlib.closing(worker.frames(ticket)) as frames:
                for frame in frames:
                    if frame.kind == ERROR:
                        raise statuses.Refused(statuses.read(frame.payload))
                    yield frame
        except (EOFError, OSError):
            raise self._loss(worker, ticket, job) from None
        finally:
            self._release(worker)

    def _submit(self, job: str, payload: bytes, ticket: Ticket) -> _Worker:
        """Hand a job to a worker; one that died idle is passed over."""
        while True:
            worker = self._acquire(ticket)
            try:
                worker.submit(job, payload, ticket)
            except OSError:
                self._release(worker)
            else:
                return worker

    def _loss(self, worker: _Worker, ticket: Ticket, job: str) -> statuses.Refused:
        log.error("worker lost", pid=worker.process.pid, job=job, overdue=worker.overdue)
        if ticket.cancelled_at is not None:
            return statuses.cancelled()
        if worker.overdue:
            return statuses.overdue()
        return statuses.lost("the worker process ended while it worked on this call; try again")

    def wake(self) -> None:
        """Let waiting calls look whether they were cancelled."""
        with self._condition:
            self._condition.notify_all()

    def _acquire(self, ticket: Ticket) -> _Worker:
        with self._condition:
            if not self._idle:
                ticket.wait_for(self)
            while not self._idle:
                now = time.monotonic()
                if self._stopping:
                    raise statuses.lost("the server is stopping")
                if ticket.cancelled_at is not None:
                    raise statuses.cancelled()
                if now >= ticket.hopeless_at:
                    raise statuses.full(1.0, "no worker was free within the time limit; try again later")
                self._condition.wait(ticket.hopeless_at - now)
            if self._stopping:
                raise statuses.lost("the server is stopping")
            ticket.wait_for(None)
            ticket.waited = time.monotonic() - ticket.arrived
            return self._idle.pop()

    def _release(self, worker: _Worker) -> None:
        with self._condition:
            if worker.clean and not self._stopping:
                self._idle.append(worker)
                self._condition.notify()
                return
            self._workers.discard(worker)
        worker.end()
        self._kick.set()

    # the keeper's thread

    def _keep(self) -> None:
        while not self._stopping:
            self._kick.clear()
            self._look_after()
            if len(self._workers) < self.size:
                added = self._add()
                with self._condition:
                    self._failures = 0 if added else self._failures + 1
                    self._condition.notify_all()
                if not added:
                    self._kick.wait(min(MAX_BACKOFF, 0.1 * 2 ** min(self._failures, 10)))
            else:
                self._kick.wait(CHECK_EVERY)

    def _look_after(self) -> None:
        now = time.monotonic()
        with self._condition:
            dead = [worker for worker in self._idle if not worker.process.is_alive()]
            for worker in dead:
                self._idle.remove(worker)
                self._workers.discard(worker)
            late = []
            for worker in self._workers:
                ticket = worker.ticket
                if ticket is not None and now > ticket.hopeless_at + self._config.patience:
                    late.append(worker)
        for worker in dead:
            log.error("worker ended", pid=worker.process.pid)
            worker.end()
        for worker in late:
            worker.overdue = True
            worker.process.kill()

    def _add(self) -> bool:
        """Start one worker and wait until it is ready."""
        try:
            worker = _Worker(self._context, self._preload, self._config.log_level)
        except (OSError, EOFError) as error:
            log.error("worker failed to start", error=str(error))
            return False
        try:
            ready = worker.pipe.poll(MAX_START) and worker.receive().kind == READY
        except (EOFError, OSError):
            ready = False
        if not ready:
            log.error("worker failed to start", exit_code=worker.process.exitcode)
            worker.end()
            return False
        with self._condition:
            stopping = self._stopping
            if not stopping:
                self._workers.add(worker)
                self._idle.append(worker)
                self.started += 1
            self._condition.notify_all()
        if stopping:
            worker.end()
        return True
