"""Pass a change on to the registry that this console mirrors: allowed here, written down here, made there."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.commands.save_registered import may_make_regions
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.registry.changes import check_region_owner
from migrations_app.domain.registry.names import RegistryKind, last_id
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.wiring import mirrored


def is_mirror() -> bool:
    """Tell whether this console mirrors a registry that somebody else keeps."""
    return mirrored() is not None


def forward_change(
    actor: Actor, permission: str, kind: RegistryKind, target: Target, method: str, path: str, body: Json
) -> JsonObject:
    """Send a change of the Meta API to the mirrored registry and give its answer.

    Shape: `path` is below `/meta/v1/`, with its query.
    Raises: Denied, what that registry refuses, Busy (`registry-unavailable`).
    """
    require(actor, permission, target)
    if kind is RegistryKind.REGION:
        check_region_owner(may_make_regions(actor), last_id(path.partition("?")[0]))
    door = mirrored()
    if door is None:
        raise Conflict("This console keeps its own registry.", code="registry-own")
    answer = door.ask(method, path, body)
    with transaction.atomic():
        record(
            actor, "registry.forward", target, "done", None, {"method": method, "path": path, "body": body}
        )
    return answer
