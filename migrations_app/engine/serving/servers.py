"""The servers of resources, put together over one router."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.reading import ReadingServer
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.searching import SearchingServer
from migrations_app.engine.serving.watching.tails import Tails
from migrations_app.engine.serving.watching.watched_changes import WatchedChanges, WatchRequest
from migrations_app.engine.serving.watching.watches import StatefulWatch, StatelessWatch, Watch
from migrations_app.engine.serving.writes.requests import WriteCode
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.ports.copies import Copies
from migrations_app.ports.feed import Feed
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.regions.placing import Placing
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
    code: WriteCode | None = None
    reading: ReadingServer = field(init=False)
    writing: WritingServer = field(init=False)
    searching: SearchingServer | None = field(init=False)
    _tails: Tails = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reading", ReadingServer(self.router, self.copies))
        writing = WritingServer(self.router, self.arrangements, self.placing, self.code)
        object.__setattr__(self, "writing", writing)
        found = None if self.search is None else SearchingServer(self.router, self.search)
        object.__setattr__(self, "searching", found)
        object.__setattr__(self, "_tails", Tails(self.router, self.feed))

    def watch(self, place: tuple[str, str, str], asked: WatchRequest) -> Watch:
        """Watch a collection of a region, service and version, one page of it, or one resource."""
        changes = WatchedChanges(self.router, self.feed, place, asked)
        kind = StatefulWatch if asked.paged else StatelessWatch
        return kind(changes, self.reading, self._tails)

    def schema(self, region: str, service: str, version: str) -> Schema:
        """Find the schema of a version that a deployment knows.

        Raises: Missing (`deployment-missing`, `version`).
        """
        return self.directory.served(region, service).compiled.schema(version)
