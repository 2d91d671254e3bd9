"""Settings, their sources, the files in deploy/, doctor, metrics and traces."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from service_support import REGISTRARS, config

import samples
from engine.cli.service_checks import not_after, service_checks
from router import convert
from router.errors import InvalidInput
from router.service import Config
from router.service.records import Record
from router.service.server import running
from router.service.settings import PREFIX, kinds, load
from router.service.tracing import OpenTelemetry, tracer
from router.v1 import router_service_pb2 as pb
from support import PROJECT

DOCUMENT = (PROJECT / "docs" / "operate.md").read_text(encoding="utf-8")
NAMES = [field.name for field in dataclasses.fields(Config)]


def write(folder: Path, text: str) -> str:
    path = folder / "trunkline.toml"
    path.write_text(text)
    return str(path)


def test_options_go_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'port = 1\nworkers = 2\nmax_wait = 1\nhost = "::1"\n')
    environment = {f"{PREFIX}PORT": "3", f"{PREFIX}WORKERS": "4", f"{PREFIX}REFLECTION": "Yes", "PORT": "9"}
    found = load(file, environment, {"port": 5, "workers": None})
    assert (found.config.port, found.config.workers, found.config.host) == (5, 4, "::1")
    assert (found.config.max_wait, found.config.reflection) == (1.0, True)
    assert found.sources["port"] == "--port"
    assert found.sources["workers"] == f"{PREFIX}WORKERS"
    assert found.sources["host"] == file
    assert load(None, {f"{PREFIX}CONFIG": file}).config.port == 1


def test_everything_that_is_wrong_is_named_with_its_source(tmp_path: Path) -> None:
    file = write(tmp_path, 'port = "secret"\nworkers = 0\ncolour = "red"\nplaintext = 1\n')
    with pytest.raises(InvalidInput) as caught:
        load(file, {f"{PREFIX}GRACE": "long", f"{PREFIX}NOBODY": "1", f"{PREFIX}RATE": "-1"})
    found = {fault.where: fault.why for fault in caught.value.faults}
    assert set(found) == {
        f"{file}: port",
        f"{file}: workers",
        f"{file}: colour",
        f"{file}: plaintext",
        f"{PREFIX}GRACE",
        f"{PREFIX}NOBODY",
        f"{PREFIX}RATE",
    }
    assert found[f"{PREFIX}GRACE"] == "must be a number"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["port = ", "port = 1\nport = 2", "\xff"])
def test_a_file_that_is_no_toml(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidInput):
        load(str(path))
    with pytest.raises(InvalidInput):
        load(str(tmp_path / "absent.toml"))


def test_printed_settings_give_the_same_settings(tmp_path: Path) -> None:
    first = load(None, {}, {"port": 7, "tokens": 'a "b" \\c', "rate": 2.5, "reflection": True})
    again = load(write(tmp_path, first.effective()))
    assert again.config == first.config
    assert "port = 7  # --port" in first.effective()
    assert tomllib.loads(first.effective())["log_level"] == "info"


def test_print_config_of_the_command(tmp_path: Path) -> None:
    file = write(tmp_path, "workers = 3\n")
    command = [sys.executable, "-m", "engine.cli", "serve", "--config", file, "--port", "5", "--print-config"]
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60)
    settings = tomllib.loads(found.stdout)
    assert (settings["workers"], settings["port"]) == (3, 5)
    assert f"workers = 3  # {file}" in found.stdout


def test_every_setting_is_described_and_can_be_set_from_text() -> None:
    assert set(kinds()) == set(NAMES)
    for name in NAMES:
        assert re.search(rf"^\|.*`{name}`", DOCUMENT, re.MULTILINE), name
    text = {int: "7", float: "0.5", str: "info", bool: "true"}
    for name, (kind, _) in kinds().items():
        if name not in ("burst", "tls_cert", "tls_key", "tls_client_ca", "host"):
            found = load(None, {f"{PREFIX}{name.upper()}": text[kind]}).config
            assert getattr(found, name) == kind(text[kind]) if kind is not bool else True


def test_deployed_settings_mean_something(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load(str(PROJECT / "deploy" / "trunkline.toml")).config
    assert found.tls
    assert found.tokens is not None


def test_deployed_files_name_what_there_is() -> None:
    unit = (PROJECT / "deploy" / "trunkline.service").read_text()
    assert re.search(r"^ExecStart=\S+/trunkline serve --config \S+/trunkline\.toml$", unit, re.MULTILINE)
    stop = int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[0])
    assert stop > Config().grace
    assert "KillMode=mixed" in unit
    image = (PROJECT / "deploy" / "Containerfile").read_text()
    for word in re.findall(r"^COPY ((?:[\w./]+ )+)", image.split("FROM", 2)[1], re.MULTILINE):
        for name in word.split():
            assert (PROJECT / name).exists(), name
    assert "STOPSIGNAL SIGTERM" in image
    assert f"{PREFIX}CONFIG=" in image


def test_every_metric_is_described() -> None:
    from router.service.servicer import Context

    context = Context(config())
    context.pool()
    for family in context.metrics.registry.collect():
        assert f"{family.name}" in DOCUMENT, family.name


def test_figures_of_the_cache_and_of_restarts() -> None:
    with (
        running(config(metrics_port=0, workers=1), REGISTRARS) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        request = pb.SolveRoutesRequest(problem=convert.problem_to_proto(samples.line()))
        call = channel.unary_unary("/router.v1.RouterService/SolveRoutes")
        for number in range(4):
            request.id = str(number)
            call(request.SerializeToString(), timeout=20)
        with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics") as page:
            lines = page.read().decode().splitlines()
    figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(figures['trunkline_served_total{source="cache"}']) == 3
    assert float(figures['trunkline_served_total{source="worker"}']) == 1
    assert float(figures['trunkline_answers_total{method="SolveRoutes",status="OPTIMAL"}']) == 4
    assert float(figures["trunkline_cache_answers"]) == 1
    assert float(figures["trunkline_queue"]) == 0


# traces


def test_a_span_for_each_call_below_that_of_the_caller() -> None:
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()
    spans = OpenTelemetry("http://127.0.0.1:1", exporter)
    record = Record("SolvePosition", id="7", source="worker", status="OPTIMAL", notes={"revenue": 80})
    record.parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    spans.ended(record, "OK", 0.25)
    spans.ended(Record("CheckPosition", parent="garbage"), "INTERNAL", 0.1)
    first, second = exporter.get_finished_spans()
    assert first.name == "SolvePosition"
    assert f"{first.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
    assert first.attributes["trunkline.revenue"] == 80
    assert first.end_time - first.start_time == 250_000_000
    assert second.parent is None
    assert not second.status.is_ok
    spans.close()


def test_no_traces_unless_asked_for() -> None:
    untraced = tracer(None)
    untraced.ended(Record("x"), "OK", 1.0)
    untraced.close()


# doctor


def run_checks(settings: str, tmp_path: Path, server: str | None = None) -> dict[str, str]:
    return {name: check() for name, check in service_checks(write(tmp_path, settings), server).items()}


def certificate(folder: Path, days: float) -> dict[str, Any]:
    import datetime

    ends = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)
    issued = trustme.CA().issue_cert("localhost", not_after=ends)
    (folder / "key.pem").write_bytes(issued.private_key_pem.bytes())
    (folder / "key.pem").chmod(0o600)
    (folder / "cert.pem").write_bytes(issued.cert_chain_pems[0].bytes())
    return {"ends": ends.timestamp(), "cert": issued.cert_chain_pems[0].bytes()}


def test_doctor_on_a_good_server(tmp_path: Path) -> None:
    certificate(tmp_path, 90)
    tokens = tmp_path / "tokens"
    tokens.write_text(f"a sha256:{'0' * 64}\n")
    tokens.chmod(0o600)
    settings = (
        f'port = 0\ntls_cert = "{tmp_path}/cert.pem"\ntls_key = "{tmp_path}/key.pem"\ntokens = "{tokens}"'
    )
    found = run_checks(f"{settings}\nmax_memory_bytes = 1000000\n", tmp_path)
    assert set(found) >= {"settings", "certificate", "certificate key", "tokens", "port", "memory"}
    found.pop("open files")  # the machine's own affair
    assert not any(found.values()), found


@pytest.mark.parametrize(("days", "told"), [(-1, "has expired"), (3, "expires in")])
def test_doctor_on_a_certificate_that_will_not_do(tmp_path: Path, days: float, told: str) -> None:
    certificate(tmp_path, days)
    (tmp_path / "key.pem").chmod(0o644)
    settings = f'tls_cert = "{tmp_path}/cert.pem"\ntls_key = "{tmp_path}/key.pem"\n'
    found = run_checks(settings, tmp_path)
    assert told in found["certificate"]
    assert "644" in found["certificate key"]


def test_doctor_on_other_faults(tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("nonsense")
    found = run_checks(f'tokens = "{tmp_path}/tokens"\nhost = "192.0.2.1"\nplaintext = true', tmp_path)
    assert "NAME sha256:DIGEST" in found["tokens"]
    assert "cannot listen" in found["port"]
    assert "workers" in run_checks("workers = 0", tmp_path)["settings"]
    assert "127.0.0.1:1" in run_checks("", tmp_path, "127.0.0.1:1")["server"]


def test_doctor_asks_a_server(tmp_path: Path) -> None:
    with running(config(workers=1), REGISTRARS) as server:
        assert run_checks("", tmp_path, server.address)["server"] == ""


def test_end_of_a_certificate(tmp_path: Path) -> None:
    import ssl

    made = certificate(tmp_path, 400)
    found = not_after(ssl.PEM_cert_to_DER_cert(made["cert"].decode()))
    assert abs(found - made["ends"]) < 2


def test_doctor_command(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "engine.cli",
        "doctor",
        "--json",
        "--config",
        write(tmp_path, "workers = -1"),
    ]
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=250)
    assert found.returncode == 1
    assert not json.loads(found.stdout)["selfTest"]["settings"]["ok"]
