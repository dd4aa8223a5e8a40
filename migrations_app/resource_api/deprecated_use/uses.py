"""Requests of the resource API as notes of what their clients use."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from migrations_app.domain.access import Actor
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.services.usage import Use
from migrations_app.resource_api.addresses import RequestAddress
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.published_requests import filter_dialect

_MENTIONING = ("filter", "orderBy", "fieldMask", "updateMask")


def use_of(
    schema: Schema,
    address: RequestAddress,
    request: ResourceRequest,
    actor: Actor,
    query: Mapping[str, str],
    method: str,
    type_: str = "",
    returned: tuple[JsonObject, ...] | None = None,
) -> Use:
    """Note of a request what tells which fields its client knows."""
    mentions = tuple((key, query[key]) for key in _MENTIONING if query.get(key)) if query else ()
    # A body of names mentions no keys.
    body = b"" if request.reads else request.body
    release = request.headers.get("user-agent", "").partition(" ")[0]
    dialect = query.get("filterDialect", "") or filter_dialect(schema)
    now = datetime.now(UTC)
    return Use(
        schema, address.region, type_, method, actor.name, release, now, body, mentions, dialect, returned
    )
