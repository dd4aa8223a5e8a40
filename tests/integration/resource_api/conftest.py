"""The secrets service of the examples, deployed with its data in an empty database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings

from migrations_app import wiring
from migrations_app.adapters.conversions import StoredConverter
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.methods.threads import HandlerThreads
from migrations_app.adapters.repositories.served import RegistryDirectory, layouts_of
from migrations_app.adapters.service_hooks.registered import RegisteredHooks
from migrations_app.adapters.service_hooks.threads import HookThreads
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.registry.repository.upgrade_contexts import keep_place, place_of
from migrations_app.domain.access import SYSTEM, Actor
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.engine.methods.server import MethodServer
from migrations_app.engine.service_hooks.responses import HookedResponses
from migrations_app.engine.service_hooks.writes import HookedWrites
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.feed import Position
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.services.method_handlers import Handlers
from migrations_app.ports.services.usage import UsageLog
from migrations_app.ports.store import KeyRange, Namespace, ReplicationToken
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.puts import carried
from tests.factories.remembered import remembered

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SERVICE, REGION = "secrets.example.com", "eu-west1"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
DOOR = f"//{SERVICE}/{REGION}/projects/p/secrets/door"
GRANT = f"//{SERVICE}/{REGION}/projects/p/secretGrants/g1"


def files_of(folder: Path) -> dict[str, bytes]:
    """Read a service folder as the registry stores it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@dataclass
class Yard:
    """A deployment, its ports, and its API."""

    store: PostgresStore
    feed: PostgresFeed
    fence: PostgresFence
    servers: ResourceServers
    database: str
    actor: Actor = SYSTEM
    service: str = SERVICE
    methods: MethodServer | None = None
    usage: UsageLog | None = None
    hooks: HookedResponses | None = None
    api: ResourceApi = field(init=False)

    def __post_init__(self) -> None:
        self.api = ResourceApi(self.servers, self.usage, methods=self.methods, hooks=self.hooks)

    @property
    def deployment(self) -> str:
        """The name of the deployment."""
        return f"services/{self.service}/deployments/{REGION}"

    def call(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        version: str = "v1alpha2",
        headers: dict[str, str] | None = None,
        **query: str,
    ) -> Response:
        """Make one request."""
        return self.api.answer(
            ResourceRequest(
                method,
                quote(f"/apis/{REGION}/{self.service}/{version}/{path}", safe="/:"),
                urlencode(query),
                headers or {},
                b"" if body is None else json.encode(body),
            ),
            self.actor,
        )

    def namespace(self, version: str) -> Namespace:
        """Tell where a version's data is."""
        return place_of(self.deployment, version, self.database, 16)

    def switch(self, source: str = "v1alpha2", target: str = "v1") -> None:
        """Copy everything to another version, again in the freeze, and flip: an upgrade without its workers."""
        self.fill(source, target)
        old, new = self.namespace(source), self.namespace(target)
        state = self.fence.state(FenceLocation.of(old))
        start = {shard: Position("0.0") for shard in range(16)}
        self.feed.register(old, "test", start)
        frozen = self.fence.freeze(old, state)
        self.fill(source, target)
        batch = self.feed.read(old, Position("0.0"), settled=True)
        for shard in range(16):
            self.feed.advance(old, "test", shard, batch.position, reached=batch.reached, epoch=frozen.epoch)
        self.fence.flip(old, new, self.fence.prove(frozen), "test")
        self.feed.forget(old, "test")

    def fill(self, source: str = "v1alpha2", target: str = "v1") -> None:
        """Copy everything to another version."""
        compiled = self.servers.directory.served(REGION, self.service).compiled
        old, new = self.namespace(source), self.namespace(target)
        keep_place(new)
        self.servers.directory.forget(REGION, self.service)
        self.store.prepare(new, layouts_of(compiled, target))
        state = self.fence.state(FenceLocation.of(old))
        references = StoredReferences(compiled, target, REGION)
        for type_ in self.store.types(old):
            converter = StoredConverter(compiled.stored.typed(source, target), type_, references)
            for shard in range(16):
                puts = []
                for found in self.store.page(old, KeyRange(type_, shard)):
                    made = converter.forward(found.name, found.body)
                    told = {"type": made.type, "body": made.body, "references": made.references}
                    puts.append(carried(found, made.name, **told))
                self.store.copy(new, puts, ReplicationToken(source, state.epoch))


@contextmanager
def deployed(
    database: str,
    service: str,
    version: str,
    handlers: Handlers | None = None,
    hooks: Sequence[ServiceHooks] = (),
    files: Mapping[str, bytes] | None = None,
) -> Iterator[Yard]:
    """Deploy a service; `handlers` answer its custom methods, `hooks` run with writes.

    Shape: `files` is its folder, which is applied with its region; without it both are applied already.
    """
    register(database, service, version, files)
    databases = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
    store, feed, fence = PostgresStore(databases), PostgresFeed(databases), PostgresFence(databases)
    # Time stands still for the directory: threads of a test cannot read what its transaction registered.
    directory = RegistryDirectory(store, fence, now=lambda: 0.0)
    installed, runner = RegisteredHooks.of(hooks), HookThreads()
    code = HookedWrites(installed, runner) if hooks else None
    servers = ResourceServers(directory, Router(directory, store, fence, hold_seconds=0.8), feed, code=code)
    methods = None if handlers is None else MethodServer(servers, handlers, HandlerThreads())
    try:
        shown = HookedResponses(installed, runner, servers) if hooks else None
        yield Yard(store, feed, fence, servers, database, service=service, methods=methods, hooks=shown)
    finally:
        databases.close()


def register(database: str, service: str, version: str, files: Mapping[str, bytes] | None) -> None:
    """Apply a deployment, with its region, and its service where its files are passed."""

    def deploy() -> None:
        name = f"services/{service}/deployments/{REGION}"
        apply_deployment(SYSTEM, name, {"currentVersion": version}, database=database)

    def make() -> None:
        apply_region(SYSTEM, REGION, "Belgium")
        apply_service(SYSTEM, dict(files or {}))
        deploy()

    if files is None:
        deploy()
    else:
        content = sha256(repr(sorted(files.items())).encode()).hexdigest()
        remembered(f"{service} {version} {content}", [database], make)


@pytest.fixture
def ports(db: None, data_database: str) -> Iterator[Yard]:
    """The deployment of the secrets service, serving v1alpha2."""
    with deployed(data_database, SERVICE, "v1alpha2", files=files_of(EXAMPLES / "secrets")) as made:
        yield made


@pytest.fixture
def granted(ports: Yard) -> Iterator[Yard]:
    """A secret that two grants refer to."""
    wiring.resource_servers.cache_clear()
    ports.call("POST", "projects/p/secrets", {}, id="door")
    ports.call("POST", "projects/p/secrets", {}, id="gate")
    secrets: list[Json] = ["projects/p/secrets/gate", "projects/p/secrets/door"]
    grant: JsonObject = {"secret": "projects/p/secrets/door", "member": "ada", "secrets": secrets}
    ports.call("POST", "projects/p/secretGrants", grant, id="g1")
    yield ports
    wiring.resource_servers.cache_clear()
    wiring.databases().close(ports.database)
