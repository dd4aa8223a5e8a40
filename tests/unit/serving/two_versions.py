"""A service of two versions from a folder, served from memory while either of them is active."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.repositories.served import layouts_of
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import Json
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi

REGION = "eu-1"


def two_versions(service: str, old: str, new: str, edge: str) -> CompiledService:
    """Compile a service of v1 and v2 from the schemas of both (YAML) and its edge."""
    head = (
        f"service: {service}\nversions:\n"
        "  - {version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}\n"
        "  - {version: v2, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}\n"
        "edges: [edge.yaml]\n"
    )
    files = {"service.yaml": head, "v1.yaml": old, "v2.yaml": new, "edge.yaml": edge}
    return compile_service(read_files({path: text.encode() for path, text in files.items()}))


@dataclass
class ServedVersions:
    """The deployment and its API; `active` is the version that is stored."""

    compiled: CompiledService
    active: str
    store: MemoryStore = field(init=False)

    def __post_init__(self) -> None:
        databases = MemoryDatabases()
        self.store, fence = MemoryStore(databases), MemoryFence(databases)
        self.deployment = f"services/{self.compiled.service}/deployments/{REGION}"
        self.home = Namespace(self.deployment, self.active, "memory", f"home_{self.active}")
        self.store.prepare(self.home, list(layouts_of(self.compiled, self.active)))
        fence.open_first(FenceLocation.of(self.home), self.active)
        self.servers = ResourceServers(self, Router(self, self.store, fence), MemoryFeed(databases))

    def served(self, region: str, service: str) -> Served:
        """Be the directory of this one deployment."""
        homes = {self.active: self.home}
        return Served(self.deployment, service, REGION, self.active, self.compiled, homes)

    def forget(self, region: str, service: str) -> None:
        """Know no better."""

    def call(self, method: str, version: str, path: str, body: Json = None, **query: str) -> Response:
        """Make one request in a version."""
        path, _, asked = path.partition("?")
        at = quote(f"/apis/{REGION}/{self.compiled.service}/{version}/{path}", safe="/:%")
        sent = b"" if body is None else json.encode(body)
        headers = {"content-type": "application/json"} if sent else {}
        request = ResourceRequest(method, at, asked or urlencode(query), headers, sent)
        return ResourceApi(self.servers).answer(request, SYSTEM)

    def json(self, method: str, version: str, path: str, body: Json = None, **query: str) -> Json:
        """Make one request that succeeds; give what it answers."""
        answer = self.call(method, version, path, body, **query)
        assert isinstance(answer, Response)
        assert answer.status < 300, (answer.status, answer.document)
        return answer.document
