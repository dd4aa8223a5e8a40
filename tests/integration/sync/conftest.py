"""Worlds on one and on two empty data databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from console.embedded.postgres import Postgres
from tests.conftest import empty_database
from tests.integration.sync.real_world import RealWorld


@pytest.fixture
def world(data_database: str) -> Iterator[RealWorld]:
    """Both namespaces in one database."""
    made = RealWorld(aliases=(data_database,))
    yield made
    made.pools.close()


@pytest.fixture
def moving_world(data_database: str, postgres: Postgres) -> Iterator[RealWorld]:
    """One version that moves to another database."""
    with empty_database(postgres) as other:
        made = RealWorld(aliases=(data_database, other), move=True)
        yield made
        made.pools.close()


@pytest.fixture
def split_world(data_database: str, postgres: Postgres) -> Iterator[RealWorld]:
    """The namespaces in two databases."""
    with empty_database(postgres) as other:
        made = RealWorld(aliases=(data_database, other), split=True)
        yield made
        made.pools.close()
