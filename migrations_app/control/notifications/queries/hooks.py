"""Webhooks and their deliveries as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from django.db.models import Count, Q

from migrations_app.control.events import outbox
from migrations_app.control.notifications.messages import (
    NAMES,
    body_of,
    is_wanted,
    name_of,
    permission_to_hear,
    place_of,
    place_of_body,
)
from migrations_app.control.notifications.repository.hooks import delivery_as_json, hook_as_json, hook_target
from migrations_app.control.notifications.sending import FORMATS, MAIL, mail_of, payload
from migrations_app.domain.access import Actor, decide, reach_of, require
from migrations_app.domain.reach import Reach
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.hooks import Webhook, WebhookDelivery


def hooks(actor: Actor) -> list[Json]:
    """List the webhooks with how their deliveries stand."""
    require(actor, "access.read")
    rows = Webhook.objects.filter(owner=None).annotate(
        waiting=Count("deliveries", filter=Q(deliveries__state="pending")),
        retrying=Count("deliveries", filter=Q(deliveries__state="pending", deliveries__attempts__gt=0)),
        failed=Count("deliveries", filter=Q(deliveries__state="failed")),
    )
    return [
        {**hook_as_json(row), "waiting": row.waiting, "retrying": row.retrying, "failed": row.failed}
        for row in rows
        if decide(actor, "access.read", hook_target(row)).allowed
    ]


def hook(actor: Actor, hook_id: str) -> JsonObject:
    """Show one webhook.

    Raises: Denied, Missing (`webhook-missing`).
    """
    found = [each for each in hooks(actor) if isinstance(each, dict) and each["id"] == hook_id]
    if not found:
        raise Missing(message("There is no webhook {hook_id}.", hook_id=hook_id), code="webhook-missing")
    return found[0]


def deliveries(actor: Actor, hook_id: str, after: int | None, limit: int) -> list[WebhookDelivery]:
    """Read the deliveries of a webhook, newest first.

    Raises: Denied, Missing (`webhook-missing`).
    """
    hook(actor, hook_id)
    reach = reach_of(actor, "access.read")
    rows = WebhookDelivery.objects.filter(webhook_id=hook_id)
    rows = rows if after is None else rows.filter(pk__lt=after)
    if reach.everywhere:
        return list(rows[:limit])
    return list(
        islice((row for row in rows.iterator(limit) if _is_within(place_of_body(row.body), reach)), limit)
    )


def _is_within(place: tuple[str, str] | None, reach: Reach) -> bool:
    """Tell whether an event lies within a reach; what is about no deployment is for who reaches all of them."""
    return reach.everywhere or (place is not None and reach.covers(*place))


LATELY = 500
"""So many of the newest events are searched for one to preview."""


def preview(actor: Actor, form: str, patterns: Sequence[str]) -> JsonObject:
    """Show how a channel would be told of the newest event it wants, or of an example when there was none of late.

    Raises: Denied.
    """
    require(actor, "access.read")
    head = outbox.number()
    wanted = [
        (event, name)
        for event in outbox.read(max(head.pruned, head.seq - LATELY), head.seq, LATELY)
        if is_wanted(name := name_of(event), patterns)
        and _is_within(place_of(event), reach_of(actor, permission_to_hear(name)))
    ]
    body = body_of(*wanted[-1]) if wanted else dict(EXAMPLE)
    if form == MAIL:
        subject, text = mail_of(body)
        message: JsonObject = {"subject": subject, "text": text}
    else:
        message = payload(form, "preview", 0, body)
    return {"event": body["event"], "example": not wanted, "message": message}


EXAMPLE: JsonObject = {
    "event": "upgrade.caught-up",
    "seq": 0,
    "at": "2026-03-01T14:02:11.000Z",
    "about": "u0",
    "link": "/upgrades/u0",
    "title": "secrets @ eu-1: v1alpha2 to v1",
    "text": "All 16 shards are caught up.",
    "data": {"kind": "caught-up", "text": "All 16 shards are caught up."},
}

__all__ = ["FORMATS", "NAMES", "deliveries", "delivery_as_json", "hook", "hooks", "preview"]
