"""The messages of a watch of many as the published interface has them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from migrations_app.kernel.json import Json, JsonObject

NO_SIZE: JsonObject = {"snapshotSize": "-1"}
"""Says that a message tells no size: watchers read 0, or nothing at all, as a size to compare with."""


async def published(
    messages: AsyncIterator[JsonObject], singular: str, *, stateful: bool, chunk: int
) -> AsyncIterator[JsonObject]:
    """Write the messages of a watch: resets and sizes each in a message of its own, changes at most `chunk` at once.

    The size follows the message with which a snapshot is whole. After a hard reset all changes of the snapshot are
    `current`. Page tokens and resume tokens come with the last part of a change, resume tokens only when stateless.
    """
    size, after_reset = -1, False
    async for message in messages:
        if message.get("isHardReset") or message.get("isSoftReset"):
            after_reset = bool(message.get("isHardReset"))
            yield {key: True for key in ("isHardReset", "isSoftReset") if message.get(key)} | NO_SIZE
        size = _size(message, size)
        for part in _parts(message, f"{singular}Changes", chunk, current=after_reset):
            if stateful:
                part.pop("resumeToken", None)
            yield part
        if message.get("isCurrent"):
            after_reset = False
            if size >= 0 and not stateful:
                yield {"snapshotSize": str(size)}
            size = -1


def _size(message: JsonObject, before: int) -> int:
    told = message.get("snapshotSize")
    return told if isinstance(told, int) else before


def _parts(message: JsonObject, key: str, chunk: int, *, current: bool) -> Iterator[JsonObject]:
    changes = message.get(key, [])
    assert isinstance(changes, list)
    rest = {
        name: value
        for name, value in message.items()
        if name not in (key, "isHardReset", "isSoftReset", "snapshotSize")
    }
    if not changes and not rest:
        if "isHardReset" not in message and "isSoftReset" not in message:
            yield {**NO_SIZE}
        return
    for start in range(0, max(1, len(changes)), chunk):
        told = changes[start : start + chunk]
        last = start + chunk >= len(changes)
        shown: list[Json] = [_as_current(each) if current else each for each in told]
        yield {**({key: shown} if shown else {}), **(rest if last else {}), **NO_SIZE}


def _as_current(change: Json) -> Json:
    if isinstance(change, dict) and isinstance(added := change.get("added"), dict):
        return {"current": {name: value for name, value in added.items() if name != "viewIndex"}}
    return change
