"""What is measured: each function returns figures, and nothing is printed here.

``bench_*.py`` run them under pytest-benchmark, :mod:`benchmarks.results` writes them down.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.material import LIMIT, PROJECT, SOURCES, Figures, compiled, recorded
from engine.compile import compile_position
from engine.position import Position
from router.problem import RouteProblem
from router.solution import Status
from router.solve import solve
from router.stop import Deadline


def ready() -> None:
    """Load everything that the first solve would load."""
    import ortools.linear_solver.pywraplp
    import ortools.sat.python.cp_model  # noqa: F401

    from router.warm import warm

    warm()


def solving(problems: list[RouteProblem]) -> tuple[list[float], int]:
    """Solve each problem once; return the times and how many were proved.

    The garbage collector is kept off the problems: going through thousands of them is not what is measured.
    """
    seconds = []
    proved = 0
    gc.collect()
    gc.freeze()
    for problem in problems:
        begun = time.perf_counter()
        answer = solve(problem, stop=Deadline(LIMIT))
        seconds.append(time.perf_counter() - begun)
        proved += answer.status is Status.OPTIMAL
    gc.unfreeze()
    return seconds, proved


def compiling(game: str, sources: Sequence[str] = SOURCES) -> list[float]:
    """Read and compile each recorded position; return the times."""
    seconds = []
    for position in recorded(game, sources):
        begun = time.perf_counter()
        compile_position(Position.from_json(position))
        seconds.append(time.perf_counter() - begun)
    return seconds


@dataclass(frozen=True, slots=True)
class Pressure:
    """Boards under pressure, solved in a process of their own.

    Attributes
    ----------
    rows
        Name, seconds, status, revenue and expansions of each.
    peak
        Largest resident memory of the process, in MiB.
    """

    rows: list[tuple[str, float, str, int, int]]
    peak: int

    @property
    def proved(self) -> int:
        """How many were proved."""
        return sum(status == "OPTIMAL" for _, _, status, _, _ in self.rows)

    @property
    def figures(self) -> Figures:
        """Figures of the times."""
        return Figures.of([seconds for _, seconds, _, _, _ in self.rows])


def pressure(what: str) -> Pressure:
    """Solve the boards under pressure of a game, or the frozen instances (``"frozen"``)."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pressure", what],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    *rows, last = [json.loads(line) for line in done.stdout.splitlines()]
    return Pressure([tuple(row) for row in rows], last["peak"])


# --- the service ----------------------------------------------------------------------------------------


@contextmanager
def served(workers: int) -> Iterator[str]:
    """Run a server in a process of its own; give its address once it is SERVING."""
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        with (Path(folder) / "log").open("wb") as log:
            server = subprocess.Popen(
                [sys.executable, "-m", "engine.cli", "serve", f"--port={port}", f"--workers={workers}"],
                cwd=PROJECT,
                stdout=log,
                stderr=log,
            )
            try:
                wait_until_serving(f"127.0.0.1:{port}")
                yield f"127.0.0.1:{port}"
            finally:
                server.terminate()
                server.wait(30)


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def wait_until_serving(
    address: str, seconds: float = 60, process: subprocess.Popen[bytes] | None = None
) -> None:
    """Ask the health service until it says SERVING; give up as soon as ``process`` has ended."""
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    end = time.monotonic() + seconds
    with grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        while True:
            try:
                status = health.Check(health_pb2.HealthCheckRequest(), timeout=1).status
                if status == health_pb2.HealthCheckResponse.SERVING:
                    return
            except grpc.RpcError:
                pass
            if process is not None and process.poll() is not None:
                raise RuntimeError(f"the server has ended with exit code {process.returncode}")
            if time.monotonic() > end:
                raise TimeoutError(f"{address} is not SERVING")
            time.sleep(0.01)


def requests(games: tuple[str, ...]) -> list[bytes]:
    """Return a request to solve each recorded position, as bytes."""
    from google.protobuf.json_format import ParseDict

    from engine.v1 import game_service_pb2 as pb

    return [
        ParseDict({"position": position}, pb.SolvePositionRequest()).SerializeToString()
        for game in games
        for position in recorded(game)
    ]


def load(address: str, clients: int, calls: list[bytes]) -> tuple[list[float], float]:
    """Send the calls from so many clients at a time; return the time of each call, and of all."""
    import grpc

    method = "/engine.v1.GameService/SolvePosition"
    left = iter(calls)
    taking = threading.Lock()
    seconds: list[float] = []

    def client() -> None:
        with grpc.insecure_channel(address) as channel:
            send = channel.unary_unary(method, request_serializer=bytes, response_deserializer=bytes)
            while True:
                with taking:
                    call = next(left, None)
                if call is None:
                    return
                begun = time.perf_counter()
                send(call, timeout=60)
                took = time.perf_counter() - begun
                with taking:
                    seconds.append(took)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seconds, time.perf_counter() - begun


# --- starting -------------------------------------------------------------------------------------------

FIRST_ANSWER = """
import json, sys
from engine.position import Position
from engine.solving import solve_position
solve_position(Position.from_json(json.loads(sys.argv[1])))
"""


def first_answer() -> float:
    """Return the time from the start of a fresh process to its end after one answer; kernels are cached."""
    position = {
        "game": "1861",
        "players": 4,
        "company": "N",
        "phase": "2",
        "tokens": [{"hex": "H8", "city": 1, "slot": 0, "company": "N"}],
        "trains": [{"id": "2-0", "name": "2"}],
    }
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_ANSWER, json.dumps(position)], cwd=PROJECT, check=True)
    return time.perf_counter() - begun


def serving() -> float:
    """Return the time from the start of a server to SERVING; kernels are cached."""
    begun = time.perf_counter()
    with served(workers=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2):
        return time.perf_counter() - begun


def problems_of(game: str, sources: Sequence[str] = SOURCES) -> list[RouteProblem]:
    """Return the problems of the recorded positions."""
    return [compiled(position) for position in recorded(game, sources)]


__all__: list[Any] = [name for name in dir() if not name.startswith("_")]
