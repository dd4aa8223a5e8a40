"""Requests for writes read from HTTP: one resource, several at once, and the conditions they are made on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.writing import Belief, WriteRequest
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.addresses import Place, place_of
from migrations_app.resource_api.bodies import read_body

_ETAG = re.compile(r'(?:W/)?"(\d{1,18})"')


class Sent(Protocol):
    """What of an HTTP request makes a write."""

    @property
    def method(self) -> str:
        """The HTTP method."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers by lower-case names."""
        ...

    @property
    def body(self) -> bytes:
        """The body, not yet read."""
        ...


def batched(schema: Schema, sent: Json, index: int) -> WriteRequest:
    """Read one of several writes; `index` is its place, for the error.

    Raises: Invalid (`document`, `name`), Missing (`address`).
    """
    if not isinstance(sent, dict) or len(sent) != 1:
        raise Invalid(f"requests[{index}] names one of create, update or delete.", code="document")
    ((verb, body),) = sent.items()
    if verb == "delete" and isinstance(body, dict) and isinstance(body.get("name"), str):
        gone = str(body["name"])
        return WriteRequest("delete", place_of(schema, gone).type, gone)
    if verb not in ("create", "update") or not isinstance(body, dict):
        raise Invalid(f"requests[{index}] names one of create, update or delete.", code="document")
    document = body.get("resource")
    name = body.get("name") or (document.get("name") if isinstance(document, dict) else None)
    if not isinstance(name, str):
        raise Invalid(f"requests[{index}] gives no name.", code="name")
    place = place_of(schema, name)
    mask = body.get("updateMask")
    return WriteRequest(
        verb,
        place.type,
        name,
        body=document,
        mask=mask if isinstance(mask, str) else "",
        allow_missing=body.get("allowMissing") is True,
    )


def create(place: Place, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read a creation.

    Raises: Invalid.
    """
    if "-" in place.parent.split("/"):
        raise Invalid("A wildcard cannot be written to.", code="name")
    return WriteRequest(
        "create", place.type, parent=place.parent, id=query.get("id", ""), body=read_body(request.body)
    )


def update(schema: Schema, place: Place, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read an update: the resource, or an envelope `{resource, cas, updateMask, allowMissing}` around it.

    Raises: Invalid.
    """
    body = read_body(request.body)
    mask = query.get("updateMask", "")
    allow, belief = query.get("allowMissing") == "true", None
    keys = {field.key for field in schema.document_type(place.type).fields}
    if isinstance(body, dict) and "resource" in body and "resource" not in keys:
        mask = _text(body, "updateMask") or mask
        allow = allow or body.get("allowMissing") is True
        belief = _belief(body.get("cas"))
        body = body["resource"]
    if request.method == "PATCH" and not mask and isinstance(body, dict):
        mask = ",".join(f"`{key}`" for key in body if "`" not in key)
    return WriteRequest(
        "update",
        place.type,
        place.name,
        body=body,
        mask=mask,
        expected=_if_match(request),
        allow_missing=allow,
        belief=belief,
    )


def _belief(cas: Json) -> Belief | None:
    if cas is None:
        return None
    state = cas.get("conditionalState", {}) if isinstance(cas, dict) else None
    if not isinstance(cas, dict) or not isinstance(state, dict):
        raise Invalid("cas holds conditionalState and fieldMask.", code="document")
    return Belief(state, _text(cas, "fieldMask"))


def _text(body: JsonObject, key: str) -> str:
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Invalid(f"{key} is text.", code="document")
    return value


def delete(place: Place, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read a deletion.

    Raises: Invalid (`etag`).
    """
    return WriteRequest(
        "delete",
        place.type,
        place.name,
        expected=_if_match(request),
        allow_missing=query.get("allowMissing") == "true",
    )


def _if_match(request: Sent) -> int | None:
    sent = request.headers.get("if-match", "").strip()
    if sent in ("", "*"):
        return None
    found = _ETAG.fullmatch(sent)
    if found is None:
        raise Invalid('If-Match is the ETag of a read, such as "7".', code="etag")
    return int(found[1])
