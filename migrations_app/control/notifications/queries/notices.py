"""One's own rules of being told, and what became of them."""

from __future__ import annotations

from django.conf import settings

from migrations_app.control.notifications.repository.hooks import delivery_as_json
from migrations_app.control.notifications.repository.notices import hours_as_json, notice_as_json
from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.models.hooks import NoticeHours, Webhook, WebhookDelivery

LATELY = 20


def notices(actor: Actor) -> JsonObject:
    """Show one's rules, one's hours, where mails go and the newest deliveries."""
    rules = Webhook.objects.filter(owner__username=actor.name).order_by("created_at", "id")
    hours = NoticeHours.objects.filter(account__username=actor.name).first() or NoticeHours(rev=0)
    sent = WebhookDelivery.objects.filter(webhook__owner__username=actor.name)[:LATELY]
    return {
        "mail": actor.email,
        "sends_mail": bool(settings.EMAIL_HOST),
        "hours": hours_as_json(hours),
        "rules": [notice_as_json(row) for row in rules],
        "sent": [delivery_as_json(row) for row in sent],
    }
