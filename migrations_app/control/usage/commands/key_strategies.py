"""Say what is done with one key that a version does not know, until an end; and end that before its time."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.audit.ledger import record
from migrations_app.control.usage.queries.key_strategies import is_known
from migrations_app.control.usage.repository.key_strategies import (
    KEY_STRATEGY_SENTENCES,
    key_strategy_as_json,
    locked_key_strategy,
    state_of_key_strategy,
    target_of_key_strategy,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.places import FieldOccurrence, object_at, segments_of
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.evidence.retirements import KeyStrategy

LONGEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class KeyStrategySpec:
    """Which key of which version, what is done with it, why, and until when; the key as `Box.lid.shade`."""

    version: str
    place: str
    strategy: str
    reason: str
    until: datetime


def set_key_strategy(actor: Actor, service: str, spec: KeyStrategySpec) -> JsonObject:
    """Set the strategy of one key; it takes the place of the one in force.

    Raises: Denied, Missing (`definition-missing`, `version`, `key-place`), Invalid (`key-strategy`).
    """
    require(actor, "registry.write", Target("service", service, service))
    now = timezone.now()
    if not spec.reason.strip():
        raise Invalid(
            message("The strategy has no reason."),
            code="key-strategy",
            violations=(Violation("reason", message("Write which client still sends the key.")),),
        )
    if not now < spec.until <= now + LONGEST:
        raise Invalid(
            message("The end of the strategy is not valid."),
            code="key-strategy",
            violations=(Violation("until", _wrong_end(spec.until, now)),),
        )
    place = _place(compiled_service(service).schema(spec.version), spec.place)
    row = KeyStrategy(
        id=f"k{secrets.token_hex(5)}",
        service=service,
        version=spec.version,
        type=place.resource,
        path=place.path,
        strategy=spec.strategy,
        reason=spec.reason.strip(),
        until=spec.until,
        set_by=actor.person,
        set_at=now,
    )
    with transaction.atomic():
        before = _replace(row, actor, now)
        row.save(force_insert=True)
        shown = _shown(row, now)
        record(actor, "key-strategy.set", target_of_key_strategy(row), "done", before, shown, row.reason)
    return shown


def end_key_strategy(actor: Actor, strategy_id: str) -> JsonObject:
    """End a strategy before its time: that of the deployment applies again.

    Raises: Missing (`key-strategy-missing`), Denied, Conflict (`key-strategy-state`).
    """
    with transaction.atomic():
        row, now = locked_key_strategy(strategy_id), timezone.now()
        target = target_of_key_strategy(row)
        require(actor, "registry.write", target)
        state = state_of_key_strategy(row, now)
        if state != "in-force":
            raise Conflict(
                KEY_STRATEGY_SENTENCES[state],
                code="key-strategy-state",
                remedy=message("Set a new one."),
            )
        before = _shown(row, now)
        row.ended_by, row.ended_at = actor.name, now
        row.save(update_fields=["ended_by", "ended_at"])
        shown = _shown(row, now)
        record(actor, "key-strategy.end", target, "done", before, shown)
    return shown


def _wrong_end(until: datetime, now: datetime) -> WordedMessage:
    if until <= now:
        return message("The time is not in the future.")
    return message("The time is more than one year away.")


def _shown(row: KeyStrategy, now: datetime) -> JsonObject:
    return key_strategy_as_json(row, now, is_known=is_known(row))


def _place(schema: Schema, place: str) -> FieldOccurrence:
    """Read a key's place; what holds it must be an object of the version.

    Raises: Missing (`key-place`).
    """
    type_, _, path = place.partition(".")
    segments = segments_of(path)
    if type_ not in schema.resources or not segments or object_at(schema, type_, segments[:-1]) is None:
        raise Missing(
            message(
                "{service} {version} has no object that would hold {place}.",
                service=schema.service,
                version=schema.version,
                place=place,
            ),
            code="key-place",
            remedy=message(
                "Name the type and the path, such as Box.lid.shade, with [] for the items of a list "
                "and {form} of a map.",
                form="{}",
            ),
        )
    return FieldOccurrence(type_, segments)


def _replace(row: KeyStrategy, actor: Actor, now: datetime) -> JsonObject | None:
    """End the strategy of the same key that is not ended yet, and show what it was."""
    old = (
        KeyStrategy.objects.select_for_update()
        .filter(service=row.service, version=row.version, type=row.type, path=row.path, ended_at__isnull=True)
        .first()
    )
    if old is None:
        return None
    before = _shown(old, now)
    old.ended_by, old.ended_at = actor.name, now
    old.save(update_fields=["ended_by", "ended_at"])
    return before
