"""Say that one is on duty for approvals, and until when; or that one no longer is."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.electors import account_named
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import Actor, Target, require_within
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.models.duty import Duty

LONGEST_HOURS = 14 * 24


def take_duty(actor: Actor, hours: int) -> None:
    """Be on duty for so many hours from now, in place of any turn that was named before.

    Raises: Denied (`denied`, `duty-person`), Invalid (`duty-hours`).
    """
    account = _person(actor)
    if not 1 <= hours <= LONGEST_HOURS:
        raise Invalid(
            message("A duty of {hours} hours is not possible.", hours=hours),
            code="duty-hours",
            remedy=message("Use 1 hour to 14 days."),
        )
    now = timezone.now()
    until = now + timedelta(hours=hours)
    with transaction.atomic():
        Duty.objects.update_or_create(account=account, defaults={"since": now, "until": until})
        record(actor, "duty.take", Target("duty", actor.name), "done", after={"until": until.isoformat()})
        publish("approvals", "duty", actor.name, full={"name": actor.name, "until": until.isoformat()})


def leave_duty(actor: Actor) -> None:
    """Be off duty; harmless for an account that is not on it.

    Raises: Denied (`denied`, `duty-person`).
    """
    account = _person(actor)
    with transaction.atomic():
        gone, _ = Duty.objects.filter(account=account).delete()
        if gone:
            record(actor, "duty.leave", Target("duty", actor.name), "done")
            publish("approvals", "duty", actor.name)


def _person(actor: Actor) -> Account:
    require_within(actor, "approval.vote")
    account = account_named(actor.name)
    if account is None:
        raise Denied(
            message("Only a person is on duty."),
            code="duty-person",
            remedy=message("Sign in with your own account."),
        )
    return account
