"""The secrets service of the examples, served from memory: v1alpha2 active, v1 beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.shadow_reads import ShadowReads
from migrations_app.ports.store import KeyRange, Layout, Put, ReplicationToken
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi

SERVICE, REGION, OLD, NEW = "secrets.example.com", "eu-west1", "v1alpha2", "v1"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
COMPILED = compile_service(read_folder(Path(__file__).resolve().parents[3] / "examples" / "secrets"))


def home(version: str) -> Namespace:
    """Tell where a version's data is."""
    return Namespace(DEPLOYMENT, version, "memory", f"secrets_{version}")


@dataclass
class Secrets:
    """The deployment and its API."""

    shadows: ShadowReads | None = None
    ahead: bool = True
    store: MemoryStore = field(init=False)

    def __post_init__(self) -> None:
        databases = MemoryDatabases()
        self.store, self.fence = MemoryStore(databases), MemoryFence(databases)
        for version in (OLD, NEW) if self.ahead else (OLD,):
            self.store.prepare(home(version), [Layout(each) for each in COMPILED.schema(version).resources])
        self.fence.open_first(FenceLocation.of(home(OLD)), OLD)
        self.servers = ResourceServers(self, Router(self, self.store, self.fence), MemoryFeed(databases))

    def served(self, region: str, service: str) -> Served:
        """Be the directory of this one deployment."""
        homes = {version: home(version) for version in ((OLD, NEW) if self.ahead else (OLD,))}
        return Served(DEPLOYMENT, SERVICE, REGION, OLD, COMPILED, homes)

    def forget(self, region: str, service: str) -> None:
        """Know no better."""

    def call(
        self,
        method: str,
        path: str,
        body: Json | bytes = None,
        headers: dict[str, str] | None = None,
        /,
        **query: str,
    ) -> Response:
        """Make one request in v1alpha2."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.encode(body)
        at = quote(f"/apis/{REGION}/{SERVICE}/{OLD}/{path}", safe="/:%")
        api = ResourceApi(self.servers, shadows=self.shadows)
        return api.answer(ResourceRequest(method, at, urlencode(query), headers or {}, sent), SYSTEM)

    def stored(self, version: str = OLD) -> list[str]:
        """List the names of all secrets that are stored, with their revisions."""
        pages = (self.store.page(home(version), KeyRange("Secret", shard)) for shard in range(16))
        return sorted(f"{each.name}@{each.revision}" for page in pages for each in page)

    def fill(self, **changed: Json) -> None:
        """Copy all secrets to v1, with these fields changed on the way."""
        converter = COMPILED.converter("Secret", OLD, NEW)
        epoch = self.fence.state(FenceLocation.of(home(OLD))).epoch
        for shard in range(16):
            puts = []
            for found in self.store.page(home(OLD), KeyRange("Secret", shard)):
                made = converter.forward(found.name, found.body)
                body: JsonObject = {**made.body, **changed}
                puts.append(
                    Put(
                        "Secret", made.name, found.uid, found.revision, shard, body, found.metadata,
                        found.owning_region, found.create_time, found.update_time,
                    )
                )  # fmt: skip
            self.store.copy(home(NEW), puts, ReplicationToken(OLD, epoch))
