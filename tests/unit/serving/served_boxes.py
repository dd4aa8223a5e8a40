"""A service of boxes, served from memory, whose definition a test changes in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.types import UnknownKeys
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import KeyRange, Layout
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi

SERVICE, REGION, BOX = "boxes.example.com", "eu-west1", "boxes/b"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
Types = Mapping[str, Mapping[str, Json]]
TOP: JsonObject = {
    "service": SERVICE,
    "displayName": "Boxes",
    "versions": [
        {
            "version": version,
            "stage": "stable",
            "ordinal": ordinal,
            "sources": [{"kind": "ir", "path": f"{version}.yaml"}],
        }
        for version, ordinal in (("v1", 10), ("v2", 20))
    ],
    "edges": ["edge.yaml"],
}
EDGE: JsonObject = {
    "edge": {"service": SERVICE, "from": "v1", "to": "v2"},
    "unassessed": "warning",
    "types": {"Box": {"ops": [{"rename": {"from": "title", "to": "label"}}]}},
}


def folder(v1: Types, v2: Types) -> dict[str, bytes]:
    """Write the folder of the service; of a type its fields are given."""
    resources: JsonObject = {"Box": {"patterns": ["boxes/{box}"]}}
    schemas: dict[str, JsonObject] = {
        f"{version}.yaml": {
            "schema": {
                "jsonNames": "camel",
                "types": {name: {"fields": {**fields}} for name, fields in types.items()},
                "resources": resources,
            }
        }
        for version, types in (("v1", v1), ("v2", v2))
    }
    files = {"service.yaml": TOP, "edge.yaml": EDGE, **schemas}
    return {path: json.encode(text) for path, text in files.items()}


def compiled(v1: Types, v2: Types) -> CompiledService:
    """Compile the service."""
    return compile_service(read_files(folder(v1, v2)).refuse_errors())


@dataclass
class Boxes:
    """The deployment, with its data in `active`, and its API."""

    compiled: CompiledService
    active: str
    unknown: UnknownKeys | None = None
    store: MemoryStore = field(init=False)

    def __post_init__(self) -> None:
        databases = MemoryDatabases()
        self.store, fence = MemoryStore(databases), MemoryFence(databases)
        self.home = Namespace(DEPLOYMENT, self.active, "memory", f"boxes_{self.active}")
        self.store.prepare(self.home, [Layout("Box")])
        fence.open_first(FenceLocation.of(self.home), self.active)
        self.servers = ResourceServers(self, Router(self, self.store, fence), MemoryFeed(databases))

    def served(self, region: str, service: str) -> Served:
        """Be the directory of this one deployment."""
        homes = {self.active: self.home}
        return Served(DEPLOYMENT, SERVICE, REGION, self.active, self.compiled, homes, self.unknown)

    def forget(self, region: str, service: str) -> None:
        """Know no better."""

    def call(
        self, method: str, path: str, body: Json = None, *, version: str = "v1", **query: str
    ) -> Response:
        """Make one request."""
        sent = b"" if body is None else json.encode(body)
        at = f"/apis/{REGION}/{SERVICE}/{version}/{path}"
        return ResourceApi(self.servers).answer(
            ResourceRequest(method, at, urlencode(query), {}, sent), SYSTEM
        )

    def stored(self) -> JsonObject:
        """Read what is kept of the box."""
        pages = (self.store.page(self.home, KeyRange("Box", shard)) for shard in range(16))
        [found] = [each for page in pages for each in page]
        return dict(found.body)
