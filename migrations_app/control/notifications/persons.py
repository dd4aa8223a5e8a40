"""Rules of one person: what they may hear of, and when they are to be told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils import timezone

from migrations_app.control.access.repository.access import actor_of
from migrations_app.control.notifications.messages import permission_to_hear
from migrations_app.domain.access import Target, decide
from migrations_app.domain.notices import Hours, NotificationPace, due_at
from migrations_app.models.access import Account
from migrations_app.models.hooks import NoticeHours, Webhook

Hears = Callable[[str, "tuple[str, str] | None"], bool]
ToldAt = Callable[[], datetime]


def listener(hook: Webhook) -> tuple[Hears, ToldAt]:
    """Tell whether a channel hears of an event at a place, and when it is told; a shared one always, and at once."""
    owner = hook.owner
    if owner is None:
        return (lambda name, place: True), timezone.now
    actor, hours, pace = actor_of(owner), hours_of(owner), NotificationPace(hook.pace)

    def hears(name: str, place: tuple[str, str] | None) -> bool:
        service, region = place or ("", "")
        target = Target("notice", name, service=service, region=region)
        return owner.is_active and decide(actor, permission_to_hear(name), target).allowed

    return hears, lambda: due_at(timezone.now(), pace, hours)


def hours_of(account: Account) -> Hours:
    """Read when a person wants to be told."""
    row = NoticeHours.objects.filter(account=account).first()
    return Hours() if row is None else Hours(row.zone, row.quiet_from, row.quiet_to, row.daily_at)
