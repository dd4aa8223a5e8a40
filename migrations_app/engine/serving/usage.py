"""Counts of use: what a note comes to, key by key, and the sums that are written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

from migrations_app.domain.compatibility.usage import (
    WHOLE,
    KeyState,
    key_states,
    message_states,
    returned_keys,
)
from migrations_app.domain.filters.ast import paths_of
from migrations_app.domain.filters.masks import parse_mask
from migrations_app.domain.filters.order import parse_order
from migrations_app.domain.filters.parse import parse
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.methods import address_key
from migrations_app.kernel import json
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.services.usage import Use

MESSAGE = ""
"""The path under which a message itself is counted."""
# What PostgreSQL can keep in one index entry, in any script.
LONGEST_PATH, LONGEST_CLIENT, LONGEST_RELEASE = 300, 100, 64


class Counted(NamedTuple):
    """What is counted: one key in one state, in the messages of one client to one method, on one day."""

    day: date
    service: str
    version: str
    region: str
    method: str
    path: str
    state: KeyState
    client: str
    release: str


class CountedRefusal(NamedTuple):
    """What is counted of refusals: one brown-out, in the requests of one client to one method, on one day."""

    brown_out: str
    day: date
    region: str
    method: str
    client: str
    release: str


@dataclass(slots=True)
class Seen:
    """How often, and from when to when; `looked` are the answers that were looked into for what they return."""

    count: int
    first: datetime
    last: datetime
    looked: int = 0

    def add(self, other: Seen) -> None:
        """Take in what else was seen."""
        self.count += other.count
        self.looked += other.looked
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)


@dataclass(slots=True)
class UsageTally:
    """The sums since they were last written down; `uncounted` are notes there was no room for."""

    sums: dict[Counted, Seen] = field(default_factory=dict)
    uncounted: int = 0
    refusals: dict[CountedRefusal, Seen] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to write down."""
        return not (self.sums or self.refusals or self.uncounted)

    def take(self, use: Use) -> None:
        """Count a use."""
        day, looked = use.at.date(), use.returned is not None
        schema, client, release = use.schema, use.client[:LONGEST_CLIENT], use.release[:LONGEST_RELEASE]
        for method, type_, body in () if use.is_counted else messages_of(use):
            head = (day, schema.service, schema.version, use.region, f"{type_}.{method}")
            self._add(Counted(*head, MESSAGE, KeyState.VALUE, client, release), use.at, looked)
            for path, state in keys_of(use, type_, body):
                self._add(Counted(*head, path[:LONGEST_PATH], state, client, release), use.at)
            for path in _returned(use, type_):
                self._add(Counted(*head, path[:LONGEST_PATH], KeyState.SHOWN, client, release), use.at)
        if use.refused_by:
            method = f"{use.resource_type}.{use.method}"
            refusal = CountedRefusal(use.refused_by, day, use.region, method, client, release)
            self.refusals.setdefault(refusal, Seen(0, use.at, use.at)).add(Seen(1, use.at, use.at))

    def merge(self, other: UsageTally) -> None:
        """Take in the sums of another tally."""
        self.uncounted += other.uncounted
        for counted, seen in other.sums.items():
            known = self.sums.get(counted)
            if known is None:
                self.sums[counted] = seen
            else:
                known.add(seen)
        for refusal, seen in other.refusals.items():
            self.refusals.setdefault(refusal, Seen(0, seen.first, seen.last)).add(seen)

    def _add(self, counted: Counted, at: datetime, looked: bool = False) -> None:
        known = self.sums.get(counted)
        if known is None:
            self.sums[counted] = Seen(1, at, at, int(looked))
            return
        known.count += 1
        known.looked += looked
        known.first, known.last = min(known.first, at), max(known.last, at)


def messages_of(use: Use) -> Iterator[tuple[str, str, Json]]:
    """Give the messages of a request: several in a batch."""
    body = _read(use.body) if use.body else None
    if use.method != "batchWrite":
        yield use.method, use.resource_type, _unwrapped(use, body) if isinstance(body, dict) else None
        return
    requests = body.get("requests") if isinstance(body, dict) else None
    for each in requests if isinstance(requests, list) else []:
        for verb, inner in (each if isinstance(each, dict) else {}).items():
            document = inner.get("resource") if isinstance(inner, dict) else None
            name = inner.get("name") if isinstance(inner, dict) else None
            if name is None and isinstance(document, dict):
                name = document.get("name")
            yield verb, type_named(use.schema, name), document


def _unwrapped(use: Use, body: JsonObject) -> Json:
    """Take a resource out of the envelope that it may be sent in."""
    resource = use.schema.resources.get(use.resource_type)
    if resource is None or use.method not in ("create", "update") or "resource" not in body:
        return body
    known = use.schema.document_type(use.resource_type).by_key("resource")
    return body["resource"] if known is None else body


def keys_of(use: Use, type_: str, body: Json) -> frozenset[tuple[str, KeyState]]:
    """List the keys that one message sends, or leaves out, and those that its request mentions."""
    found: set[tuple[str, KeyState]] = set()
    if body is None and not use.mentions:
        return frozenset()
    method = use.schema.methods.get(use.method)
    if isinstance(body, dict) and method is not None and method.verb:
        if method.request:
            states = message_states(use.schema, method.request, body)
            # The name is in the address.
            named = address_key(use.schema, method)
            found |= {(path, state) for path, state in states if path != named}
    elif isinstance(body, dict) and type_ in use.schema.resources:
        found |= key_states(use.schema, type_, body)
    for parameter, text in use.mentions:
        found |= {(path, KeyState.VALUE) for path in _mentioned(parameter, text, use.dialect)}
    return frozenset(found)


def _returned(use: Use, type_: str) -> frozenset[str]:
    """List the keys that the answer returns, as far as it is looked into; a watch returns whole resources."""
    if use.method == "watch" and "fieldMask" not in dict(use.mentions):
        return frozenset({WHOLE})
    if not use.returned or type_ not in use.schema.resources:
        return frozenset()
    return returned_keys(use.schema, type_, use.returned)


def _mentioned(parameter: str, text: str, dialect: str) -> set[str]:
    try:
        if parameter == "filter":
            return {str(path) for path in paths_of(parse(text, dialect))}
        if parameter == "orderBy":
            return {str(term.path) for term in parse_order(text)}
        return {str(path) for path in parse_mask(text or None).paths}
    except SwitchyardError:
        return set()


def _read(body: bytes) -> Json:
    try:
        return json.decode(body) if body else None
    except SwitchyardError:
        return None


def type_named(schema: Schema, name: object) -> str:
    """Tell the type of the resources that have a name of this shape; `?` when none has."""
    for short, resource in schema.resources.items():
        for text in resource.patterns:
            if isinstance(name, str) and Pattern.parse(text, resource.id_patterns).match(name) is not None:
                return short
    return "?"
