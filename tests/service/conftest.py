"""One server for all tests of the service; those that would disturb others start their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

sys.path.append(str(Path(__file__).parent))

import service_jobs
from service_support import REGISTRARS, config

from router.client.remote import RemoteRouter
from router.service import logs
from router.service.server import Server, running


@pytest.fixture(scope="session", autouse=True)
def quiet() -> None:
    logs.configure("error")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running(config(metrics_port=0, max_message_bytes=1_000_000, reflection=True), REGISTRARS) as found:
        yield found


@pytest.fixture(scope="session")
def channel(server: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.address) as found:
        yield found


@pytest.fixture(scope="session")
def jobs(channel: grpc.Channel) -> service_jobs.Jobs:
    return service_jobs.Jobs(channel)


@pytest.fixture(scope="session")
def remote(server: Server) -> Iterator[RemoteRouter]:
    with RemoteRouter(server.address) as found:
        yield found
