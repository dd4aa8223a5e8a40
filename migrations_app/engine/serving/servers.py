"""The servers of resources, put together over one router."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.reading import ReadingServer
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.ports.directory import Directory


@dataclass(frozen=True, slots=True)
class ResourceServers:
    """Everything that answers requests for resources."""

    directory: Directory
    router: Router
    reading: ReadingServer = field(init=False)
    writing: WritingServer = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reading", ReadingServer(self.router))
        object.__setattr__(self, "writing", WritingServer(self.router))

    def schema(self, region: str, service: str, version: str) -> Schema:
        """Find the schema of a version that a deployment knows.

        Raises: Missing (`deployment-missing`, `version`).
        """
        return self.directory.served(region, service).compiled.schema(version)
