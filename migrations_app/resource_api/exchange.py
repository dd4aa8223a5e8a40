"""What comes in over HTTP and what goes out: requests, answers, and watches under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.engine.serving.watching import Watcher
from migrations_app.kernel.json import Json, JsonObject

READS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def reads(self) -> bool:
        """Whether the request changes nothing."""
        return self.method in READS or self.path.endswith((":batchGet", ":watch"))


@dataclass(frozen=True, slots=True)
class Response:
    """One HTTP answer with a JSON body; none when `document` is None."""

    status: int
    document: Json
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Watched:
    """A watch under way, and the key its changes stand under."""

    watcher: Watcher
    key: str

    def step(self) -> JsonObject | None:
        """Give the next message as JSON; None when there is nothing new."""
        message = self.watcher.step()
        if message is None:
            return None
        shown: JsonObject = {self.key: list(message.changes), "isCurrent": message.is_current}
        if message.resume:
            shown["resumeToken"] = message.resume
        if message.snapshot_size is not None:
            shown["snapshotSize"] = message.snapshot_size
        if message.hard_reset:
            shown["isHardReset"] = True
        return shown
