"""Fields that begin or cease to refer while their version is served: what is stored was never indexed that way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type, UnionType
from migrations_app.kernel.messages import WordedMessage, message


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
                _changed(path, was.get(path), now.get(path)),
                path=f"{after.service}/{short}.{path}",
                remedy_words=message(
                    "Leave it as it is in {version}, which is served, and change it in a new version.",
                    version=after.version,
                ),
            )


def _referring(schema: Schema, short: str) -> Mapping[str, tuple[str, ...]]:
    finder = ReferenceFinder(schema)
    return {
        path: (finder.kind_of(field), *(f"{service}/{type_}" for service, type_ in targets))
        for field, path, targets in finder.declared(short)
    }


def _changed(path: str, was: tuple[str, ...] | None, now: tuple[str, ...] | None) -> WordedMessage:
    values = {"path": path, "stored": _named(was), "changed": _named(now)}
    if was is None:
        return message(
            "{path} refers to nothing in what is stored, and refers to {changed} from now on.", **values
        )
    if now is None:
        return message(
            "{path} refers to {stored} in what is stored, and refers to nothing from now on.", **values
        )
    return message(
        "{path} refers to {stored} in what is stored, and refers to {changed} from now on.", **values
    )


def _named(referring: tuple[str, ...] | None) -> str:
    kind, *targets = referring or ("",)
    return f"{' or '.join(targets)} ({kind.lower()})"


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
