"""What comes in over HTTP and what goes out: requests, answers, and watches under way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.answers.forms import AnswerForm

READS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """One HTTP request; its query is without the parameters that `form` was read from."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""
    form: AnswerForm = AnswerForm()

    @property
    def request_id(self) -> str:
        """The id that the request has in answers and logs."""
        return self.headers.get("x-request-id", "")

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


class Messages(Protocol):
    """The messages of a watch or of a method's stream. No call waits."""

    def step(self) -> JsonObject | None:
        """Give the next message, or None when there is nothing new.

        Raises: StopIteration after the last one.
        """
        ...

    def beat(self) -> JsonObject | None:
        """Give a message that says that the stream lives, where there is one."""
        ...


@dataclass(frozen=True, slots=True)
class Watched:
    """A stream under way, the form its messages are sent in, and what ends it when its client goes away."""

    watch: Messages
    form: str
    close: Callable[[], None] = lambda: None
    headers: Mapping[str, str] = field(default_factory=dict)
