"""Requests for writes in the words of the version they are made in."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.kernel.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class WritePrecondition:
    """A compare-and-set: what the client believes to be there, at the places of a mask."""

    state: JsonObject
    mask: str = ""


@dataclass(frozen=True, slots=True)
class WriteResponseSelection:
    """How much of a written resource the client wants to see: nothing, what changed, or the places of a mask."""

    nothing: bool = False
    changed: bool = False
    mask: str = ""


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """One write in the words of the version it is made in.

    `verb` is create, update or delete. `expected` is the revision the client saw, None for any. `at` is the
    place among several writes, for the error. `patches` says that `mask` names the fields of the body, so that those
    that the version does not know are treated by its strategy. `by_service` says that the service's own code writes, which alone
    sets fields that are output-only.
    """

    verb: str
    type: str
    name: str = ""
    parent: str = ""
    id: str = ""
    body: Json = None
    mask: str = ""
    expected: int | None = None
    allow_missing: bool = False
    precondition: WritePrecondition | None = None
    response: WriteResponseSelection = WriteResponseSelection()
    at: str = ""
    patches: bool = False
    by_service: bool = False
