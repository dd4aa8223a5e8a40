"""The servers of resources, put together over one router."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.reading import ListRequest, ReadingServer
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.searching import SearchingServer
from migrations_app.engine.serving.watching import Watcher
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.ports.arrangements import Arrangements
from migrations_app.ports.copies import Copies
from migrations_app.ports.directory import Directory
from migrations_app.ports.feed import Feed
from migrations_app.ports.placing import Placing
from migrations_app.ports.search import Search


@dataclass(frozen=True, slots=True)
class ResourceServers:
    """Everything that answers requests for resources."""

    directory: Directory
    router: Router
    feed: Feed
    arrangements: Arrangements | None = None
    search: Search | None = None
    placing: Placing | None = None
    copies: Copies | None = None
    reading: ReadingServer = field(init=False)
    writing: WritingServer = field(init=False)
    searching: SearchingServer | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reading", ReadingServer(self.router, self.copies))
        object.__setattr__(self, "writing", WritingServer(self.router, self.arrangements, self.placing))
        found = None if self.search is None else SearchingServer(self.router, self.search)
        object.__setattr__(self, "searching", found)

    def watch(
        self, place: tuple[str, str, str], request: ListRequest, resume: str = "", only: str = ""
    ) -> Watcher:
        """Begin to watch a collection of a region, service and version, or one resource of it."""
        return Watcher(self.router, self.reading, self.feed, place, request, resume, only)

    def schema(self, region: str, service: str, version: str) -> Schema:
        """Find the schema of a version that a deployment knows.

        Raises: Missing (`deployment-missing`, `version`).
        """
        return self.directory.served(region, service).compiled.schema(version)
