"""The overview: what runs, what waits for whom, and which versions the fleet is on."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.access_requests import queries as asks
from migrations_app.control.fleet.queries.deployments import followed
from migrations_app.control.overview.queries import switches
from migrations_app.control.overview.queries import upgrades as upgrade_overview
from migrations_app.control.references.queries import deletion_watches
from migrations_app.control.rows.within import within
from migrations_app.control.schemas.queries import waiver_inbox
from migrations_app.domain.access import Actor, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.names import version_order
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.access import Token
from migrations_app.models.registry import Deployment

SOON = timedelta(days=7)


def overview(actor: Actor) -> JsonObject:
    """Tell what one person wants to know first."""
    reach = require_reach(actor, "fleet.read")
    return {
        "now": dict(upgrade_overview.counts(actor)),
        "needs_you": [
            *upgrade_overview.votes_needed(actor),
            *waiver_inbox.approvals_needed(actor),
            *upgrade_overview.reviews_owed(actor),
            *upgrade_overview.asked_for(actor),
            *asks.needed(actor),
            *upgrade_overview.stalled(actor),
            *deletion_watches.cleared(actor),
            *expiring_tokens(actor),
        ],
        "running": upgrade_overview.running(actor),
        "skew": skew(reach),
        "windows": upgrade_overview.windows_soon(actor),
        "followed": followed(actor),
        "week": switches.last_week(actor),
        "first_use": switches.first_use(actor),
    }


def skew(reach: Reach) -> list[Json]:
    """Count the deployments within reach by version, per service; the most spread service first."""
    counted: dict[str, dict[str, int]] = {}
    rows = Deployment.objects.filter(within(reach, "service__id", "region__id")).exclude(current_version="")
    for service, version in rows.values_list("service_id", "current_version"):
        versions = counted.setdefault(service, {})
        versions[version] = versions.get(version, 0) + 1
    ordered = sorted(counted.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [
        {
            "service": service,
            "versions": [
                {"version": version, "count": versions[version]}
                for version in sorted(versions, key=version_order)
            ],
        }
        for service, versions in ordered
    ]


def expiring_tokens(actor: Actor) -> list[Json]:
    """Name own tokens that end soon."""
    until = timezone.now() + SOON
    rows = Token.objects.filter(
        account__username=actor.name, revoked_at=None, expires_at__gt=timezone.now(), expires_at__lt=until
    ).order_by("expires_at")
    return [
        {
            "kind": "token",
            "id": row.id,
            **sentence_as_json(
                message(
                    "Your token {token} ends at {ends_at}.", token=row.name, ends_at=to_minute(row.expires_at)
                )
            ),
            "deadline": row.expires_at.isoformat(),
            "link": "/settings/access",
        }
        for row in rows
        if row.expires_at is not None
    ]
