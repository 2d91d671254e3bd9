"""Whatever is sent, the server answers with a code that is documented, and says which fields are wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent))

from answers import sent
from requests_made import METHODS, requests

from engine.service import register
from router.service import Config, logs
from router.service.server import running


@pytest.fixture(scope="module")
def channel() -> Iterator[grpc.Channel]:
    logs.configure("error")
    with (
        running(Config(port=0, workers=2, max_time_limit=2.0, log_level="error"), [register]) as server,
        grpc.insecure_channel(server.address) as found,
    ):
        yield found


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(request=requests())
def test_made_requests(channel: grpc.Channel, request: tuple[str, bytes]) -> None:
    code, wrong = sent(channel, *request)
    assert not wrong, (code, wrong)


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(method=st.sampled_from(sorted(METHODS)), payload=st.binary(max_size=200))
def test_any_bytes(channel: grpc.Channel, method: str, payload: bytes) -> None:
    code, wrong = sent(channel, method, payload)
    assert not wrong, (code, wrong)
