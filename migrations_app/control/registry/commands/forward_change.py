"""Pass a change on to the registry that this console mirrors: allowed here, written down here, made there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.commands.save_registered import may_make_regions
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.registry.changes import check_region_owner
from migrations_app.domain.registry.names import RegistryKind, last_id
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.wiring import mirrored


def is_mirror() -> bool:
    """Tell whether this console mirrors a registry of another installation."""
    return mirrored() is not None


@dataclass(frozen=True, slots=True)
class ForwardedChange:
    """A change of the Meta API as it was asked for; `path` is below `/meta/v1/`, with its query."""

    method: str
    path: str
    body: Json
    if_match: str = ""
    dry_run: bool = False


def forward_change(
    actor: Actor, permission: str, kind: RegistryKind, target: Target, change: ForwardedChange
) -> JsonObject:
    """Send a change of the Meta API to the mirrored registry and give its answer.

    Raises: Denied, Invalid (`dry-run`) where that registry would carry a dry run out, what it refuses, Busy
    (`registry-unavailable`).
    """
    require(actor, permission, target)
    if kind is RegistryKind.REGION:
        check_region_owner(may_make_regions(actor), last_id(change.path.partition("?")[0]))
    registry = mirrored()
    if registry is None:
        raise Conflict(message("This console keeps its own registry."), code="registry-own")
    if change.dry_run and not registry.has_dry_runs():
        raise Invalid(
            message("The registry that is mirrored has no dry runs; this one would be carried out."),
            code="dry-run",
            remedy=message("Leave the parameter out, or look there what would happen."),
        )
    answer = registry.ask(change.method, change.path, change.body, if_match=change.if_match)
    with transaction.atomic():
        asked: JsonObject = {"method": change.method, "path": change.path, "body": change.body}
        outcome: Literal["dry_run", "done"] = "dry_run" if change.dry_run else "done"
        record(actor, "registry.forward", target, outcome, None, asked)
    return answer
