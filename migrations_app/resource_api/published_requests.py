"""Requests as the published rules of a protobuf definition write them, turned into those of the resource API.

The `body` of the HTTP rule says what the body is: the resource, or the request message with the resource in one of
its fields. Fields of the request message that are not in the path or the body stand in the query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.types import EnumType, Field, ListType, ObjectType, RefType, Type
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.resource_api.addresses import SchemaKey
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.web.operation_contracts import camel_case

_KINDS = frozenset({"get", "list", "create", "update", "delete"})
_IN_PATH = frozenset({"name", "parent"})
_OWN = frozenset({"filter", "pageSize", "pageToken", "orderBy", "updateMask", "allowMissing", "validateOnly"})
_BASIC, _VIEWS = "BASIC", frozenset({"BASIC", "FULL"})


def filter_dialect(schema: Schema) -> str:
    """Name the dialect of filters that say none: that of Google's APIs where the definition is protobuf."""
    return "aip160" if schema.is_protobuf else "goten"


@dataclass(frozen=True, slots=True)
class StandardMethod:
    """A standard method of a protobuf service.

    `wrapper` is the key of the request that holds the resource where the body is the whole request; `renamed` maps
    keys of the request to our parameters; `view` is the key that asks for a view, with the symbols it takes.
    """

    wrapper: str
    renamed: Mapping[str, str]
    view: str = ""
    views: EnumType | None = None


def translated(schema: Schema, type_: str, method: str, request: ResourceRequest) -> ResourceRequest:
    """Turn a request of a standard method into one of the resource API; of other definitions it stays as it is.

    Raises: Invalid (`query`, `document`).
    """
    standard = _standard(SchemaKey(schema), type_, method) if schema.is_protobuf else None
    if standard is None:
        return request
    given: JsonObject = {}
    if standard.wrapper and request.body:
        request, given = _unwrapped(standard, request)
    pairs = parse_qsl(request.query, keep_blank_values=True)
    rest: list[tuple[str, str]] = []
    for key, value in pairs:
        name = camel_case(key)
        if name and (name == standard.view or standard.renamed.get(name, name) != name):
            given.setdefault(name, value)
        else:
            rest.append((key, value))
    if not given:
        return request
    for name, asked in given.items():
        if name == standard.view:
            request = replace(request, form=replace(request.form, basic=_is_basic(standard, asked)))
        else:
            rest.append((standard.renamed.get(name, name), _text(name, asked)))
    return replace(request, query=urlencode(rest))


def _unwrapped(standard: StandardMethod, request: ResourceRequest) -> tuple[ResourceRequest, JsonObject]:
    """Take the resource out of a request message; a body that is none is the resource itself."""
    body = read_body(request.body)
    if not isinstance(body, dict) or standard.wrapper not in body:
        return request, {}
    given = {key: value for key, value in body.items() if key not in (standard.wrapper, "responseMask")}
    known = {standard.view, *standard.renamed} - {""}
    if unknown := sorted(given.keys() - known):
        raise Invalid(
            message(
                "There is no {unknown} beside {wrapper}.",
                unknown=repr(unknown[0][:80]),
                wrapper=standard.wrapper,
            ),
            code="document",
            remedy=message("Use {known}.", known=", ".join(sorted(known)))
            if known
            else message("Leave it out."),
            violations=(Violation(unknown[0], message("is unknown here")),),
        )
    return replace(request, body=json.encode(body[standard.wrapper])), given


def _is_basic(standard: StandardMethod, value: Json) -> bool:
    """Tell whether a view is the one without what is large or sensitive.

    Raises: Invalid (`query`) with the views that there are.
    """
    assert standard.views is not None
    for symbol in standard.views.values:
        if value in (symbol.name, symbol.number, str(symbol.number)) and not isinstance(value, bool):
            return symbol.name == _BASIC
    raise Invalid(
        message(
            "{view} is none of {values}.",
            view=standard.view,
            values=", ".join(each.name for each in standard.views.values),
        ),
        code="query",
        violations=(Violation(standard.view, message("is no view")),),
    )


def _text(key: str, value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    raise Invalid(
        message("{key} is text.", key=key),
        code="document",
        violations=(Violation(key, message("must be text")),),
    )


@lru_cache(maxsize=2048)
def _standard(key: SchemaKey, type_: str, method: str) -> StandardMethod | None:
    schema = key.schema
    for each in schema.methods.values():
        if each.kind == method and method in _KINDS and _is_of(schema, each, type_):
            return _read(schema, each, type_)
    return None


def _is_of(schema: Schema, method: Method, type_: str) -> bool:
    """Tell whether a standard method is one of a resource type, by what it answers or by its name."""
    message = schema.resource(type_).message
    if method.kind == "list":
        answered = schema.types.get(method.response)
        fields = answered.fields if isinstance(answered, ObjectType) else ()
        lists = (field.type.item for field in fields if isinstance(field.type, ListType))
        return any(isinstance(item, RefType) and item.name == message for item in lists)
    if method.response == message:
        return True
    return method.name == f"{method.kind.title()}{type_}"


def _read(schema: Schema, method: Method, type_: str) -> StandardMethod:
    asked = schema.types.get(method.request)
    fields = asked.fields if isinstance(asked, ObjectType) else ()
    message = schema.resource(type_).message
    wrapper = next((each.key for each in fields if _holds(each.type, message)), "")
    renamed: dict[str, str] = {}
    view, views = "", None
    for field in fields:
        if field.key == wrapper or field.name in _IN_PATH:
            continue
        given = schema.resolve(field.type)
        if field.key in _OWN:
            renamed[field.key] = field.key
        elif field.name == "read_mask":
            renamed[field.key] = "fieldMask"
        elif method.kind == "create" and _is_id(field, type_):
            renamed[field.key] = "id"
        elif isinstance(given, EnumType) and {each.name for each in given.values} >= _VIEWS:
            view, views = field.key, given
    return StandardMethod(wrapper if method.body == "*" else "", renamed, view, views)


def _holds(given: Type, message: str) -> bool:
    return isinstance(given, RefType) and given.name == message


def _is_id(field: Field, type_: str) -> bool:
    return field.name.removesuffix("_id").replace("_", "") == type_.lower() and field.name.endswith("_id")
