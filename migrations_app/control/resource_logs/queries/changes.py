"""The resource change log of a deployment, without what its definition marks as sensitive today."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from migrations_app import wiring
from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.resource_logs.repository import log_location
from migrations_app.control.resource_logs.schemas import (
    ImageSchema,
    ResourceChangeSchema,
    ResourceChangesQuestionSchema,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.registry.masks import changed_paths
from migrations_app.domain.schema.sensitive import redacted_object, sensitive_paths
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.ports.logs.resource_changes import LogKey, ResourceChangeEntry, ResourceChangeQuery
from migrations_app.web.paging import foreign_cursor


def resource_changes(
    actor: Actor,
    service: str,
    region: str,
    question: ResourceChangesQuestionSchema,
    *,
    after: tuple[Json, ...] | None = None,
    limit: int = 50,
) -> list[ResourceChangeSchema]:
    """List changes of resources, the newest first; `after` is the key of the last one that is known.

    Raises: Denied, Missing (`deployment-missing`), Busy (`database-busy`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    location = log_location(service, region)
    query = ResourceChangeQuery(
        location.deployment,
        uid=question.uid,
        name=question.name,
        type=question.type,
        version=question.version,
        operation=question.operation,
        caller=question.caller,
        request_id=question.request_id,
        since=question.since,
        until=question.until,
        before=None if after is None else _key(after),
        limit=limit,
    )
    entries = wiring.resource_changes().entries(location.databases, location.namespaces, query)
    compiled = _compiled(service)
    return [_shown(compiled, entry) for entry in entries]


def change_key(change: ResourceChangeSchema) -> list[Json]:
    """Give the key of a change, after which the next page begins."""
    version, _, seq = change.id.rpartition("/")
    return [change.at.isoformat(), version, int(seq)]


def _key(after: tuple[Json, ...]) -> LogKey:
    try:
        at, version, seq = after
        return datetime.fromisoformat(str(at)), str(version), int(str(seq))
    except ValueError as error:
        raise foreign_cursor() from error


def _compiled(service: str) -> CompiledService | None:
    """Compile the definition; None when it is gone: what the log keeps was redacted as it was written."""
    try:
        return compiled_service(service)
    except SwitchyardError:
        return None


def _shown(compiled: CompiledService | None, entry: ResourceChangeEntry) -> ResourceChangeSchema:
    before, after = _image(compiled, entry, entry.before), _image(compiled, entry, entry.after)
    return ResourceChangeSchema(
        id=f"{entry.version}/{entry.seq}",
        at=entry.at,
        version=entry.version,
        operation=entry.operation,
        type=entry.type,
        name=entry.name,
        uid=entry.uid,
        revision=str(entry.revision),
        caller=entry.caller,
        request_id=entry.request_id,
        changed=_changed(before, after),
        before=before,
        after=after,
    )


def _image(
    compiled: CompiledService | None, entry: ResourceChangeEntry, kept: Mapping[str, Any] | None
) -> ImageSchema | None:
    if kept is None:
        return None
    body = kept["body"]
    # A field may have been marked after the entry was written.
    if compiled is not None and entry.version in compiled.versions:
        schema = compiled.schema(entry.version)
        if entry.type in schema.resources:
            body = redacted_object(body, sensitive_paths(schema, entry.type))
    return ImageSchema(body=body, metadata=kept["metadata"])


def _changed(before: ImageSchema | None, after: ImageSchema | None) -> list[str]:
    if before is None or after is None:
        return []
    metadata = changed_paths({"metadata": before.metadata}, {"metadata": after.metadata})
    return [".".join(path) for path in (*changed_paths(before.body, after.body), *metadata)]
