"""Webhooks and their deliveries as they are read."""

from __future__ import annotations

from django.db.models import Count, Q

from migrations_app.adapters.hooks.messages import NAMES
from migrations_app.adapters.hooks.sending import FORMATS
from migrations_app.adapters.repositories.hooks import delivery_as_json, hook_as_json
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.hooks import Webhook, WebhookDelivery


def hooks(actor: Actor) -> list[Json]:
    """List the webhooks with how their deliveries stand."""
    require(actor, "access.read")
    rows = Webhook.objects.annotate(
        waiting=Count("deliveries", filter=Q(deliveries__state="pending")),
        failed=Count("deliveries", filter=Q(deliveries__state="failed")),
    )
    return [{**hook_as_json(row), "waiting": row.waiting, "failed": row.failed} for row in rows]


def hook(actor: Actor, hook_id: str) -> JsonObject:
    """Show one webhook.

    Raises: Denied, Missing (`webhook-missing`).
    """
    found = [each for each in hooks(actor) if isinstance(each, dict) and each["id"] == hook_id]
    if not found:
        raise Missing(f"There is no webhook {hook_id}.", code="webhook-missing")
    return found[0]


def deliveries(actor: Actor, hook_id: str, after: int | None, limit: int) -> list[WebhookDelivery]:
    """Read the deliveries of a webhook, newest first.

    Raises: Denied, Missing (`webhook-missing`).
    """
    hook(actor, hook_id)
    rows = WebhookDelivery.objects.filter(webhook_id=hook_id)
    return list((rows if after is None else rows.filter(pk__lt=after))[:limit])


__all__ = ["FORMATS", "NAMES", "deliveries", "delivery_as_json", "hook", "hooks"]
