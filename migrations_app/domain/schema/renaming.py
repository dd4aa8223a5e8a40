"""Types of one schema taken into another under names of their own."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type, UnionType


def renamed_type(given: Type, suffix: str) -> Type:
    """Copy a type, with a suffix at the names of all named types that it refers to."""
    match given:
        case RefType():
            return RefType(f"{given.name}{suffix}")
        case ListType():
            return replace(given, item=renamed_type(given.item, suffix))
        case MapType():
            return replace(given, value=renamed_type(given.value, suffix))
        case UnionType():
            return replace(given, branches=tuple(renamed_type(each, suffix) for each in given.branches))
        case ObjectType():
            fields = tuple(replace(each, type=renamed_type(each.type, suffix)) for each in given.fields)
            return replace(given, fields=fields)
        case _:
            return given
