"""Reads of a handler: of its own deployment, or of another service's in the same region, in a version of that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel.json import JsonObject

_PAGE = 200


@dataclass(frozen=True, slots=True)
class DeploymentReads:
    """`domain.methods.calls.Reads` over the resource servers of this process."""

    servers: ResourceServers
    where: tuple[str, str, str]

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource."""
        return self.servers.reading.get(*self.where, resource_type, name).document

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent."""
        token = ""
        while True:
            asked = ListRequest(resource_type, parent, filter=filter, page_size=_PAGE, page_token=token)
            page = self.servers.reading.list(*self.where, asked)
            yield from page.documents
            token = page.next
            if not token:
                return
