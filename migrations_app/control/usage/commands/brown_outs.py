"""Request, approve and stop brown-outs: a share of the requests that use something deprecated is refused for a while."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.approval_policies.repository.approvals import policy_for, policy_of
from migrations_app.control.approval_policies.repository.electors import groups_of, refuse_dependent
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.usage.repository.brown_outs import (
    OPEN,
    brown_out_as_json,
    locked_brown_out,
    state_of_brown_out,
    target_of_brown_out,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.compatibility.brown_outs import (
    BROWN_OUT_SENTENCES,
    BrownOutKind,
    BrownOutState,
    kind_of,
)
from migrations_app.domain.compatibility.evidence import day_of
from migrations_app.domain.compatibility.places import field_at, segments_of
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.evidence.retirements import BrownOut, VersionRetirement
from migrations_app.models.registry import Deployment
from migrations_app.wiring import brown_outs

LONGEST = timedelta(days=30)
CLOCK_DIFFERENCE = timedelta(minutes=1)
"""How far in the past a beginning may be that meant now."""


@dataclass(frozen=True, slots=True)
class BrownOutSpec:
    """What is refused of which place, and when; without `begins_at` at once.

    `sunset` and `replaced_by` are needed only where neither the definition nor a retirement says them.
    """

    version: str
    place: str
    percent: float
    ends_at: datetime
    begins_at: datetime | None = None
    sunset: date | None = None
    replaced_by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Deprecated:
    kind: BrownOutKind
    since: date | None
    sunset: date | None
    replaced_by: str


def request_brown_out(actor: Actor, service: str, spec: BrownOutSpec) -> JsonObject:
    """Request a brown-out, and announce it; where a policy asks for approvals, only once they are given.

    Raises: Denied, Missing (`definition-missing`, `version`, `usage-place`), Invalid (`brown-out-terms`,
    `brown-out-sunset`), Conflict (`not-deprecated`, `brown-out-exists`).
    """
    require(actor, "registry.write", Target("service", service, service))
    now = timezone.now()
    begins_at = spec.begins_at or now
    _check_terms(spec, begins_at, now)
    deprecated = _deprecated(compiled_service(service).schema(spec.version), service, spec.place)
    sunset = spec.sunset or deprecated.sunset
    if sunset is None:
        raise Invalid(
            message("It is not known when {place} is removed.", place=spec.place),
            code="brown-out-sunset",
            remedy=message("Give its sunset in the definition, or with this request."),
        )
    policy = _strictest_policy(service)
    row = BrownOut(
        id=f"b{secrets.token_hex(5)}",
        service=service,
        version=spec.version,
        kind=deprecated.kind.value,
        place=spec.place,
        percent=spec.percent,
        begins_at=max(begins_at, now),
        ends_at=spec.ends_at,
        since=deprecated.since,
        sunset=sunset,
        replaced_by=spec.replaced_by.strip() or deprecated.replaced_by,
        note=spec.note.strip(),
        policy=policy.as_json(),
        requested_by=actor.person,
        requested_at=now,
        approved_at=None if policy.total else now,
    )
    with transaction.atomic():
        _refuse_overlap(row, now)
        row.save(force_insert=True)
        return _recorded(actor, row, "brown-out.request", now, row.note)


def approve_brown_out(actor: Actor, brown_out_id: str) -> JsonObject:
    """Approve a brown-out that another person requested; with the last approval it is announced.

    Raises: Missing (`brown-out-missing`), Denied (`denied`, `vote-denied`, `same-person`), Conflict (`brown-out-state`).
    """
    with transaction.atomic():
        row, now = locked_brown_out(brown_out_id), timezone.now()
        target = target_of_brown_out(row)
        require(actor, "approval.vote", target)
        _expect(row, now, BrownOutState.REQUESTED)
        given = [(str(each["who"]), datetime.fromisoformat(str(each["at"]))) for each in row.approvals]
        authors = ((row.requested_by, row.requested_at), *given)
        refuse_dependent(actor, authors, row.requested_at, message("Another person approves a brown-out."))
        policy = policy_of(row.policy)
        stage = policy.stage_at(len(given))
        if stage.group and stage.group not in groups_of(actor, target):
            raise Denied(
                message("The next approval is for {group}.", group=stage.group),
                code="vote-denied",
                who_can=(stage.group,),
            )
        row.approvals = [*row.approvals, {"who": actor.name, "at": now.isoformat()}]
        if len(row.approvals) >= policy.total:
            row.approved_at = now
        row.rev += 1
        row.save()
        return _recorded(actor, row, "brown-out.approve", now)


def stop_brown_out(actor: Actor, brown_out_id: str, reason: str) -> JsonObject:
    """Stop a brown-out at once, or take back one that did not begin.

    Raises: Missing (`brown-out-missing`), Denied, Conflict (`brown-out-state`).
    """
    with transaction.atomic():
        row, now = locked_brown_out(brown_out_id), timezone.now()
        require(actor, "registry.write", target_of_brown_out(row))
        _expect(row, now, *OPEN)
        row.stopped_by, row.stopped_at, row.stop_reason = actor.name, now, reason.strip()
        row.rev += 1
        row.save()
        return _recorded(actor, row, "brown-out.stop", now, row.stop_reason)


def _strictest_policy(service: str) -> Policy:
    """Find the policy that asks for most: a brown-out counts in every region of its service."""
    regions = Deployment.objects.filter(service_id=service).values_list("region_id", flat=True)
    policies = (policy_for(service, region, Purpose.BROWN_OUT) for region in ("*", *regions))
    return max(policies, key=lambda each: each.total)


def _check_terms(spec: BrownOutSpec, begins_at: datetime, now: datetime) -> None:
    wrong = [Violation(field, words) for field, words in _wrong_terms(spec, begins_at, now)]
    if wrong:
        raise Invalid(
            message("The share or the times of the brown-out are not valid."),
            code="brown-out-terms",
            violations=tuple(wrong),
        )


def _wrong_terms(
    spec: BrownOutSpec, begins_at: datetime, now: datetime
) -> Iterator[tuple[str, WordedMessage]]:
    if not 0 < spec.percent <= 100:
        yield "percent", message("The share is above 0 and at most 100.")
    if begins_at < now - CLOCK_DIFFERENCE:
        yield "begins_at", message("The time is in the past.")
    if spec.ends_at <= now:
        yield "ends_at", message("The time is not in the future.")
    elif spec.ends_at <= begins_at:
        yield "ends_at", message("The end is not after the beginning.")
    elif spec.ends_at > begins_at + LONGEST:
        yield "ends_at", message("A brown-out takes at most {days} days.", days=LONGEST.days)


def _deprecated(schema: Schema, service: str, place: str) -> _Deprecated:
    """Find since when a place is deprecated, when it is removed, and what replaces it."""
    kind = kind_of(schema, place)
    if kind is BrownOutKind.VERSION:
        row = VersionRetirement.objects.filter(
            service=service, version=schema.version, retires_on__isnull=False
        ).first()
        if row is None:
            raise _not_deprecated(place, message("Set its retirement day first."))
        return _Deprecated(kind, row.set_at.date(), row.retires_on, "")
    if kind is BrownOutKind.METHOD:
        return _Deprecated(kind, None, None, "")
    type_, _, path = place.partition(".")
    field = field_at(schema, type_, segments_of(path)) if kind is not None else None
    if field is None:
        raise Missing(
            message(
                "{service} {version} has no {place}.", service=service, version=schema.version, place=place
            ),
            code="usage-place",
            remedy=message(
                "Name a field or method as `swy usage` does, such as Box.title or Box.delete, or the version."
            ),
        )
    if field.deprecated is None:
        raise _not_deprecated(
            place, message("Deprecate it in the definition first, so that answers announce it.")
        )
    since = day_of(field.deprecated.since)
    return _Deprecated(
        BrownOutKind.FIELD, since, day_of(field.deprecated.sunset), field.deprecated.replaced_by
    )


def _not_deprecated(place: str, remedy: WordedMessage) -> Conflict:
    return Conflict(message("{place} is not deprecated.", place=place), code="not-deprecated", remedy=remedy)


def _refuse_overlap(row: BrownOut, now: datetime) -> None:
    """Refuse two brown-outs of one place at one time: their shares would add up.

    Raises: Conflict (`brown-out-exists`).
    """
    # One at a time asks: two that overlap would not see each other.
    others = BrownOut.objects.select_for_update().filter(
        service=row.service, version=row.version, place=row.place, stopped_at__isnull=True, ends_at__gt=now
    )
    for other in others:
        if other.begins_at < row.ends_at and row.begins_at < other.ends_at:
            raise Conflict(
                message("{place} has brown-out {id} in that time.", place=row.place, id=other.id),
                code="brown-out-exists",
                remedy=message("Stop that one, or choose another time."),
            )


def _expect(row: BrownOut, now: datetime, *states: BrownOutState) -> None:
    state = state_of_brown_out(row, now)
    if state not in states:
        raise Conflict(
            BROWN_OUT_SENTENCES[state],
            code="brown-out-state",
            remedy=message("Request a new one."),
        )


def _recorded(actor: Actor, row: BrownOut, action: str, now: datetime, reason: str = "") -> JsonObject:
    """Write the ledger entry, notify owners, and let the resource servers of this process read again."""
    shown = brown_out_as_json(row, now)
    record(actor, action, target_of_brown_out(row), "done", after=shown, reason=reason)
    key = f"{row.service}/{row.version}/{row.place}"
    publish("fleet", "brown-out", key, full=shown, rev=row.rev, places=[(row.service, "")])
    transaction.on_commit(brown_outs().forget)
    return shown
