"""Server-sent events: how lines become messages, and from where a stream goes on after a break."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

ADDRESS = "/api/v1/events"
RECONNECT_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)
SILENCE_SECONDS = 30.0
"""Heartbeats come every ten seconds: after three without a word the connection is lost."""


@dataclass(frozen=True, slots=True)
class StreamMessage:
    """A message of the live stream; `op` says which fields it has (docs/reference/live.md)."""

    op: str
    body: dict[str, Any]

    @property
    def topic(self) -> str:
        """Name what it is about, such as `fleet`; empty where it is about the stream."""
        return str(self.body.get("topic") or "")

    @property
    def seq(self) -> int:
        """Give its number; 0 where it has none."""
        return int(self.body.get("seq") or 0)


@dataclass(slots=True)
class StreamState:
    """What is kept of a stream over breaks."""

    topics: tuple[str, ...]
    since: int | None = None
    failures: int = 0
    _data: list[str] = field(default_factory=list)

    def query(self) -> dict[str, str]:
        """Write the parameters that go on where the stream was."""
        asked = {"topics": ",".join(self.topics)}
        return asked | ({"since": str(self.since)} if self.since is not None else {})

    def take_line(self, line: str) -> StreamMessage | None:
        """Take one line; give the message that it ends, if it ends one."""
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
            return None
        if line or not self._data:
            return None
        body = json.loads("\n".join(self._data))
        self._data.clear()
        self.failures = 0
        message = StreamMessage(str(body.get("op", "")), body)
        # What is replayed after the greeting is older than the number that the greeting tells.
        if message.op != "hello" and message.seq:
            self.since = message.seq
        return message

    def lost(self) -> float:
        """Note that the connection was lost; tell how long to wait before the next."""
        self._data.clear()
        delay = RECONNECT_SECONDS[min(self.failures, len(RECONNECT_SECONDS) - 1)]
        self.failures += 1
        return delay


def stream_of(topics: Iterable[str] | str, since: int | None) -> StreamState:
    """Begin a stream of one topic, or of several."""
    return StreamState((topics,) if isinstance(topics, str) else tuple(topics), since)
