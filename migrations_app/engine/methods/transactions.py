"""The writes of a handler: collected while its change runs, and committed together through the writing server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from migrations_app.engine.methods.shown import ShownResource
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict, NotFound
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

Key = tuple[str, str]


@dataclass(slots=True)
class StagedResources:
    """`domain.methods.calls.Resources` over reads of the moment; nothing is written before the change ends."""

    read: Callable[[str, str], ShownResource]
    name_key: Callable[[str], str]
    writes: dict[Key, WriteRequest] = field(default_factory=dict)
    _documents: dict[Key, JsonObject] = field(default_factory=dict)
    _revisions: dict[Key, int] = field(default_factory=dict)

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource; what was written here is seen."""
        key = (resource_type, name)
        staged = self.writes.get(key)
        if staged is not None and staged.verb == "delete":
            raise NotFound(
                message("There is no {resource_type} {name}.", resource_type=resource_type, name=name),
                name=name,
            )
        if key not in self._documents:
            shown = self.read(resource_type, name)
            self._documents[key], self._revisions[key] = shown.document, shown.stored.revision
        return self._documents[key]

    def create(self, resource_type: str, name: str, document: JsonObject) -> None:
        """Stage a creation."""
        key = (resource_type, name)
        if key in self.writes:
            raise _twice(resource_type, name)
        body: JsonObject = {**document, self.name_key(resource_type): name}
        self.writes[key] = WriteRequest("create", resource_type, name, body=body, by_service=True)
        self._documents[key] = body

    def update(self, resource_type: str, name: str, changes: JsonObject) -> None:
        """Stage an update of some fields."""
        key = (resource_type, name)
        before = self.get(resource_type, name)
        self._documents[key] = _merged(before, changes)
        staged = self.writes.get(key)
        if staged is not None and staged.verb == "create":
            self.writes[key] = replace(staged, body=self._documents[key])
            return
        earlier = staged.body if staged is not None and isinstance(staged.body, dict) else {}
        sent: JsonObject = {**earlier, **changes}
        self.writes[key] = WriteRequest(
            "update",
            resource_type,
            name,
            body={each: value for each, value in sent.items() if value is not None},
            mask=",".join(f"`{each}`" for each in sent),
            expected=self._revisions[key],
            by_service=True,
        )

    def delete(self, resource_type: str, name: str) -> None:
        """Stage a deletion."""
        key = (resource_type, name)
        staged = self.writes.get(key)
        if staged is not None and staged.verb == "create":
            raise _twice(resource_type, name)
        expected = self._revisions.get(key)
        self.writes[key] = WriteRequest(
            "delete", resource_type, name, allow_missing=expected is None, expected=expected, by_service=True
        )


def _merged(before: JsonObject, changes: JsonObject) -> JsonObject:
    merged: dict[str, Json] = {**before, **changes}
    return {key: value for key, value in merged.items() if value is not None}


def _twice(resource_type: str, name: str) -> Conflict:
    return Conflict(
        message(
            "Code of the service writes {resource_type} {name} twice in one transaction.",
            resource_type=resource_type,
            name=name,
        ),
        code="method-write-twice",
        remedy=message("Write it once, or in a transaction of its own."),
    )
