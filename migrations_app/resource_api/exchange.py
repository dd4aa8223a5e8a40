"""What comes in over HTTP and what goes out: requests, answers, and watches under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.engine.serving.watching import Watch
from migrations_app.kernel.json import Json

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
    """A watch under way, and the form its messages are sent in."""

    watch: Watch
    form: str
