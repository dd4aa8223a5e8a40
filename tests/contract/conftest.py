"""The worlds that the contract of store, feed and fence is checked in: PostgreSQL, and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import pytest

from console.embedded.postgres import Postgres
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.ports.feed import Feed
from migrations_app.ports.fence import Fence, FenceLocation, FenceState
from migrations_app.ports.store import Draft, KeyRange, Layout, Namespace, Store, StoredResource
from tests.conftest import empty_database

DEPLOYMENT = "services/secrets.example.com/deployments/north"
OLD, NEW = "v1alpha2", "v1"


@dataclass(frozen=True)
class World:
    """One backend with a deployment: an active namespace `old`, and a passive one `new`."""

    store: Store
    feed: Feed
    fence: Fence
    old: Namespace
    new: Namespace
    databases: Databases | None = None
    uids: dict[str, UUID] = field(default_factory=dict)

    @property
    def site(self) -> FenceLocation:
        return FenceLocation.of(self.old)

    @property
    def state(self) -> FenceState:
        return self.fence.state(self.site)

    def draft(self, name: str, **body: object) -> Draft:
        uid = self.uids.setdefault(name, uuid4())
        return Draft("Secret", name, uid, dict(body))  # type: ignore[arg-type]

    def write(self, name: str, expected: int | None = None, **body: object) -> StoredResource:
        with self.store.transaction(self.old) as transaction:
            return transaction.put(self.draft(name, **body), expected)

    def brought(self) -> list[str]:
        """Names of the secrets in the passive namespace."""
        pages = [self.store.page(self.new, KeyRange("Secret", shard)) for shard in range(16)]
        return sorted(found.name for page in pages for found in page)

    def delete(self, name: str, expected: int | None = None) -> StoredResource:
        with self.store.transaction(self.old) as transaction:
            return transaction.delete("Secret", name, expected)


def _prepared(world: World) -> World:
    world.fence.open_first(world.site, OLD)
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout("Secret", indexes=("spec.size",)), Layout("Project")])
    return world


def _postgres(request: pytest.FixtureRequest, stack: ExitStack) -> World:
    from django.conf import settings

    alias = request.getfixturevalue("data_database")
    databases = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
    stack.callback(databases.close)
    old = Namespace(DEPLOYMENT, OLD, alias, "secrets_v1alpha2")
    new = Namespace(DEPLOYMENT, NEW, alias, "secrets_v1")
    store, feed, fence = PostgresStore(databases), PostgresFeed(databases), PostgresFence(databases)
    return World(store, feed, fence, old, new, databases)


def _memory(request: pytest.FixtureRequest, stack: ExitStack) -> World:
    databases = MemoryDatabases()
    old = Namespace(DEPLOYMENT, OLD, "memory", "secrets_v1alpha2")
    new = Namespace(DEPLOYMENT, NEW, "memory", "secrets_v1")
    return World(MemoryStore(databases), MemoryFeed(databases), MemoryFence(databases), old, new)


WORLDS: dict[str, Callable[[pytest.FixtureRequest, ExitStack], World]] = {
    "postgres": _postgres,
    "memory": _memory,
}


@pytest.fixture(params=list(WORLDS))
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A backend with an open fence on the old version and both namespaces prepared."""
    with ExitStack() as stack:
        yield _prepared(WORLDS[request.param](request, stack))


@pytest.fixture
def postgres_world(request: pytest.FixtureRequest) -> Iterator[World]:
    """The same on PostgreSQL alone."""
    with ExitStack() as stack:
        yield _prepared(_postgres(request, stack))


@pytest.fixture
def second_database(postgres: Postgres) -> Iterator[str]:
    """The alias of another empty data database."""
    with empty_database(postgres) as alias:
        yield alias
