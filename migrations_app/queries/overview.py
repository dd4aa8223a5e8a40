"""The overview: what runs, what waits for whom, and which versions the fleet is on."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.domain.access import Actor, require
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.access import Token

SOON = timedelta(days=7)


def overview(actor: Actor) -> JsonObject:
    """Tell what one person wants to know first."""
    require(actor, "fleet.read")
    return {
        "now": now(actor),
        "needs_you": [*expiring_tokens(actor)],
        "running": running(actor),
        "skew": skew(),
        "windows": windows(),
    }


def now(actor: Actor) -> JsonObject:
    """Count the upgrades by what they wait for."""
    names = ("running", "waiting_mine", "waiting_others", "stalled", "failed", "reversible")
    return dict.fromkeys(names, 0)


def running(actor: Actor) -> list[Json]:
    """Show the upgrades that run."""
    return []


def skew() -> list[Json]:
    """Count deployments by version, per service."""
    return []


def windows() -> list[Json]:
    """List the windows that open or close within a day."""
    return []


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
            "sentence": f"Your token {row.name} ends on {row.expires_at:%Y-%m-%d}.",
            "deadline": row.expires_at.isoformat() if row.expires_at else None,
            "link": "/settings/access",
        }
        for row in rows
    ]
