"""The resources that an answer returns: looked at, and changed before they are sent."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.read_sampling import LONGEST_PAGE, ReadSampler
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.exchange import Messages, Response

_PAGES = frozenset({"list", "batchGet", "search"})
_WRITTEN = frozenset({"create", "update"})
_CHANGES = ("added", "modified", "current")
Change = Callable[[JsonObject], JsonObject]


def resources_in(
    schema: Schema, type_: str, method: str, response: Response
) -> tuple[JsonObject, ...] | None:
    """Give the resources that the answer to a read returns; None where the method returns none."""
    document = response.document
    if not isinstance(document, dict):
        return None
    if method == "get":
        return (document,)
    if method not in _PAGES:
        return None
    page = document.get(presenter_of(schema, type_).plural)
    return tuple(each for each in page if isinstance(each, dict)) if isinstance(page, list) else ()


def changed(schema: Schema, type_: str, method: str, response: Response, change: Change) -> Response:
    """Change every resource that the answer to a read, a creation or an update returns."""
    document = response.document
    if response.status >= 400 or not isinstance(document, dict) or not document:
        return response
    if method == "get" or method in _WRITTEN:
        return replace(response, document=change(document))
    if method not in _PAGES:
        return response
    plural = presenter_of(schema, type_).plural
    page = document.get(plural)
    resources = page if isinstance(page, list) else []
    return replace(response, document={**document, plural: [_changed(each, change) for each in resources]})


@dataclass(frozen=True, slots=True)
class ChangedMessages:
    """The messages of a watch of a resource type, with each resource changed."""

    messages: Messages
    type: str
    change: Change

    def step(self) -> JsonObject | None:
        """Give the next message."""
        return self._changed(self.messages.step())

    def beat(self) -> JsonObject | None:
        """Give the message that says that the watch lives."""
        return self._changed(self.messages.beat())

    def _changed(self, message: JsonObject | None) -> JsonObject | None:
        singular = f"{self.type[0].lower()}{self.type[1:]}"
        key = f"{singular}Changes"
        if message is None or not isinstance(entries := message.get(key), list):
            return message
        return {**message, key: [self._entry(each, singular) for each in entries]}

    def _entry(self, entry: Json, singular: str) -> Json:
        if not isinstance(entry, dict):
            return entry
        return {
            kind: {**about, singular: _changed(about[singular], self.change)}
            if kind in _CHANGES and isinstance(about, dict) and singular in about
            else about
            for kind, about in entry.items()
        }


def _changed(resource: Json, change: Change) -> Json:
    return change(resource) if isinstance(resource, dict) else resource


def sampled(
    sampler: ReadSampler, schema: Schema, type_: str, method: str, client: str, response: Response | None
) -> tuple[JsonObject, ...] | None:
    """Give the resources of an answer to look at; None where it is not looked into."""
    resources = None if response is None else resources_in(schema, type_, method, response)
    stratum = (schema.service, schema.version, type_, method, client)
    if resources is None or not sampler.takes(stratum, len(resources)):
        return None
    return resources if len(resources) <= LONGEST_PAGE else tuple(random.sample(resources, LONGEST_PAGE))
