"""The audit ledger: each entry is written with the change it tells of, and chained to the one before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import SYSTEM, Actor, Target
from migrations_app.domain.audit_actions import action_title, kind_title
from migrations_app.domain.notices import shown_address
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, as_message, catalogued, message, phrases_of
from migrations_app.kernel.named_queries import named_queries
from migrations_app.kernel.wordings import kept_message, phrases_as_json
from migrations_app.models.ledger import LedgerEntry

SQL = named_queries(Path(__file__).with_suffix(".sql"))
SECRET_WORDS = ("password", "secret", "token", "authorization", "cookie")
HIDDEN = "(hidden)"
FILTERS = ("actor", "action", "target", "service", "region", "outcome", "address", "request_id")
MOMENTS = {"since": "at__gte", "until": "at__lt"}
BREAKS = (
    catalogued("an entry before it is missing"),
    catalogued("it does not continue the chain"),
    catalogued("it was altered"),
)
"""How the SQL says that the chain breaks at an entry."""
SIGN_INS = ("session.sign_in", "session.sign_out", "session.prove")


CHAIN_BREAKS = {
    "missing": message("an entry before it is missing"),
    "discontinued": message("it does not continue the chain"),
    "altered": message("it was altered"),
}
"""What may be wrong with an entry, by the name that ledger.sql gives it."""


@dataclass(frozen=True, slots=True)
class ChainState:
    """How the chain stands: its length, its newest digest, and the first break if there is one."""

    length: int
    unsealed: int
    digest: str
    broken_at: int | None = None
    entry: int | None = None
    reason: WordedMessage = NOTHING


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The newest entry of the chain, or of a part of it."""

    seq: int
    digest: str


@dataclass(frozen=True, slots=True)
class ChainPage:
    """A verified part of the chain: how many entries, how it ends, and its first break if there is one."""

    count: int
    head: ChainHead
    broken_at: int | None = None
    reason: WordedMessage = NOTHING


def record(
    actor: Actor,
    action: str,
    target: Target,
    outcome: Literal["done", "denied", "failed", "dry_run"],
    before: JsonObject | None = None,
    after: JsonObject | None = None,
    reason: str | WordedMessage = "",
) -> int:
    """Write one entry with the caller's transaction and give its number; values under secret names are hidden."""
    words = _with_sender(reason, actor.sender)
    entry = LedgerEntry.objects.create(
        at=timezone.now(),
        actor_kind=actor.kind.value,
        actor=actor.name,
        token=actor.token,
        address=actor.address,
        request_id=actor.request_id[:64],
        action=action,
        target_kind=target.kind,
        target=target.id[:400],
        service=target.service,
        region=target.region,
        outcome=outcome,
        reason=str(words),
        reason_phrases=phrases_as_json(phrases_of(words)),
        before=hide_secrets(before),
        after=hide_secrets(after),
    )
    place = (entry.service, entry.region)
    publish("audit", "entry", str(entry.pk), full=entry_as_json(entry), places=[place])
    return entry.pk


def _with_sender(reason: str | WordedMessage, sender: str) -> str | WordedMessage:
    if not sender:
        return reason
    return as_message(reason) + message("By a service token of {sender}.", sender=sender)


def last_change(kind: str, id: str, action: str) -> JsonObject | None:
    """Tell who took an action on a thing last, when, and which; None where none did."""
    done = LedgerEntry.objects.filter(target_kind=kind, target=id[:400], outcome="done", action=action)
    return _newest(done)


def change_to(kind: str, id: str, **after: Json) -> JsonObject | None:
    """Tell who made a thing what it is by the ledger (`after`), when, and how; None where no entry says so."""
    said = {f"after__{name}": value for name, value in after.items()}
    return _newest(LedgerEntry.objects.filter(target_kind=kind, target=id[:400], outcome="done", **said))


def _newest(entries: QuerySet[LedgerEntry]) -> JsonObject | None:
    row = entries.order_by("-id").first()
    if row is None:
        return None
    who = "" if row.actor == SYSTEM.name else row.actor
    return {"who": who, "at": _iso(row.at), "what": row.reason or row.action, **_phrases(row, "what_phrases")}


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry_as_json(entry: LedgerEntry) -> JsonObject:
    """Give an entry as the API and the live stream show it."""
    return {
        "id": entry.pk,
        "at": _iso(entry.at),
        "actor": entry.actor,
        "actor_kind": entry.actor_kind,
        "actor_kind_title": kind_title(entry.actor_kind),
        "token": entry.token,
        "address": entry.address,
        "request_id": entry.request_id,
        "action": entry.action,
        "action_title": action_title(entry.action),
        "target_kind": entry.target_kind,
        "target_kind_title": kind_title(entry.target_kind),
        "target": entry.target,
        "service": entry.service,
        "region": entry.region,
        "outcome": entry.outcome,
        "reason": entry.reason,
        **_phrases(entry, "reason_phrases"),
        "before": shown_value(entry, entry.before),
        "after": shown_value(entry, entry.after),
    }


def _phrases(entry: LedgerEntry, name: str) -> JsonObject:
    """Give the phrases of a reason where they say what is sealed, which is the English text alone."""
    if not entry.reason_phrases:
        return {}
    return {name: phrases_as_json(kept_message(entry.reason, entry.reason_phrases).phrases)}


def shown_value(entry: LedgerEntry, value: JsonObject | None) -> JsonObject | None:
    """Shorten the addresses of channels: entries of former versions hold the whole, and the chain keeps them so."""
    if entry.target_kind != "webhook" or value is None or not isinstance(url := value.get("url"), str):
        return value
    return {**value, "url": shown_address(url)}


def sealed_as_json(entry: LedgerEntry) -> JsonObject:
    """Give an entry with its place in the chain."""
    seal = getattr(entry, "seal", None)
    return {
        **entry_as_json(entry),
        "seq": seal.seq if seal else None,
        "digest": seal.digest if seal else None,
    }


def matching(filters: Mapping[str, str]) -> QuerySet[LedgerEntry]:
    """Choose entries, newest first; `action` may end in a star, `since` and `until` are moments.

    `quiet` leaves out what fills the log without changing anything: dry runs, and sign-ins that succeeded.

    Raises: Invalid (`filter`, `moment`).
    """
    rows = LedgerEntry.objects.select_related("seal")
    for name, value in filters.items():
        if name == "action" and value.endswith("*"):
            rows = rows.filter(action__startswith=value[:-1])
        elif name == "quiet":
            rows = _without_noise(rows) if _flag(name, value) else rows
        elif name in MOMENTS:
            rows = rows.filter(**{MOMENTS[name]: _moment(name, value)})
        elif name in FILTERS:
            rows = rows.filter(**{name: value})
        else:
            raise Invalid(
                message("There is no filter {name}.", name=repr(name)),
                code="filter",
                remedy=message("Use {item}.", item=", ".join((*FILTERS, *MOMENTS, "quiet"))),
            )
    return rows


def _without_noise(rows: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry]:
    return rows.exclude(outcome="dry_run").exclude(action__in=SIGN_INS, outcome="done")


def _flag(name: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise Invalid(
            message("{name} is {value}.", name=name, value=repr(value)),
            code="filter",
            remedy=message("Use true or false."),
        )
    return value == "true"


def _moment(name: str, value: str) -> datetime:
    try:
        found = parse_datetime(value)
    except ValueError:
        found = None
    if found is None:
        raise Invalid(
            message("{name} is {value}.", name=name, value=repr(value)),
            code="moment",
            remedy=message("Write it as 2026-03-01T14:00:00Z."),
        )
    return found if timezone.is_aware(found) else timezone.make_aware(found, UTC)


def verify() -> ChainState:
    """Compute the whole chain again and tell where it breaks, if it does."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["length"])
        _, length, unsealed, digest = cursor.fetchone() or (0, 0, 0, "")
        cursor.execute(SQL["broken"])
        row = cursor.fetchone()
    if row is None:
        return ChainState(length, unsealed, digest)
    return ChainState(length, unsealed, digest, broken_at=row[0], entry=row[1], reason=CHAIN_BREAKS[row[2]])


def head() -> ChainHead:
    """Tell the number and the digest of the newest entry of the chain."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["head"])
        return ChainHead(*(cursor.fetchone() or (0, "")))


def verify_page(after: int, digest: str, limit: int) -> ChainPage:
    """Compute a part of the chain again: the entries after one that has this digest."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["page"], {"after": after, "digest": digest, "limit": limit})
        count, last, newest, broken_at, reason = cursor.fetchone() or (0, None, None, None, None)
    return ChainPage(
        count,
        ChainHead(last or after, newest or digest),
        broken_at,
        CHAIN_BREAKS[reason] if reason else NOTHING,
    )


def hide_secrets(value: JsonObject | None) -> JsonObject | None:
    """Replace values under names that speak of secrets, at any depth."""
    return None if value is None else {name: _hide(name, each) for name, each in value.items()}


def _hide(name: str, value: Json) -> Json:
    if isinstance(value, str) and any(word in name.lower() for word in SECRET_WORDS):
        return HIDDEN
    if isinstance(value, dict):
        return hide_secrets(value)
    if isinstance(value, list):
        return [_hide(name, each) for each in value]
    return value
