"""Dry runs of writes: all of it in a transaction that is then taken back."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.engine.serving.presentation import ResourceView
from migrations_app.kernel.json import JsonObject

_OF_A_COMMIT = ("resourceVersion", "updateTime")
_OF_A_CREATION = ("uuid", "createTime")


@dataclass(frozen=True, slots=True)
class WriteRehearsal:
    """What writes would answer, None for a deletion; and who would be asked to agree and was not."""

    answers: tuple[ResourceView | None, ...]
    unasked: tuple[str, ...] = ()


class TakenBack(Exception):
    """Ends the transaction of a rehearsal, so that nothing of it stays."""

    def __init__(self, rehearsal: WriteRehearsal) -> None:
        super().__init__()
        self.rehearsal = rehearsal


def unstored(document: JsonObject, metadata_key: str, *, is_new: bool) -> JsonObject:
    """Leave out of a document what only a commit would give it."""
    metadata = document.get(metadata_key)
    if not isinstance(metadata, dict):
        return document
    left_out = (*_OF_A_COMMIT, *_OF_A_CREATION) if is_new else _OF_A_COMMIT
    return {
        **document,
        metadata_key: {key: value for key, value in metadata.items() if key not in left_out},
    }
