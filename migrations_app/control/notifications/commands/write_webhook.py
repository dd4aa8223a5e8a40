"""Make, change, rotate, test and remove webhooks, and send a delivery again."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.adapters.egress.http import check_destination
from migrations_app.adapters.egress.sockets import public_destinations
from migrations_app.control.approval_policies.repository.approvals import environment
from migrations_app.control.audit.ledger import last_change, record
from migrations_app.control.events import outbox
from migrations_app.control.notifications.addresses import address_of, put_address
from migrations_app.control.notifications.messages import LINES, NAMES, is_wanted, permission_to_hear
from migrations_app.control.notifications.repository.hooks import (
    delivery_as_json,
    hook_as_json,
    hook_row,
    hook_target,
)
from migrations_app.control.notifications.sending import MAIL, recipients
from migrations_app.control.notifications.signing_secrets import put_secret, rotate_secret
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.ports.processes.outbound import AddressRefused, NotAnAddress

MANAGE = "access.manage"
LOOKUP_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class HookSpec:
    """Who is told of what."""

    name: str
    url: str
    """Its whole address; empty where a change leaves it as it is."""
    events: tuple[str, ...]
    service: str = "*"
    region: str = "*"
    active: bool = True
    format: str = "signed"


def create_webhook(actor: Actor, spec: HookSpec) -> JsonObject:
    """Make a webhook; the answer shows its secret this once.

    Raises: Denied, Invalid (`webhook-url`, `webhook-events`), Conflict (`webhook-exists`).
    """
    target = _check_target(actor, spec)
    _check(spec)
    row, secret = Webhook(id=f"w{secrets.token_hex(5)}", created_by=actor.name), _secret()
    put_secret(row, secret)
    # What happened before it was made does not concern it.
    row.cursor = outbox.number().seq
    with transaction.atomic():
        _fill(row, spec)
        record(actor, "webhook.create", target, "done", after=hook_as_json(row))
    return {**hook_as_json(row), "secret": secret}


def change_webhook(actor: Actor, hook_id: str, spec: HookSpec, rev: int | None) -> JsonObject:
    """Change a webhook, as long as no other change was made since `rev`; the same again changes nothing.

    Raises: Denied, Missing, Invalid, Conflict (`webhook-exists`), Stale (`webhook-changed`).
    """
    _check_target(actor, spec)
    _check(spec, keeps=not spec.url)
    with transaction.atomic():
        row = _expected(actor, hook_id, rev)
        before = hook_as_json(row)
        if not spec.url and spec.format != row.format:
            raise Invalid(
                message("An address belongs to the way in which a channel is told."),
                code="webhook-url",
                remedy=message("Give the address too."),
            )
        if _says(row, spec):
            return before
        row.rev += 1
        _fill(row, spec)
        # Two addresses may look the same where only their ends are shown.
        after: JsonObject = {**hook_as_json(row), "new_address": bool(spec.url)}
        record(actor, "webhook.change", hook_target(row), "done", before, after)
    return hook_as_json(row)


def webhook_id(name: str) -> str | None:
    """Find the id of the webhook of this name."""
    return Webhook.objects.filter(name=name.strip()).values_list("id", flat=True).first()


def _says(row: Webhook, spec: HookSpec) -> bool:
    """Tell whether a webhook is as the specification has it."""
    kept = (row.name, [*row.events], row.format, row.service, row.region, row.active)
    asked = (spec.name.strip(), [*spec.events], spec.format, spec.service, spec.region, spec.active)
    return kept == asked and (not spec.url or spec.url == address_of(row))


def delete_webhook(actor: Actor, hook_id: str, rev: int | None) -> None:
    """Remove a webhook with the log of its deliveries.

    Raises: Denied, Missing, Stale (`webhook-changed`).
    """
    with transaction.atomic():
        row = _expected(actor, hook_id, rev)
        record(actor, "webhook.delete", hook_target(row), "done", before=hook_as_json(row))
        row.delete()


def rotate_webhook(actor: Actor, hook_id: str) -> JsonObject:
    """Give a webhook a new secret; messages are signed with both for a day, so that receivers can follow.

    Raises: Denied, Missing.
    """
    with transaction.atomic():
        row, secret = _managed(actor, hook_id), _secret()
        rotate_secret(row, secret, timezone.now())
        row.rev += 1
        row.save()
        record(actor, "webhook.rotate", hook_target(row), "done")
    return {**hook_as_json(row), "secret": secret}


def send_test_message(actor: Actor, hook_id: str) -> JsonObject:
    """Have a test message delivered.

    Raises: Denied, Missing.
    """
    with transaction.atomic():
        row = _managed(actor, hook_id)
        now = timezone.now()
        body: JsonObject = {
            "event": "test",
            "seq": 0,
            "at": now.isoformat(),
            "about": row.name,
            "link": "/settings/hooks",
            "title": "A test",
            "text": f"Switchyard reaches {row.name}.",
        }
        kept = WebhookDelivery.objects.create(webhook=row, seq=0, event="test", body=body, next_at=now)
        record(actor, "webhook.test", hook_target(row), "done")
    return delivery_as_json(kept)


def replay_delivery(actor: Actor, hook_id: str, delivery: int) -> JsonObject:
    """Send a delivery again, under the same number.

    Raises: Denied, Missing (`delivery-missing`).
    """
    with transaction.atomic():
        hook = _managed(actor, hook_id)
        rows = WebhookDelivery.objects.select_for_update().filter(webhook_id=hook_id, pk=delivery)
        row = rows.first()
        if row is None:
            raise Missing(
                message("There is no delivery {delivery}.", delivery=delivery), code="delivery-missing"
            )
        row.state, row.attempts, row.next_at = "pending", 0, timezone.now()
        row.error, row.error_phrases = "", []
        row.save()
        record(actor, "webhook.replay", hook_target(hook), "done", after={"delivery": delivery})
    return delivery_as_json(row)


def _secret() -> str:
    return f"whsec_{secrets.token_urlsafe(32)}"


def _fill(row: Webhook, spec: HookSpec) -> None:
    row.name, row.events = spec.name.strip(), [*spec.events]
    if spec.url:
        put_address(row, spec.url)
    row.format = spec.format
    row.service, row.region, row.active = spec.service, spec.region, spec.active
    taken = Conflict(
        message("There is a webhook {name} already.", name=row.name),
        code="webhook-exists",
        remedy=message("Use another name."),
    )
    # Looked for first: a database may log a statement that it refuses, with the secret in it.
    if Webhook.objects.filter(name=row.name).exclude(pk=row.pk).exists():
        raise taken
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise taken from error


def _check_target(actor: Actor, spec: HookSpec) -> Target:
    """Refuse a channel of what its maker may not manage there, or may not read there themselves."""
    target = Target("webhook", spec.name, spec.service, spec.region, environment())
    require(actor, MANAGE, target)
    for name in NAMES:
        if is_wanted(name, spec.events) or (name == LINES and any(map(_is_line, spec.events))):
            require(actor, permission_to_hear(name), target)
    return target


def _managed(actor: Actor, hook_id: str) -> Webhook:
    row = hook_row(hook_id)
    require(actor, MANAGE, hook_target(row))
    return row


def _expected(actor: Actor, hook_id: str, rev: int | None) -> Webhook:
    row = _managed(actor, hook_id)
    if rev is not None and rev != row.rev:
        raise Stale(
            message("The webhook changed since you looked."),
            code="webhook-changed",
            remedy=message("Read it again."),
            current=hook_as_json(row),
            changed=last_change("webhook", row.name, "webhook.change"),
        )
    return row


def _check(spec: HookSpec, *, keeps: bool = False) -> None:
    if keeps:
        check_events(spec.events)
        return
    if spec.format == MAIL:
        _check_mail(spec.url)
    else:
        _check_url(spec.url)
    check_events(spec.events)


def check_events(events: tuple[str, ...]) -> None:
    """Refuse names of events that there are none of.

    Raises: Invalid (`webhook-events`).
    """
    unknown = [each for each in events if not _known(each)]
    if unknown or not events:
        raise Invalid(
            message("There are no events {unknown}.", unknown=repr(unknown[0]))
            if unknown
            else message("A webhook needs at least one event."),
            code="webhook-events",
            remedy=message("Use {names}.", names=", ".join(NAMES)),
        )


def _check_mail(url: str) -> None:
    if not settings.EMAIL_HOST:
        raise Invalid(
            message("This installation sends no mails."),
            code="webhook-mail",
            remedy=message("Set SWITCHYARD_MAIL_URL to the server that takes them."),
        )
    found = recipients(url)
    try:
        for each in found:
            validate_email(each)
    except ValidationError:
        found = []
    if not found or not url.startswith("mailto:"):
        raise Invalid(
            message("This is no address that mails can be sent to."),
            code="webhook-url",
            remedy=message("Write mailto:name@host, several parted by commas."),
        )


def _check_url(url: str) -> None:
    try:
        check_destination(url, public_destinations(), LOOKUP_SECONDS)
    except NotAnAddress as error:
        raise _wrong_address(
            message("Events cannot be delivered to this address."),
            message("Write https://host/path, without a name or password in it."),
        ) from error
    except AddressRefused as error:
        raise _wrong_address(
            message("This address is in a network that Switchyard does not call."),
            message("Who runs this installation can list the network in SWITCHYARD_EGRESS_NETWORKS."),
        ) from error


def _wrong_address(words: WordedMessage, remedy: WordedMessage) -> Invalid:
    violation = Violation("url", words, remedy, "invalid")
    return Invalid(words, code="webhook-url", remedy=remedy, violations=(violation,))


def _known(pattern: str) -> bool:
    return _is_line(pattern) or any(is_wanted(name, (pattern,)) for name in NAMES)


def _is_line(pattern: str) -> bool:
    return pattern.startswith("upgrade.")
