"""A process that reaches another data database than the one that holds the data serves nothing and creates nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.conf import settings

from console.embedded.postgres import Postgres
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.places import DjangoPlaces
from migrations_app.adapters.repositories.places_memory import MemoryPlaces
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.engine.controller import Budget, Lease
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import DataMissing
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.places import Places
from tests.conftest import empty_database
from tests.integration.resource_api.conftest import REGION, Yard
from tests.integration.resource_api.conftest import ports as ports
from tests.integration.sync.real_world import RealWorld


@contextmanager
def _mistaken(alias: str, postgres: Postgres) -> Iterator[str]:
    """Let an alias lead to an empty database for the block, as a wrong setting of one process does; give its URL."""
    right = settings.SWITCHYARD.data_urls[alias]
    with empty_database(postgres) as other:
        wrong = settings.SWITCHYARD.data_urls[alias] = settings.SWITCHYARD.data_urls[other]
        try:
            yield wrong
        finally:
            settings.SWITCHYARD.data_urls[alias] = right


def _schemas(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'"
        )
        return sorted(str(row[0]) for row in rows)


def test_resources_are_not_served_from_an_empty_database_in_place_of_theirs(
    ports: Yard, postgres: Postgres
) -> None:
    assert ports.call("POST", "projects/p/secrets", {}, id="door").status == 201
    with _mistaken(ports.database, postgres) as wrong:
        databases = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
        directory = RegistryDirectory(PostgresStore(databases), PostgresFence(databases))
        with pytest.raises(DataMissing, match=f"{ports.database} leads to does not hold the data") as refused:
            directory.served(REGION, ports.service)
        databases.close()
        assert _schemas(wrong) == ["public"]
    assert "SWITCHYARD_DATA_URLS" in refused.value.remedy
    ports.servers.directory.forget(REGION, ports.service)
    assert ports.call("GET", "projects/p/secrets/door").status == 200


def test_an_upgrade_prepares_nothing_where_its_source_is_missing_and_goes_on_where_it_is(
    world: RealWorld, postgres: Postgres
) -> None:
    world.ports.places.note_prepared(world.v1)
    alias = world.aliases[0]
    with _mistaken(alias, postgres) as wrong:
        world.pools.close()
        with pytest.raises(DataMissing):
            world.director.reconcile("u1", Budget(5.0, SystemClock()), Lease("u1", 1, world.director.name))
        world.pools.close()
        assert _schemas(wrong) == ["public"]
    world.director.reconcile("u1", Budget(5.0, SystemClock()), Lease("u1", 2, world.director.name))
    assert world.ports.places.is_prepared(world.v2)


@pytest.mark.parametrize("places", [DjangoPlaces(), MemoryPlaces()], ids=["postgres", "memory"])
def test_what_was_prepared_is_known_until_it_is_dropped(db: None, places: Places) -> None:
    old = Namespace("services/s/deployments/r", "v1", "eu", "s_r_v1")
    new = Namespace("services/s/deployments/r", "v2", "eu", "s_r_v2")

    assert not places.is_prepared(old)
    for namespace in (old, old, new):
        places.note_prepared(namespace)
    assert [places.is_prepared(each) for each in (old, new)] == [True, True]
    places.dropped(old)
    assert [places.is_prepared(each) for each in (old, new)] == [False, True]
