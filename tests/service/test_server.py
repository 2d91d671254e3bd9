"""Health, reflection, metrics, settings, start and stop."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from service_jobs import Jobs
from service_support import REGISTRARS, code_of, config

from router.errors import InvalidInput
from router.service import Config, serve
from router.service.server import CannotListen, Server, running
from support import PROJECT

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def test_health(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", "router.v1.RouterService", "engine.v1.GameService"):
        request = health_pb2.HealthCheckRequest(service=service)
        assert stub.Check(request, timeout=20).status == SERVING
    with pytest.raises(grpc.RpcError) as caught:
        stub.Check(health_pb2.HealthCheckRequest(service="nobody"), timeout=20)
    assert code_of(caught.value) is grpc.StatusCode.NOT_FOUND


def test_reflection(channel: grpc.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)

    def ask(**fields: Any) -> Any:
        request = reflection_pb2.ServerReflectionRequest(**fields)
        return next(stub.ServerReflectionInfo(iter([request]), timeout=20))

    names = {it.name for it in ask(list_services="").list_services_response.service}
    assert {"router.v1.RouterService", "engine.v1.GameService", "grpc.health.v1.Health"} <= names
    for symbol in ("router.v1.RouteProblem", "engine.v1.GameService", "engine.v1.Position"):
        assert ask(file_containing_symbol=symbol).file_descriptor_response.file_descriptor_proto


def test_metrics(server: Server, jobs: Jobs) -> None:
    for _ in range(3):
        jobs.call("echo", b"x")
    with pytest.raises(grpc.RpcError):
        jobs.call("boom")
    address = f"http://{server.config.host}:{server.metrics_port}/metrics"
    end = time.monotonic() + 10
    while True:
        with urllib.request.urlopen(address) as page:
            lines = page.read().decode().splitlines()
        figures = {
            name: float(value)
            for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")
        }
        counted = figures.get('trunkline_calls_total{code="OK",method="echo"}', 0) >= 3
        if (counted and figures["trunkline_calls_running"] == 0) or time.monotonic() > end:
            break
        time.sleep(0.05)
    assert figures['trunkline_calls_total{code="OK",method="echo"}'] >= 3
    assert figures['trunkline_calls_total{code="INTERNAL",method="boom"}'] >= 1
    assert figures['trunkline_answers_total{method="echo",status="ECHO"}'] >= 3
    assert figures['trunkline_call_seconds_count{method="echo"}'] >= 3
    assert figures["trunkline_wait_seconds_count"] >= 3
    assert figures["trunkline_workers"] == 2
    assert figures["trunkline_workers_started"] >= 2
    assert figures["trunkline_calls_running"] == 0


def test_graceful_stop_lets_running_calls_finish() -> None:
    server = Server(config(workers=1), REGISTRARS)
    server.start()
    with grpc.insecure_channel(server.address) as channel:
        jobs = Jobs(channel)
        assert jobs.call("echo", b"x") == b"x"
        running_call = jobs.start("work", b"0.8")
        time.sleep(0.2)
        stopper = threading.Thread(target=server.stop)
        stopper.start()
        time.sleep(0.2)
        late = jobs.start("echo", b"late")
        assert code_of(late.exception()) is grpc.StatusCode.UNAVAILABLE
        assert running_call.result() == b"done"
        stopper.join(10)
    assert not stopper.is_alive()
    assert server.context.pool().processes() == []
    server.stop()


def test_stop_cuts_off_calls_after_the_grace_period() -> None:
    server = Server(config(workers=1, grace=0.2), REGISTRARS)
    server.start()
    with grpc.insecure_channel(server.address) as channel:
        call = Jobs(channel).start("work", b"60", timeout=70)
        time.sleep(0.3)
        start = time.monotonic()
        server.stop()
        assert time.monotonic() - start < 10
        assert code_of(call.exception()) in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}


def test_not_serving_before_the_workers_are_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(config(workers=1), REGISTRARS)
    seen: list[int] = []
    pool = server.context.pool()
    start = pool.start

    def look_first() -> None:
        with grpc.insecure_channel(server.address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            seen.append(stub.Check(health_pb2.HealthCheckRequest(), timeout=20, wait_for_ready=True).status)
        start()

    monkeypatch.setattr(pool, "start", look_first)
    server.start()
    try:
        assert seen == [NOT_SERVING]
    finally:
        server.stop()


def test_taken_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = Server(config(port=taken.getsockname()[1]))
        with pytest.raises(CannotListen):
            server.start()


def test_serve_on_a_taken_port() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CannotListen):
        serve(config(port=taken.getsockname()[1]))
    assert signal.getsignal(signal.SIGTERM) is before


def test_workers_that_cannot_start() -> None:
    server = Server(config(workers=1), [lambda _, context: context.preload("no_such_module")])
    with pytest.raises(RuntimeError, match="do not start"):
        server.start()


def test_preload_after_the_workers_were_made() -> None:
    server = Server(config(workers=1))
    server.context.pool()
    with pytest.raises(RuntimeError):
        server.context.preload("json")


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"host": ""}, "host"),
        ({"port": -1}, "port"),
        ({"port": 70_000}, "port"),
        ({"metrics_port": 70_000}, "metrics_port"),
        ({"workers": 0}, "workers"),
        ({"max_calls": 0}, "max_calls"),
        ({"max_message_bytes": 2**31}, "max_message_bytes"),
        ({"max_time_limit": 0}, "max_time_limit"),
        ({"max_time_limit": float("nan")}, "max_time_limit"),
        ({"patience": -1}, "patience"),
        ({"grace": -1}, "grace"),
        ({"log_level": "loud"}, "log_level"),
    ],
)
def test_bad_settings(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Config(**settings)
    assert [fault.where for fault in caught.value.faults] == [field]


def test_all_bad_settings_are_named() -> None:
    with pytest.raises(InvalidInput) as caught:
        Config(workers=0, port=-1)
    assert len(caught.value.faults) == 2


# the whole process

SCRIPT = """
import sys
sys.path[:0] = {path!r}
import service_jobs
from router.service import Config, serve
if __name__ == "__main__":
    serve(Config(port={port}, workers=1, grace={grace}), [service_jobs.register])
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def start_process(folder: Path, grace: float) -> tuple[subprocess.Popen[bytes], str, Path]:
    port = free_port()
    script = folder / "server.py"
    script.write_text(SCRIPT.format(path=[str(Path(__file__).parent)], port=port, grace=grace))
    log = folder / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen([sys.executable, str(script)], stderr=errors, cwd=PROJECT)
    return process, f"127.0.0.1:{port}", log


def wait_serving(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for update in stub.Watch(health_pb2.HealthCheckRequest(), timeout=60, wait_for_ready=True):
        if update.status == SERVING:
            return


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_the_process_gracefully(tmp_path: Path, number: signal.Signals) -> None:
    process, address, log = start_process(tmp_path, grace=20)
    try:
        with grpc.insecure_channel(address) as channel:
            wait_serving(channel)
            jobs = Jobs(channel)
            worker = int(jobs.call("process"))
            call = jobs.start("work", b"0.7")
            time.sleep(0.2)
            # As a terminal or a service manager does it: everybody gets the signal.
            os.kill(worker, number)
            process.send_signal(number)
            assert call.result() == b"done"
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    events = [line["event"] for line in lines]
    assert sorted(events) == ["call", "call", "listening", "serving", "settings", "stopped", "stopping"]
    assert (*events[:3], events[-1]) == ("settings", "listening", "serving", "stopped")
    calls = {line["method"]: line for line in lines if line["event"] == "call"}
    assert calls.keys() == {"process", "work"}
    assert {"code": "OK", "level": "info"}.items() <= calls["work"].items()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_second_signal_cuts_the_grace_period_short(tmp_path: Path) -> None:
    process, address, _ = start_process(tmp_path, grace=60)
    try:
        with grpc.insecure_channel(address) as channel:
            wait_serving(channel)
            call = Jobs(channel).start("work", b"60", timeout=70)
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert code_of(call.exception()) is grpc.StatusCode.UNAVAILABLE
    finally:
        process.kill()
        process.wait()


def test_loading_the_service_package_loads_no_grpc() -> None:
    code = (
        "import sys, router.service, engine.service;"
        " print([m for m in ('grpc', 'numba', 'ortools') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    assert found.stdout.strip() == "[]"


def test_workers_never_load_grpc() -> None:
    code = (
        "import sys, router.service.worker, router.service.jobs, engine.service.jobs;"
        " print([m for m in ('grpc', 'grpc_status') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    assert found.stdout.strip() == "[]"


def test_running_stops_the_server_after_an_error() -> None:
    with pytest.raises(KeyError), running(config(workers=1)) as server:
        raise KeyError
    assert server.context.pool().processes() == []
