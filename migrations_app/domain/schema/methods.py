"""The addresses of custom methods: how sources write them, the resource types they act on, and how to find one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from migrations_app.domain.schema.ir import Method, ObjectType, ResourceDefinition, Schema, Type

OWN_VERBS = frozenset({"batchGet", "batchWrite", "search", "watch"})
"""What the resource API itself answers behind a colon; a method of a service cannot take its place."""

_VARIABLE = re.compile(r"\{([^{}=]+)(?:=([^{}]*))?\}")
_VERSION = re.compile(r"^v\d\w*/")
VERB = re.compile(r"[A-Za-z]\w*")


def read_template(template: str, base: str = "") -> tuple[str, str, str]:
    """Take an HTTP path apart: the names it is of, with `*` for ids, its verb, and the field that names fill.

    A path whose ids are variables of their own fills no field.
    """
    rest, _, verb = template.removeprefix(base).rpartition(":")
    if not rest or "/" in verb or not VERB.fullmatch(verb):
        return "", "", ""
    variables = _VARIABLE.findall(rest)
    whole = [name for name, pattern in variables if "/" in pattern]
    path = _VARIABLE.sub(lambda match: match[2] or "*", rest).strip("/")
    return (path if base else _VERSION.sub("", path)), verb, whole[0] if len(whole) == 1 else ""


def bind(schema: Schema) -> Mapping[str, Method]:
    """Find the resource types and messages of the methods of a schema, once all its sources are read."""
    places = dict(_places(schema.resources))
    return {name: _bound(schema, method, places) for name, method in schema.methods.items()}


def _bound(schema: Schema, method: Method, places: Mapping[str, tuple[str, bool]]) -> Method:
    found = replace(
        method,
        request=_known(schema.types, method.request),
        response=_known(schema.types, method.response),
        http_method=method.http_method or ("POST" if method.verb else ""),
    )
    if not found.path or found.resource or found.path not in places:
        return found
    type_, is_collection = places[found.path]
    return replace(found, resource=type_, is_collection=is_collection, path="")


def _known(types: Mapping[str, Type], name: str) -> str:
    return name if name in types else ""


def _places(resources: Mapping[str, ResourceDefinition]) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Go through the addresses of resource types with `*` for ids; those of single resources win."""
    shapes = [
        (type_, _VARIABLE.sub("*", text)) for type_, each in resources.items() for text in each.patterns
    ]
    for type_, shape in shapes:
        if shape.endswith("/*"):
            yield shape.removesuffix("/*"), (type_, True)
    for type_, shape in shapes:
        yield shape, (type_, False)


def custom_methods(schema: Schema) -> tuple[Method, ...]:
    """List the methods that have an address of their own."""
    named = (each for each in schema.methods.values() if each.verb and each.verb not in OWN_VERBS)
    return tuple(each for each in named if each.resource in schema.resources)


def find_method(schema: Schema, resource: str, verb: str, *, is_collection: bool) -> Method | None:
    """Find the method behind an address."""
    return _by_address(_Same(schema)).get((resource, is_collection, verb))


def verbs_of(schema: Schema, resource: str, *, is_collection: bool) -> tuple[str, ...]:
    """List the verbs of the methods of a resource type, or of its collections."""
    known = _by_address(_Same(schema))
    return tuple(sorted(verb for type_, whole, verb in known if (type_, whole) == (resource, is_collection)))


def address_key(schema: Schema, method: Method) -> str:
    """Tell the key of the request that the name in the address fills; empty when there is none."""
    given = schema.types.get(method.request)
    message = None if given is None else schema.resolve(given)
    found = message.field(method.name_field) if isinstance(message, ObjectType) else None
    return "" if found is None else found.key


class _Same:
    """A schema told apart by identity, so that it can be the key of a cache."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema


@lru_cache(maxsize=512)
def _by_address(same: _Same) -> Mapping[tuple[str, bool, str], Method]:
    methods = custom_methods(same.schema)
    return {(each.resource, each.is_collection, each.verb): each for each in reversed(methods)}
