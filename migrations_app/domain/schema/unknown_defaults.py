"""What a new service does with keys that its versions do not know, where neither it nor its sources say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, Type, UnionType, UnknownKeys

# Kubernetes prunes what a CRD does not know, and a client written for it counts on that.
_PRUNED = frozenset({"crd"})


def default_of_new(given: ServiceFolder) -> UnknownKeys | None:
    """Give `strict` for a service that says nothing of unknown keys; None where it or a source does."""
    if given.unknown_keys is not None:
        return None
    schemas = given.schemas.values()
    if any(source.kind in _PRUNED for schema in schemas for source in schema.sources):
        return None
    says_nothing = all(
        each.unknown is UnknownKeys.FILTER for schema in schemas for each in _objects(schema.types.values())
    )
    return UnknownKeys.STRICT if says_nothing else None


def _objects(types: Iterable[Type]) -> Iterator[ObjectType]:
    for given in types:
        match given:
            case ObjectType():
                yield given
                yield from _objects(field.type for field in given)
            case ListType():
                yield from _objects([given.item])
            case MapType():
                yield from _objects([given.value])
            case UnionType():
                yield from _objects(given.branches)
            case _:
                continue
