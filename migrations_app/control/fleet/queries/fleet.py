"""The fleet: which service runs which version where, and what is on the move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.documents import DOCUMENTS
from migrations_app.control.upgrade_state.repository.progress import figures_as_json
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of, with_facts
from migrations_app.domain.access import Actor, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.switch.states import LIVE
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.registry import Deployment, Import, Region, Service
from migrations_app.models.upgrades import Upgrade

IDLE = "IDLE"

COLUMNS = (
    "name",
    "service_id",
    "region_id",
    "current_version",
    "upgrade_target",
    "upgrade_stage",
    "upgrade_ready",
    "upgrade_ring",
    "automatic_version_switch",
    "is_disabled",
    "revision",
    "details",
    "db_data_version",
)
"""What a cell is made of."""


def fleet(actor: Actor) -> JsonObject:
    """Show regions, services in the order of their imports, and a cell for each deployment."""
    reach = require_reach(actor, "fleet.read")
    graph = registry.read_graph()
    ranks = graph.ranks()
    known = (row for row in Service.objects.all() if reach.covers(service=row.id))
    services = sorted(known, key=lambda row: (ranks.get(row.id, 0), row.id))
    imported = _import_versions(reach)
    return {
        "regions": [
            {"name": row.id, "title": row.title or row.id, "zone": zone_of(row)}
            for row in Region.objects.all()
            if reach.covers(region=row.id)
        ],
        "services": [
            {
                "name": row.id,
                "display_name": row.display_name or row.id,
                "versions": row.versions,
                "rank": ranks.get(row.id, 0),
                "imports": [*sorted(each for each in graph.imports.get(row.id, ()) if reach.covers(each))],
                "import_versions": imported.get(row.id, []),
            }
            for row in services
        ],
        "cells": _all_cells(reach),
    }


def _import_versions(reach: Reach) -> Mapping[str, list[Json]]:
    """Read which version of which service each version imports, by service; one query."""
    edges = Import.objects.filter(kind=Import.IMPORTS).order_by("service_id", "target_id")
    imported: dict[str, list[Json]] = {}
    for service, target, versions in edges.values_list("service_id", "target_id", "versions"):
        if reach.covers(target):
            imported.setdefault(service, []).extend(
                {"service": target, "version": versions[own], "for_version": own} for own in sorted(versions)
            )
    return imported


def _all_cells(reach: Reach) -> list[Json]:
    """Show every deployment within reach, from the registry's documents: what did not change is not written again."""
    live = live_upgrades(None)
    known = DOCUMENTS.chosen(
        RegistryKind.DEPLOYMENT, "cells", lambda snapshot: [_cell_of(each) for each in snapshot.ordered]
    )
    return [
        _moving(each, live.get(str(each["name"])))
        for each in known
        if reach.covers(str(each["service"]), str(each["region"]))
    ]


def _cell_of(written: JsonObject) -> JsonObject:
    name, metadata = str(written["name"]), written["metadata"]
    assert isinstance(metadata, dict)
    upgrade = written.get("upgradeState")
    state = upgrade if isinstance(upgrade, dict) else {}
    ready, pending = state.get("readyShards", []), state.get("pendingShards", [])
    assert isinstance(ready, list)
    assert isinstance(pending, list)
    return {
        "service": name.split("/")[1],
        "region": name.rpartition("/")[2],
        "name": name,
        "current_version": written.get("currentVersion", ""),
        "target_version": state.get("targetVersion"),
        "state": state.get("stage", IDLE),
        "ready": len(ready),
        "total": len(ready) + len(pending),
        "automatic": written.get("automaticVersionSwitch", False),
        "disabled": written.get("isDisabled", False),
        "upgrade_id": None,
        "rev": int(str(metadata["resourceVersion"])),
        "labels": metadata.get("labels", {}),
        "data_version": written.get("dbDataVersion", ""),
    }


def zone_of(row: Region) -> str:
    """Tell a region's time zone, which its annotation `timeZone` names; empty where it is not set."""
    kept = row.details.get("metadata") or {}
    return str((kept.get("annotations") or {}).get("timeZone", ""))


def cells(rows: QuerySet[Deployment]) -> list[Json]:
    """Show deployments as cells of the matrix; one more query finds their upgrades."""
    # Bare columns: ten thousand rows as objects would take four times as long.
    found = list(rows.values_list(*COLUMNS, named=True))
    live = live_upgrades([row.name for row in found] if len(found) < 500 else None)
    return [cell(row, live.get(row.name)) for row in found]


def live_upgrades(names: list[str] | None) -> Mapping[str, Upgrade]:
    """Find the running upgrade of each deployment, with all facts of it."""
    rows = with_facts(Upgrade.objects.filter(state__in=[state.value for state in LIVE]))
    if names is not None:
        rows = rows.filter(deployment__in=names)
    return {row.deployment: row for row in rows}


def cell(row: Any, upgrade: Upgrade | None) -> JsonObject:
    """Show one deployment; an upgrade that another registry runs shows by what the deployment says of it."""
    shown: JsonObject = {
        "service": row.service_id,
        "region": row.region_id,
        "name": row.name,
        "current_version": row.current_version,
        "target_version": row.upgrade_target or None,
        "state": row.upgrade_stage or IDLE,
        "ready": len(row.upgrade_ready),
        "total": row.upgrade_ring,
        "automatic": row.automatic_version_switch,
        "disabled": row.is_disabled,
        "upgrade_id": None,
        "rev": row.revision,
        "labels": (row.details.get("metadata") or {}).get("labels", {}),
        "data_version": row.db_data_version,
    }
    return _moving(shown, upgrade)


def _moving(shown: JsonObject, upgrade: Upgrade | None) -> JsonObject:
    """Let a cell show an upgrade that this console runs."""
    if upgrade is None:
        return shown
    return {
        **shown,
        **figures_as_json(snapshot_of(upgrade)),
        "target_version": upgrade.to_version,
        "state": upgrade.state,
        "upgrade_id": upgrade.id,
        "started_at": upgrade.started_at.isoformat() if upgrade.started_at else None,
        "owner": upgrade.created_by,
    }
