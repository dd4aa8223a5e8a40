"""Server streams of custom methods: messages of a handler, taken one by one, converted for the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from queue import Empty, Full, Queue

from migrations_app.kernel.errors import Busy, InvariantBroken, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

MOST_WAITING = 100
"""So many messages wait for a slow caller, before the handler waits for it."""
MOST_STREAMS = 64
_LOOK_SECONDS = 0.5

_streams = threading.BoundedSemaphore(MOST_STREAMS)


@dataclass(frozen=True, slots=True)
class _End:
    """That there are no more messages, and the error that ended them."""

    error: BaseException | None = None


@dataclass(slots=True)
class MethodStream:
    """A stream under way, as the resource API sends watches: `step` never waits.

    `open` runs the handler, `shown` checks and converts one message, `release` frees what the thread of the handler
    leaves open.
    """

    what: str
    open: Callable[[], Iterable[object]]
    shown: Callable[[object], JsonObject]
    end: Callable[[], None]
    release: Callable[[], None] = lambda: None
    _queue: Queue[object] = field(default_factory=lambda: Queue(MOST_WAITING))
    _closed: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Start the handler.

        Raises: Busy (`handlers-hanging`) when too many streams are under way.
        """
        if not _streams.acquire(blocking=False):
            raise Busy(
                message(
                    "{what} was not called: {most_streams} streams are under way in this process.",
                    what=self.what,
                    most_streams=MOST_STREAMS,
                ),
                code="handlers-hanging",
                remedy=message("Try again once others have ended."),
            )
        threading.Thread(target=self._run, name="method-stream", daemon=True).start()

    def step(self) -> JsonObject | None:
        """Give the next message, or None when there is none yet.

        Raises: StopIteration after the last one · what the handler refuses · InvariantBroken (`handler-failed`,
        `handler-response`).
        """
        try:
            entry = self._queue.get_nowait()
        except Empty:
            return None
        if not isinstance(entry, _End):
            return self.shown(entry)
        if entry.error is None:
            raise StopIteration
        if isinstance(entry.error, SwitchyardError):
            raise entry.error
        raise InvariantBroken(
            message("The handler of {what} raised {kind}.", what=self.what, kind=type(entry.error).__name__),
            code="handler-failed",
            remedy=message("The log of the server has the details."),
        ) from entry.error

    def beat(self) -> JsonObject | None:
        """Give the next message: streams of methods have no messages that say only that they live."""
        return self.step()

    def close(self) -> None:
        """Take no more messages; nothing that the handler writes is committed from now on."""
        self._closed.set()
        self.end()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            for message in self._messages():
                self._put(message)
                if self._closed.is_set():
                    return
        except BaseException as raised:
            error = raised
        finally:
            _streams.release()
            self.release()
            self._put(_End(error))

    def _messages(self) -> Iterator[object]:
        yield from self.open()

    def _put(self, entry: object) -> None:
        while not self._closed.is_set():
            try:
                return self._queue.put(entry, timeout=_LOOK_SECONDS)
            except Full:
                continue
        return None
