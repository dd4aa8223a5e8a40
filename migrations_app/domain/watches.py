"""What a watcher is told: snapshots in chunks, changes, views that move, and resets. Values in, messages out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from migrations_app.kernel.json import Json, JsonObject

Test = Callable[[JsonObject], bool]
Cut = Callable[[JsonObject], JsonObject]


@dataclass(frozen=True, slots=True)
class WatchStep:
    """One change: the document as it is now, or None when it is gone; `about` is told of what is removed."""

    name: str
    document: JsonObject | None
    about: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words of a watch: what its documents are called, which are wanted, and which part of them is shown."""

    singular: str
    test: Test
    cut: Cut
    chunk: int = 500
    name_key: str = "name"

    def named(self, document: JsonObject) -> str:
        """Tell the name of a document."""
        return str(document[self.name_key])

    def added(self, document: JsonObject, index: int | None = None) -> JsonObject:
        """Tell of a document that is new to the watcher."""
        return {"added": self._about(document, index)}

    def current(self, document: JsonObject) -> JsonObject:
        """Tell of a document that the watcher may or may not have."""
        return {"current": self._about(document, None)}

    def modified(
        self, document: JsonObject, before: int | None = None, index: int | None = None
    ) -> JsonObject:
        """Tell of a document that the watcher has in an older form."""
        about = {"name": self.named(document), **self._about(document, index)}
        if before is not None:
            about["previousViewIndex"] = before
        return {"modified": about}

    def removed(self, name: str, index: int | None = None, about: JsonObject | None = None) -> JsonObject:
        """Tell of a document that is gone, or no longer wanted."""
        return {"removed": {"name": name, **(about or {}), **({} if index is None else {"viewIndex": index})}}

    def message(
        self, changes: Sequence[Json], token: str = "", *, is_current: bool, **more: Json
    ) -> JsonObject:
        """Write one message of the stream."""
        body: JsonObject = {f"{self.singular}Changes": [*changes]} if changes else {}
        if is_current:
            body["isCurrent"] = True
        if token:
            body["resumeToken"] = token
        return {
            **body,
            **{key: value for key, value in more.items() if value is not None and value is not False},
        }

    def _about(self, document: JsonObject, index: int | None) -> JsonObject:
        return {self.singular: self.cut(document), **({} if index is None else {"viewIndex": index})}


@dataclass(slots=True)
class Stateless:
    """A watch in no order: it knows which names it told of, or that it cannot know (None): when it was resumed."""

    asked: Wording
    known: set[str] | None = field(default_factory=set)
    # True while the watcher holds something that no `isCurrent` has made whole yet.
    open: bool = False
    _before: set[str] | None = None

    def snapshot(self, documents: Sequence[JsonObject], token: str, *, hard: bool) -> Iterator[JsonObject]:
        """Tell of everything; the picture is complete at the first `isCurrent`."""
        wanted = [each for each in documents if self.asked.test(each)]
        self.known = set()
        size = self.asked.chunk
        starts = range(0, len(wanted), size) if wanted else range(1)
        for start in starts:
            last = start + size >= len(wanted)
            told = len(wanted) if start == 0 else None
            yield self.chunk(
                wanted[start : start + size], token if last else "", hard=hard and start == 0, size=told
            )

    def chunk(
        self, documents: Sequence[JsonObject], token: str, *, hard: bool, size: int | None
    ) -> JsonObject:
        """Tell a part of a snapshot; the last has the token."""
        if self.known is not None:
            self.known.update(map(self.asked.named, documents))
        self.open = not token
        return self.asked.message(
            [self.asked.added(each) for each in documents],
            token,
            is_current=bool(token),
            isHardReset=hard,
            snapshotSize=size,
        )

    def follow(self, steps: Sequence[WatchStep], token: str, *, level: bool = True) -> Iterator[JsonObject]:
        """Tell of changes; only the newest of each name is told.

        Without `level` more are to come: the last message is not yet the end of a whole picture.
        """
        if not self.open:
            self._before = None if level or self.known is None else set(self.known)
        newest = {each.name: each for each in steps}
        told = [entry for each in newest.values() if (entry := self._entry(each)) is not None]
        size = self.asked.chunk
        starts = range(0, len(told), size) if told else range(1 if self.open and level else 0)
        for start in starts:
            last = level and start + size >= len(told)
            self.open = not last
            yield self.asked.message(told[start : start + size], token if last else "", is_current=last)

    def soft_reset(self) -> JsonObject:
        """Take back what was told since the last whole picture."""
        self.known, self.open = self._before, False
        return self.asked.message([], is_current=False, isSoftReset=True)

    def _entry(self, step: WatchStep) -> JsonObject | None:
        document = step.document
        if document is not None and self.asked.test(document):
            if self.known is None:
                return self.asked.current(document)
            if step.name in self.known:
                return self.asked.modified(document)
            self.known.add(step.name)
            return self.asked.added(document)
        if self.known is None:
            return self.asked.removed(step.name, about=step.about)
        if step.name in self.known:
            self.known.discard(step.name)
            return self.asked.removed(step.name, about=step.about)
        return None


@dataclass(slots=True)
class Stateful:
    """A watch of one page of an ordered list: rows enter, move and leave by their index."""

    asked: Wording
    page: list[JsonObject] = field(default_factory=list)
    tokens: JsonObject = field(default_factory=dict)

    def show(
        self, page: Sequence[JsonObject], tokens: JsonObject, token: str, *, first: bool, hard: bool = False
    ) -> JsonObject | None:
        """Tell what became of the page; nothing when it is as it was. After a hard reset all of it is new."""
        if hard:
            self.page, self.tokens = [], {}
        told = self._changes(page)
        moved = tokens != self.tokens
        self.page, self.tokens = list(page), tokens
        if not (told or moved or first or hard):
            return None
        return self.asked.message(
            told,
            token,
            is_current=True,
            isHardReset=hard,
            snapshotSize=len(page) if first or hard else None,
            pageTokenChange=tokens if moved else None,
        )

    def _changes(self, page: Sequence[JsonObject]) -> list[Json]:
        named = self.asked.named
        before = {named(each): (at, each) for at, each in enumerate(self.page)}
        after = {named(each) for each in page}
        told: list[Json] = [
            self.asked.removed(name, at) for name, (at, _) in before.items() if name not in after
        ]
        for at, each in enumerate(page):
            known = before.get(named(each))
            if known is None:
                told.append(self.asked.added(each, at))
            elif known[0] != at or self.asked.cut(known[1]) != self.asked.cut(each):
                told.append(self.asked.modified(each, known[0], at))
        return told
