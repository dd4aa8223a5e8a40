"""Accept a finding of a compatibility report until a day: one asks, another approves, either ends it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.approval_policies.repository.electors import refuse_dependent
from migrations_app.control.audit.ledger import record
from migrations_app.control.definition_changes.repository.waivers import (
    WAIVER_SENTENCES,
    locked_waiver,
    publish_waiver,
    state_of,
    target_of_waiver,
    waiver_as_json,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.acceptance import open_places
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.evidence.waivers import Waiver

LONGEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class WaiverWish:
    """Which finding of which report, why it is acceptable, and how long."""

    service: str
    before: str
    after: str
    rule: str
    path: str
    where: str
    reason: str
    until: datetime
    setting: Setting = Setting()


def ask_waiver(actor: Actor, wish: WaiverWish) -> JsonObject:
    """Ask that a finding be accepted; it counts once another person approved.

    Raises: Denied, Missing (`finding-missing`, `definition-missing`, `version`), Invalid (`waiver`),
    Conflict (`waiver-exists`).
    """
    require(actor, "registry.write", Target("service", wish.service, wish.service))
    check_terms(wish.reason, wish.until)
    return keep_waiver(actor, wish, _change(wish))


def check_terms(reason: str, until: datetime) -> None:
    """See that a waiver says why, and ends.

    Raises: Invalid (`waiver`).
    """
    now = timezone.now()
    if not reason.strip():
        raise _invalid("reason", message("Write what makes the finding acceptable."))
    if until <= now:
        raise _invalid("until", message("The time is not in the future."))
    if until > now + LONGEST:
        raise _invalid("until", message("The time is more than one year away."))


def _invalid(field: str, words: WordedMessage) -> Invalid:
    wrong = (Violation(field, words),)
    return Invalid(message("The waiver is not valid."), code="waiver", violations=wrong)


def keep_waiver(
    actor: Actor, wish: WaiverWish, change: str, decision: JsonObject | None = None
) -> JsonObject:
    """Keep a waiver that was asked for; `change` is what its finding says, `decision` that on a change in place.

    Raises: Conflict (`waiver-exists`).
    """
    now = timezone.now()
    row = Waiver(
        id=f"v{secrets.token_hex(5)}",
        service=wish.service,
        before=wish.before,
        after=wish.after,
        rule=wish.rule,
        path=wish.path,
        where=wish.where,
        change=change,
        reason=wish.reason.strip(),
        until=wish.until,
        asked_by=actor.person,
        asked_at=now,
        decision=decision,
    )
    with transaction.atomic():
        _end_expired(row, now)
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError as error:
            raise Conflict(
                message("This finding has a waiver already."),
                code="waiver-exists",
                remedy=message("Approve that one, or end it first."),
            ) from error
        record(actor, "waiver.ask", target_of_waiver(row), "done", after=waiver_as_json(row, now))
        publish_waiver(row, now)
    return waiver_as_json(row, now)


def approve_waiver(actor: Actor, waiver_id: str) -> JsonObject:
    """Let a waiver count; the one who asked for it cannot.

    Raises: Denied (`denied`, `same-person`), Missing (`waiver-missing`), Conflict (`waiver-state`).
    """
    with transaction.atomic():
        row, now = locked_waiver(waiver_id), timezone.now()
        require(actor, "approval.vote", target_of_waiver(row))
        _expect(row, now, "asked")
        refuse_dependent(
            actor, ((row.asked_by, row.asked_at),), row.asked_at, message("Another person approves a waiver.")
        )
        row.approved_by, row.approved_at = actor.name, now
        row.save()
        record(actor, "waiver.approve", target_of_waiver(row), "done", after=waiver_as_json(row, now))
        publish_waiver(row, now)
    return waiver_as_json(row, now)


def end_waiver(actor: Actor, waiver_id: str) -> JsonObject:
    """End a waiver before its time, or refuse one that was asked for.

    Raises: Denied, Missing (`waiver-missing`), Conflict (`waiver-state`).
    """
    with transaction.atomic():
        row, now = locked_waiver(waiver_id), timezone.now()
        permission = "registry.write" if actor.person == row.asked_by else "approval.vote"
        require(actor, permission, target_of_waiver(row))
        _expect(row, now, "asked", "in-force")
        before = waiver_as_json(row, now)
        row.ended_by, row.ended_at = actor.name, now
        row.save()
        record(actor, "waiver.end", target_of_waiver(row), "done", before, waiver_as_json(row, now))
        publish_waiver(row, now)
    return waiver_as_json(row, now)


def _expect(row: Waiver, now: datetime, *states: str) -> None:
    state = state_of(row, now)
    if state not in states:
        raise Conflict(
            WAIVER_SENTENCES[state],
            code="waiver-state",
            remedy=message("Look at it again, or request a new one."),
        )


def _change(wish: WaiverWish) -> str:
    report = document(assess(compiled_service(wish.service), wish.before, wish.after, wish.setting))
    for (rule, path, where, change), _ in open_places(report):
        if (rule, path, where) == (wish.rule, wish.path, wish.where):
            return change
    raise Missing(
        message("The report has nothing to accept by {rule} at {path}.", rule=wish.rule, path=wish.path),
        code="finding-missing",
        remedy=message("Read the report again, with the same clients and servers."),
    )


def _end_expired(row: Waiver, now: datetime) -> None:
    same = Waiver.objects.filter(
        service=row.service, before=row.before, after=row.after, rule=row.rule, path=row.path, where=row.where
    )
    same.filter(ended_at__isnull=True, until__lte=now).update(ended_at=now, ended_by="its time")
