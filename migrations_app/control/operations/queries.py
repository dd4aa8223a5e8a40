"""Long operations as they are read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from django.db.models import Q

from migrations_app.control.operations.repository.operations import operation_as_json
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, require, require_reach
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.operations import Operation

FILTERS = ("kind", "target", "state", "requested_by", "request_id")


def operation(actor: Actor, id: uuid.UUID) -> JsonObject:
    """Give one operation.

    Raises: Denied, Missing (`operation`).
    """
    require(actor, "operation.read")
    row = Operation.objects.filter(pk=id).first()
    if row is None:
        raise Missing(message("There is no operation {id}.", id=str(id)), code="operation")
    require(actor, "operation.read", Target("operation", str(id), row.service, row.region))
    return operation_as_json(row)


def has_news(actor: Actor, id: uuid.UUID, seen_rev: int | None) -> bool:
    """Tell whether an operation has ended, or changed since a revision.

    Raises: Denied, Missing (`operation`).
    """
    found = operation(actor, id)
    return found["state"] != "running" or (seen_rev is not None and int(str(found["rev"])) > seen_rev)


def operations(
    actor: Actor, filters: Mapping[str, str], *, after: Sequence[Json] | None = None, limit: int = 51
) -> list[JsonObject]:
    """List operations, newest first, whose fields say what each of `FILTERS` that is named asks for.

    `after` is the key of the last one that was shown: when it began, and its id.
    """
    seen = within(require_reach(actor, "operation.read"))
    asked = {name: filters[name] for name in FILTERS if filters.get(name)}
    rows = Operation.objects.filter(seen, **asked).order_by("-created_at", "-id")
    if after is not None:
        at, last = after
        rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=last))
    return [operation_as_json(row) for row in rows[:limit]]
