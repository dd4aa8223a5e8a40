"""Webhooks as rows: read, written, and shown without their secrets."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.approval_policies.repository.approvals import environment
from migrations_app.domain.access import Target
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import kept_message, phrases_as_json
from migrations_app.models.hooks import Webhook, WebhookDelivery


def hook_row(hook_id: str) -> Webhook:
    """Read and lock a webhook that is shared; the rules of a person are their own.

    Raises: Missing (`webhook-missing`).
    """
    row = Webhook.objects.select_for_update().filter(pk=hook_id, owner=None).first()
    if row is None:
        raise Missing(message("There is no webhook {hook_id}.", hook_id=hook_id), code="webhook-missing")
    return row


def hook_target(row: Webhook) -> Target:
    """Name a channel for decisions and the ledger: it lies where what it is told of does."""
    return Target("webhook", row.name, row.service, row.region, environment())


def hook_as_json(row: Webhook) -> JsonObject:
    """Show a webhook; its secret is shown once, when it is made, its whole address never."""
    return {
        "id": row.id,
        "name": row.name,
        "rev": row.rev,
        "format": row.format,
        "address": row.address,
        "events": [*row.events],
        "service": row.service,
        "region": row.region,
        "active": row.active,
        "former_until": _iso(row.former_until),
        "created_by": row.created_by,
        "created_at": _iso(row.created_at),
    }


def delivery_as_json(row: WebhookDelivery) -> JsonObject:
    """Show a delivery."""
    return {
        "id": row.pk,
        "seq": row.seq,
        "event": row.event,
        "body": row.body,
        "state": row.state,
        "attempts": row.attempts,
        "next_at": _iso(row.next_at) if row.state == "pending" else None,
        "status": f"{row.status // 100}xx" if row.status else None,
        "took_ms": row.took_ms,
        "error": row.error,
        **_error_phrases(row),
        "created_at": _iso(row.created_at),
        "delivered_at": _iso(row.delivered_at),
    }


def _error_phrases(row: WebhookDelivery) -> JsonObject:
    words = kept_message(row.error, row.error_phrases)
    return {"error_phrases": phrases_as_json(words.phrases)} if words else {}


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None
