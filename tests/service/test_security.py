"""Who is let in, and what never gets out."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import service_jobs
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from service_jobs import Jobs
from service_support import REGISTRARS, code_of, config, details

import samples
from router.client import RemoteError, connect
from router.errors import InvalidInput
from router.service import Config
from router.service.identity import Door, Rates, Tokens, digest
from router.service.server import Server, running
from router.service.statuses import Refused
from support import PROJECT

trustme = pytest.importorskip("trustme")

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
LONG_AGO = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


class Authority:
    """A certificate authority and what it vouches for, as files."""

    def __init__(self, folder: Path, name: str) -> None:
        self._ca = trustme.CA()
        self._folder = folder / name
        self._folder.mkdir()
        self.root = self._ca.cert_pem.bytes()
        self.file = self._write("ca.pem", self.root)

    def _write(self, name: str, data: bytes) -> str:
        path = self._folder / name
        path.write_bytes(data)
        return str(path)

    def pair(self, name: str, *, expired: bool = False) -> tuple[bytes, bytes]:
        """Return key and chain of a new certificate."""
        more = {"not_after": LONG_AGO, "not_before": LONG_AGO.replace(year=2000)} if expired else {}
        found = self._ca.issue_cert(name, common_name=name, **more)
        return found.private_key_pem.bytes(), b"".join(it.bytes() for it in found.cert_chain_pems)

    def files(self, name: str, *, expired: bool = False) -> dict[str, str]:
        """Return the settings for a new certificate."""
        key, chain = self.pair(name, expired=expired)
        return {"tls_key": self._write("key.pem", key), "tls_cert": self._write("cert.pem", chain)}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "ours")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "theirs")


@pytest.fixture(scope="module")
def mutual(authority: Authority) -> Iterator[Server]:
    settings = {**authority.files("localhost"), "tls_client_ca": authority.file}
    with running(config(host="localhost", workers=1, **settings), REGISTRARS) as found:
        yield found


def echo(server: Server, credentials: grpc.ChannelCredentials | None, token: str | None = None) -> bytes:
    address = f"localhost:{server.port}"
    open_channel: Any = grpc.insecure_channel if credentials is None else grpc.secure_channel
    more = () if credentials is None else (credentials,)
    metadata = () if token is None else (("authorization", token),)
    with open_channel(address, *more) as channel:
        method = channel.unary_unary(f"/{service_jobs.SERVICE}/echo")
        answer: bytes = method(b"x", timeout=20, metadata=metadata)
        return answer


def refused(server: Server, credentials: grpc.ChannelCredentials | None, token: str | None = None) -> Any:
    with pytest.raises(grpc.RpcError) as caught:
        echo(server, credentials, token)
    return caught.value


# certificates


def test_client_with_our_certificate_is_let_in(mutual: Server, authority: Authority) -> None:
    key, chain = authority.pair("game-server")
    assert echo(mutual, grpc.ssl_channel_credentials(authority.root, key, chain)) == b"x"


def test_client_without_certificate_is_refused(mutual: Server, authority: Authority) -> None:
    assert code_of(refused(mutual, grpc.ssl_channel_credentials(authority.root))) is UNAVAILABLE


def test_client_of_another_authority_is_refused(
    mutual: Server, authority: Authority, stranger: Authority
) -> None:
    key, chain = stranger.pair("game-server")
    assert code_of(refused(mutual, grpc.ssl_channel_credentials(authority.root, key, chain))) is UNAVAILABLE


def test_client_with_an_expired_certificate_is_refused(mutual: Server, authority: Authority) -> None:
    key, chain = authority.pair("game-server", expired=True)
    assert code_of(refused(mutual, grpc.ssl_channel_credentials(authority.root, key, chain))) is UNAVAILABLE


def test_client_in_plaintext_is_refused(mutual: Server) -> None:
    assert code_of(refused(mutual, None)) is UNAVAILABLE


def test_server_that_another_authority_vouches_for_is_not_trusted(
    mutual: Server, stranger: Authority
) -> None:
    assert code_of(refused(mutual, grpc.ssl_channel_credentials(stranger.root))) is UNAVAILABLE


def test_expired_server_is_not_trusted(authority: Authority, tmp_path: Path) -> None:
    key, chain = authority.pair("localhost", expired=True)
    (tmp_path / "key.pem").write_bytes(key)
    (tmp_path / "cert.pem").write_bytes(chain)
    files = {"tls_key": str(tmp_path / "key.pem"), "tls_cert": str(tmp_path / "cert.pem")}
    with running(config(host="localhost", workers=1, **files), REGISTRARS) as server:
        assert code_of(refused(server, grpc.ssl_channel_credentials(authority.root))) is UNAVAILABLE


def test_new_certificates_are_read_while_the_server_runs(
    authority: Authority, stranger: Authority, tmp_path: Path
) -> None:
    files = {"tls_key": str(tmp_path / "key.pem"), "tls_cert": str(tmp_path / "cert.pem")}

    def install(source: Authority) -> None:
        key, chain = source.pair("localhost")
        Path(files["tls_key"]).write_bytes(key)
        Path(files["tls_cert"]).write_bytes(chain)

    install(authority)
    with running(config(host="localhost", workers=1, **files), REGISTRARS) as server:
        assert echo(server, grpc.ssl_channel_credentials(authority.root)) == b"x"
        install(stranger)
        assert echo(server, grpc.ssl_channel_credentials(stranger.root)) == b"x"
        assert code_of(refused(server, grpc.ssl_channel_credentials(authority.root))) is UNAVAILABLE


def test_files_that_are_no_certificates(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("hello")
    for broken, field in (("no.pem", "tls_cert"), ("absent.pem", "tls_cert")):
        files = {**authority.files("localhost"), "tls_cert": str(tmp_path / broken)}
        with pytest.raises(InvalidInput) as caught:
            Server(config(**files), REGISTRARS)
        assert [fault.where for fault in caught.value.faults] == [field]


# plaintext


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "server.example"])
def test_plaintext_where_others_can_listen_must_be_asked_for(host: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Config(host=host)
    assert [fault.where for fault in caught.value.faults] == ["host"]
    assert Config(host=host, plaintext=True).host == host
    assert Config(host=host, tls_cert="a", tls_key="b").tls


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_plaintext_on_loopback(host: str) -> None:
    assert Config(host=host).host == host


def test_command_refuses_plaintext_where_others_can_listen() -> None:
    command = [sys.executable, "-m", "engine.cli", "serve", "--host", "0.0.0.0", "--port", "0"]
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 2
    assert "--host: other machines can reach 0.0.0.0" in found.stderr


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"tls_cert": "a"}, "tls_key"),
        ({"tls_key": "a"}, "tls_cert"),
        ({"tls_client_ca": "a"}, "tls_client_ca"),
        ({"burst": 3}, "burst"),
        ({"rate": 0}, "rate"),
    ],
)
def test_settings_that_do_not_fit_together(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Config(**settings)
    assert [fault.where for fault in caught.value.faults] == [field]


def test_client_never_sends_a_token_in_plaintext_to_another_machine() -> None:
    with pytest.raises(ValueError, match="token"):
        connect("server.example:50051", token="secret")
    connect("127.0.0.1:1", token="secret").close()
    connect("server.example:50051", token="secret", credentials=grpc.ssl_channel_credentials()).close()


# tokens


def write_tokens(path: Path, **callers: str) -> None:
    """Write a file of tokens; never at the time stamp of the one before."""
    fresh = path.with_suffix(".new")
    fresh.write_text(
        "# callers\n\n" + "".join(f"{name} sha256:{digest(it)}\n" for name, it in callers.items())
    )
    fresh.replace(path)


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    write_tokens(path, alice="first", bob="other")
    return path


def test_tokens_are_asked_for_and_can_be_rotated(tokens: Path) -> None:
    settings = {"workers": 1, "tokens": str(tokens), "reflection": True, "channelz": True}
    with running(config(host="localhost", **settings), REGISTRARS) as server:
        assert echo(server, None, "Bearer first") == b"x"
        assert echo(server, None, "bearer other") == b"x"
        for wrong in (None, "Bearer wrong", "Bearer ", "first", "Basic first", "Bearer first first"):
            error = refused(server, None, wrong)
            assert code_of(error) is UNAUTHENTICATED
            assert details(error)["ErrorInfo"].reason == "UNAUTHENTICATED"
            assert not wrong or "wrong" not in str(error.details())
        write_tokens(tokens, alice="second", bob="other")
        assert code_of(refused(server, None, "Bearer first")) is UNAUTHENTICATED
        assert echo(server, None, "Bearer second") == b"x"
        tokens.write_text("nonsense")
        assert echo(server, None, "Bearer second") == b"x"
        with grpc.insecure_channel(f"localhost:{server.port}") as channel:
            health = health_pb2_grpc.HealthStub(channel)
            assert health.Check(health_pb2.HealthCheckRequest(), timeout=20).status == 1
            ask = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
            stub = reflection_pb2_grpc.ServerReflectionStub(channel)
            with pytest.raises(grpc.RpcError) as caught:
                next(stub.ServerReflectionInfo(ask, timeout=20))
            assert code_of(caught.value) is UNAUTHENTICATED
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary("/grpc.channelz.v1.Channelz/GetServers")(b"", timeout=20)
            assert code_of(caught.value) is UNAUTHENTICATED


def test_python_client_shows_its_token(tokens: Path) -> None:
    with running(config(host="localhost", workers=1, tokens=str(tokens)), REGISTRARS) as server:
        problem = samples.line()
        with connect(f"localhost:{server.port}", token=lambda: "first") as router:
            assert router.solve(problem).revenue == 60
            assert router.count(problem, "1") == {2: 1, 3: 1}
            assert router.check(problem, []).legal
        with connect(f"localhost:{server.port}", token="wrong") as router:
            with pytest.raises(RemoteError) as caught:
                router.solve(problem)
            assert (caught.value.code, caught.value.reason) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


@pytest.mark.parametrize("text", ["", "# nobody\n", "alice plain-token", "alice sha256:12", "a b c"])
def test_files_of_tokens_that_mean_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        Tokens(str(path))
    assert "plain-token" not in str(caught.value)


def test_every_token_is_compared_whichever_fits(tokens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append(a)
        return a == b

    monkeypatch.setattr("router.service.identity.hmac.compare_digest", compare)
    found = Tokens(str(tokens))
    for token, name in (("first", "alice"), ("other", "bob"), ("none", None)):
        compared.clear()
        assert found.name_of(token) == name
        assert len(compared) == 2


def test_command_line_calls_with_tls_and_token(authority: Authority, tokens: Path) -> None:
    settings = {**authority.files("localhost"), "tokens": str(tokens)}
    with running(config(host="localhost", workers=1, **settings), REGISTRARS) as server:
        command = [sys.executable, "-m", "engine.cli", "solve", "examples/demo.jsonl", "--server"]
        command.append(f"https://localhost:{server.port}")
        for token, code in (("first", 0), ("wrong", 2)):
            environment = {**os.environ, "TRUNKLINE_CA": authority.file, "TRUNKLINE_TOKEN": token}
            found = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, check=False)
            assert found.returncode == code, found.stderr
            assert (b"UNAUTHENTICATED" in found.stdout) is bool(code)


# rates


def test_each_caller_has_a_rate_of_its_own(tokens: Path) -> None:
    settings = {"tokens": str(tokens), "rate": 0.001, "burst": 3, "workers": 1}
    with running(config(host="localhost", **settings), REGISTRARS) as server:
        for _ in range(3):
            assert echo(server, None, "Bearer first") == b"x"
        error = refused(server, None, "Bearer first")
        assert code_of(error) is grpc.StatusCode.RESOURCE_EXHAUSTED
        found = details(error)
        assert found["ErrorInfo"].reason == "RATE_LIMITED"
        assert found["ErrorInfo"].metadata["max"] == "0.001"
        assert found["RetryInfo"].retry_delay.ToSeconds() > 100
        assert echo(server, None, "Bearer other") == b"x"


def test_rates_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rates = Rates(10, 2)
    for allowed in (True, True, False):
        if allowed:
            rates.spend("a")
        else:
            with pytest.raises(Refused):
                rates.spend("a")
    now[0] += 0.125
    rates.spend("a")
    with pytest.raises(Refused):
        rates.spend("a")


def test_callers_without_token_are_known_by_address() -> None:
    door = Door(Config(rate=1.0))
    assert door.admit((), "ipv4:192.0.2.1:5000", {}) == "ipv4:192.0.2.1"
    with pytest.raises(Refused):
        door.admit((), "ipv4:192.0.2.1:6000", {})
    assert door.admit((), "ipv4:192.0.2.2:5000", {"x509_common_name": [b"game"]}) == "game"


# what is not offered, and what is not told


def test_tools_are_off_unless_switched_on(authority: Authority) -> None:
    with running(config(workers=1), REGISTRARS) as server, grpc.insecure_channel(server.address) as channel:
        for method in (
            "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            "grpc.channelz.v1.Channelz/GetServers",
        ):
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary(f"/{method}")(b"", timeout=20)
            assert code_of(caught.value) is grpc.StatusCode.UNIMPLEMENTED


SCRIPT = """
import sys
sys.path[:0] = {path!r}
import service_jobs
from engine.service import register
from router.service import Config, serve
if __name__ == "__main__":
    serve(Config(host="localhost", port={port}, workers=1, tokens={tokens!r}, log_level="debug"),
          [register, service_jobs.register])
"""


def test_logs_hold_neither_tokens_nor_boards(tokens: Path, tmp_path: Path) -> None:
    from test_server import free_port, wait_serving

    from engine.v1 import game_service_pb2 as games

    port = free_port()
    script = tmp_path / "server.py"
    path = [str(Path(__file__).parent)]
    script.write_text(SCRIPT.format(path=path, port=port, tokens=str(tokens)))
    log = tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen([sys.executable, str(script)], stderr=errors, stdout=errors, cwd=PROJECT)
    try:
        with grpc.insecure_channel(f"localhost:{port}") as channel:
            wait_serving(channel)
            jobs = Jobs(channel)
            call = channel.unary_unary("/engine.v1.GameService/SolvePosition")
            good = games.SolvePositionRequest(id="request-17")
            good.position.game, good.position.players = "1861", 4
            good.position.company, good.position.phase = "N", "2"
            good.position.tokens.add(hex="H8", city=1, company="N")
            good.position.trains.add(id="2-0", name="2")
            bad = games.SolvePositionRequest(id="request-18")
            bad.CopyFrom(good)
            bad.position.company = "SECRETBOARD"
            ours = (("authorization", "Bearer first"),)
            call(good.SerializeToString(), timeout=60, metadata=ours)
            for payload, metadata in (
                (bad.SerializeToString(), ours),
                (b"SECRETBOARD\xff\xff", ours),
                (good.SerializeToString(), (("authorization", "Bearer SECRETTOKEN"),)),
            ):
                with pytest.raises(grpc.RpcError):
                    call(payload, timeout=60, metadata=metadata)
            with pytest.raises(grpc.RpcError):
                channel.unary_unary(f"/{service_jobs.SERVICE}/boom")(b"", timeout=60, metadata=ours)
            assert jobs
    finally:
        process.terminate()
        assert process.wait(30) == 0
    text = log.read_text()
    for secret in ("SECRETBOARD", "SECRETTOKEN", "first", "secret of the house", digest("first"), "H8"):
        assert secret not in text, secret
    calls = [it for it in map(json.loads, text.splitlines()) if it["event"] == "call"]
    assert [it["code"] for it in calls] == [
        "OK",
        "INVALID_ARGUMENT",
        "INVALID_ARGUMENT",
        "UNAUTHENTICATED",
        "INTERNAL",
    ]
    first = calls[0]
    assert first["id"] == "request-17"
    assert (first["caller"], first["game"], first["status"]) == ("alice", "1861", "OPTIMAL")
    for name in (
        "hexes",
        "nodes",
        "segments",
        "trains",
        "revenue",
        "bound",
        "work",
        "queue_ms",
        "solve_ms",
        "ms",
    ):
        assert isinstance(first[name], int | float), name
    assert calls[1]["reason"] == "INVALID_INPUT"
