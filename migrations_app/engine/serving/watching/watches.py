"""Watches: the resources of a collection as they are, and then every change of them, in any version."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Protocol

from migrations_app.domain.watches import Stateful, Stateless
from migrations_app.engine.serving.reading import ReadingServer, ResourcePage
from migrations_app.engine.serving.watching.tails import Tails
from migrations_app.engine.serving.watching.watched_changes import WatchedChanges
from migrations_app.kernel.errors import Busy, PageTokenInvalid
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import Position

# So many names are kept for one watch, to tell what is added from what is modified, and how many there are.
MOST_KNOWN = 20_000


class Watch(Protocol):
    """One watch. No call waits: who finds nothing new is called again a little later."""

    def begin(self) -> None:
        """Prepare the first message.

        Raises: Missing, Invalid for what is wrong with the request · Busy.
        """
        ...

    def step(self) -> JsonObject | None:
        """Give the next message, or None when there is nothing new."""
        ...

    def beat(self) -> JsonObject:
        """Say that the watch lives: that the watcher is current, with a token, when that is so."""
        ...


@dataclass(slots=True)
class StatelessWatch:
    """A snapshot in chunks, then the changes; or, resumed, what was missed."""

    changes: WatchedChanges
    reading: ReadingServer
    tails: Tails
    _changes: Stateless = field(init=False)
    _queue: deque[JsonObject] = field(default_factory=deque)
    # The token of the page to read next; None once the snapshot is told.
    _page: str | None = ""
    _size: int = 0
    _hard: bool = False
    _greeted: bool = True
    _behind: bool = False
    # Up to where the watcher was told it is current, and what had happened when nothing new was found.
    _level: Position = Position("")
    _seen: int = -1

    def begin(self) -> None:
        """Prepare the first message, or go to where the watcher left off."""
        self.changes.check_token()
        self._restart(hard=False)
        asked = self.changes.asked
        if asked.resume or asked.since is not None:
            if self.changes.resume():
                self._page, self._changes.known, self._greeted = None, None, False
                self._level = self.changes.position
            else:
                self._hard = True
        self._fill()

    def step(self) -> JsonObject | None:
        """Give the next message."""
        try:
            if not self._queue:
                moves = self.tails.moves(self.changes.place)
                if self._page is None and moves == self._seen:
                    return None
                self._fill()
                if not self._queue and self._page is None and not self._behind:
                    self._seen = moves
        except Busy:
            return self._suffer()
        return self._queue.popleft() if self._queue else None

    def beat(self) -> JsonObject:
        """Say how many resources the watcher should have, if that is known."""
        try:
            if not self._queue and self._page is None:
                # What others wrote moves the position too, so that the token does not grow old.
                self._fill()
        except Busy:
            return self._suffer() or self._changes.asked.message([], is_current=False)
        if self._queue:
            return self._queue.popleft()
        whole = self._page is None and not self._changes.open
        size = len(self._changes.known) if whole and self._changes.known is not None else None
        token = self.changes.token(self._level) if whole else ""
        return self._changes.asked.message([], token, is_current=whole, snapshotSize=size)

    def _restart(self, *, hard: bool) -> None:
        self.changes.begin()
        self._changes = Stateless(self.changes.wording())
        self._page, self._size, self._hard, self._seen = "", 0, hard, -1
        self._greeted = True
        self._queue.clear()

    def _fill(self) -> None:
        if self._page is not None:
            self._snapshot()
        else:
            self._follow()

    def _snapshot(self) -> None:
        asked = self.changes.asked
        reach("watch-read")
        try:
            page = self._shown()
        except PageTokenInvalid:
            return self._restart(hard=True)
        if self.changes.moved():
            return self._restart(hard=True)
        test = self._changes.asked.test
        documents = [each for each in page.documents if test(each)] if asked.only else page.documents
        self.changes.note(documents)
        first, self._size = not self._size, self._size + len(documents)
        if self._size > MOST_KNOWN:
            self._changes.known = None
        token = "" if page.next else self.changes.token(self.changes.position)
        size = None if page.next else self._size
        self._queue.append(self._changes.chunk(documents, token, hard=self._hard and first, size=size))
        self._page = page.next or None
        if self._page is None:
            self._level, self._hard = self.changes.position, False
        return None

    def _shown(self) -> ResourcePage:
        asked = self.changes.asked
        if asked.only:
            return self.reading.batch_get(*self.changes.place, asked.listed.type, [asked.only])
        listed = replace(
            asked.listed, page_token=self._page or "", page_size=asked.chunk, mask="", view="", order_by=""
        )
        return self.reading.list(*self.changes.place, listed)

    def _follow(self) -> None:
        reach("watch-read")
        key_range = self.changes.read()
        if key_range is None:
            self._restart(hard=True)
            return self._snapshot()
        position = self.changes.position
        token = self.changes.token(position)
        self._queue.extend(self._changes.follow(key_range.steps, token, level=key_range.level))
        self._behind = not key_range.level
        if key_range.level:
            self._level = position
            if not self._greeted and not self._queue:
                self._queue.append(self._changes.asked.message([], token, is_current=True))
            self._greeted = True
        return None

    def _suffer(self) -> JsonObject | None:
        """Roll back to where the watcher was current: what answers is away. It is asked again at the next step."""
        self._seen = -1
        if not self._changes.open:
            return None
        reset = self._changes.soft_reset()
        if self._page is not None:
            self._page, self._size, self._changes.known = "", 0, set()
        else:
            self.changes.position = self._level
        return reset


@dataclass(slots=True)
class StatefulWatch:
    """One page of an ordered list, kept up to date."""

    changes: WatchedChanges
    reading: ReadingServer
    tails: Tails
    _changes: Stateful = field(init=False)
    _page: str = ""
    _first: bool = True
    _stale: bool = True
    _hard: bool = False
    _ready: JsonObject | None = None
    _seen: int = -1

    def begin(self) -> None:
        """Prepare the first message."""
        self.changes.begin()
        self._changes = Stateful(self.changes.wording())
        self._page = self.changes.asked.listed.page_token
        self._ready = self._shown()

    def step(self) -> JsonObject | None:
        """Give the next message."""
        ready, self._ready = self._ready, None
        if ready is not None:
            return ready
        level = True
        try:
            moves = self.tails.moves(self.changes.place)
            if not self._stale:
                if moves == self._seen:
                    return None
                level = self._read()
            if self._stale:
                return self._shown()
            if level:
                self._seen = moves
        except Busy:
            self._seen = -1
        return None

    def beat(self) -> JsonObject:
        """Say that the page is as it was."""
        try:
            if not self._stale:
                self._read()
        except Busy:
            self._seen = -1
            return self._changes.asked.message([], is_current=False)
        return self._changes.asked.message([], is_current=not self._stale)

    def _read(self) -> bool:
        """Read what happened, and tell whether that was all; the page is stale when any is of the collection."""
        key_range = self.changes.read()
        if key_range is None:
            # The same page of another namespace: what is as it was need not be told again.
            self.changes.begin()
            self._stale = True
            return True
        self._stale = self._stale or bool(key_range.steps)
        return key_range.level

    def _shown(self) -> JsonObject | None:
        try:
            page = self._list()
        except PageTokenInvalid:
            if self._first:
                raise
            # The token was of the version that was stored before: the first page is the only one left.
            self._page, self._hard = "", True
            page = self._list()
        pairs = (("nextPageToken", page.next), ("prevPageToken", page.previous))
        tokens: JsonObject = {key: token for key, token in pairs if token}
        told = self._changes.show(page.documents, tokens, "", first=self._first, hard=self._hard)
        self._first = self._hard = self._stale = False
        return told

    def _list(self) -> ResourcePage:
        listed = replace(self.changes.asked.listed, page_token=self._page, mask="", view="", total=False)
        return self.reading.list(*self.changes.place, listed)
