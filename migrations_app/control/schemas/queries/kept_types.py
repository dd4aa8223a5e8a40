"""Kept types as they are shown: how many resources there are, and whether they were exported as they are."""

from __future__ import annotations

from migrations_app.control.schemas.repository.kept_types import (
    KeptTypeState,
    kept_types_of,
    state_of_kept,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.registry.names import deployment_name
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject


def kept_types(actor: Actor, service: str, region: str) -> list[Json]:
    """List the types that a deployment keeps of other versions, and those that its upgrade will leave.

    Raises: Denied, Missing (`deployment-missing`).
    """
    name = deployment_name(service, region)
    require(actor, "resource.read", Target("deployment", name, service, region))
    return [kept_type_as_json(state_of_kept(each)) for each in kept_types_of(name)]


def kept_type_as_json(state: KeptTypeState) -> JsonObject:
    """Show one."""
    export = state.export
    return {
        "type": state.of.kept.type,
        "version": state.of.kept.version,
        "without": state.of.without,
        "stored": state.stored,
        "exported": state.is_exported,
        "changed_since": state.is_changed if export is not None else None,
        "export": None
        if export is None
        else {
            "at": iso(export.exported_at),
            "by": export.exported_by,
            "resources": export.resources,
            "sha256": export.sha256,
        },
    }
