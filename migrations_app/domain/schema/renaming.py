"""Types under other names: taken into another schema, or without the version that their source writes before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import (
    FilterType,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

Rename = Callable[[str], str]


def renamed_type(given: Type, rename: Rename, of_resource: Rename = lambda name: name) -> Type:
    """Copy a type; the named types that it refers to, and the resource types, are called as the functions say."""
    match given:
        case RefType():
            return RefType(rename(given.name))
        case ReferenceType():
            return replace(given, resource=tuple(map(of_resource, given.resource)))
        case FilterType():
            return replace(given, resource=of_resource(given.resource))
        case ListType():
            return replace(given, item=renamed_type(given.item, rename, of_resource))
        case MapType():
            return replace(given, value=renamed_type(given.value, rename, of_resource))
        case UnionType():
            return replace(
                given, branches=tuple(renamed_type(each, rename, of_resource) for each in given.branches)
            )
        case ObjectType():
            fields = tuple(
                replace(each, type=renamed_type(each.type, rename, of_resource)) for each in given.fields
            )
            return replace(given, fields=fields)
        case _:
            return given


def without_prefix(schema: Schema, prefix: str) -> Schema:
    """Take a prefix, such as the version, off the names of types and resource types.

    Raises: Invalid (`E-SOURCE`) when two types would have one name, or no type has the prefix.
    """

    def _bare(name: str) -> str:
        rest = name.removeprefix(prefix)
        return rest if rest[:1].isalpha() else name

    def _resource(name: str) -> str:
        service, slash, type_ = name.rpartition("/")
        return f"{service}{slash}{_bare(type_)}"

    _check_names(
        (*schema.types, *(name for name in schema.resources if name not in schema.types)), _bare, prefix
    )
    methods = {
        name: replace(
            each, request=_bare(each.request), response=_bare(each.response), resource=_bare(each.resource)
        )
        for name, each in schema.methods.items()
    }
    return replace(
        schema,
        types={_bare(name): renamed_type(each, _bare, _resource) for name, each in schema.types.items()},
        resources={_bare(name): _renamed(each, _bare, _resource) for name, each in schema.resources.items()},
        methods=methods,
        hints={_bare(name): each for name, each in schema.hints.items()},
    )


def _renamed(resource: ResourceDefinition, bare: Rename, of_resource: Rename) -> ResourceDefinition:
    return replace(
        resource,
        type=of_resource(resource.type),
        message=bare(resource.message),
        parents=tuple(map(of_resource, resource.parents)),
    )


def _check_names(names: Iterable[str], bare: Rename, prefix: str) -> None:
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(bare(name), name)
        if other != name:
            raise Invalid(
                message(
                    "Without typePrefix {prefix} {other} and {name} would both be {bare}.",
                    prefix=repr(prefix),
                    other=other,
                    name=name,
                    bare=bare(name),
                ),
                code="E-SOURCE",
                remedy=message("Leave typePrefix out, or give the types names of their own."),
            )
    if all(short == name for short, name in known.items()):
        raise Invalid(
            message("No type begins with typePrefix {prefix}.", prefix=repr(prefix)),
            code="E-SOURCE",
            remedy=message("The types are {known}.", known=", ".join(sorted(known)[:8]) or "none"),
        )
