"""Indexes of references that are being filled: those of a version that is copied to and not served yet."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F

from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of, with_facts
from migrations_app.domain.access import Actor, require_reach
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import where
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import UpgradeKind

FILLING = (State.SYNCING.value, State.READY.value, State.SWITCHING.value)


def building(actor: Actor, asked: Mapping[str, str]) -> list[Json]:
    """List the versions whose references are being filled, as far as this actor may read the deployments.

    `asked` narrows by `version`, `service` and `region`; what is empty matches everything. The index of a version
    that is served is always whole: it changes in the transaction of each write.

    Raises: Denied.
    """
    seen = within(require_reach(actor, "resource.read"))
    rows = Upgrade.objects.filter(seen, state__in=FILLING, kind=UpgradeKind.VERSION.value).exclude(
        to_version=F("from_version")
    )
    for field, name in (("to_version", "version"), ("service", "service"), ("region", "region")):
        if asked[name]:
            rows = rows.filter(**{field: asked[name]})
    return [_shown(row) for row in with_facts(rows.order_by("service", "region"))]


def _shown(row: Upgrade) -> JsonObject:
    progress = snapshot_of(row).progress
    percent, reported = progress.percent, progress.reported_at
    return {
        "service": row.service,
        "region": row.region,
        "version": row.to_version,
        "served": row.from_version,
        "upgrade_id": row.id,
        "percent": percent,
        "oldest_report_at": reported.isoformat().replace("+00:00", "Z") if reported else None,
        **sentence_as_json(_building(row, percent)),
    }


def _building(row: Upgrade, percent: int | None) -> WordedMessage:
    done = (
        message("Index building: not counted yet.")
        if percent is None
        else message("Index building: {percent} %.", percent=percent)
    )
    here = {"place": where(row.service, row.region), "version": row.to_version}
    if row.state != State.SYNCING.value:
        done += message("{place} is copied to {version}.", **here)
    elif row.paused:
        done += message("{place} is being copied to {version} (paused).", **here)
    else:
        done += message("{place} is being copied to {version}.", **here)
    return done + message("References are those of {served} until it is switched.", served=row.from_version)
