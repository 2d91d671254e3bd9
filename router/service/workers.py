"""The worker processes, and the queue in front of them.

Workers are forked by multiprocessing's fork server, a fresh process that loads the solver once, never gRPC.
A worker does one task at a time and talks through its own pipe, so that losing one touches only its own call.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator

import structlog

from router.service import statuses
from router.service.config import Config
from router.service.keeper import CANCEL_PATIENCE, Keeper
from router.service.pressure import Pressure
from router.service.process import Late, Worker
from router.service.tickets import Ticket, Waiting
from router.service.worker import ERROR, Frame

FIRST_GUESS = 0.01
"""Seconds that a worker takes for a call, before any has been timed."""

log = structlog.get_logger("trunkline")


class _Place(Waiting):
    """The place of one call in the queue."""

    def __init__(self) -> None:
        super().__init__()
        self.worker: Worker | None = None
        self.since = time.monotonic()


class Pool:
    """So many workers, a queue of calls that wait for one, and a keeper that replaces those that are lost.

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
        self.restarts: Counter[str] = Counter()
        self.on_change: Callable[[bool], None] = lambda _: None
        self._config = config
        self._condition = threading.Condition()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._queue: deque[_Place] = deque()
        self._stopping = False
        self._pressure = Pressure(config.workers + config.max_queue, FIRST_GUESS / self.size)
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["__main__", *preload])
        self._keeper = Keeper(self, context, preload, config)

    def start(self) -> None:
        """Start the workers; returns when all are ready to work.

        Raises
        ------
        RuntimeError
            If none can be started.
        """
        atexit.register(self.stop)
        self._keeper.start()
        with self._condition:
            self._condition.wait_for(self._settled)
            hopeless = not self._workers and not self._stopping
        if hopeless:
            self.stop()
            raise RuntimeError("the worker processes do not start; the log says why")

    def _settled(self) -> bool:
        hopeless = not self._workers and self._keeper.hopeless
        return self._stopping or hopeless or len(self._workers) == self.size

    def stop(self) -> None:
        """End all workers; calls that still run are lost."""
        atexit.unregister(self.stop)
        with self._condition:
            self._stopping = True
            workers, idle = set(self._workers), list(self._idle)
            self._workers.clear()
            self._idle.clear()
            for place in self._queue:
                place.cancel()
            self._condition.notify_all()
        for worker in workers.difference(idle):
            worker.process.kill()  # its call notices
        for worker in idle:
            worker.end()
        self._keeper.stop()

    @property
    def stopping(self) -> bool:
        """Whether ``stop`` was called."""
        return self._stopping

    @property
    def waiting(self) -> int:
        """How many calls wait for a worker."""
        return len(self._queue)

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
        except Late:
            gone = ticket.cancelled_at is not None
            raise (statuses.cancelled() if gone else statuses.too_late()) from None
        except (EOFError, OSError):
            if self._stopping:
                raise statuses.stopping() from None
            worker.process.join(1)
            log.error("worker lost", pid=worker.process.pid, job=job, why=worker.ended_for or "crash")
            if ticket.cancelled_at is not None:
                raise statuses.cancelled() from None
            raise worker.loss(self._config.max_memory_bytes) from None
        finally:
            self._give_back(worker)

    def _submit(self, job: str, payload: bytes, ticket: Ticket) -> Worker:
        """Hand a job to a worker; one that died idle is passed over."""
        while True:
            worker = self._acquire(ticket)
            try:
                worker.submit(job, payload, ticket)
            except OSError:
                self._give_back(worker)
            else:
                return worker

    # --- the queue --------------------------------------------------------------------------------------

    def _acquire(self, ticket: Ticket) -> Worker:
        with self._condition:
            if self._stopping:
                raise statuses.stopping()
            if self._idle:
                return self._idle.pop()
            refusal = self._no_room() or self._in_vain(ticket)
            if refusal is not None:
                raise refusal
            place = _Place()
            self._pressure.joined(place.since, not self._queue)
            self._queue.append(place)
        ticket.hold(place)
        try:
            while True:
                now = time.monotonic()
                refusal = self._refusal(ticket, now)
                with self._condition:
                    if place.worker is not None and refusal is None:
                        ticket.waited = now - ticket.arrived
                        return place.worker
                    if refusal is not None:
                        if place.worker is None:
                            self._queue.remove(place)
                            self._look_whether_empty(now)
                        else:
                            self._hand_on(place.worker)
                        raise refusal
                place.wait(ticket.answer_by - now, lambda: place.worker is not None)
        finally:
            ticket.hold(None)

    def no_room(self) -> statuses.Refused | None:
        """Return why a call would find no place in the queue, None if it may or need not wait at all."""
        with self._condition:
            return self._no_room()

    @property
    def pressed(self) -> bool:
        """Whether more calls come, all the time, than the workers can do."""
        return self._pressure.standing

    def _no_room(self) -> statuses.Refused | None:
        """Return why a call cannot wait; the lock is held."""
        waiting = len(self._queue)
        if waiting >= self._config.max_queue or (waiting >= self.size and self._slow(waiting)):
            return statuses.full(self._hint(), f"{waiting} calls wait for a worker already; try again later")
        return None

    def _slow(self, waiting: int) -> bool:
        """Tell whether so many calls wait for too long, and do so all the time; the lock is held."""
        if not self._pressure.standing:
            return False
        stuck = time.monotonic() - self._queue[0].since
        return max(stuck, self._pressure.gap * (waiting + 1)) > self._config.max_wait

    def _in_vain(self, ticket: Ticket) -> statuses.Refused | None:
        """Return why a call would wait in vain, judging by the queue as it is now; the lock is held."""
        waiting, now = len(self._queue), time.monotonic()
        left = max(0.0, ticket.answer_by - now)
        if waiting < self.size or self._pressure.at_least(waiting, now, self.size) <= left:
            return None
        why = f"{waiting} calls wait for a worker already, too many for the time limit; try again later"
        return statuses.full(self._hint(), why)

    def _look_whether_empty(self, now: float) -> None:
        """Note it if nobody waits any more; the lock is held."""
        if not self._queue:
            self._pressure.emptied(now)

    def _refusal(self, ticket: Ticket, now: float) -> statuses.Refused | None:
        """Return why a call need not wait any longer."""
        if self._stopping:
            return statuses.stopping()
        if ticket.cancelled_at is not None:
            return statuses.cancelled()
        if now >= ticket.last_moment:
            return statuses.too_late("no worker was free by the deadline")
        if now >= ticket.answer_by:
            return statuses.full(self._hint(), "no worker was free within the time limit; try again later")
        return None

    def _hint(self) -> float:
        """Return the seconds after which a refused call may find room."""
        return min(5.0, max(0.02, self._pressure.gap * (1 + len(self._queue))))

    def _hand_on(self, worker: Worker) -> None:
        """Give a free worker to the call that has waited longest; the lock is held."""
        if self._stopping:
            self._workers.discard(worker)
            self._keeper.bury(worker)
        elif self._queue:
            place = self._queue.popleft()
            now = time.monotonic()
            self._pressure.handed(now)
            self._look_whether_empty(now)
            place.worker = worker
            place.cancel()
        else:
            self._idle.append(worker)

    def _give_back(self, worker: Worker) -> None:
        """Take a worker back from its call."""
        with self._condition:
            if worker.clean and worker in self._workers:
                self._hand_on(worker)
                return
        worker.cancel()
        self._keeper.nurse(worker, time.monotonic() + CANCEL_PATIENCE)

    # --- what the keeper does ---------------------------------------------------------------------------

    def add(self, worker: Worker) -> bool:
        """Take in a worker that is ready; tell whether there is use for it."""
        with self._condition:
            if self._stopping:
                return False
            self._workers.add(worker)
            self.started += 1
            self._hand_on(worker)
            self._condition.notify_all()
        self.on_change(True)
        return True

    def recovered(self, worker: Worker) -> None:
        """Use a worker again that has said its last word."""
        with self._condition:
            if worker in self._workers:
                self._hand_on(worker)

    def remove(self, worker: Worker, why: str) -> None:
        """Forget a worker."""
        with self._condition:
            if worker in self._idle:
                self._idle.remove(worker)
            if worker in self._workers:
                self._workers.discard(worker)
                self.restarts[why] += 1
            nobody = not self._workers
        if nobody and not self._stopping:
            self.on_change(False)

    def missing(self) -> int:
        """Return how many workers are to be started."""
        return 0 if self._stopping else max(0, self.size - len(self._workers))

    def idle(self) -> list[Worker]:
        """Return the workers that do nothing."""
        with self._condition:
            return list(self._idle)

    def claim(self, worker: Worker) -> bool:
        """Take an idle worker out of use; tell whether it was idle."""
        with self._condition:
            if worker not in self._idle:
                return False
            self._idle.remove(worker)
            return True

    def at_work(self) -> list[tuple[Worker, Ticket]]:
        """Return the workers that work, and for whom."""
        with self._condition:
            return [(it, it.ticket) for it in self._workers if it.ticket is not None]

    def notify(self) -> None:
        """Let whoever waits for the start look again."""
        with self._condition:
            self._condition.notify_all()
