"""Fields that begin or cease to refer while their version is served: what is stored was never indexed that way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type, UnionType


def findings(before: Schema, after: Schema) -> tuple[DefinitionFinding, ...]:
    """Find the fields whose references a change of one version in place would leave wrong, by type and path.

    A field that is new may refer: no stored resource has it.
    """
    return tuple(
        each
        for short in sorted(before.resources.keys() & after.resources.keys())
        for each in _of_type(before, after, short)
    )


def _of_type(before: Schema, after: Schema, short: str) -> Iterator[DefinitionFinding]:
    was, now = _referring(before, short), _referring(after, short)
    known = was.keys() | set(_paths(before, short))
    for path in sorted(known & (was.keys() | now.keys())):
        if was.get(path) != now.get(path):
            yield DefinitionFinding(
                "references-in-place",
                f"{path} {_words(was.get(path))} in what is stored, and {_words(now.get(path))} from now on.",
                path=f"{after.service}/{short}.{path}",
                remedy=f"Leave it as it is in {after.version}, which is served, and change it in a new version.",
            )


def _referring(schema: Schema, short: str) -> Mapping[str, tuple[str, ...]]:
    finder = ReferenceFinder(schema)
    return {
        path: (finder.kind_of(field), *(f"{service}/{type_}" for service, type_ in targets))
        for field, path, targets in finder.declared(short)
    }


def _words(referring: tuple[str, ...] | None) -> str:
    if referring is None:
        return "refers to nothing"
    kind, *targets = referring
    return f"refers to {' or '.join(targets)} ({kind.lower()})"


def _paths(schema: Schema, short: str) -> Iterator[str]:
    yield from _below(schema, schema.document_type(short), "", frozenset())


def _below(schema: Schema, given: Type, at: str, seen: frozenset[str]) -> Iterator[str]:
    match given:
        case RefType() if given.name not in seen:
            yield from _below(schema, schema.resolve(given), at, seen | {given.name})
        case ObjectType():
            for each in given.fields:
                path = f"{at}.{each.key}" if at else each.key
                yield path
                yield from _below(schema, each.type, path, seen)
        case ListType():
            yield f"{at}[]"
            yield from _below(schema, given.item, f"{at}[]", seen)
        case MapType():
            yield f"{at}{{}}"
            yield from _below(schema, given.value, f"{at}{{}}", seen)
        case UnionType():
            for branch in given.branches:
                yield from _below(schema, branch, at, seen)
        case _:
            return
