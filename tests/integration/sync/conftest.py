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
def resharding_world(data_database: str) -> Iterator[RealWorld]:
    """Both namespaces in one database, the new one with more shards, whose number is no multiple."""
    made = RealWorld(aliases=(data_database,), target_ring=10)
    yield made
    made.pools.close()


@pytest.fixture
def moving_world(data_database: str, postgres: Postgres) -> Iterator[RealWorld]:
    """One version that moves to another database, into fewer shards."""
    with empty_database(postgres) as other:
        made = RealWorld(aliases=(data_database, other), move=True, target_ring=3)
        yield made
        made.pools.close()


@pytest.fixture
def split_world(data_database: str, postgres: Postgres) -> Iterator[RealWorld]:
    """The namespaces in two databases, the new one with more shards."""
    with empty_database(postgres) as other:
        made = RealWorld(aliases=(data_database, other), split=True, target_ring=6)
        yield made
        made.pools.close()


@pytest.fixture
def renumbering_world(data_database: str) -> Iterator[RealWorld]:
    """One version that stays in its database, and gets another number of shards, which is no multiple."""
    made = RealWorld(aliases=(data_database,), reshard=True, target_ring=6)
    yield made
    made.pools.close()
