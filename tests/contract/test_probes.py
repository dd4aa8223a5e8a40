"""The contract of probes: what a server says of itself, and nothing from one that is not there."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest

from console.embedded.postgres import Postgres
from migrations_app.adapters.probes.postgres import PostgresProbe
from migrations_app.adapters.probes.valkey import ValkeyProbe
from migrations_app.ports.processes.probes import ServerProbe
from tests.processes import free_port

PATIENCE_SECONDS = 60


@pytest.fixture(params=["PostgreSQL", "Valkey"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _answering(kind: str, postgres: Postgres) -> ServerProbe:
    if kind == "PostgreSQL":
        return PostgresProbe(postgres.url("postgres"), PATIENCE_SECONDS)
    return ValkeyProbe(os.environ["REDIS_URL"], PATIENCE_SECONDS)


def _absent(kind: str) -> ServerProbe:
    address = f"127.0.0.1:{free_port()}"
    return (
        PostgresProbe(f"postgresql://{address}/x")
        if kind == "PostgreSQL"
        else ValkeyProbe(f"redis://{address}/0")
    )


def test_a_server_that_answers_says_what_it_is_and_since_when(kind: str, postgres: Postgres) -> None:
    state = _answering(kind, postgres).look()
    assert state is not None
    assert state.name == kind
    assert state.version.split(".")[0].isdigit()
    assert state.started_at is not None
    assert state.started_at <= datetime.now(UTC)
    assert not state.is_standby


def test_a_server_that_is_not_there_says_nothing(kind: str) -> None:
    assert _absent(kind).look() is None
