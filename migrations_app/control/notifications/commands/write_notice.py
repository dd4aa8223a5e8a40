"""Rules of one's own: which events one is mailed of, how soon, and the hours in which one is left alone."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.events import outbox
from migrations_app.control.notifications.commands.write_webhook import check_events
from migrations_app.control.notifications.repository.notices import hours_as_json, notice_as_json
from migrations_app.control.notifications.sending import MAIL
from migrations_app.domain.access import Actor, ActorKind, Target
from migrations_app.domain.notices import Hours, NotificationPace, check_hours
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.models.hooks import NoticeHours, Webhook

MOST = 20


@dataclass(frozen=True, slots=True)
class NoticeSpec:
    """What one is told of, where it happens, and how soon."""

    events: tuple[str, ...]
    service: str = "*"
    region: str = "*"
    pace: str = "at-once"
    active: bool = True


def add_notice(actor: Actor, spec: NoticeSpec) -> JsonObject:
    """Make a rule of one's own.

    Raises: Denied (`needs-person`), Invalid (`webhook-events`, `webhook-mail`, `no-mail`), Conflict (`notices-many`).
    """
    account = _person(actor)
    _check(account, spec)
    identity = f"n{secrets.token_hex(5)}"
    row = Webhook(id=identity, name=f"{account.username} {identity}"[:100], owner=account, format=MAIL)
    row.created_by, row.cursor = actor.name, outbox.number().seq
    with transaction.atomic():
        if Webhook.objects.filter(owner=account).count() >= MOST:
            raise Conflict(
                message("You have {most} rules.", most=MOST),
                code="notices-many",
                remedy=message("Put some together."),
            )
        _fill(row, spec)
        record(actor, "notice.create", Target("notice", row.id), "done", after=notice_as_json(row))
    return notice_as_json(row)


def change_notice(actor: Actor, notice: str, spec: NoticeSpec, rev: int | None) -> JsonObject:
    """Change a rule of one's own; what is already on its way keeps its time.

    Raises: Denied, Missing (`notice-missing`), Invalid, Stale (`notice-changed`).
    """
    account = _person(actor)
    _check(account, spec)
    with transaction.atomic():
        row = _own(account, notice, rev)
        before = notice_as_json(row)
        row.rev += 1
        _fill(row, spec)
        record(actor, "notice.change", Target("notice", row.id), "done", before, notice_as_json(row))
    return notice_as_json(row)


def delete_notice(actor: Actor, notice: str, rev: int | None) -> None:
    """Take a rule of one's own away, with what was still to be told by it.

    Raises: Denied, Missing (`notice-missing`), Stale (`notice-changed`).
    """
    with transaction.atomic():
        row = _own(_person(actor), notice, rev)
        record(actor, "notice.delete", Target("notice", row.id), "done", before=notice_as_json(row))
        row.delete()


def set_hours(actor: Actor, hours: Hours, rev: int | None) -> JsonObject:
    """Say when one wants to be told; it holds for what happens from now on.

    Raises: Denied, Invalid (`zone`, `quiet-hours`), Stale (`notice-changed`).
    """
    account = _person(actor)
    check_hours(hours)
    with transaction.atomic():
        row, made = NoticeHours.objects.select_for_update().get_or_create(
            account=account, defaults={"rev": 0}
        )
        if rev is not None and rev != row.rev:
            raise _stale(hours_as_json(row))
        before = None if made else hours_as_json(row)
        row.zone, row.quiet_from, row.quiet_to = hours.zone, hours.quiet_from, hours.quiet_to
        row.daily_at, row.rev = hours.daily_at, row.rev + 1
        row.save()
        record(actor, "notice.hours", Target("account", actor.name), "done", before, hours_as_json(row))
    return hours_as_json(row)


def _person(actor: Actor) -> Account:
    account = Account.objects.filter(username=actor.name, kind="user").first()
    if account is None or actor.kind not in (ActorKind.USER, ActorKind.TOKEN):
        raise Denied(message("Only a person has rules of their own."), code="needs-person")
    return account


def _check(account: Account, spec: NoticeSpec) -> None:
    check_events(spec.events)
    NotificationPace(spec.pace)
    if not settings.EMAIL_HOST:
        raise Invalid(
            message("This installation sends no mails."),
            code="webhook-mail",
            remedy=message("Set SWITCHYARD_MAIL_URL to the server that takes them."),
        )
    if not account.email:
        raise Invalid(
            message("Your account has no mail address."),
            code="no-mail",
            remedy=message("Ask who manages access to set it."),
        )


def _fill(row: Webhook, spec: NoticeSpec) -> None:
    row.events, row.service, row.region = [*spec.events], spec.service, spec.region
    row.pace, row.active = spec.pace, spec.active
    row.save()


def _own(account: Account, notice: str, rev: int | None) -> Webhook:
    row = Webhook.objects.select_for_update().filter(pk=notice, owner=account).first()
    if row is None:
        raise Missing(message("You have no rule {notice}.", notice=repr(notice)), code="notice-missing")
    if rev is not None and rev != row.rev:
        raise _stale(notice_as_json(row))
    return row


def _stale(current: JsonObject) -> Stale:
    return Stale(
        message("It changed since you looked."),
        code="notice-changed",
        remedy=message("Read it again."),
        current=current,
    )
