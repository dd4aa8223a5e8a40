"""What the OpenAPI document says of `/api/v1`, as values that code is written from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")
PREFIX = "/api/v1/"
JSON, TEXT = "JSON", "TEXT"
SHARED = "shared"
HEADERS = {
    "If-Match": "if_match",
    "If-None-Match": "if_none_match",
    "Idempotency-Key": "idempotency_key",
    "X-Request-ID": "request_id",
}
# A part of a document has no type: `Client.request` gives it as plain values.
LEFT_OUT = frozenset({"fields"})
NAMES = {
    "approvals_approve_create": "approve",
    "approvals_reject_create": "reject",
    "approvals_request_changes_create": "request_changes",
    "evictions_approve_create": "approve_eviction",
    "evictions_reject_create": "reject_eviction",
}
"""Methods of the operations whose ids, which are promised, were made from addresses."""
_REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query."""

    name: str
    place: str
    schema: Mapping[str, Any]
    required: bool
    description: str

    @property
    def identifier(self) -> str:
        """Give the name that it has in Python."""
        written = identifier(self.name)
        # Every operation has a header of that name.
        return f"of_{written}" if written in HEADERS.values() else written


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: what it takes, and what it answers with by status."""

    id: str
    tag: str
    method: str
    path: str
    description: str
    parameters: tuple[Parameter, ...]
    body: str
    body_required: bool
    answers: Mapping[int, str]
    headers: Mapping[str, bool]
    """The headers that it takes, by their names in Python, and whether it needs them."""

    @property
    def name(self) -> str:
        """Give the name of its method: its id, but for those that were made from an address."""
        return NAMES.get(self.id, self.id)

    @property
    def item(self) -> str:
        """Give the type of the items where the answer is a page of a list; nothing where it is not."""
        pages = {name for name in self.answers.values() if name.endswith("Page")}
        cursors = [each for each in self.parameters if each.name == "cursor"]
        return next(iter(pages)) if len(pages) == 1 and cursors else ""


@dataclass(frozen=True, slots=True)
class Contract:
    """All operations, and the types that they speak of, by the module where each belongs."""

    operations: tuple[Operation, ...]
    schemas: Mapping[str, Mapping[str, Any]]
    modules: Mapping[str, str]
    requests: frozenset[str] = field(default_factory=frozenset)
    """The types that are only sent: what the server does not know is refused there."""


def identifier(name: str) -> str:
    """Write a name as Python allows it."""
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def read_contract(document: Mapping[str, Any]) -> Contract:
    """Read a document."""
    schemas: Mapping[str, Mapping[str, Any]] = document["components"]["schemas"]
    operations = tuple(
        sorted(
            (
                _operation(document, path, method, item[method])
                for path, item in document["paths"].items()
                if path.startswith(PREFIX)
                for method in METHODS
                if method in item
            ),
            key=lambda each: each.id,
        )
    )
    reached: dict[str, set[str]] = {}
    answered: set[str] = set()
    for operation in operations:
        names = [operation.body, *operation.answers.values()]
        for name in closure(schemas, names):
            reached.setdefault(name, set()).add(operation.tag)
        answered |= closure(schemas, operation.answers.values())
    # The error of an operation that failed, and of every refusal, is read by the hand-written part.
    reached.pop("Problem", None)
    modules = {name: next(iter(tags)) if len(tags) == 1 else SHARED for name, tags in sorted(reached.items())}
    return Contract(operations, schemas, modules, frozenset(modules) - answered)


def closure(schemas: Mapping[str, Any], names: Any) -> set[str]:
    """Name the types that some types need, with themselves."""
    known: set[str] = set()
    pending = [name for name in names if name in schemas]
    while pending:
        name = pending.pop()
        if name not in known:
            known.add(name)
            pending += references(schemas[name])
    return known


def references(schema: Any) -> Iterator[str]:
    """Name the types that a schema refers to."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].removeprefix(_REFERENCE)
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def _operation(
    document: Mapping[str, Any], path: str, method: str, described: Mapping[str, Any]
) -> Operation:
    named = [_resolved(document, each) for each in described.get("parameters", ())]
    body = described.get("requestBody", {})
    return Operation(
        id=described["operationId"],
        tag=_tag(described["tags"][0]),
        method=method.upper(),
        path=path,
        description=str(described.get("description", "")),
        parameters=tuple(
            Parameter(
                each["name"],
                each["in"],
                each["schema"],
                bool(each.get("required")),
                str(each.get("description", "")),
            )
            for each in named
            if each["in"] != "header" and each["name"] not in LEFT_OUT
        ),
        body=_content(body, described["operationId"]),
        body_required=bool(body.get("required")),
        answers={
            int(status): _content(_resolved(document, answer), described["operationId"])
            for status, answer in described["responses"].items()
            if status.startswith("2")
        },
        headers={
            HEADERS[each["name"]]: bool(each.get("required")) for each in named if each["in"] == "header"
        },
    )


def _tag(name: str) -> str:
    return re.sub(r"\W", "_", name.partition(":")[0])


def _resolved(document: Mapping[str, Any], described: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = described.get("$ref")
    if reference is None:
        return described
    value: Any = document
    for part in str(reference).removeprefix("#/").split("/"):
        value = value[part]
    resolved: Mapping[str, Any] = value
    return resolved


def _content(described: Mapping[str, Any], operation: str) -> str:
    """Name the type of a body: a schema's name, JSON for plain values, TEXT, or nothing."""
    content = described.get("content", {})
    if not content:
        return ""
    if set(content) != {"application/json"}:
        return TEXT if "application/json" not in content else JSON
    schema = content["application/json"]["schema"]
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    if schema.get("type") in ("object", None) and not list(references(schema)):
        return JSON
    raise ValueError(f"{operation}: a body is a named type, or an object without a form: {schema}")
