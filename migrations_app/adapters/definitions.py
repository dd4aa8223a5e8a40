"""Service definitions: the stored files of a service folder, and what is compiled from them, by fingerprint."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils import timezone

from migrations_app.domain.registry.declared import Declared, DeclaredType
from migrations_app.domain.schema.files.file_paths import is_allowed_path
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    Type,
    UnionType,
    UnknownKeys,
)
from migrations_app.domain.schema.unknown_defaults import default_of_new
from migrations_app.kernel.errors import DefinitionMissing
from migrations_app.kernel.json import digest
from migrations_app.models import registry as rows

KEPT_COMPILED = 64


@dataclass(frozen=True, slots=True)
class Definition:
    """A service's definition as it was applied."""

    service: str
    fingerprint: str
    files: Mapping[str, bytes]


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Name a set of files by their paths and contents."""
    return digest({path: hashlib.sha256(content).hexdigest() for path, content in files.items()})


def keep(service: str, files: Mapping[str, bytes]) -> Definition:
    """Store a definition and make it the service's current one; tell which it is."""
    mark = fingerprint(files)
    row, _ = rows.ServiceDefinition.objects.get_or_create(
        service=service,
        fingerprint=mark,
        defaults={
            "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
            "created_at": timezone.now(),
        },
    )
    rows.Service.objects.filter(pk=service).update(definition=row)
    return Definition(service, mark, files)


def keep_default(given: ServiceFolder, before: str | None) -> None:
    """Note what a new service does with unknown keys, for all definitions of it that say nothing of them.

    A service that had a definition `before` keeps what it has.
    """
    if before is not None:
        return
    default = default_of_new(given)
    rows.Service.objects.filter(pk=given.service).update(unknown_keys=default.value if default else "")


def default_of(service: str) -> UnknownKeys | None:
    """Give what a service does with unknown keys where its definition says nothing; None leaves it to the sources."""
    kept = rows.Service.objects.filter(pk=service).values_list("unknown_keys", flat=True).first()
    return UnknownKeys(kept) if kept else None


def current_fingerprint(service: str) -> str | None:
    """Name the definition a service has now; None when it was registered without one."""
    found: str | None = (
        rows.Service.objects.filter(pk=service).values_list("definition__fingerprint", flat=True).first()
    )
    return found


def load(service: str) -> Definition:
    """Read the current definition of a service.

    Raises: Missing (`definition-missing`).
    """
    row = rows.ServiceDefinition.objects.filter(current_of=service).first()
    if row is None:
        raise DefinitionMissing(
            f"{service} has no definition here.",
            remedy="Apply its folder with `swy service apply`.",
            service=service,
        )
    files = {path: base64.b64decode(content) for path, content in row.files.items()}
    return Definition(service, row.fingerprint, files)


def folder(service: str, mark: str | None = None) -> ServiceFolder:
    """Read the current service folder; kept in memory until the definition changes.

    Shape: `mark` is its current fingerprint, for who has just read it.
    Raises: Missing (`definition-missing`).
    """
    mark = mark or current_fingerprint(service)
    return _folder(service, mark or load(service).fingerprint)


@lru_cache(maxsize=KEPT_COMPILED)
def _folder(service: str, mark: str) -> ServiceFolder:
    # A definition kept by an earlier release may hold names that are not admitted any more; no source can need them.
    files = load(service).files
    return read_files({path: content for path, content in files.items() if is_allowed_path(path)})


def declared(given: ServiceFolder) -> Declared:
    """Say what a folder declares, in the registry's words."""
    return Declared(
        service=given.service,
        display_name=given.display_name,
        types={version: tuple(_types(schema)) for version, schema in given.schemas.items()},
        imports={
            version: {one.service: one.version for one in imported}
            for version, imported in given.imports.items()
        },
        refers_to={version: frozenset(_targets(schema)) for version, schema in given.schemas.items()},
    )


def _types(schema: Schema) -> Iterator[DeclaredType]:
    for name, resource in schema.resources.items():
        regional = any("regions/{" in pattern for pattern in resource.patterns)
        yield DeclaredType(name, resource.plural, regional)


def _targets(schema: Schema) -> Iterator[str]:
    for each in schema.types.values():
        yield from _services(each)


def _services(given: Type) -> Iterator[str]:
    match given:
        case ReferenceType():
            yield from (target.partition("/")[0] for target in given.resource if "/" in target)
        case ListType():
            yield from _services(given.item)
        case MapType():
            yield from _services(given.value)
        case UnionType():
            for branch in given.branches:
                yield from _services(branch)
        case ObjectType():
            for field in given:
                yield from _services(field.type)
        case _:
            return
