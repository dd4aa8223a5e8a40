"""Service definitions: the stored files of a service folder, read as folders that are kept by their fingerprint."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.utils import timezone

from migrations_app.domain.schema.files.file_paths import is_allowed_path
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.types import (
    UnknownKeys,
)
from migrations_app.domain.schema.unknown_defaults import default_of_new
from migrations_app.kernel.errors import DefinitionMissing
from migrations_app.kernel.json import digest
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.ports.services.definitions import Definition

KEPT_COMPILED = 64


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Name a set of files by their paths and contents."""
    return digest({path: hashlib.sha256(content).hexdigest() for path, content in files.items()})


def keep(service: str, files: Mapping[str, bytes]) -> Definition:
    """Store a definition and make it the service's current one; tell which it is."""
    row = _stored(service, files)
    rows.Service.objects.filter(pk=service).update(definition=row)
    return Definition(service, row.fingerprint, files)


def put_by(service: str, files: Mapping[str, bytes]) -> str:
    """Store a definition that is to be applied later; give its fingerprint."""
    return _stored(service, files).fingerprint


def files_of(service: str, mark: str) -> Mapping[str, bytes]:
    """Read the files of a stored definition.

    Raises: Missing (`definition-missing`).
    """
    row = rows.ServiceDefinition.objects.filter(service=service, fingerprint=mark).first()
    if row is None:
        raise DefinitionMissing(
            message("{service} has no definition {mark} here.", service=service, mark=mark[:12]),
            service=service,
        )
    return _contents(row)


def _stored(service: str, files: Mapping[str, bytes]) -> rows.ServiceDefinition:
    row, _ = rows.ServiceDefinition.objects.get_or_create(
        service=service,
        fingerprint=fingerprint(files),
        defaults={
            "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
            "created_at": timezone.now(),
        },
    )
    return row


def _contents(row: rows.ServiceDefinition) -> Mapping[str, bytes]:
    return {path: base64.b64decode(content) for path, content in row.files.items()}


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


def current_fingerprints(services: Sequence[str]) -> dict[str, str | None]:
    """Name the definitions that several services have now, by one question; None where there is none."""
    found = rows.Service.objects.filter(pk__in=services).values_list("pk", "definition__fingerprint")
    return {**dict.fromkeys(services), **dict(found)}


def load(service: str) -> Definition:
    """Read the current definition of a service.

    Raises: Missing (`definition-missing`).
    """
    row = rows.ServiceDefinition.objects.filter(current_of=service).first()
    if row is None:
        raise DefinitionMissing(
            message("{service} has no definition here.", service=service),
            remedy=message("Apply its folder with `swy service apply`."),
            service=service,
        )
    return Definition(service, row.fingerprint, _contents(row))


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
