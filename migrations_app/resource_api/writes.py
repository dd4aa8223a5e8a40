"""Requests for writes read from HTTP: one resource, several at once, and the conditions they are made on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.writes.requests import (
    WritePrecondition,
    WriteRequest,
    WriteResponseSelection,
)
from migrations_app.kernel.errors import Invalid, Missing, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.resource_api.addresses import ResourceLocation, place_of
from migrations_app.resource_api.bodies import read_body

_IN_A_BATCH = {
    "create": frozenset({"name", "resource"}),
    "update": frozenset({"name", "resource", "updateMask", "allowMissing", "cas"}),
    "delete": frozenset({"name", "allowMissing"}),
}
_AROUND = frozenset({"cas", "updateMask", "allowMissing", "responseMask"})
_RESPONSE_MASK = frozenset({"skipEntireResponseBody", "updatedFieldsOnly", "bodyMask"})
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


def batch(schema: Schema, request: Sent) -> list[WriteRequest]:
    """Read several writes.

    Raises: Invalid (`document`, `name`) with the place in the batch.
    """
    body = read_body(request.body)
    sent = body.get("requests") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(sent, list) or not sent:
        raise Invalid(
            message("Send {form}.", form="{requests: [{create|update|delete: …}, …]}"), code="document"
        )
    if unknown := sorted(body.keys() - {"requests"}):
        raise Invalid(
            message("There is no {unknown} beside requests.", unknown=repr(unknown[0][:80])),
            code="document",
            remedy=message("Send {form}; a dry run is asked for in the query.", form="{requests: […]}"),
            violations=(Violation(unknown[0][:80], message("is unknown here")),),
        )
    return [batched(schema, each, index) for index, each in enumerate(sent)]


def batched(schema: Schema, sent: Json, index: int) -> WriteRequest:
    """Read one of several writes; `index` is its place, for the error.

    Raises: Invalid (`document`, `name`) with the place in the batch.
    """
    at = f"requests[{index}]"
    if not isinstance(sent, dict) or len(sent) != 1:
        raise Invalid(message("{at} names one of create, update or delete.", at=at), code="document")
    ((verb, body),) = sent.items()
    if verb not in _IN_A_BATCH or not isinstance(body, dict):
        raise Invalid(message("{at} names one of create, update or delete.", at=at), code="document")
    unknown = sorted(body.keys() - _IN_A_BATCH[verb])
    if unknown:
        raise Invalid(
            message("{at}.{verb} holds {unknown}.", at=at, verb=verb, unknown=repr(unknown[0][:80])),
            code="document",
            remedy=message("Use {in_a_batch}.", in_a_batch=", ".join(sorted(_IN_A_BATCH[verb]))),
            violations=(Violation(f"{at}.{verb}.{unknown[0]}", message("is unknown here")),),
        )
    document = body.get("resource")
    name = body.get("name") or (document.get("name") if isinstance(document, dict) else None)
    if not isinstance(name, str):
        raise Invalid(
            message("{at} gives no name.", at=at),
            code="name",
            violations=(Violation(f"{at}.{verb}.name", message("is missing")),),
        )
    return WriteRequest(
        verb,
        _type_of(schema, name, f"{at}.{verb}.name"),
        name,
        body=document,
        mask=_text(body, "updateMask"),
        allow_missing=body.get("allowMissing") is True,
        precondition=_precondition(body.get("cas")),
        at=f"{at}.{verb}",
    )


def create(schema: Schema, place: ResourceLocation, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read a creation: the resource, or an envelope `{resource, responseMask}` around it.

    Raises: Invalid.
    """
    if "-" in place.parent.split("/"):
        raise Invalid(
            message("{parent} is no one parent: it has the wildcard -.", parent=place.parent),
            code="name",
            remedy=message("Name the parent to create below."),
            violations=(Violation("parent", message("has the wildcard -")),),
        )
    body, around = _unwrapped(schema, place.type, read_body(request.body))
    return WriteRequest(
        "create",
        place.type,
        parent=place.parent,
        id=query.get("id", ""),
        body=body,
        response=_selection(around.get("responseMask")),
    )


def update(schema: Schema, place: ResourceLocation, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read an update: the resource, or an envelope around it: `{resource, cas, updateMask, allowMissing,
    responseMask}`.

    Raises: Invalid.
    """
    body, around = _unwrapped(schema, place.type, read_body(request.body))
    mask = _text(around, "updateMask") or query.get("updateMask", "")
    allow = query.get("allowMissing") == "true" or around.get("allowMissing") is True
    patches = False
    if request.method == "PATCH" and not mask and isinstance(body, dict):
        patches, mask = True, ",".join(f"`{key}`" for key in body if "`" not in key)
    return WriteRequest(
        "update",
        place.type,
        place.name,
        body=body,
        mask=mask,
        patches=patches,
        expected=_if_match(request),
        allow_missing=allow,
        precondition=_precondition(around.get("cas")),
        response=_selection(around.get("responseMask")),
    )


def _type_of(schema: Schema, name: str, at: str) -> str:
    """Tell the type of a resource that is named at a place of a batch."""
    try:
        place = place_of(schema, name)
    except (Invalid, Missing) as error:
        raise Invalid(
            message("{place}:", place=at) + error.words,
            code="name",
            remedy=error.remedy_words,
            violations=tuple(Violation(at, each.words) for each in error.violations)
            or (Violation(at, message("is of no pattern")),),
        ) from error
    if place.is_collection:
        raise Invalid(
            message("{at}: {name} is a collection.", at=at, name=repr(name[:120])),
            code="name",
            remedy=message("Name one resource."),
            violations=(Violation(at, message("names a collection")),),
        )
    return place.type


def _unwrapped(schema: Schema, type_: str, body: Json) -> tuple[Json, JsonObject]:
    """Take a resource out of its envelope, and give what else is in it; a bare resource has none."""
    keys = {field.key for field in schema.document_type(type_).fields}
    if not isinstance(body, dict) or "resource" not in body or "resource" in keys:
        return body, {}
    around = {key: value for key, value in body.items() if key != "resource"}
    unknown = sorted(around.keys() - _AROUND)
    if unknown:
        raise Invalid(
            message("There is no {unknown} beside a resource.", unknown=repr(unknown[0][:80])),
            code="document",
            remedy=message("Use {around}.", around=", ".join(sorted(_AROUND))),
            violations=(Violation(unknown[0], message("is unknown here")),),
        )
    return body["resource"], around


def _selection(mask: Json) -> WriteResponseSelection:
    if mask is None:
        return WriteResponseSelection()
    if not isinstance(mask, dict) or mask.keys() - _RESPONSE_MASK:
        raise Invalid(
            message("responseMask holds skipEntireResponseBody, updatedFieldsOnly or bodyMask."),
            code="document",
        )
    return WriteResponseSelection(
        mask.get("skipEntireResponseBody") is True,
        mask.get("updatedFieldsOnly") is True,
        _text(mask, "bodyMask"),
    )


def _precondition(cas: Json) -> WritePrecondition | None:
    if cas is None:
        return None
    state = cas.get("conditionalState", {}) if isinstance(cas, dict) else None
    if not isinstance(cas, dict) or not isinstance(state, dict):
        raise Invalid(message("cas holds conditionalState and fieldMask."), code="document")
    return WritePrecondition(state, _text(cas, "fieldMask"))


def _text(body: JsonObject, key: str) -> str:
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Invalid(message("{key} is text.", key=key), code="document")
    return value


def delete(place: ResourceLocation, query: Mapping[str, str], request: Sent) -> WriteRequest:
    """Read a deletion.

    Raises: Invalid (`etag`, `document`).
    """
    if request.body and read_body(request.body) != {}:
        raise Invalid(
            message("A delete has no body."),
            code="document",
            remedy=message("Send a condition as If-Match, and allowMissing as a parameter."),
        )
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
        raise Invalid(message('If-Match is the ETag of a read, such as "7".'), code="etag")
    return int(found[1])
